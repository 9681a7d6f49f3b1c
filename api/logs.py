"""The service's log on stderr. Nothing in it can control the terminal, imitate other lines or flood the log."""

from __future__ import annotations

import json
import logging
import os
import sys
import threading
import time
from contextvars import ContextVar
from datetime import UTC, datetime
from typing import Any, TextIO

from solver.common import in_one_line, visible
from solver.errors import RequestError
from solver.language import say

FORMS = ("text", "json")
REQUESTS = "athanor.requests"  # logs one line per request

_PERIOD_SECONDS = 10.0
_LINES = 5  # of one kind per period
_KINDS = 256  # that are counted at once


ANSWERED: ContextVar[str | None] = ContextVar("answered", default=None)  # the id of the request being answered


class _Visible(logging.Formatter):
    """Formats each record as text, with the id of the request if one is being answered."""

    def formatMessage(self, record: logging.LogRecord) -> str:  # noqa: N802 (logging's name)
        return in_one_line(super().formatMessage(record))

    def formatException(self, ei: Any) -> str:  # noqa: N802 (logging's name)
        # Indented, or a line of the exception's text could look like a line of the log.
        return "  " + super().formatException(ei).replace("\n", "\n  ")

    def format(self, record: logging.LogRecord) -> str:
        known = ANSWERED.get()
        record.request = f" [{known}]" if known else ""
        return visible(super().format(record))


class RateLimit(logging.Filter):
    """Lets through a few records of each kind per period. The first of a new period says how many were left out.

    Records are of the same kind if they come from the same line of code and have the same type of exception.
    """

    def __init__(self) -> None:
        super().__init__()
        self._lock = threading.Lock()
        self._seen: dict[tuple[object, ...], tuple[float, int]] = {}  # start of the period, number of records

    def filter(self, record: logging.LogRecord) -> bool:
        kind = record.pathname, record.lineno, record.exc_info[0] if record.exc_info else None
        now = time.monotonic()
        with self._lock:
            since, count = self._seen.get(kind, (now, 0))
            left_out = 0
            if now - since >= _PERIOD_SECONDS:
                left_out, since, count = max(0, count - _LINES), now, 0
            if len(self._seen) >= _KINDS and kind not in self._seen:
                self._seen.clear()
            self._seen[kind] = since, count + 1
        if left_out:
            record.msg = f"{record.getMessage()} ({left_out} more like this were left out)"
            record.args = None
        return count < _LINES


class _Json(logging.Formatter):
    """Formats each record as one line of ASCII JSON."""

    def format(self, record: logging.LogRecord) -> str:
        line: dict[str, Any] = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname,
            "logger": record.name,
            "message": record.getMessage(),
        }
        number = ANSWERED.get()
        if number is not None:
            line["request"] = number
        if record.exc_info:
            line["exception"] = self.formatException(record.exc_info)
        return json.dumps(line | getattr(record, "told", {}))


def handler(stream: TextIO, form: str = "text") -> logging.Handler:
    """Return a handler that writes lines with time and level to a stream, as text or as JSON.

    If there are too many lines of a kind, some are left out (`RateLimit`), but in JSON form never those that log
    requests.
    """
    stream_handler = logging.StreamHandler(stream)
    rate_limit = RateLimit()
    if form == "json":
        stream_handler.addFilter(lambda record: record.name == REQUESTS or rate_limit.filter(record))
        stream_handler.setFormatter(_Json())
        return stream_handler
    stream_handler.addFilter(rate_limit)
    stream_handler.setFormatter(_Visible("%(asctime)s %(levelname)s %(name)s%(request)s: %(message)s"))
    return stream_handler


def begin() -> None:
    """Log to stderr, unless logging is already configured.

    ATHANOR_LOG is the format, ``text`` or ``json``. With ``json``, every request is logged as well. Raises
    RequestError for an unknown format.
    """
    form = os.environ.get("ATHANOR_LOG", "text")
    if form not in FORMS:
        message = say("ATHANOR_LOG must be one of {names}, not {form!r}", names=", ".join(FORMS), form=form)
        raise RequestError("invalid_setting", message)
    logging.basicConfig(handlers=[handler(sys.stderr, form)])
    if form == "json":
        logging.getLogger(REQUESTS).setLevel(logging.INFO)
