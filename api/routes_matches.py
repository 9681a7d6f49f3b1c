"""The routes `/v1/match/read` and `/v1/match/review`, which read games and judge all moves of one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict
from functools import partial
from typing import TYPE_CHECKING

from flask import Blueprint, Response, request

from api.bodies import limit_of, prepared, read_json, validated
from api.config import Config
from api.models import ProgressLine, ReadGames, ReadGamesRequest, ReviewRequest
from api.readiness import Readiness
from api.responses import json_response
from api.search_pool import SearchPool, Stream
from api.searches import about, assemble_review, judge_move, plan_review, read_games, replay_game
from api.streams import as_search, asker, streamed, unstreamed, wants_stream
from athanor.reviews import SECONDS, Decision, Wish, progress_of
from athanor.sessions import Saved
from solver import registry
from solver.limits import Limit

if TYPE_CHECKING:
    from solver.reviewing import Judged

_MOST_SECONDS = 1.0  # for each question about a move


def blueprint(config: Config, searches: SearchPool, readiness: Readiness) -> Blueprint:
    routes = Blueprint("matches", __name__)

    @routes.post("/v1/match/read")
    def read() -> Response:
        wanted = validated(ReadGamesRequest, read_json(request))
        with about("text"):
            games = as_search(config, searches, partial(read_games, wanted.text))
            prepared(readiness, [registry.game(saved.game).name for saved in games])
            replayed = tuple(as_search(config, searches, partial(replay_game, saved)) for saved in games)
        return json_response(ReadGames(games=replayed))

    @routes.post("/v1/match/review")
    def review() -> Response:
        wanted = validated(ReviewRequest, read_json(request))
        saved = wanted.match
        stream = wants_stream()
        with about("match"):
            before = prepared(readiness, [registry.game(saved.game).name], stream=stream)
        unlimited = wanted.limit.seconds is None and wanted.limit.nodes is None
        seconds = SECONDS if unlimited else wanted.limit.seconds
        limit = limit_of(config, seconds, wanted.limit.nodes, _MOST_SECONDS, _MOST_SECONDS)
        _, *reviewed = wanted.values.items()
        wish = Wish(limit, saved.seed, **dict(reviewed))
        lines = partial(_review, saved, wish, limit_of(config, None, None, config.hint_seconds))
        if stream:
            return streamed(searches, asker(), lines, before=before)
        return unstreamed(searches, asker(), lines)

    return routes


def _review(saved: Saved, wish: Wish, planning: Limit, stream: Stream) -> Iterator[str]:
    """Yield the progress of a review, one line of JSON each, and finally the review.

    Its decisions are found within the limit `planning`, before this returns: errors are raised then.
    """
    wanted = stream.run("hint", partial(plan_review, saved, wish), planning)
    return _judged(saved, wish, wanted, stream)


def _judged(saved: Saved, wish: Wish, wanted: Sequence[Decision], stream: Stream) -> Iterator[str]:
    judged: list[Judged] = []
    for step in progress_of(wanted):
        yield ProgressLine.model_validate({"progress": asdict(step)}).to_json()
        judgement = stream.run("long", partial(judge_move, saved, wanted[len(judged)]), Limit())
        if stream.cancel.is_set():
            break
        judged.append(judgement)
    yield stream.finish("long", partial(assemble_review, saved, wish, judged)).to_json()
