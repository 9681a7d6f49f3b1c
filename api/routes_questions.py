"""The routes of questions.

Each of `ENDPOINTS` answers one question, such as `/v1/hint`.
`/v1/batch` answers many questions and `/v1/solve` the puzzles of a file, line by line.

Clients that accept ``application/x-ndjson``, or send ``?stream=true``, get a hint or an analysis line by line: its
progress, then the answer.
"""

from __future__ import annotations

import json
from collections import deque
from collections.abc import Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, wait
from functools import partial
from typing import Any, Literal

from flask import Blueprint, Response, request
from pydantic import BaseModel

from api.bodies import (
    limit_of,
    prepared,
    read_json,
    read_puzzles,
    read_query,
    say_if_cut,
    seconds_of,
    validated,
)
from api.config import Config
from api.endpoints import ENDPOINTS, Endpoint, answer_body
from api.errors import BusyError, error_text, line_of_failure
from api.metrics import Metrics
from api.models import BatchRequest, PuzzleFileQuery, SolveRequest
from api.readiness import Readiness
from api.responses import json_response
from api.search_pool import SearchPool, Stream
from api.searches import read_file, solve
from api.streams import as_search, asker, streamed, streamed_answer, wants_stream
from puzzles import check
from puzzles.check import PuzzleResult
from puzzles.format import Puzzle, PuzzleFile
from solver import registry
from solver.answers import Answer
from solver.codec import game_in
from solver.errors import AthanorError, RequestError, joined
from solver.language import language, named, say, say_many, speaking
from solver.limits import Limit
from solver.texts import game_typed


def blueprint(config: Config, searches: SearchPool, readiness: Readiness, metrics: Metrics) -> Blueprint:
    routes = Blueprint("questions", __name__)

    def answer(endpoint: Endpoint) -> Response:
        """Answer a question, as a stream with progress if the client wants one."""
        stream = endpoint.streams and wants_stream()
        asked = endpoint.asked(read_json(request), config)
        if not endpoint.lane:
            if "game" in asked.values:
                readiness.ask_for(asked.values["game"])  # who deals, or draws its cards, will soon want more
            return json_response(asked.answer())
        game = asked.game
        before = prepared(readiness, [game], hint=endpoint.is_hint, stream=stream)
        ended = partial(metrics.searched, game, endpoint.name)
        if stream:
            return streamed_answer(
                searches, asker(), asked.answer, asked.limit, ended, lane=endpoint.lane, before=before
            )
        try:
            result = searches.run(asked.answer, asked.limit, asker(), lane=endpoint.lane, tried=endpoint.tried)
        except BusyError:
            ended(None)
            raise
        ended(result)
        return json_response(result)

    for endpoint in ENDPOINTS.values():
        routes.add_url_rule(endpoint.address, endpoint.name, partial(answer, endpoint), methods=["POST"])

    @routes.post("/v1/batch")
    def batch() -> Response:
        questions = validated(BatchRequest, read_json(request)).questions
        games = dict.fromkeys(filter(None, map(_game, questions)))
        before = prepared(readiness, games, stream=True)
        say_if_cut(map(seconds_of, questions), config.max_seconds)
        lines = partial(_batch_lines, questions, config, searches.slots, metrics)
        return streamed(searches, asker(), lines, before=before)

    @routes.post("/v1/solve")
    def solve() -> Response:
        read_query(PuzzleFileQuery)
        (file,) = read_puzzles(partial(read_file, SolveRequest), partial(as_search, config, searches))
        games = dict.fromkeys(puzzle.game.name for puzzle in file.puzzles)
        before = prepared(readiness, games, stream=True)
        limit = limit_of(config, file.limit.seconds, file.limit.nodes)
        # One slot stays free, so that a single stream never makes everybody else wait.
        jobs = max(1, min(searches.slots - 1, len(file.puzzles)))
        lines = partial(_solve_lines, file, limit, jobs)
        return streamed(searches, asker(), lines, before=before)

    return routes


def _batch_lines(
    questions: Sequence[Any], config: Config, slots: int, metrics: Metrics, stream: Stream
) -> Iterator[str]:
    """Yield answers and errors as lines of JSON. If the stream ends early, the last line has the number of
    questions left.

    Each question is read only when its turn comes, where it is answered. The next one starts before a line is
    yielded, since a slow client may take long to read it.
    """

    def answer(question: Any) -> Answer:
        ask = _ask(question)
        wanted = question.get("lang")
        body = {key: question[key] for key in question if key != "ask"}
        with speaking((isinstance(wanted, str) and named(wanted)) or spoken):
            answering = partial(answer_body, ask, body, config)
            result: Answer = stream.run(ENDPOINTS[ask].lane, answering, Limit())
        metrics.searched(_game(question), ask, result)
        return result

    def begin(hint: bool) -> None:
        """Start the next hint or other question, if there is one."""
        if waiting[hint] and not stream.cancel.is_set():
            index = waiting[hint].popleft()
            running[executor.submit(answer, questions[index])] = index, hint

    spoken = language()
    # How many hints and others are answered at a time. One slot of the long searches stays free, so that a single
    # batch never makes everybody else wait.
    most = {True: slots, False: max(1, slots - 1)}
    waiting = {
        hint: deque(index for index, body in enumerate(questions) if _is_hint(body) == hint) for hint in most
    }
    running: dict[Future[Answer], tuple[int, bool]] = {}
    left = len(questions)
    with stream.workers(sum(most.values())) as executor:
        for hint, count in most.items():
            for _ in range(count):
                begin(hint)
        while running:
            done = min(wait(running, return_when=FIRST_COMPLETED).done, key=running.__getitem__)
            index, hint = running.pop(done)
            begin(hint)
            left -= 1
            yield _line(index, done)
        if left:
            message = say(
                "{left} questions were not answered: the service is stopping, it took too long, or others waited",
                left=left,
            )
            yield error_text("cancelled", message)


def _line(index: int, done: Future[Answer]) -> str:
    """Return the answer or error of question `index` as a line of JSON."""
    try:
        return f'{{"index":{index},"answer":{done.result().to_json()}}}'
    except AthanorError as error:
        error = error.under(f"questions[{index}]")
        text = error_text(error.code, error.message, error.path, others=error.others)
    except Exception as failure:
        text = line_of_failure(failure, "a question of a batch")
    return json.dumps({"index": index} | json.loads(text))


class _Ask(BaseModel):
    """The type of a question in a batch. Its other keys are those of the body of the question's own call."""

    ask: Literal["hint", "analyze", "compound"]


def _ask(question: Any) -> str:
    """Return the type of a question. Raises RequestError if it has none, or an unknown one."""
    if not isinstance(question, dict):
        raise RequestError("wrong_type", say("a question must be an object"))
    return validated(_Ask, question).ask


def _is_hint(question: Any) -> bool:
    return isinstance(question, dict) and question.get("ask") == "hint"


def _game(question: Any) -> str:
    """Return the name of a question's game; empty if it is not known."""
    position = question.get("position") if isinstance(question, dict) else None
    name = position.get("game") if isinstance(position, dict) else None
    name = game_in(position) if isinstance(position, str) else game_typed(name) if isinstance(name, str) else ""
    return name if name in registry.names() else ""


def _solve_lines(file: PuzzleFile, limit: Limit, jobs: int, stream: Stream) -> Iterator[str]:
    """Yield results as lines of JSON. If the stream ends early, the last line has the number of puzzles left."""
    left = len(file.puzzles)

    def solved(puzzle: Puzzle, limit: Limit, _: object) -> PuzzleResult:
        return stream.run("long", partial(solve, puzzle), limit)[0]

    for number, result in check.run(file.puzzles, limit=limit, jobs=jobs, cancel=stream.cancel, solve=solved):
        left -= 1
        if (fault := result.error) is not None:
            fault = fault.model_copy(update={"path": joined(f"puzzle[{number}]", fault.path)})
            yield result.model_copy(update={"error": fault}).to_json()
        else:
            yield result.to_json()
    if left:
        message = say_many(
            "{count} puzzle was not solved: the service is stopping, it took too long, or others waited",
            "{count} puzzles were not solved: the service is stopping, it took too long, or others waited",
            left,
        )
        yield error_text("cancelled", message)
