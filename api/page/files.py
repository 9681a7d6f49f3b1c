"""The files of the page that browsers get, read once, with their digests and compressed forms."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from functools import cache
from importlib import resources

from api.http.files import File
from api.page import bundle

_FOLDER = resources.files("api.page").joinpath("static")
_HOME = "index.html"
_MARK = "@version@"  # in the home file: the version of all files together
HTML = "text/html; charset=utf-8"
SCRIPT = "text/javascript; charset=utf-8"
STYLE = "text/css; charset=utf-8"
TEXT = "text/plain; charset=utf-8"
PICTURE = "image/svg+xml"


def source(path: str) -> str:
    """The text of a file as it is written, by its path below `static`."""
    return _FOLDER.joinpath(path).read_text(encoding="utf-8")


@cache
def files() -> Mapping[str, File]:
    """Every file that browsers may get, by its name, but for the home page."""
    found = {
        "page.js": (bundle.script(source), SCRIPT),
        "page.css": (bundle.sheet(source), STYLE),
        "icon.svg": (source("icon.svg"), PICTURE),
        "LICENSES.txt": (source("vendor/LICENSES.txt"), TEXT),
    }
    return {name: File(content.encode(), kind) for name, (content, kind) in found.items()}


@cache
def version() -> str:
    """A word that changes with every change of any file, so that browsers may keep the files for ever."""
    told = "".join(f"{path} {file.digest}\n" for path, file in sorted(files().items()))
    return hashlib.sha256(told.encode()).hexdigest()[:12]


@cache
def home() -> File:
    """The home page."""
    return File(source(_HOME).replace(_MARK, version()).encode(), HTML)
