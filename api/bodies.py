"""Reading requests: strict JSON within limits, errors that name the wrong key, and only games that are ready."""

from __future__ import annotations

import math
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from typing import Any, TypeVar
from urllib.parse import quote

from flask import Request, Response, after_this_request, has_request_context, request
from pydantic import BaseModel

from api.access import stand_back
from api.config import Config
from api.errors import BusyError, MediaTypeError, ServiceError, TooLargeError, UnreadableError
from api.models import ProgressData
from api.readiness import Progress, Readiness, Stage
from api.responses import JSON, asks_again
from api.searches import MOST_VALUES
from athanor.processes import Search
from solver import registry, validation
from solver.errors import AthanorError, PositionError, PuzzleError, RequestError
from solver.language import named, names, say, speak, voiced
from solver.limits import Control, Limit
from solver.strict_json import loads_json
from solver.texts import Read, decoded

M = TypeVar("M", bound=BaseModel)
T = TypeVar("T")

_LONG = 1 << 15  # bytes: a longer body is read in a search process, since others would wait meanwhile
GUESSED = "X-Guessed"  # words of a body that was read as CP932, escaped as in an address


def read_text(request: Request) -> Read:
    """Read the body as text (`decoded`), and name words of a guessed encoding in the header `GUESSED`.

    Raises UnreadableError if the body is no text, and MediaTypeError if it is compressed.
    """
    if request.headers.get("Content-Encoding", "identity") != "identity":
        raise MediaTypeError("unsupported_media_type", say("compressed bodies are not read"))
    try:
        text = decoded(request.get_data(cache=False))
    except PositionError as error:
        raise unread(error) from None
    if text.names:
        named = ",".join(map(quote, text.names))

        @after_this_request
        def shown(answer: Response) -> Response:
            answer.headers[GUESSED] = named
            return answer

    return text


def check_type(request: Request, *kinds: str) -> str:
    """Return the body's media type. Raises MediaTypeError if it is not one of `kinds`.

    This also stops requests from other sites: a page there can send plain text and forms to any service, but types
    such as JSON only if the service allows it (CORS).
    """
    kind = request.mimetype
    if kind not in kinds:
        message = say(
            "the header Content-Type must say one of {names}; the body is {said}",
            names=", ".join(kinds),
            said=kind or "without a type",
        )
        raise MediaTypeError("unsupported_media_type", message)
    return kind


def read_json(request: Request) -> Any:
    """Read the JSON body. Raises MediaTypeError for another type, and UnreadableError for invalid JSON."""
    check_type(request, JSON)
    data = parse_json(read_text(request))
    wanted = data.get("lang") if isinstance(data, dict) else None
    if isinstance(wanted, str) and (language := named(wanted)):
        speak(voiced(language, names()))
    return data


def parse_json(text: str) -> Any:
    """Parse JSON strictly. Raises UnreadableError if it is invalid, and TooLargeError for too many values."""
    try:
        return loads_json(text, "body", MOST_VALUES)
    except PositionError as error:
        raise unread(error) from None


def read_query(kind: type[M]) -> M:
    """Read the query string as a request of type `kind`. Raises RequestError if it is invalid or repeats a key."""
    for key, values in request.args.lists():
        if len(values) > 1:
            raise RequestError("wrong_size", say("{key} appears {count} times", key=key, count=len(values)), key)
    return validated(kind, request.args.to_dict())


def unread(error: AthanorError, message: str = "") -> ServiceError:
    """Convert the error of a body that could not be parsed to a ServiceError, which has its own HTTP status. If
    given, `message` replaces the error's message.
    """
    kind = TooLargeError if error.code == "too_large" else UnreadableError
    return kind(error.code, message or error.message, error.path)


def validated(kind: type[M], data: object) -> M:
    """Validate `data` as a request of type `kind`. Raises RequestError with the path of the wrong key."""
    if not isinstance(data, dict):
        raise RequestError("wrong_type", say("the body must be a JSON object"))
    return validation.validated(kind.model_validate, data, RequestError)


TOML = "application/toml"
BYTES = "application/octet-stream"


def read_as_search(reading: Search[T], length: int, run: Callable[[Search[T]], T]) -> T:
    """Call a function that reads a body of this length: if it is long, by `run`, which runs a search."""
    return run(reading) if length > _LONG else reading(Control(Limit()))


def read_puzzles(read: Callable[[str, bool, Control], T], run: Callable[[Search[T]], T]) -> T:
    """Return what `read` makes of the text of the puzzle file in the body, and of whether its media type is JSON,
    not TOML. `run` is as for `read_as_search`.
    """
    media = check_type(request, TOML, JSON)
    text = read_text(request)
    try:
        return read_as_search(partial(read, str(text), media == JSON), len(text), run)
    except PuzzleError as error:
        faults = [
            fault._replace(message=say("line {line}: {message}", line=line, message=fault.message))
            if line
            else fault
            for line, fault in error.placed()
        ]
        if error.code in ("invalid_toml", "too_large"):
            raise unread(error, faults[0].message) from None
        raise RequestError.of(faults) from None
    except PositionError as error:
        raise unread(error) from None


_TOLD_SECONDS = 1.0  # between two lines about a game that is being prepared
_PATIENCE_SECONDS = 15.0  # for a game that is about to be ready: loading one takes a second or two
Preparation = Callable[[threading.Event], Iterator[ProgressData]]


def prepared(
    readiness: Readiness, games: Iterable[str], *, hint: bool = False, stream: bool = False
) -> Preparation | None:
    """Make sure that these games are ready, for a `hint` or for any question, or have failed: then some questions
    about them may still be answered. Those that are not ready are prepared next.

    Returns what a `stream` has to send first: how far the preparation is, every second until they are ready or an
    event is set. Otherwise, and for a client that asks again by itself, waits for those that will be ready soon,
    and raises BusyError if one is not.
    """
    unready = [name for name in games if not readiness.answers(name, hint=hint)]
    for name in reversed(unready):
        readiness.ask_for(name)
    if not unready:
        return None
    if stream and not asks_again():
        return partial(_preparation, readiness, unready, hint)
    stand_back()
    for name in unready:
        if not readiness.wait_for(name, _PATIENCE_SECONDS, hint=hint, soon=True):
            seconds = readiness.retry_after(name, hint=hint)
            problem = _preparing(name, readiness.of(name))
            message = say("{problem}; try again in {seconds} s", problem=problem, seconds=seconds)
            raise BusyError("starting", message, seconds)
    return None


def _preparation(
    readiness: Readiness, games: Sequence[str], hint: bool, cancel: threading.Event
) -> Iterator[ProgressData]:
    """Yield how far the preparation of these games is, as `prepared` says."""
    for name in games:
        while not readiness.wait_for(name, _TOLD_SECONDS, hint=hint) and not cancel.is_set():
            state = readiness.of(name)
            yield ProgressData(
                nodes=0,
                seconds=state.seconds,
                done=state.share,
                stage="preparing",
                best=None,
                message=_preparing(name, state),
            )


def _preparing(name: str, progress: Progress) -> str:
    """What is being done for a game that is not ready, for whoever waits for it."""
    title = registry.game(name).title
    if progress.stage is not Stage.COMPILING:
        return say("{game} is about to be prepared, which happens only once", game=title)
    return say(
        "{game} is being prepared, which happens only once: {percent}% after {elapsed} s",
        game=title,
        percent=round(100 * progress.share),
        elapsed=round(progress.seconds),
    )


CUT = "X-Limit-Seconds"


def limit_of(
    config: Config, seconds: float | None, nodes: int | None, default: float | None = None, most: float = math.inf
) -> Limit:
    """Return the limit of a search: the requested one or `default`, cut to `most` and the service's maximum.

    `seconds` and `nodes` are the requested limits. If `seconds` was cut, the response's header `CUT` has the limit
    that applies.
    """
    most = min(most, config.max_seconds)
    if has_request_context():
        say_if_cut([seconds], most)
    wanted = (default or config.default_seconds) if seconds is None else seconds
    return Limit(seconds=float(min(wanted, most)), nodes=nodes)


def seconds_of(question: Any) -> object:
    """Return the time limit that a question asks for, in seconds, without checking it."""
    limit = question.get("limit") if isinstance(question, dict) else None
    return limit.get("seconds") if isinstance(limit, dict) else None


def say_if_cut(asked: Iterable[object], most: float) -> None:
    """Add the header `CUT` with the limit `most` to the response if any of the requested seconds exceed it."""

    def said(answer: Response) -> Response:
        answer.headers[CUT] = f"{most:g}"
        return answer

    if any(isinstance(seconds, int | float) and seconds > most for seconds in asked):
        after_this_request(said)
