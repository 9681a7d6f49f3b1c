"""`/openapi.json` and `/docs`, the page that shows it, whose scripts and styles come from an installed package."""

from __future__ import annotations

from functools import cache
from importlib import resources
from pathlib import Path

from flask import Blueprint, Response, render_template, send_from_directory

from api.config import Config
from api.http.guard import POLICY
from api.openapi.document import document_text

# Nothing of the page is fetched from elsewhere, and nothing could be. Its script styles elements one by one.
_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; "
    "font-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
)
_FILES = {"swagger-ui.css": "css", "swagger-ui-bundle.js": "js", "swagger.svg": "images"}


@cache
def _assets() -> Path:
    return Path(str(resources.files("flask_openapi3_swagger.templates").joinpath("swagger")))


def blueprint(config: Config) -> Blueprint:
    """The routes of the document and of the page."""
    routes = Blueprint("docs", __name__, template_folder="templates", static_folder="static")

    @routes.get("/openapi.json")
    def openapi() -> Response:
        return Response(document_text(config), mimetype="application/json")

    @routes.get("/docs")
    def browse() -> Response:
        return Response(render_template("docs.html"), headers={POLICY: _POLICY})

    @routes.get("/docs/<name>")
    def asset(name: str) -> Response:
        return send_from_directory(_assets() / _FILES.get(name, "none"), name, max_age=86400)

    return routes
