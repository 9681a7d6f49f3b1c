"""Bearer tokens: where the service has a file of them, hardly anything is answered without one."""

from __future__ import annotations

from flask import Flask, g, request

from api.access.tokens import TokenFile
from api.config import Config
from api.http.errors import UnauthorizedError
from api.scheduling.turns import client_of

# What whoever looks whether the service is up needs, and what holds nothing but the program's own pages.
OPEN = frozenset(
    {"/healthz", "/readyz", "/openapi.json", "/docs", "/docs/<name>", "/", "/page/<made>/<path:name>"}
)
_SCHEME = "bearer"


def register(app: Flask, config: Config) -> None:
    """Ask every request for its token. Raises RequestError for a file of tokens that cannot be read."""
    if not config.tokens_file:
        return
    tokens = TokenFile(config.tokens_file)

    def check() -> None:
        rule = request.url_rule
        if rule is not None and rule.rule in OPEN:
            return
        scheme, _, presented = request.headers.get("Authorization", "").strip().partition(" ")
        if scheme.lower() != _SCHEME or not presented.strip():
            message = "the service wants a token, in the header Authorization: Bearer TOKEN"
            raise UnauthorizedError("unauthorized", message)
        found = tokens.find(presented.strip())
        if found is None:
            raise UnauthorizedError("invalid_token", "the service does not know this token")
        g.token = found

    app.before_request(check)


def client() -> str:
    """Who sends the request that is being answered: the name of its token, or else its address."""
    token = g.get("token")
    return f"token:{token.name}" if token is not None else client_of(request.remote_addr or "")
