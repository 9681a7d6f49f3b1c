"""`/v1/match` and what is below it: a game in progress against players that use the hint.

The client keeps the game and sends it each time.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from dataclasses import asdict
from functools import partial
from typing import TYPE_CHECKING, Any, TypeVar

from flask import Blueprint, Response, request

from api.apart.matches import SESSIONS, Advising, Choosing, Judging, about
from api.bodies.line_models import ProgressLine
from api.bodies.match_models import (
    EndedRound,
    Match,
    MatchRequest,
    ReviewRequest,
    Turn,
    TurnRequest,
    WrittenGames,
    WrittenRequest,
)
from api.bodies.models import data_of, limit_of
from api.calls.questions import answered, asker, wants_stream
from api.config import Config
from api.http.body import read_json, validated
from api.http.searches import Searches, Stream
from api.http.starting import require
from api.http.streams import streamed, told
from api.starting.readiness import Readiness
from athanor import sessions
from athanor.reviews import SECONDS, Decision, Wish, reviewing
from athanor.sessions import Saved, Session, dumps
from solver import registry
from solver.answers import Answer, Hint
from solver.errors import PositionError, RequestError
from solver.limits import Limit
from solver.playing import Round
from solver.positions import parse_position, text_of

if TYPE_CHECKING:
    from athanor.reviews import Found

T = TypeVar("T")

_MOST_WRITTEN = 16  # games in a file


def blueprint(config: Config, searches: Searches, readiness: Readiness) -> Blueprint:
    """The routes of a game in progress."""
    routes = Blueprint("matches", __name__)

    def checked(saved: Saved, *, reviewed: bool = False) -> Saved:
        """A game that is one of ours and is ready, and that may be played on unless it is only reviewed."""
        if saved.dealt and not reviewed:
            message = "a game of a real table is reviewed, not played on"
            raise RequestError("not_offered", message, "match.dealt")
        with about("match"):
            require(readiness, [registry.game(saved.game).name])
        return saved

    def waited(saved: Saved, work: Callable[[Limit, threading.Event], T]) -> T:
        """What needs a moment: rounds are scored by a search, and a long game is played anew."""
        limit = limit_of(config, None, None, config.hint_seconds)
        kind = (request.path, saved.game, sum(map(len, saved.moves)) >> 5)
        return searches.hint(lambda limit, cancel, _: work(limit, cancel), limit, asker(), kind)

    @routes.post("/v1/match")
    def match() -> Response:
        wanted = validated(MatchRequest, read_json(request))
        saved = checked(wanted.match)
        return answered(waited(saved, lambda limit, cancel: _changed(wanted)))

    @routes.post("/v1/match/written")
    def read() -> Response:
        wanted = validated(WrittenRequest, read_json(request))
        with about("text"):
            games = sessions.loads(wanted.text.encode("utf-8", "replace"))
            if len(games) > _MOST_WRITTEN:
                raise RequestError("too_large", f"at most {_MOST_WRITTEN} games are read at a time")
            require(readiness, [registry.game(one.game).name for one in games])
            found = [waited(one, partial(_played, one)) for one in games]
        return answered(WrittenGames(games=tuple(found)))

    @routes.post("/v1/match/turn")
    def turn() -> Response:
        saved = checked(validated(TurnRequest, read_json(request)).match)
        limit = limit_of(config, saved.seconds, None)
        found = searches.hint(Choosing(saved), limit, asker(), (request.path, saved.game, saved.seconds))
        with SESSIONS.of(saved) as session:
            return answered(_turn(session, found))

    @routes.post("/v1/match/hint")
    def hint() -> Response:
        saved = checked(validated(TurnRequest, read_json(request)).match)
        limit = limit_of(config, saved.seconds, None)
        if wants_stream():
            return told(searches, asker(), Advising(saved), limit, hurried=True)
        return answered(searches.hint(Advising(saved), limit, asker(), (request.path, saved.game, saved.seconds)))

    @routes.post("/v1/match/review")
    def review() -> Response:
        wanted = validated(ReviewRequest, read_json(request))
        saved = checked(wanted.match, reviewed=True)
        unlimited = wanted.limit.seconds is None and wanted.limit.nodes is None
        limit = limit_of(config, SECONDS if unlimited else wanted.limit.seconds, wanted.limit.nodes, SECONDS)
        wish = Wish(limit, saved.seed, wanted.model, wanted.round, wanted.seat)
        with about("match"):
            session = Session(saved, forced=False)  # of its own: it is looked at for long
        reviewing(session, wish)  # what cannot be reviewed is refused before the stream begins
        return streamed(searches, asker(), config.default_seconds, partial(_review, session, wish))

    return routes


def _played(saved: Saved, limit: Limit, cancel: threading.Event) -> Saved:
    """A game with its moves as they are usually written."""
    return Session(saved, forced=False).saved


def _changed(wanted: MatchRequest) -> Match:
    """Where the game stands after what its player does."""
    with SESSIONS.of(wanted.match) as session:
        undone: list[str] = []
        for _ in range(wanted.undo):
            before = [move for moves in session.saved.moves for move in moves]
            if not session.undo():
                break
            undone = before[session.count :] + undone
        with about("redo"):
            redone = session.redo(wanted.redo)
        for index, text in enumerate(wanted.moves):
            with about(f"moves[{index}]"):
                session.play(session.round.move_of(text))
        return _standing(session, tuple(undone), redone)


def _turn(session: Session, hint: Hint | None) -> Turn:
    """What the seat to move does by its hint, or without one the only move there is, made."""
    table = session.round
    seat = table.to_move
    if seat is None:
        raise RequestError("game_over", "the game is over", "match")
    move = table.move_of(str(hint.best)) if hint else table.moves()[0]
    told = table.announcement(move)
    reason = hint.reason if hint and not table.secret(move) else None
    session.play(move)
    return Turn(seat=seat, told=told, reason=reason, match=_standing(session))


def _standing(session: Session, undone: tuple[str, ...] = (), redone: int = 0) -> Match:
    table = session.round
    begun = bool(session.made(session.number))
    over = session.over or (session.number > 0 and not begun)
    return Match(
        match=session.saved,
        file=dumps([session.saved]),
        players=table.players,
        round=session.number + 1,
        to_move=table.to_move,
        deciding=session.deciding,
        moves=tuple(table.moves()) if table.to_move == session.seat else (),
        **_seen(table, session.seat),
        made=session.count,
        undone=undone,
        redone=redone,
        ended=_ended(session) if over else None,
    )


def _ended(session: Session) -> EndedRound:
    rounds = session.ended
    return EndedRound(round=len(rounds), **_seen(rounds[-1], session.seat), summary=tuple(session.summary()))


def _seen(table: Round, seat: int) -> dict[str, Any]:
    """What a seat sees, as data, and as the line of text where it is a position that can be asked about."""
    position = table.seen(seat)
    if position is None:
        return {"text": None, "position": None}
    data = data_of(position)
    try:
        return {"text": text_of(parse_position(data)), "position": data}
    except PositionError:
        return {"text": None, "position": data}


def _review(session: Session, wish: Wish, stream: Stream) -> Iterator[str]:
    """How far the review is, line by line, and at last the review."""

    def judged(decision: Decision) -> Found:
        search = Judging(session.saved, decision)
        return stream.searches.submit(stream.run, search, Limit(), stream.cancel).result()

    for found in reviewing(session, wish, stream.cancel, judged):
        if isinstance(found, Answer):
            yield found.to_json()
        else:
            yield ProgressLine.model_validate({"progress": asdict(found)}).to_json()
