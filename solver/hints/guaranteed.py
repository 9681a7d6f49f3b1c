"""What a seat can guarantee that sees one hand alone: over every deal that agrees with it, against all others.

This is the model `paranoid` for who does not see the other hands. What the seat knows is the set of deals that it
cannot tell apart. At its turn it makes the move that is best for the whole set. At another seat's turn it has to
reckon with every move that is legal in one of the deals, and after a move those deals are left in which it was
legal. So no move profits from what is not seen, no deal is left out, and none has a weight: the value is proved,
and it is what the seat's score is at least, whatever the deal is and whatever the others do.

The search is minimax over such sets with alpha-beta (fail-soft). All moves are seen by everybody. Which seat is to
move, and the seat's own score at the end, follow from what is seen.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import Any, Generic, NamedTuple, Protocol, TypeVar

from solver.common.control import Control
from solver.inputs.errors import RequestError

MOST_DEALS = 20_000  # in which anything is searched

S = TypeVar("S", bound=Hashable)
M = TypeVar("M", bound=Hashable)

_ALL = 1 << 62  # beyond any score


class Open(Protocol[S, M]):
    """A game's rules with every card known, for the seat that asks."""

    def is_own(self, state: S) -> bool:
        """Whether it is the seat's turn."""

    def moves(self, state: S) -> Sequence[M]:
        """The legal moves; none when all is over. At the seat's turn they are the same in all deals of a set."""

    def after(self, state: S, move: M) -> S:
        """The state after a legal move."""

    def bounds(self, state: S) -> tuple[int, int]:
        """The least and the most that the seat's score can come to; the same when all is over."""


class Deals(NamedTuple, Generic[S]):
    """How many deals agree with a view, and these as states; of more than `MOST_DEALS` the first alone."""

    total: int
    states: Sequence[S]


class Stopped(Exception):  # noqa: N818  # no error: the limit has come
    """The control's limit ended the search."""


@dataclass
class Guarantee(Generic[S, M]):
    """The search. Its nodes are states, so a set of a hundred deals counts as a hundred."""

    rules: Open[S, M]
    control: Control

    def after(self, states: Sequence[S], move: M) -> int:
        """What the seat guarantees by a move of its own. Raises Stopped."""
        return self._value([self.rules.after(state, move) for state in states], -_ALL, _ALL)

    def _value(self, states: Sequence[S], alpha: int, beta: int) -> int:
        self.control.nodes += len(states)
        if self.control.stopped():
            raise Stopped
        rules = self.rules
        low, high = rules.bounds(states[0])
        if low == high or low >= beta:
            return low
        if high <= alpha:
            return high
        if rules.is_own(states[0]):
            best = -_ALL
            for move in rules.moves(states[0]):
                after = [rules.after(state, move) for state in states]
                best = max(best, self._value(after, max(alpha, best), beta))
                if best >= beta:
                    break
            return best
        seen: dict[M, list[S]] = {}
        for state in states:
            for move in rules.moves(state):
                seen.setdefault(move, []).append(state)
        worst = _ALL
        for move, possible in seen.items():
            after = [rules.after(state, move) for state in possible]
            worst = min(worst, self._value(after, alpha, min(beta, worst)))
            if worst <= alpha:
                break
        return worst


def of_moves(rules: Open[S, M], deals: Deals[S], control: Control) -> dict[M, tuple[int, int]]:
    """What the seat to move guarantees by each of its moves, as bounds: equal where the limit left time to prove.

    `deals` are all that it cannot tell apart; where they are more than `MOST_DEALS` nothing is searched.
    """
    states = deals.states if deals.total <= MOST_DEALS else deals.states[:1]
    found: dict[M, tuple[int, int]] = {}
    search = Guarantee(rules, control)
    for move in rules.moves(states[0]):
        found[move] = rules.bounds(states[0])
        if deals.total <= MOST_DEALS and not control.stopped():
            try:
                value = search.after(states, move)
            except Stopped:
                continue
            found[move] = (value, value)
    return found


def told(
    seat: int, moves: Sequence[tuple[str, tuple[int, int]]], score: tuple[int, int], control: Control
) -> dict[str, Any]:
    """The fields of an analysis that says what a seat guarantees, its moves best first.

    `score` is what its score can come to at all, for a position without a move.
    """
    ordered = sorted(moves, key=lambda entry: (-entry[1][0], -entry[1][1]))
    low = max((bounds[0] for _, bounds in moves), default=score[0])
    high = max((bounds[1] for _, bounds in moves), default=score[1])
    best = ordered[0][0] if ordered else None
    return {
        "model": "paranoid",
        "player": seat,
        "to_move": seat,
        "exact": low == high,
        "value": low if low == high else None,
        "bounds": (low, high),
        "best": best,
        "moves": tuple(
            {"move": move, "value": a if a == b else None, "bounds": (a, b), "exact": a == b}
            for move, (a, b) in ordered
        ),
        "line": () if best is None else (best,),
        "nodes": control.nodes,
        "seconds": control.seconds,
    }


def check_turn(seat: int, to_move: int) -> None:
    """Raise RequestError where another seat is to move: its hand is not seen."""
    if seat != to_move:
        raise RequestError("not_to_move", f"seat {to_move} is to move, not seat {seat}", "seat")
