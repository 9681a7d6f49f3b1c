"""The routes under `/v1/match`: a game in progress against players that use the hint.

The client keeps the game and sends it with each request.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict
from functools import partial
from typing import TYPE_CHECKING

from flask import Blueprint, Response, request

from api.bodies import Preparation, limit_of, prepared, read_json, validated
from api.config import Config
from api.models import (
    MatchRequest,
    ProgressLine,
    ReadGames,
    ReadGamesRequest,
    ReviewRequest,
    SearchTurnRequest,
    TurnRequest,
)
from api.readiness import Readiness
from api.responses import json_response
from api.search_pool import SearchPool, Stream
from api.searches import (
    about,
    assemble_review,
    change_match,
    judge_move,
    match_hint,
    match_log,
    plan_review,
    play_turn,
    read_games,
    replay_game,
    table_end,
)
from api.streams import as_search, asker, streamed, streamed_answer, unstreamed, wants_stream
from athanor.reviews import SECONDS, Decision, Wish, progress_of
from athanor.sessions import Saved
from solver import registry
from solver.errors import RequestError
from solver.language import say
from solver.limits import Limit

if TYPE_CHECKING:
    from solver.reviewing import Judged

_MOST_SECONDS = 1.0  # for each of the three questions about a move


def blueprint(config: Config, searches: SearchPool, readiness: Readiness) -> Blueprint:
    routes = Blueprint("matches", __name__)

    def ready(saved: Saved, *, stream: bool = False) -> Preparation | None:
        """Make sure that a saved game's kernels are ready (`prepared`)."""
        with about("match"):
            return prepared(readiness, [registry.game(saved.game).name], stream=stream)

    def continued(saved: Saved) -> Saved:
        """Return a saved game unchanged. Raises RequestError for a game played at a real table, which can't be
        continued.
        """
        if saved.dealt:
            message = say("a game at a real table can be reviewed, but not continued")
            raise RequestError("not_offered", message, "match.dealt")
        return saved

    @routes.post("/v1/match")
    def match() -> Response:
        wanted = validated(MatchRequest, read_json(request))
        ready(continued(wanted.match))
        return json_response(as_search(config, searches, partial(change_match, wanted)))

    @routes.post("/v1/match/read")
    def read() -> Response:
        wanted = validated(ReadGamesRequest, read_json(request))
        with about("text"):
            games = as_search(config, searches, partial(read_games, wanted.text))
            prepared(readiness, [registry.game(saved.game).name for saved in games])
            replayed = tuple(as_search(config, searches, partial(replay_game, saved)) for saved in games)
        return json_response(ReadGames(games=replayed))

    @routes.post("/v1/match/log")
    def log() -> Response:
        saved = continued(validated(TurnRequest, read_json(request)).match)
        ready(saved)
        return json_response(as_search(config, searches, partial(match_log, saved)))

    @routes.post("/v1/match/ended")
    def ended() -> Response:
        saved = validated(TurnRequest, read_json(request)).match
        ready(saved)
        return json_response(as_search(config, searches, partial(table_end, saved)))

    def limited(wanted: SearchTurnRequest) -> Limit:
        """Return the limit that is asked for, by default the game's own."""
        seconds, nodes = wanted.limit.seconds, wanted.limit.nodes
        return limit_of(config, wanted.match.seconds if seconds is nodes is None else seconds, nodes)

    @routes.post("/v1/match/turn")
    def turn() -> Response:
        wanted = validated(SearchTurnRequest, read_json(request))
        saved = continued(wanted.match)
        ready(saved)
        limit = limited(wanted)
        return json_response(searches.run(partial(play_turn, saved), limit, asker(), lane="hint", tried=False))

    @routes.post("/v1/match/hint")
    def hint() -> Response:
        wanted = validated(SearchTurnRequest, read_json(request))
        saved = continued(wanted.match)
        stream = wants_stream()
        before = ready(saved, stream=stream)
        limit = limited(wanted)
        search = partial(match_hint, saved)
        if stream:
            return streamed_answer(searches, asker(), search, limit, lane="hint", before=before)
        return json_response(searches.run(search, limit, asker(), lane="hint", tried=False))

    @routes.post("/v1/match/review")
    def review() -> Response:
        wanted = validated(ReviewRequest, read_json(request))
        saved = wanted.match
        stream = wants_stream()
        before = ready(saved, stream=stream)
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
