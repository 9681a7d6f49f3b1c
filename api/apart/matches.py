"""Games in progress that are kept at hand, and what is searched for in them: hints, and what moves gave away.

A game that a client sends is played anew from its moves, which takes long for a long one, so the games that were
answered last are kept; to lose them costs time alone.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from api.apart.wire import Portable
from athanor.questions import warm
from athanor.reviews import Decision
from athanor.sessions import Saved, Session
from solver.answers import Hint
from solver.errors import AthanorError, RequestError
from solver.limits import Control, Limit, ProgressCallback

if TYPE_CHECKING:
    from athanor.reviews import Found

_KEPT = 32  # games


@contextmanager
def about(key: str) -> Iterator[None]:
    """Say of an error in which key of the request it is."""
    try:
        yield
    except AthanorError as found:
        raise found.under(key) from None


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
            with about("match"):
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


SESSIONS = Sessions()


@dataclass(frozen=True, slots=True)
class Advising(Portable):
    """The search of a hint for the seat to move in a game."""

    saved: Saved

    def __call__(self, limit: Limit, cancel: threading.Event, progress: ProgressCallback | None) -> Hint:
        with SESSIONS.of(self.saved) as session:
            return _hinted(session, limit, cancel, progress)


@dataclass(frozen=True, slots=True)
class Choosing(Portable):
    """The same for a player who is one of ours: None where there is only one move."""

    written: ClassVar[bool] = False
    saved: Saved

    def __call__(self, limit: Limit, cancel: threading.Event, progress: ProgressCallback | None) -> Hint | None:
        with SESSIONS.of(self.saved) as session:
            return _hinted(session, limit, cancel, None) if len(session.round.moves()) > 1 else None


@dataclass(frozen=True, slots=True)
class Judging(Portable):
    """The searches for one move of a review, which have limits of their own."""

    written: ClassVar[bool] = False
    saved: Saved
    decision: Decision

    def __call__(self, limit: Limit, cancel: threading.Event, progress: ProgressCallback | None) -> Found:
        with SESSIONS.of(self.saved) as session:
            return self.decision.judged(session, cancel)


def _hinted(session: Session, limit: Limit, cancel: threading.Event, progress: ProgressCallback | None) -> Hint:
    if session.over:
        raise RequestError("game_over", "the game is over", "match")
    warm(session.game.name)
    return session.round.hint(Control(limit, cancel, progress), seed=session.hint_seed)
