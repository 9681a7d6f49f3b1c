"""`/v1/solve`: a puzzle file in, one line of JSON a puzzle out, as each is solved."""

from __future__ import annotations

import logging
import threading
from collections.abc import Iterator
from contextlib import ExitStack

from flask import Blueprint, Response, request

from api.config import Config
from api.http.body import JSON, MOST_VALUES, check_type, parse_json, read_text, unread, validated
from api.http.errors import error_text, of_status
from api.http.models import SolveQuery, limit_of
from api.http.searches import Searches, Slots
from api.http.starting import require
from api.starting.readiness import Readiness
from puzzles import format as puzzle_format
from puzzles import runner
from puzzles.models import PuzzleFile
from solver.common.control import Limit
from solver.inputs.errors import PuzzleError, RequestError

NDJSON = "application/x-ndjson"
TOML = "application/toml"

LONGEST_STREAM_SECONDS = 600.0  # a file that takes longer holds up the questions of others

log = logging.getLogger(__name__)


def blueprint(config: Config, searches: Searches, readiness: Readiness) -> Blueprint:
    """The route that solves puzzle files."""
    routes = Blueprint("solving", __name__)

    @routes.post("/v1/solve")
    def solve() -> Response:
        query = _query()
        file = _read_file()
        require(readiness, dict.fromkeys(puzzle.game.name for puzzle in file.puzzles))
        limit = limit_of(config, query.seconds, query.nodes)
        with ExitStack() as stack:
            seconds = limit.seconds or config.max_seconds
            slots = stack.enter_context(
                searches.slot(seconds, request.environ.get("waitress.client_disconnected"))
            )
            jobs = searches.more(slots, min(config.searches, len(file.puzzles)))
            answer = Response(_lines(file, limit, jobs, slots), content_type=NDJSON)
            # The stream goes on after this function; the slots are given back when it is closed, read or not.
            answer.call_on_close(stack.pop_all().close)
        return answer

    return routes


def _query() -> SolveQuery:
    for key, values in request.args.lists():
        if len(values) > 1:
            raise RequestError("wrong_size", f"{key} is there {len(values)} times", key)
    return validated(SolveQuery, request.args.to_dict())


def _read_file() -> PuzzleFile:
    """The puzzle file in the body: JSON or TOML by its type."""
    kind = check_type(request, TOML, JSON)
    text = read_text(request)
    try:
        if kind == JSON:
            return puzzle_format.from_data(parse_json(text))
        return puzzle_format.loads(text, MOST_VALUES)
    except PuzzleError as found:
        message = f"line {found.line}: {found.message}" if found.line else found.message
        if found.code in ("invalid_toml", "too_large"):
            raise unread(found, message) from None
        raise RequestError(found.code, message, found.path) from None


def _lines(file: PuzzleFile, limit: Limit, jobs: int, slots: Slots) -> Iterator[str]:
    """The results as lines. A failure in the middle becomes the last line: the status is sent already."""
    left = len(file.puzzles)
    end = threading.Timer(LONGEST_STREAM_SECONDS, slots.cancel.set)
    end.daemon = True
    end.start()
    try:
        for result in runner.run(file.puzzles, limit=limit, jobs=jobs, cancel=slots.cancel):
            left -= 1
            yield result.to_json() + "\n"
        if left:
            message = f"{left} puzzles were not solved: the service is stopping, or it took too long"
            yield error_text("cancelled", message) + "\n"
    except Exception:
        log.exception("solving a puzzle file failed")
        yield error_text(*of_status(500)) + "\n"
    finally:
        end.cancel()
        slots.cancel.set()
