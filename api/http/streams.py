"""Answers of many lines, each sent as soon as it is there.

No slot is held while a line is sent, nor while a client that reads slowly is waited for: the work between two
lines takes its turn among all other searches. What a client has not taken yet is bounded, and a client that takes
nothing is dropped (`api.serving`); then the stream is closed, and what runs for it ends.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Executor
from contextlib import ExitStack

from flask import Response

from api.http.errors import error_text, of_status
from api.http.searches import Asker, Searches

NDJSON = "application/x-ndjson"
LONGEST_SECONDS = 600.0  # a stream that takes longer keeps a place from others

log = logging.getLogger(__name__)

Lines = Callable[[Executor, threading.Event], Iterator[str]]


def streamed(searches: Searches, asker: Asker, seconds: float, lines: Lines) -> Response:
    """A response that streams what `lines` makes of an executor and a flag that tells it to end.

    Raises BusyError where no work could begin within so many seconds. A failure later becomes the last line, since
    the status is sent already.
    """
    with ExitStack() as stack:
        executor, cancel = stack.enter_context(searches.stream(asker, seconds))
        answer = Response(_sent(lines, executor, cancel), content_type=NDJSON)
        # The stream goes on after this function; its place is given back when it is closed, read or not.
        answer.call_on_close(stack.pop_all().close)
    return answer


def _sent(lines: Lines, executor: Executor, cancel: threading.Event) -> Iterator[str]:
    end = threading.Timer(LONGEST_SECONDS, cancel.set)
    end.daemon = True
    try:
        end.start()
        for line in lines(executor, cancel):
            yield line + "\n"
    except Exception:
        log.exception("a stream failed")
        yield error_text(*of_status(500)) + "\n"
    finally:
        end.cancel()
        cancel.set()
