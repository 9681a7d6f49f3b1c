"""A line of the log for each request, where somebody wants them: its number, what it was, and how it went."""

from __future__ import annotations

import logging
import time

from flask import Flask, Response, g, request

from api.http.admission import client
from api.http.metrics import NOWHERE
from api.http.tracing import request_id
from api.logs import REQUESTS

log = logging.getLogger(REQUESTS)


def register(app: Flask) -> None:
    """Log each request of an app when its answer has been sent, with the level INFO.

    What is told stands in the attribute `told` of the record, by name. The address is that of the route, not what
    was sent: the name of a job is for those who know it.
    """

    def begun() -> None:
        g.arrived = time.monotonic()

    def ended(answer: Response) -> Response:
        if not log.isEnabledFor(logging.INFO):
            return answer
        rule = request.url_rule
        told = {
            "request": request_id(),
            "client": client(),
            "method": request.method,
            "address": NOWHERE if rule is None else rule.rule,
            "status": answer.status_code,
        }
        arrived: float = g.get("arrived", time.monotonic())

        def closed() -> None:
            seconds = round(time.monotonic() - arrived, 6)
            log.info("%s %s", told["method"], told["address"], extra={"told": told | {"seconds": seconds}})

        answer.call_on_close(closed)
        return answer

    app.before_request(begun)
    app.after_request(ended)
