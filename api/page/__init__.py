"""The web page: the files for browsers, and their addresses."""

from __future__ import annotations

from functools import cache
from importlib import resources
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import jinja2


@cache
def template(name: str) -> jinja2.Template:
    """Return a template by its file's name; the values that it is given are escaped."""
    import jinja2

    text = resources.files("api.page").joinpath("templates", name).read_text(encoding="utf-8")
    return jinja2.Environment(autoescape=True, keep_trailing_newline=True).from_string(text)
