"""A number for every request, which its answer, its error and the log tell; and answers that browsers keep.

A client may choose the number itself, in the header ``X-Request-Id``, so that its own log and ours agree.
"""

from __future__ import annotations

import re
import secrets

from flask import Flask, Response, g, has_app_context, request

from api.logs import Answering

HEADER = "X-Request-Id"
_FIT = re.compile(r"[\w.:-]{1,64}", re.ASCII)
_KEPT = ("/v1/games", "/v1/decks", "/v1/rules/", "/openapi.json", "/docs")  # what changes with a version or a deck
_REVALIDATED, _NEVER = "no-cache", "no-store"


def request_id() -> str | None:
    """The number of the request that is being answered; None outside of one."""
    found: str | None = g.get("request_id") if has_app_context() else None
    return found


def register(app: Flask) -> None:
    """Number the requests of an app, in its log too, and say with every answer whether it may be kept."""

    def number() -> None:
        asked = request.headers.get(HEADER, "")
        g.request_id = asked if _FIT.fullmatch(asked) else secrets.token_hex(8)

    def told(answer: Response) -> Response:
        known = request_id()
        if known is not None:
            answer.headers[HEADER] = known
        if request.method not in ("GET", "HEAD") or answer.status_code != 200:
            answer.headers.setdefault("Cache-Control", _NEVER)
            return answer
        if not request.path.startswith(_KEPT) or answer.is_streamed:
            answer.headers.setdefault("Cache-Control", _NEVER)
            return answer
        answer.headers.setdefault("Cache-Control", _REVALIDATED)
        answer.add_etag()
        answer.make_conditional(request)
        return answer

    Answering.number = staticmethod(request_id)
    app.before_request(number)
    app.after_request(told)
