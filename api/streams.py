"""Answers of many lines, each sent as soon as it is there.

No slot is held while a line is sent, nor while a client that reads slowly is waited for: the work between two
lines takes its turn among all other searches. What a client has not taken yet is bounded.
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

from flask import Response, request

from api.access import client, most_searches
from api.errors import error_text, line_of_failure
from api.models import ProgressLine, StreamQuery
from api.reading import read_query
from api.responses import JSON, NDJSON
from api.search_pool import Asker, Searches, Stream
from api.search_process import Search
from solver.answers import Answer
from solver.errors import AthanorError
from solver.language import language, speak
from solver.limits import Limit, Progress

LONGEST_SECONDS = 600.0  # a stream that takes longer keeps a place from others
_PROGRESS_SECONDS = (
    0.03  # between two lines of progress at least; searches tell less often, but for the first time
)
Lines = Callable[[Stream], Iterator[str]]


def asker() -> Asker:
    """Who sends the request that is being answered."""
    return Asker(client(), request.environ.get("waitress.client_disconnected"), most_searches())


def wants_stream() -> bool:
    """Whether the request wishes to be told line by line. Raises RequestError for an odd `stream`."""
    query = read_query(StreamQuery)
    if "stream" in query.model_fields_set:
        return query.stream == "1"
    return request.accept_mimetypes.best_match([JSON, NDJSON]) == NDJSON


def streamed(searches: Searches, asker: Asker, seconds: float, lines: Lines, *, lane: str = "long") -> Response:
    """A response that streams what `lines` makes of a stream, which begins with work in a lane.

    Raises BusyError where no work could begin within so many seconds, and what `lines` raises when it is called.
    A failure later becomes the last line, since the status is sent already.
    """
    with ExitStack() as stack:
        stream = stack.enter_context(searches.stream(asker, seconds, lane=lane))
        # The stream goes on after this function; its place is given back when it is closed, read or not.
        stack.callback(stream.cancel.set)
        answer = Response(_sent(lines(stream), stream.cancel, language()), content_type=NDJSON)
        answer.headers["X-Accel-Buffering"] = "no"  # a proxy passes each line on at once
        answer.call_on_close(stack.pop_all().close)
    return answer


def told(
    searches: Searches,
    asker: Asker,
    search: Search[Answer],
    limit: Limit,
    ended: Callable[[Answer], None] = lambda answer: None,
    *,
    lane: str,
) -> Response:
    """A response that streams how far a search is, and at last its answer, as it is without a stream.

    `ended` is called with the answer, before it is sent.

    What cannot be answered at all is an error with a status of its own. Raises BusyError as `streamed` does.
    """
    assert limit.seconds is not None

    def lines(stream: Stream) -> Iterator[str]:
        news: SimpleQueue[Progress | None] = SimpleQueue()
        with ExitStack() as stack:
            executor = stack.enter_context(stream.workers(1))
            future = executor.submit(stream.run, lane, search, limit, news.put)
            future.add_done_callback(lambda _: news.put(None))
            first = news.get()
            if first is None:
                future.result()
            return _followed(first, news, future, ended, stack.pop_all())

    return streamed(searches, asker, limit.seconds, lines, lane=lane)


def _followed(
    found: Progress | None,
    news: SimpleQueue[Progress | None],
    future: Future[Answer],
    ended: Callable[[Answer], None],
    workers: ExitStack,
) -> Iterator[str]:
    """Lines of progress, of which a slow reader gets the newest, and the answer."""
    with workers:
        yield from _progress(found, news)
        answer = future.result()
    ended(answer)
    yield answer.to_json()


def _progress(found: Progress | None, news: SimpleQueue[Progress | None]) -> Iterator[str]:
    sent = -math.inf
    while found is not None:
        moment = time.monotonic()
        if moment - sent >= _PROGRESS_SECONDS:
            sent = moment
            yield ProgressLine.model_validate({"progress": _told(found)}).to_json()
        found = news.get()
        while found is not None and not news.empty():
            found = news.get()


def _told(found: Progress) -> dict[str, Any]:
    """Progress as data; what is proved of moves and position is left out where the search does not tell."""
    return {
        name: value
        for name, value in asdict(found).items()
        if name not in ("moves", "bounds") or value is not None
    }


def _sent(lines: Iterator[str], cancel: threading.Event, spoken: str) -> Iterator[str]:
    speak(spoken)  # what is streamed is sent when its request has been left
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
        speak(None)
