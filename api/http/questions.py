"""`/v1/analyze`, `/v1/hint` and `/v1/compound`: one question about one position; `/v1/score`: about a record."""

from __future__ import annotations

import threading
from typing import TypeVar

from flask import Blueprint, Response, request
from pydantic import BaseModel

import athanor
from api.config import Config
from api.http.body import read_json, validated
from api.http.models import AnalyzeRequest, CompoundRequest, HintRequest, limit_of
from api.http.searches import Asker, Searches
from api.http.starting import require
from api.scheduling.turns import client_of
from api.starting.readiness import Readiness
from solver.common.control import Limit
from solver.inputs.errors import AthanorError, RequestError
from solver.positions import game_of, parse_record
from solver.protocol.answers import Answer

_SIZE_BITS = 8  # requests whose lengths in bytes agree but for so many bits are of one size

Q = TypeVar("Q", AnalyzeRequest, HintRequest, CompoundRequest)


def blueprint(config: Config, searches: Searches, readiness: Readiness) -> Blueprint:
    """The routes of the questions."""
    routes = Blueprint("questions", __name__)

    def read(kind: type[Q]) -> Q:
        """The request's body, when the game that it asks about is ready."""
        asked = _read(kind)
        require(readiness, [game_of(asked.position).name])
        return asked

    @routes.post("/v1/analyze")
    def analyze() -> Response:
        asked = read(AnalyzeRequest)

        def work(limit: Limit, cancel: threading.Event) -> Answer:
            return athanor.analyze(
                asked.position, model=asked.model, player=asked.player, limit=limit, cancel=cancel
            )

        limit = limit_of(config, asked.limit.seconds, asked.limit.nodes)
        return answered(searches.search(work, limit, asker(), _kind(asked.position, limit)))

    @routes.post("/v1/hint")
    def hint() -> Response:
        asked = read(HintRequest)
        for key, value in (("model", asked.model), ("player", asked.player)):
            if value is not None:
                raise RequestError("not_applicable", f"a hint is the viewer's; it takes no {key}", key)
        unlimited = asked.limit.nodes is None and asked.worlds is None
        default = config.hint_seconds if unlimited else config.max_seconds

        def work(limit: Limit, cancel: threading.Event) -> Answer:
            return athanor.hint(asked.position, worlds=asked.worlds, seed=asked.seed, limit=limit, cancel=cancel)

        limit = limit_of(config, asked.limit.seconds, asked.limit.nodes, default)
        return answered(searches.hint(work, limit, asker(), _kind(asked.position, limit)))

    @routes.post("/v1/compound")
    def compound() -> Response:
        asked = read(CompoundRequest)

        def work(limit: Limit, cancel: threading.Event) -> Answer:
            return athanor.compound(
                asked.position,
                must=asked.must,
                without=asked.without,
                best=asked.best,
                missing=asked.missing,
                limit=limit,
                cancel=cancel,
            )

        limit = limit_of(config, asked.limit.seconds, asked.limit.nodes)
        return answered(searches.search(work, limit, asker(), _kind(asked.position, limit)))

    @routes.post("/v1/score")
    def score() -> Response:
        record = parse_record(read_json(request))
        require(readiness, [game_of(record).name])
        # What the cards of a pile make is searched for; of nearly all decks it takes no time.
        limit = limit_of(config, None, None, config.hint_seconds)

        def work(limit: Limit, cancel: threading.Event) -> Answer:
            return athanor.score(record, limit=limit, cancel=cancel)

        return answered(searches.hint(work, limit, asker(), _kind(record, limit)))

    return routes


def answered(answer: Answer) -> Response:
    """An answer as a response."""
    return Response(answer.to_json(), mimetype="application/json")


def asker() -> Asker:
    """Who sends the request that is being answered."""
    return Asker(client_of(request.remote_addr or ""), request.environ.get("waitress.client_disconnected"))


def _kind(asked: BaseModel, limit: Limit) -> tuple[object, ...]:
    """What questions that take about as long have in common: a game, the size of the question, the limit."""
    size = (request.content_length or 0) >> _SIZE_BITS
    return request.path, game_of(asked).name, size, limit.nodes, limit.seconds


def _read(kind: type[Q]) -> Q:
    """The request's body. A path inside the position is seen from the position."""
    try:
        return validated(kind, read_json(request))
    except AthanorError as found:
        raise found.within("position") from None
