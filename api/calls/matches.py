"""`/v1/match` and what is below it: a game in progress against players that use the hint.

The client keeps the game and sends it each time. It is played anew from its moves, which takes long for a long
one, so the games that were answered last are kept at hand; to lose them costs time alone.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict
from functools import partial
from typing import Any, TypeVar

from flask import Blueprint, Response, request

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
from athanor import written
from athanor.asking import warm
from athanor.reviews import SECONDS, Wish, reviewing
from athanor.sessions import Saved, Session
from athanor.written import dumps
from solver import registry
from solver.common.control import Control, Limit, ProgressCallback
from solver.inputs.errors import AthanorError, PositionError, RequestError
from solver.positions import parse_position, text_of
from solver.protocol.answers import Answer, Hint
from solver.protocol.playing import Round

T = TypeVar("T")

_KEPT = 32  # games that are kept at hand
_MOST_WRITTEN = 16  # games in a file


class Sessions:
    """Games that were played lately, by what is sent of them. One that is used is nobody else's meanwhile."""

    def __init__(self, most: int = _KEPT) -> None:
        self._most = most
        self._change = threading.Lock()
        self._kept: OrderedDict[str, Session] = OrderedDict()

    @contextmanager
    def of(self, saved: Saved) -> Iterator[Session]:
        """The game, to look at and to play on. Raises the errors of `Session`."""
        with self._change:
            session = self._kept.pop(_key(saved), None)
        if session is None:
            with _about("match"):
                session = Session(saved, forced=False)
        try:
            yield session
        finally:
            with self._change:
                self._kept[_key(session.saved)] = session
                while len(self._kept) > self._most:
                    self._kept.popitem(last=False)


def _key(saved: Saved) -> str:
    return saved.model_dump_json()


def blueprint(config: Config, searches: Searches, readiness: Readiness) -> Blueprint:
    """The routes of a game in progress."""
    routes = Blueprint("matches", __name__)
    sessions = Sessions()

    def checked(saved: Saved, *, reviewed: bool = False) -> Saved:
        """A game that is one of ours and is ready, and that may be played on unless it is only reviewed."""
        if saved.dealt and not reviewed:
            message = "a game of a real table is reviewed, not played on"
            raise RequestError("not_offered", message, "match.dealt")
        with _about("match"):
            require(readiness, [registry.game(saved.game).name])
        return saved

    def waited(saved: Saved, work: Callable[[Limit, threading.Event], T]) -> T:
        """What needs a moment: rounds are scored by a search, and a long game is played anew."""
        limit = limit_of(config, None, None, config.hint_seconds)
        return searches.hint(work, limit, asker(), (request.path, saved.game, sum(map(len, saved.moves)) >> 5))

    @routes.post("/v1/match")
    def match() -> Response:
        wanted = validated(MatchRequest, read_json(request))
        saved = checked(wanted.match)
        return answered(waited(saved, lambda limit, cancel: _changed(sessions, wanted)))

    @routes.post("/v1/match/written")
    def read() -> Response:
        wanted = validated(WrittenRequest, read_json(request))
        with _about("text"):
            games = written.loads(wanted.text.encode("utf-8", "replace"))
            if len(games) > _MOST_WRITTEN:
                raise RequestError("too_large", f"at most {_MOST_WRITTEN} games are read at a time")
            require(readiness, [registry.game(one.game).name for one in games])
            found = [waited(one, partial(_played, one)) for one in games]
        return answered(WrittenGames(games=tuple(found)))

    @routes.post("/v1/match/turn")
    def turn() -> Response:
        saved = checked(validated(TurnRequest, read_json(request)).match)
        limit = limit_of(config, saved.seconds, None)

        def work(limit: Limit, cancel: threading.Event) -> Hint | None:
            with sessions.of(saved) as session:
                several = len(session.round.moves()) > 1
                return _hinted(session, limit, cancel, None) if several else None

        found = searches.hint(work, limit, asker(), (request.path, saved.game, saved.seconds))
        with sessions.of(saved) as session:
            return answered(_turn(session, found))

    @routes.post("/v1/match/hint")
    def hint() -> Response:
        saved = checked(validated(TurnRequest, read_json(request)).match)
        limit = limit_of(config, saved.seconds, None)

        def work(limit: Limit, cancel: threading.Event, progress: ProgressCallback | None) -> Answer:
            with sessions.of(saved) as session:
                return _hinted(session, limit, cancel, progress)

        if wants_stream():
            return told(searches, asker(), work, limit, hurried=True)
        kind = (request.path, saved.game, saved.seconds)
        return answered(searches.hint(lambda limit, cancel: work(limit, cancel, None), limit, asker(), kind))

    @routes.post("/v1/match/review")
    def review() -> Response:
        wanted = validated(ReviewRequest, read_json(request))
        saved = checked(wanted.match, reviewed=True)
        unlimited = wanted.limit.seconds is None and wanted.limit.nodes is None
        limit = limit_of(config, SECONDS if unlimited else wanted.limit.seconds, wanted.limit.nodes, SECONDS)
        wish = Wish(limit, saved.seed, wanted.model, wanted.round, wanted.seat)
        with _about("match"):
            session = Session(saved, forced=False)  # of its own: it is looked at for long
        reviewing(session, wish)  # what cannot be reviewed is refused before the stream begins
        return streamed(searches, asker(), config.default_seconds, partial(_review, session, wish))

    return routes


def _played(saved: Saved, limit: Limit, cancel: threading.Event) -> Saved:
    """A game with its moves as they are usually written."""
    return Session(saved, forced=False).saved


@contextmanager
def _about(key: str) -> Iterator[None]:
    """Say of an error in which key of the request it is."""
    try:
        yield
    except AthanorError as found:
        raise found.under(key) from None


def _changed(sessions: Sessions, wanted: MatchRequest) -> Match:
    """Where the game stands after what its player does."""
    with sessions.of(wanted.match) as session:
        undone: list[str] = []
        for _ in range(wanted.undo):
            before = [move for moves in session.saved.moves for move in moves]
            if not session.undo():
                break
            undone = before[session.count :] + undone
        with _about("redo"):
            redone = session.redo(wanted.redo)
        for index, text in enumerate(wanted.moves):
            with _about(f"moves[{index}]"):
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


def _hinted(session: Session, limit: Limit, cancel: threading.Event, progress: ProgressCallback | None) -> Hint:
    if session.over:
        raise RequestError("game_over", "the game is over", "match")
    warm(session.game.name)
    return session.round.hint(Control(limit, cancel, progress), seed=session.hint_seed)


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
    run = partial(_run, stream)
    for found in reviewing(session, wish, stream.cancel, run):
        if isinstance(found, Answer):
            yield found.to_json()
        else:
            yield ProgressLine.model_validate({"progress": asdict(found)}).to_json()


def _run(stream: Stream, ask: Callable[[], T]) -> T:
    return stream.searches.submit(ask).result()
