"""The hint that games with hidden cards give: every legal move played on in sampled worlds, and their mean scores.

All games take the same steps: is it this seat's turn, has it a move at all, which worlds agree with what it sees,
how does each move end in them, which is best, and why. A game says what is its own in a `Sampler`; its `hint` is
then ``SAMPLER.hint``. The hint plays no move that profits from knowledge that nobody has, unlike a mean of values
with every card known: the worlds are finished by players who see their own cards only (`solver.hints.policy`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Generic, Protocol, TypeVar

from solver.common.control import Control
from solver.hints.paired import Sums
from solver.hints.ranking import Lead, answer, lead, ranked
from solver.hints.simulate import GAMES_A_BATCH, Rollouts, simulate
from solver.inputs.errors import RequestError
from solver.protocol.answers import SampledHint


class SeatView(Protocol):
    """What every view has: the seat that looks, and the seat whose turn it is."""

    @property
    def seat(self) -> int: ...

    @property
    def seat_to_move(self) -> int: ...


V = TypeVar("V", bound=SeatView)
M = TypeVar("M")


@dataclass(frozen=True)
class Sampler(Generic[V, M]):
    """What a game brings to its hints.

    `game` and `method` are named in the answer. `legal_moves` lists the moves of a view in canonical order, and
    `text` writes one as users do. ``rollouts(view, moves, seed)`` makes what plays worlds (`solver.hints`); in a
    debug run it also checks that a world agrees with the view (`solver.hints.deals.agrees`).
    ``reason(view, moves, sums)`` says in a sentence why the best move is best. ``no_moves(view)`` is the reason of
    an answer without moves; it raises a RequestError where such a view is no question. ``games(view)`` is how many
    games take a millisecond or two, by default what it is for a usual deck. ``points(view)`` is the statistic that
    has a round's points where the first one, by which moves are judged, is the chance to win the match.
    ``because(view, moves, sums, lead, rollouts)`` says what is behind a clear lead (`solver.hints.causes`); the
    `rollouts` are those that were played.
    """

    game: str
    method: str
    legal_moves: Callable[[V], Sequence[M]]
    text: Callable[[V, M], str]
    rollouts: Callable[[V, Sequence[M], int], Rollouts]
    reason: Callable[[V, Sequence[M], Sums], str]
    no_moves: Callable[[V], str]
    games: Callable[[V], int] = lambda _view: GAMES_A_BATCH
    points: Callable[[V], int | None] = lambda _view: None
    because: Callable[[V, Sequence[M], Sums, Lead, Any], str] | None = None

    def hint(
        self,
        view: V,
        control: Control,
        *,
        worlds: int | None = None,
        seed: int = 0,
        threads: int | None = None,
    ) -> SampledHint:
        """The best move by its mean score, and every legal move with its standard errors, best first.

        The same view, `seed` and node limit (or number of `worlds`) give the same answer, whatever the number of
        `threads`. Raises RequestError when another seat is to move, and for a number of worlds that is out of
        range.
        """
        if view.seat_to_move != view.seat:
            message = f"seat {view.seat_to_move} is to move, not seat {view.seat}"
            raise RequestError("not_to_move", message, "seat")
        moves = self.legal_moves(view)
        if not moves:
            return self._answer(view, control, (), None, self.no_moves(view), seed)
        rollouts = self.rollouts(view, moves, seed)
        names = [self.text(view, move) for move in moves]
        sums = simulate(rollouts, control, worlds=worlds, threads=threads, games=self.games(view), names=names)
        reason = self.reason(view, moves, sums) + self._because(view, moves, sums, rollouts)
        return self._answer(view, control, moves, sums, reason, seed)

    def _because(self, view: V, moves: Sequence[M], sums: Sums, rollouts: Rollouts) -> str:
        """What is behind a clear lead, as far as it shows, in a sentence with a space before it."""
        ahead = lead(sums, len(moves))
        if self.because is None or ahead is None or not ahead.clear:
            return ""
        return self.because(view, moves, sums, ahead, rollouts)

    def _answer(
        self, view: V, control: Control, moves: Sequence[M], sums: Sums | None, reason: str, seed: int
    ) -> SampledHint:
        texts = [self.text(view, move) for move in moves]
        return answer(
            self.game,
            view.seat,
            () if sums is None else ranked(sums, texts, self.method, self.points(view)),
            reason,
            method=self.method,
            worlds=0 if sums is None else sums.worlds,
            seed=seed,
            control=control,
        )
