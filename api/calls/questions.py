"""`/v1/analyze`, `/v1/hint` and `/v1/compound`: one question about one position; `/v1/score`: about a record.

Whoever accepts ``application/x-ndjson``, or says ``?stream=1``, is told of a hint or an analysis line by line: how
far it is, then the answer.
"""

from __future__ import annotations

from functools import partial

from flask import Blueprint, Response, request
from pydantic import BaseModel

from api.apart.questions import Scoring
from api.bodies.line_models import StreamQuery
from api.bodies.models import limit_of
from api.config import Config
from api.http.admission import client, most_searches
from api.http.asked import HURRIED, READERS, Asked
from api.http.body import BODY, JSON, read_json, read_query
from api.http.errors import BusyError
from api.http.metrics import Metrics
from api.http.searches import Asker, Searches
from api.http.starting import require
from api.http.streams import NDJSON, told
from api.starting.readiness import Readiness
from solver.answers import Answer
from solver.limits import Limit
from solver.positions import game_of, parse_record

_SIZE_BITS = 8  # requests whose lengths in bytes agree but for so many bits are of one size


def blueprint(config: Config, searches: Searches, readiness: Readiness, metrics: Metrics) -> Blueprint:
    """The routes of the questions."""
    routes = Blueprint("questions", __name__)

    def read(ask: str) -> Asked:
        """The request's question, when the game that it asks about is ready."""
        found = READERS[ask](read_json(request), config)
        require(readiness, [game_of(found.position).name], hint=ask == "hint")
        return found

    def answer(ask: str) -> Response:
        asked = read(ask)

        search = searches.hint if ask in HURRIED else searches.search
        try:
            found = search(asked.search, asked.limit, asker(), _kind(asked.position, asked.limit))
        except BusyError:
            metrics.searched(asked.position, ask, None)
            raise
        metrics.searched(asked.position, ask, found)
        return answered(found)

    def told_on(ask: str) -> Response:
        """The answer, or a stream that ends with it, if the request wishes."""
        if not wants_stream():
            return answer(ask)
        asked = read(ask)
        ended = partial(metrics.searched, asked.position, ask)
        return told(searches, asker(), asked.search, asked.limit, ended, hurried=ask in HURRIED)

    @routes.post("/v1/analyze")
    def analyze() -> Response:
        return told_on("analyze")

    @routes.post("/v1/hint")
    def hint() -> Response:
        return told_on("hint")

    @routes.post("/v1/compound")
    def compound() -> Response:
        return answer("compound")

    @routes.post("/v1/score")
    def score() -> Response:
        record = parse_record(read_json(request))
        require(readiness, [game_of(record).name])
        # What the cards of a pile make is searched for; of nearly all decks it takes no time.
        limit = limit_of(config, None, None, config.hint_seconds)
        return answered(searches.hint(Scoring(record), limit, asker(), _kind(record, limit)))

    return routes


def answered(answer: Answer) -> Response:
    """An answer as a response."""
    return Response(answer.to_json(), mimetype=JSON)


def asker() -> Asker:
    """Who sends the request that is being answered."""
    gone = request.environ.get("waitress.client_disconnected")
    return Asker(client(), gone, most_searches(), (request.path, request.environ.get(BODY)))


def _kind(asked: BaseModel, limit: Limit) -> tuple[object, ...]:
    """What questions that take about as long have in common: a game, the size of the question, the limit."""
    size = (request.content_length or 0) >> _SIZE_BITS
    return request.path, game_of(asked).name, size, limit.nodes, limit.seconds


def wants_stream() -> bool:
    """Whether the request wishes to be told line by line. Raises RequestError for an odd `stream`."""
    query = read_query(StreamQuery)
    if "stream" in query.model_fields_set:
        return query.stream == "1"
    return request.accept_mimetypes.best_match([JSON, NDJSON]) == NDJSON
