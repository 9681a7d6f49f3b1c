"""The addresses of the page: `/`, and its files below `/page/VERSION/`."""

from __future__ import annotations

from flask import Blueprint, Response

from api.http.errors import NotFoundError
from api.http.files import sent
from api.http.guard import POLICY
from api.page.files import files, home, version

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
            raise NotFoundError("not_found", f"the page has no file {name}")
        return sent(found, _FOR_EVER if made == version() else "no-cache")

    return routes
