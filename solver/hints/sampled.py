"""The hint that games with hidden cards give: every legal move played on in sampled worlds, and their mean scores.

All games take the same steps: is it this seat's turn, has it a move at all, which worlds agree with what it sees,
how does each move end in them, which is best, and why. A game says what is its own in a `Sampler`; its `hint` is
then ``SAMPLER.hint``, or ``SAMPLER.reply`` where it has a player for a first answer. The hint plays no move that
profits from knowledge that nobody has, unlike a mean of values with every card known: the worlds are finished by
players who see their own cards only (`solver.hints.policy`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Generic, Protocol, TypeVar

from solver.common.control import Control
from solver.hints.leaning import Leaned, Prior
from solver.hints.model_error import with_model_error
from solver.hints.paired import Sums, Whole
from solver.hints.ranking import Lead, answer, lead, ranked
from solver.hints.simulate import GAMES_A_BATCH, Rollouts, simulate, worlds_error
from solver.inputs.errors import RequestError
from solver.protocol.answers import AnySampledHint, PolicyHint, PolicyMove, SampledHint

POLICY = "policy"  # the method of answers that no deals were sampled for
ALL_DEALS = "all deals"  # the method where these are so few that none has to be drawn
NETWORK = "network"  # beside the method where means lean to one
_DIGITS = 6  # of a chance
_WITNESSES = 1000


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
    ``policy(view, moves)`` is how likely each move is made by a player who thinks no further; None where there is
    no such player.
    ``ending(view, moves, control, worlds)`` is what the best reply over all deals that are left brings, where
    these can be counted out within the control's limit and are no more than `worlds`; None where they can't.
    ``prior(view, moves)`` is what moves are worth before any world is played, to which the mean scores lean
    (`solver.hints.leaning`); None where there is none.
    ``model_error(view)`` is how far means are off beside the errors of sampling (`solver.hints.model_error`); None
    where it was not measured.
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
    policy: Callable[[V, Sequence[M]], Sequence[float]] | None = None
    ending: Callable[[V, Sequence[M], Control, int | None], Whole | None] | None = None
    prior: Callable[[V, Sequence[M]], Prior | None] | None = None
    model_error: Callable[[V], float | None] | None = None

    def reply(
        self,
        view: V,
        control: Control,
        *,
        worlds: int | None = None,
        seed: int = 0,
        threads: int | None = None,
    ) -> AnySampledHint:
        """What a game with a `policy` answers: its choice `at_once` for no worlds, else the `hint`."""
        if worlds == 0:
            return self.at_once(view, control, seed=seed)
        return self.hint(view, control, worlds=worlds, seed=seed, threads=threads)

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

        Where there is a `policy`, whoever watches is told its choice at once, before any world is played.

        The same view, `seed` and node limit (or number of `worlds`) give the same answer, whatever the number of
        `threads`. Raises RequestError when another seat is to move, and for a number of worlds that is out of
        range.
        """
        moves = self._moves(view)
        if not moves:
            return self._answer(view, control, (), None, self.no_moves(view), seed)
        if self.policy is not None:
            policy = self.policy
            control.tell_first(POLICY, lambda: self.text(view, moves[_likeliest(policy(view, moves))[0]]))
        rollouts = self.rollouts(view, moves, seed)
        names = [self.text(view, move) for move in moves]
        whole = None if self.ending is None else self.ending(view, moves, control, worlds)
        if whole is not None:
            worlds = _WITNESSES  # which tell what is behind a lead
        prior = None if self.prior is None or whole is not None else self.prior(view, moves)

        def judged(sums: Sums) -> Sums:
            return whole or (sums if prior is None else Leaned(sums, prior))

        sums = simulate(
            rollouts, control, worlds=worlds, threads=threads, games=self.games(view), names=names, judged=judged
        )
        known = judged(sums)
        reason = self.reason(view, moves, known) + self._because(view, moves, known, sums, rollouts)
        method = ALL_DEALS if whole is not None else self.method if prior is None else f"{self.method}, {NETWORK}"
        return self._answer(view, control, moves, known, reason, seed, method)

    def at_once(self, view: V, control: Control, *, seed: int = 0) -> AnySampledHint:
        """What a player would do who thinks no further: every legal move with its chance, the likeliest first.

        Raises RequestError as `hint` does, and where there is no such player.
        """
        moves = self._moves(view)
        if self.policy is None:
            raise worlds_error()
        if not moves:
            return self._answer(view, control, (), None, self.no_moves(view), seed)
        chances = self.policy(view, moves)
        told = [
            PolicyMove(move=self.text(view, moves[place]), chance=round(chances[place], _DIGITS), method=POLICY)
            for place in _likeliest(chances)
        ]
        return PolicyHint(
            game=self.game,
            to_move=view.seat,
            exact=False,
            best=told[0].move,
            moves=tuple(told),
            reason=_reason_at_once(told),
            method=POLICY,
            worlds=0,
            seed=seed,
            nodes=control.nodes,
            seconds=control.seconds,
        )

    def _moves(self, view: V) -> Sequence[M]:
        """The legal moves. Raises RequestError when another seat is to move."""
        if view.seat_to_move != view.seat:
            message = f"seat {view.seat_to_move} is to move, not seat {view.seat}"
            raise RequestError("not_to_move", message, "seat")
        return self.legal_moves(view)

    def _because(self, view: V, moves: Sequence[M], known: Sums, sums: Sums, rollouts: Rollouts) -> str:
        """What is behind a clear lead, as far as it shows, in a sentence with a space before it.

        By what is `known` of the moves they are ranked; `sums` are those of the rollouts.
        """
        ahead = lead(known, len(moves))
        if self.because is None or ahead is None or not ahead.clear:
            return ""
        return self.because(view, moves, sums, ahead, rollouts)

    def _answer(
        self,
        view: V,
        control: Control,
        moves: Sequence[M],
        sums: Sums | None,
        reason: str,
        seed: int,
        method: str | None = None,
    ) -> SampledHint:
        texts = [self.text(view, move) for move in moves]
        found = answer(
            self.game,
            view.seat,
            () if sums is None else ranked(sums, texts, method or self.method, self.points(view)),
            reason,
            method=method or self.method,
            worlds=0 if sums is None else sums.worlds,
            seed=seed,
            control=control,
        )
        return found if self.model_error is None or not moves else with_model_error(found, self.model_error(view))


def _likeliest(chances: Sequence[float]) -> list[int]:
    """The places by their chances, the likeliest first; equals in the order given."""
    return sorted(range(len(chances)), key=lambda place: -round(chances[place], _DIGITS))


def _reason_at_once(moves: Sequence[PolicyMove]) -> str:
    if len(moves) == 1:
        return f"{moves[0].move} is the only move."
    return (
        f"{moves[0].move} is what a player would choose who thinks no further; no deals were tried for this first "
        "answer."
    )
