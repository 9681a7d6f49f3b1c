"""`/v1/solve`: a puzzle file in, one line of JSON a puzzle out, as each is solved."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future
from functools import partial
from typing import Any

from flask import Blueprint, Response, request

from api.apart.questions import Solving
from api.bodies.models import SolveQuery, limit_of
from api.calls.questions import asker
from api.config import Config
from api.http.body import JSON, MOST_TOML_VALUES, check_type, parse_json, read_query, read_text, unread
from api.http.errors import error_text
from api.http.searches import Searches, Stream
from api.http.starting import require
from api.http.streams import streamed
from api.starting.readiness import Readiness
from puzzles import check
from puzzles import format as puzzle_format
from puzzles.format import PuzzleFile
from solver.errors import PuzzleError, RequestError
from solver.limits import Limit

TOML = "application/toml"


def blueprint(config: Config, searches: Searches, readiness: Readiness) -> Blueprint:
    """The route that solves puzzle files."""
    routes = Blueprint("solving", __name__)

    @routes.post("/v1/solve")
    def solve() -> Response:
        query = read_query(SolveQuery)
        file = read_puzzles()
        require(readiness, dict.fromkeys(puzzle.game.name for puzzle in file.puzzles))
        limit = limit_of(config, query.seconds, query.nodes)
        seconds = limit.seconds or config.max_seconds
        # One slot stays free of a stream, so that it alone never keeps all others waiting.
        jobs = max(1, min(searches.slots - 1, len(file.puzzles)))
        return streamed(searches, asker(), seconds, partial(_lines, file, limit, jobs))

    return routes


def read_puzzles() -> PuzzleFile:
    """The puzzle file in the body: JSON or TOML by its type."""
    kind = check_type(request, TOML, JSON)
    text = read_text(request)
    try:
        if kind == JSON:
            return puzzle_format.from_data(parse_json(text))
        return puzzle_format.loads(text, MOST_TOML_VALUES)
    except PuzzleError as found:
        message = f"line {found.line}: {found.message}" if found.line else found.message
        if found.code in ("invalid_toml", "too_large"):
            raise unread(found, message) from None
        raise RequestError(found.code, message, found.path, found.others) from None


def _lines(file: PuzzleFile, limit: Limit, jobs: int, stream: Stream) -> Iterator[str]:
    """The results as lines. When the stream is ended before its time, a last line says how many are left."""
    left = len(file.puzzles)
    for result in check.run(
        file.puzzles, limit=limit, jobs=jobs, cancel=stream.cancel, executor_factory=lambda _: _Executor(stream)
    ):
        left -= 1
        yield result.to_json()
    if left:
        message = f"{left} puzzles were not solved: the service is stopping, or it took too long"
        yield error_text("cancelled", message)


class _Executor(Executor):
    """Solves puzzles for the runner, each in its turn among the long searches."""

    def __init__(self, stream: Stream) -> None:
        self._stream = stream

    def submit(self, solve: Callable[..., Any], /, *args: Any, **options: Any) -> Future[Any]:
        if solve is not check.solve_puzzle:
            return self._stream.searches.submit(solve, *args, **options)
        puzzle, limit, cancel = args
        return self._stream.searches.submit(self._stream.run, Solving(puzzle), limit, cancel)

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        self._stream.searches.shutdown(wait, cancel_futures=cancel_futures)
