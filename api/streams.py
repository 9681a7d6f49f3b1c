"""Responses sent line by line, each line as soon as it is ready.

No search process is held while a line is sent or a slow client reads: the work between two lines takes
its turn among all other searches. The amount of unread output is bounded.
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
from typing import Any, TypeVar

from flask import Response, after_this_request, g, request

from api.access import client
from api.bodies import CUT, Preparation, limit_of, read_query
from api.config import Config
from api.errors import error_text, line_of_failure
from api.models import ProgressData, ProgressLine, StreamQuery
from api.responses import JSON, NDJSON
from api.search_pool import Asker, SearchPool, Stream
from athanor.processes import Search
from solver.answers import Answer
from solver.errors import AthanorError
from solver.language import language, speak
from solver.limits import Limit, Progress

T = TypeVar("T")

LONGEST_SECONDS = 600.0  # a longer stream would take a place from others
_PROGRESS_SECONDS = 0.03  # between two lines of progress, at least; searches mostly report less often
Lines = Callable[[Stream], Iterator[str]]


def asker() -> Asker:
    """The client that sent the current request, with the most searches that it may run at a time.

    If others leave it less time than it asked for, the response's header `CUT` says so.
    """
    new_asker = g.asker = Asker(
        client(),
        request.environ.get("waitress.client_disconnected"),
        g.limits.searches or None,
    )

    @after_this_request
    def said(answer: Response) -> Response:
        if new_asker.shortened:
            answer.headers[CUT] = f"{min(new_asker.shortened):.3g}"
        return answer

    return new_asker


def as_search(config: Config, searches: SearchPool, search: Search[T]) -> T:
    """Run a search for the current request within the limit of a hint, such as reading a long body."""
    return searches.run(search, limit_of(config, None, None, config.hint_seconds), asker(), lane="hint")


def wants_stream() -> bool:
    """Whether the request asks for a stream. Raises RequestError for an invalid parameter `stream`."""
    query = read_query(StreamQuery)
    if "stream" in query.model_fields_set:
        return query.stream
    return "Accept" in request.headers and request.accept_mimetypes.best_match([JSON, NDJSON]) == NDJSON


def streamed(searches: SearchPool, asker: Asker, lines: Lines, *, before: Preparation | None = None) -> Response:
    """Return a response that sends what `lines` yields, line by line, after what `before` yields, as progress.

    `lines` is called with a new stream. Raises BusyError if there are too many, and any error that calling `lines`
    raises. A later failure becomes the last line, since the status has already been sent.
    """
    with ExitStack() as stack:
        stream = stack.enter_context(searches.stream(asker))
        # The stream outlives this function; its place is released when it is closed, read or not.
        stack.callback(stream.cancel.set)
        every = lines(stream) if before is None else _after(before(stream.cancel), lines, stream)
        whole = _in_time(every, stream.cancel)
        return response_of_lines(whole, "a stream", NDJSON, stack.pop_all().close)


def unstreamed(searches: SearchPool, asker: Asker, lines: Lines) -> Response:
    """Return only the last of the lines that `streamed` would send. Raises the same errors, and later ones too."""
    with searches.stream(asker) as stream:
        *_, last = _in_time(lines(stream), stream.cancel)
    return Response(last, mimetype=JSON)


def _after(steps: Iterator[ProgressData], lines: Lines, stream: Stream) -> Iterator[str]:
    for step in steps:
        stream.searches.check_running()  # else what prepares games has ended, too
        yield ProgressLine(progress=step).to_json()
    yield from lines(stream)


def streamed_answer(
    searches: SearchPool,
    asker: Asker,
    search: Search[Answer],
    limit: Limit,
    ended: Callable[[Answer], None] = lambda answer: None,
    *,
    lane: str,
    before: Preparation | None = None,
) -> Response:
    """Return a response that streams the progress of a search, and finally the same answer as without a stream.

    `ended` is called with the answer before it is sent.

    If the search fails before it has made progress, raises its error, so that the response has the usual status.
    Raises BusyError as `streamed` does, which sends what `before` yields, and if no slot is free in time.
    """

    def lines(stream: Stream) -> Iterator[str]:
        news: SimpleQueue[Progress | None] = SimpleQueue()
        with ExitStack() as stack:
            executor = stack.enter_context(stream.workers(1))
            future = executor.submit(stream.follow, lane, search, limit, news.put)
            future.add_done_callback(lambda _: news.put(None))
            first = news.get()
            if first is None:
                future.result()
            return _followed(first, news, future, ended, stack.pop_all())

    return streamed(searches, asker, lines, before=before)


def _followed(
    progress: Progress | None,
    news: SimpleQueue[Progress | None],
    future: Future[Answer],
    ended: Callable[[Answer], None],
    workers: ExitStack,
) -> Iterator[str]:
    """Yield lines of progress, of which a slow reader gets only the newest, and then the answer."""
    with workers:
        yield from _progress(progress, news)
        answer = future.result()
    ended(answer)
    yield answer.to_json()


def _progress(progress: Progress | None, news: SimpleQueue[Progress | None]) -> Iterator[str]:
    sent = -math.inf
    while progress is not None:
        moment = time.monotonic()
        if moment - sent >= _PROGRESS_SECONDS:
            sent = moment
            yield ProgressLine.model_validate({"progress": _progress_data(progress)}).to_json()
        progress = news.get()
        while progress is not None and not news.empty():
            progress = news.get()


def _progress_data(progress: Progress) -> dict[str, Any]:
    """Convert progress to data, leaving out `moves` and `bounds` if the search does not report them."""
    return {
        name: value
        for name, value in asdict(progress).items()
        if name not in ("moves", "bounds") or value is not None
    }


def _in_time(lines: Iterator[str], cancel: threading.Event) -> Iterator[str]:
    end = threading.Timer(LONGEST_SECONDS, cancel.set)
    end.daemon = True
    try:
        end.start()
        for line in lines:
            yield line + "\n"
    finally:
        end.cancel()
        cancel.set()


def response_of_lines(
    lines: Iterator[str],
    what: str,
    kind: str,
    close: Callable[[], None],
    form: Callable[[str], str] = "{}\n".format,
) -> Response:
    """Return a response of media type `kind` that sends `lines`, each as soon as it is there.

    A failure becomes the last line: `form` formats the error, which is JSON. A bug is logged as a failure of
    `what`. `close` is called when the response has been sent, or its client has gone.
    """
    spoken = language()

    def sent() -> Iterator[str]:
        speak(spoken)  # lines are sent after the request's context has been left
        try:
            yield from lines
        except AthanorError as error:
            yield form(error_text(error.code, error.message, error.path, others=error.others))
        except Exception as error:
            yield form(line_of_failure(error, what))
        finally:
            speak(None)

    answer = Response(sent(), content_type=kind)
    answer.headers["X-Accel-Buffering"] = "no"  # a proxy passes each line on immediately
    answer.call_on_close(close)
    return answer
