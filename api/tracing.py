"""Hooks for every request: an id, shown in the response, errors and the log; the response's language and caching
headers; its metrics, and optionally a line in the log.

A client may choose the id itself, in the header ``X-Request-Id``, so that its own log and ours agree.
"""

from __future__ import annotations

import logging
import random
import re
import time
from urllib.parse import unquote

from flask import Flask, Response, g, request

from api.access import client_of
from api.logs import ANSWERED, REQUESTS
from api.metrics import Metrics
from api.responses import asks_again
from solver.language import LANGUAGES, accepted, language, speak, voiced

log = logging.getLogger(REQUESTS)

NOWHERE = "none"  # for unknown addresses, so that clients can't create names
HEADER = "X-Request-Id"
NAMES = "X-Names"
_LONGEST = 1000  # characters of that header
_FIT = re.compile(r"[\w.:-]{1,64}", re.ASCII)
_KEPT = ("/v1/games", "/v1/decks", "/v1/rules/", "/openapi.json", "/docs")  # changed only by versions and decks
_REVALIDATED, _NEVER = "no-cache", "no-store"


def trace(app: Flask, metrics: Metrics) -> None:
    """Give each request of an app an id and a language, and its response the headers that follow; count, time and
    log it.

    The query parameter `lang` takes precedence over the cookie `language`, which has the choice made on the page,
    and this over the header `Accept-Language`. Once the body has been read (`api.bodies`), a `lang` in it takes
    precedence over all. The header `NAMES` has the players' names by seat,
    separated by commas, in percent encoding; the reader's own is empty, and sentences call that seat "you".

    To a client that asks again by itself, as the page does, what may succeed later is answered with the status 202
    in place of 429 and 503: a browser reports every refused request on its console.

    A request is logged, with level INFO, after its response has been sent. The record's attribute `told` is a dict
    of the details: the client's address, its token's name, and the lane of its last search among them. The address
    counted and logged is the route's pattern, since addresses may contain ids of jobs, which are confidential.
    """

    def begin() -> None:
        g.begun = time.monotonic()
        asked = request.headers.get(HEADER, "")
        g.request_id = asked if _FIT.fullmatch(asked) else f"{random.getrandbits(64):016x}"
        ANSWERED.set(g.request_id)
        wanted = request.args.get("lang") or request.cookies.get("language", "")
        chosen = wanted if wanted in LANGUAGES else accepted(request.headers.get("Accept-Language", ""))
        names = request.headers.get(NAMES)
        speak(chosen if names is None else voiced(chosen, [unquote(name) for name in names[:_LONGEST].split(",")]))

    def head(answer: Response) -> Response:
        answer.headers[HEADER] = g.request_id
        if request.path.startswith("/v1/"):
            answer.headers["Content-Language"] = language()
            answer.vary.add("Accept-Language")
        read = request.method in ("GET", "HEAD") and answer.status_code == 200
        if read and request.path.startswith(_KEPT) and not answer.is_streamed:
            answer.headers.setdefault("Cache-Control", _REVALIDATED)
            answer.add_etag()
            answer.make_conditional(request)
        else:
            answer.headers.setdefault("Cache-Control", _NEVER)
        return answer

    def end(answer: Response) -> Response:
        rule = request.url_rule
        address = rule.rule if rule is not None and answer.status_code != 405 else NOWHERE
        method = request.method if rule is not None else NOWHERE
        record = {
            "request": g.request_id,
            "client": client_of(request.remote_addr or ""),
            "token": g.get("token"),
            "method": request.method,
            "address": address,
            "status": answer.status_code,
        }
        arrived: float = g.begun
        asker = g.get("asker")

        def closed() -> None:
            seconds = time.monotonic() - arrived
            metrics.seconds.labels(address).observe(seconds)
            searched = asker.searched if asker else []
            record["milliseconds"] = round(1e3 * seconds, 3)
            record["lane"] = searched[-1][0] if searched else None
            record["nodes"] = sum(nodes for _, nodes in searched)
            log.info("%s %s", record["method"], address, extra={"told": record})

        metrics.requests.labels(method, address, str(answer.status_code)).inc()
        answer.call_on_close(closed)
        if "Retry-After" in answer.headers and asks_again():
            answer.status_code = 202
        return answer

    def leave(_: BaseException | None) -> None:
        speak(None)
        ANSWERED.set(None)

    app.before_request(begin)
    app.after_request(end)
    app.after_request(head)
    app.teardown_request(leave)
