"""The page: the files that browsers get, read once, with their digests, and the addresses at which they lie: `/`,
and `/page/VERSION/`.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from functools import cache
from importlib import resources

from flask import Blueprint, Response

from api.access import POLICY
from api.errors import NotFoundError
from api.page import bundle
from api.responses import File, sent
from solver.language import say

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


# No script or style stands in the page itself, none is made from text, and nothing comes from elsewhere.
_PAGE_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'; "
    "require-trusted-types-for 'script'; trusted-types 'none'"
)
_FOR_EVER = "public, max-age=31536000, immutable"


def blueprint() -> Blueprint:
    """The routes of the page and its files."""
    routes = Blueprint("page", __name__)

    @routes.get("/")
    def page() -> Response:
        answer = sent(home(), "no-cache")
        answer.headers[POLICY] = _PAGE_POLICY
        answer.headers["Referrer-Policy"] = "no-referrer"
        return answer

    @routes.get("/page/<made>/<path:name>")
    def file(made: str, name: str) -> Response:
        """A file as it is now. What is asked for under another version is not kept: that page is an older one."""
        found = files().get(name)
        if found is None:
            raise NotFoundError("not_found", say("the page has no file {name}", name=name))
        return sent(found, _FOR_EVER if made == version() else "no-cache")

    return routes
