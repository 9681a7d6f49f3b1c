"""Answers of many lines, each sent as soon as it is there.

No slot is held while a line is sent, nor while a client that reads slowly is waited for: the work between two
lines takes its turn among all other searches. What a client has not taken yet is bounded, and a client that takes
nothing is dropped (`api.serving`); then the stream is closed, and what runs for it ends.
"""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import ExitStack
from dataclasses import asdict
from queue import SimpleQueue
from typing import Any

from flask import Response

from api.apart.wire import Search
from api.bodies.line_models import ProgressLine
from api.http.errors import error_text, line_of_failure
from api.http.searches import Asker, Searches, Stream
from api.scheduling.limits import left_of
from solver.answers import Answer
from solver.errors import AthanorError
from solver.limits import Limit, Progress

NDJSON = "application/x-ndjson"
LONGEST_SECONDS = 600.0  # a stream that takes longer keeps a place from others
_PROGRESS_SECONDS = (
    0.03  # between two lines of progress at least; searches tell less often, but for the first time
)

Lines = Callable[[Stream], Iterator[str]]


def streamed(searches: Searches, asker: Asker, seconds: float, lines: Lines, *, hurried: bool = False) -> Response:
    """A response that streams what `lines` makes of a stream; `hurried` where it begins with a hint.

    Raises BusyError where no work could begin within so many seconds, and what `lines` raises when it is called.
    A failure later becomes the last line, since the status is sent already.
    """
    with ExitStack() as stack:
        stream = stack.enter_context(searches.stream(asker, seconds, hurried=hurried))
        # The stream goes on after this function; its place is given back when it is closed, read or not.
        stack.callback(stream.cancel.set)
        answer = Response(_sent(lines(stream), stream.cancel), content_type=NDJSON)
        answer.call_on_close(stack.pop_all().close)
    return answer


def told(
    searches: Searches,
    asker: Asker,
    search: Search[Answer],
    limit: Limit,
    ended: Callable[[Answer], None] = lambda answer: None,
    *,
    hurried: bool,
) -> Response:
    """A response that streams how far a search is, and at last its answer, as it is without a stream.

    `ended` is called with the answer, before it is sent.

    What cannot be answered at all is an error with a status of its own. Raises BusyError as `streamed` does.
    """
    assert limit.seconds is not None
    deadline = time.monotonic() + limit.seconds

    def lines(stream: Stream) -> Iterator[str]:
        news: SimpleQueue[Progress | None] = SimpleQueue()
        executor = stream.hints if hurried else stream.searches
        future = executor.submit(lambda: stream.run(search, left_of(limit, deadline), stream.cancel, news.put))
        future.add_done_callback(lambda _: news.put(None))
        first = news.get()
        if first is None:
            future.result()
        return _followed(first, news, future, ended)

    return streamed(searches, asker, limit.seconds, lines, hurried=hurried)


def _followed(
    found: Progress | None,
    news: SimpleQueue[Progress | None],
    future: Future[Answer],
    ended: Callable[[Answer], None],
) -> Iterator[str]:
    """Lines of progress, of which a slow reader gets the newest, and the answer."""
    sent = -math.inf
    while found is not None:
        moment = time.monotonic()
        if moment - sent >= _PROGRESS_SECONDS:
            sent = moment
            yield ProgressLine.model_validate({"progress": _told(found)}).to_json()
        found = news.get()
        while found is not None and not news.empty():
            found = news.get()
    answer = future.result()
    ended(answer)
    yield answer.to_json()


def _told(found: Progress) -> dict[str, Any]:
    """Progress as data; what is proved of moves and position is left out where the search does not tell."""
    return {
        name: value
        for name, value in asdict(found).items()
        if name not in ("moves", "bounds") or value is not None
    }


def _sent(lines: Iterator[str], cancel: threading.Event) -> Iterator[str]:
    end = threading.Timer(LONGEST_SECONDS, cancel.set)
    end.daemon = True
    try:
        end.start()
        for line in lines:
            yield line + "\n"
    except AthanorError as found:
        yield error_text(found.code, found.message, found.path, others=found.others) + "\n"
    except Exception as found:
        yield line_of_failure(found, "a stream") + "\n"
    finally:
        end.cancel()
        cancel.set()
