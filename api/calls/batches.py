"""`/v1/batch`: many questions in, one line of JSON a question out, as each is answered."""

from __future__ import annotations

import json
from collections import deque
from collections.abc import Iterator, Sequence
from concurrent.futures import Executor, Future
from dataclasses import dataclass
from functools import partial
from queue import SimpleQueue
from typing import Any

from flask import Blueprint, Response, request

from api.bodies.line_models import BatchAsk, BatchRequest
from api.calls.questions import asker
from api.config import Config
from api.http.asked import HURRIED, READERS
from api.http.body import read_json, validated
from api.http.errors import error_text, line_of_failure
from api.http.metrics import Metrics
from api.http.searches import Searches, Stream
from api.http.starting import require
from api.http.streams import streamed
from api.starting.readiness import Readiness
from solver import registry
from solver.answers import Answer
from solver.errors import AthanorError, RequestError


def blueprint(config: Config, searches: Searches, readiness: Readiness, metrics: Metrics) -> Blueprint:
    """The route of the batches."""
    routes = Blueprint("batches", __name__)

    @routes.post("/v1/batch")
    def batch() -> Response:
        questions = validated(BatchRequest, read_json(request)).questions
        require(readiness, dict.fromkeys(name for question in questions for name in _games(question)))
        hurried = all(map(_hurried, questions))
        lines = partial(_lines, questions, config, searches.slots, metrics)
        return streamed(searches, asker(), config.default_seconds, lines, hurried=hurried)

    return routes


@dataclass(frozen=True, slots=True)
class _Queue:
    """Questions, by their indices, that wait for an executor, of which so many may be there at once."""

    executor: Executor
    places: int
    waiting: deque[int]


def _lines(
    questions: Sequence[Any], config: Config, slots: int, metrics: Metrics, stream: Stream
) -> Iterator[str]:
    """Answers and errors as lines. When the stream is ended before its time, a last one says how many are left.

    A question is read when it is its turn, and the next ones begin before a line is written, which may take long.
    """

    def answer(question: Any) -> Answer:
        ask = _ask(question)
        asked = READERS[ask]({key: question[key] for key in question if key != "ask"}, config)
        found = stream.run(asked.search, asked.limit, stream.cancel)
        metrics.searched(asked.position, ask, found)
        return found

    def begin(queue: _Queue) -> int:
        """Begin the next question of a queue, if there is one; how many were begun."""
        if not queue.waiting or stream.cancel.is_set():
            return 0
        index = queue.waiting.popleft()
        future = queue.executor.submit(answer, questions[index])
        future.add_done_callback(lambda done: ended.put((index, queue, done)))
        return 1

    ended: SimpleQueue[tuple[int, _Queue, Future[Answer]]] = SimpleQueue()
    hurried = {index for index, question in enumerate(questions) if _hurried(question)}
    others = (index for index in range(len(questions)) if index not in hurried)
    # One slot of the long searches stays free, so that a batch alone never keeps all others waiting.
    queues = (
        _Queue(stream.hints, slots, deque(sorted(hurried))),
        _Queue(stream.searches, max(1, slots - 1), deque(others)),
    )
    left = len(questions)
    running = sum(begin(queue) for queue in queues for _ in range(queue.places))
    while running:
        index, queue, done = ended.get()
        running += begin(queue) - 1
        left -= 1
        yield _line(index, done)
    if left:
        message = f"{left} questions were not answered: the service is stopping, or it took too long"
        yield error_text("cancelled", message)


def _line(index: int, done: Future[Answer]) -> str:
    """What became of a question, as a line."""
    try:
        return f'{{"index":{index},"answer":{done.result().to_json()}}}'
    except AthanorError as found:
        text = error_text(found.code, found.message, found.path, others=found.others)
    except Exception as found:
        text = line_of_failure(found, "a question of a batch")
    return json.dumps({"index": index} | json.loads(text))


def _ask(question: Any) -> str:
    """What a question asks. Raises RequestError."""
    if not isinstance(question, dict):
        raise RequestError("wrong_type", "a question must be an object")
    return validated(BatchAsk, question).ask


def _hurried(question: Any) -> bool:
    return isinstance(question, dict) and question.get("ask") in HURRIED


def _games(question: Any) -> Iterator[str]:
    """The game that a question is about, where it names one that there is."""
    position = question.get("position") if isinstance(question, dict) else None
    name = position.get("game") if isinstance(position, dict) else None
    if isinstance(position, str):
        name = (position.split(maxsplit=1) or [""])[0].lower()
    if name in registry.names():
        yield str(name)
