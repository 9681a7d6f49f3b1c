"""The web page: the files for browsers, and their addresses."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import jinja2


@cache
def _templates() -> jinja2.Environment:
    import jinja2

    return jinja2.Environment(autoescape=True, keep_trailing_newline=True, loader=jinja2.PackageLoader("api.page"))


def template(name: str) -> jinja2.Template:
    """Return a template by its file's name; the values that it is given are escaped."""
    return _templates().get_template(name)
