"""Bearer tokens and limits: who is answered at all, and how often.

Where the service has a file of tokens, hardly anything is answered without one. A client, which is a token or else
an address, may have limits of its own.
"""

from __future__ import annotations

from flask import Flask, Response, g, request

from api.access.budgets import Budgets, Limits, SpentError
from api.access.tokens import Token, TokenFile
from api.config import Config
from api.http.errors import LimitError, UnauthorizedError
from api.http.searches import Searches
from api.scheduling.turns import client_of
from api.scheduling.worked import worked

# What whoever looks whether the service is up needs, and what holds nothing but the program's own pages.
OPEN = frozenset(
    {"/healthz", "/readyz", "/openapi.json", "/docs", "/docs/<name>", "/", "/page/<made>/<path:name>"}
)
_JOBS = "/v1/jobs"
_SCHEME = "bearer"


def register(app: Flask, config: Config, searches: Searches) -> None:
    """Ask every request for its token, and hold clients to their limits; what their searches take counts, too.

    Raises RequestError for a file of tokens that cannot be read.
    """
    tokens = TokenFile(config.tokens_file) if config.tokens_file else None
    usual = Limits(config.client_requests, config.client_searches, config.client_cpu_seconds)
    budgets = Budgets()
    searches.charge, searches.owing = budgets.charge, budgets.owing

    def check() -> None:
        rule = request.url_rule
        if rule is not None and rule.rule in OPEN:
            return
        g.token = None if tokens is None else _presented(tokens)
        g.limits = usual if g.token is None else g.token.limits.over(usual)
        try:
            budgets.request(client(), g.limits, works=not _sees_to_jobs())
        except SpentError as found:
            raise LimitError(found.code, str(found), found.seconds) from None
        g.since = worked()

    def charge(answer: Response) -> Response:
        if "since" in g:
            budgets.charge(client(), worked() - g.since)
        return answer

    app.before_request(check)
    app.after_request(charge)


def _sees_to_jobs() -> bool:
    """Whether a request looks at jobs or ends them: who owes processor time may see to the jobs that took it."""
    rule = "" if request.url_rule is None else request.url_rule.rule
    return rule.startswith(_JOBS) and (request.method != "POST" or rule.endswith("/cancel"))


def _presented(tokens: TokenFile) -> Token:
    """The token of the request. Raises UnauthorizedError."""
    scheme, _, presented = request.headers.get("Authorization", "").strip().partition(" ")
    if scheme.lower() != _SCHEME or not presented.strip():
        message = "the service wants a token, in the header Authorization: Bearer TOKEN"
        raise UnauthorizedError("unauthorized", message)
    found = tokens.find(presented.strip())
    if found is None:
        raise UnauthorizedError("invalid_token", "the service does not know this token")
    return found


def client() -> str:
    """Who sends the request that is being answered: the name of its token, or else its address."""
    token = g.get("token")
    return f"token:{token.name}" if token is not None else client_of(request.remote_addr or "")


def most_searches() -> int | None:
    """How many of its requests may search at once; None where there is no limit."""
    limits: Limits | None = g.get("limits")
    return (limits.searches or None) if limits is not None else None
