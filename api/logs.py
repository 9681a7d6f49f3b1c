"""The service's log on stderr: nothing in it steers the terminal or passes for another line."""

from __future__ import annotations

import logging
import sys
from typing import TextIO

from api.http.tracing import Numbered
from solver.common.words import visible


class _Visible(logging.Formatter):
    def formatMessage(self, record: logging.LogRecord) -> str:  # noqa: N802 (logging's name)
        return super().formatMessage(record).replace("\n", "\\u000a")

    def format(self, record: logging.LogRecord) -> str:
        return visible(super().format(record))


def handler(stream: TextIO) -> logging.Handler:
    """Where lines of the log go: a stream, each with its time and how grave it is."""
    found = logging.StreamHandler(stream)
    found.addFilter(Numbered())
    found.setFormatter(_Visible("%(asctime)s %(levelname)s %(name)s%(request)s: %(message)s"))
    return found


def begin() -> None:
    """Have everything logged on stderr, unless the program that we are part of does so already."""
    logging.basicConfig(handlers=[handler(sys.stderr)])
