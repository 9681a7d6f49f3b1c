"""The web page: the files for browsers, and their addresses."""

from __future__ import annotations

from functools import cache
from importlib import resources
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import jinja2

FOLDER = resources.files("api.page").joinpath("static")


@cache
def _templates() -> jinja2.Environment:
    import jinja2

    loader = jinja2.PackageLoader("api.page")
    return jinja2.Environment(autoescape=True, keep_trailing_newline=True, loader=loader, auto_reload=False)


def template(name: str) -> jinja2.Template:
    """Return a template by its file's name; the values that it is given are escaped."""
    return _templates().get_template(name)


@cache
def source(path: str) -> str:
    """Return the text of a file, by its path below `static`."""
    return FOLDER.joinpath(path).read_text(encoding="utf-8")


def sentences(spoken: str) -> str:
    """Return the path of a language's texts."""
    return f"words/{spoken}.js"


@cache
def own(ending: str, folder: str = "games") -> list[str]:
    """Return the paths of single games' files in a folder, by how their names end, such as ``.css``."""
    names = (path.name for path in FOLDER.joinpath(folder).iterdir())
    return sorted(f"{folder}/{name}" for name in names if name.endswith(ending))
