"""`/v1/analyze`, `/v1/hint` and `/v1/compound`: one question about one position."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TypeVar

from flask import Blueprint, Response, request

from api.config import Config
from api.http.body import read_json, validated
from api.http.models import AnalyzeRequest, CompoundRequest, HintRequest, limit_of
from api.http.searches import Searches
from solver.common.control import Control, Limit
from solver.inputs.errors import AthanorError, RequestError
from solver.positions import compounder, game_of
from solver.protocol.answers import Answer
from solver.protocol.compounding import Wishes

Q = TypeVar("Q", AnalyzeRequest, HintRequest, CompoundRequest)


def blueprint(config: Config, searches: Searches) -> Blueprint:
    """The routes of the questions."""
    routes = Blueprint("questions", __name__)

    @contextmanager
    def in_time(limit: Limit) -> Iterator[Control]:
        """A hint's control. It waits for no slot: with others at work it sees less in the same time."""
        with searches.beside(request.environ.get("waitress.client_disconnected")) as cancel:
            yield Control(limit, cancel)

    @contextmanager
    def search(limit: Limit) -> Iterator[Control]:
        """A search's control. Waiting for a slot is part of the time that the request allows."""
        began = time.monotonic()
        seconds = limit.seconds or config.max_seconds
        with searches.slot(seconds, request.environ.get("waitress.client_disconnected")) as slots:
            left = max(0.001, seconds - (time.monotonic() - began))
            yield Control(Limit(seconds=left, nodes=limit.nodes), slots.cancel)

    @routes.post("/v1/analyze")
    def analyze() -> Response:
        question = _read(AnalyzeRequest)
        game = game_of(question.position)
        limit = limit_of(config, question.limit.seconds, question.limit.nodes)
        with search(limit) as control:
            answer = game.analyze(question.position, control, model=question.model, player=question.player)
        return answered(answer)

    @routes.post("/v1/hint")
    def hint() -> Response:
        question = _read(HintRequest)
        game = game_of(question.position)
        for key, value in (("model", question.model), ("player", question.player)):
            if value is not None:
                raise RequestError("not_applicable", f"a hint is the viewer's; it takes no {key}", key)
        unlimited = question.limit.nodes is None and question.worlds is None
        default = config.hint_seconds if unlimited else config.max_seconds
        limit = limit_of(config, question.limit.seconds, question.limit.nodes, default)
        with in_time(limit) as control:
            answer = game.hint(question.position, control, worlds=question.worlds, seed=question.seed)
        return answered(answer)

    @routes.post("/v1/compound")
    def compound() -> Response:
        question = _read(CompoundRequest)
        compounding = compounder(question.position)
        wishes = Wishes(question.must, question.without, question.best, question.missing)
        limit = limit_of(config, question.limit.seconds, question.limit.nodes)
        with search(limit) as control:
            answer = compounding.answer(question.position, control, wishes)
        return answered(answer)

    return routes


def answered(answer: Answer) -> Response:
    """An answer as a response."""
    return Response(answer.to_json(), mimetype="application/json")


def _read(kind: type[Q]) -> Q:
    """The request's body. A path inside the position is seen from the position."""
    try:
        return validated(kind, read_json(request))
    except AthanorError as found:
        found.path = found.path.removeprefix("position.")
        raise
