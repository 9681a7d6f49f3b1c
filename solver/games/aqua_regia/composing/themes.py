"""What is in the best move of an Aqua Regia puzzle, each theme found by a check on the cards."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from solver.games.aqua_regia.cards.deck import Deck
from solver.games.aqua_regia.cards.rules import MOST_AT_ONCE, Move, Pass, Play, State, legal_moves, unsettled


@dataclass(frozen=True)
class Solved:
    """A settled state and its best move."""

    deck: Deck
    state: State
    best: Move
    held_down: bool

    @property
    def plays(self) -> list[Play]:
        """What could be played."""
        return [move for move in legal_moves(self.deck, self.state) if isinstance(move, Play)]


def _precipitates(solved: Solved) -> bool:
    return isinstance(solved.best, Pass) and solved.best.discarded is not None


def _holds_back(solved: Solved) -> bool:
    """It passes, though it could play."""
    return isinstance(solved.best, Pass) and bool(solved.plays)


def _lets_go(solved: Solved) -> bool:
    """It passes, and is the last to do so: the field is cleared and changes."""
    return isinstance(solved.best, Pass) and not unsettled(solved.state, solved.best).table


def _splits(solved: Solved) -> bool:
    """It plays fewer cards of a metal than it could."""
    best = solved.best
    return isinstance(best, Play) and any(
        play.metal == best.metal and play.count > best.count for play in solved.plays
    )


def _jumps(solved: Solved) -> bool:
    """Following, it is not of the weakest metal that could be played."""
    best = solved.best
    return (
        isinstance(best, Play)
        and bool(solved.state.table)
        and best.metal > min(play.metal for play in solved.plays)
    )


def _leads_high(solved: Solved) -> bool:
    best = solved.best
    return (
        isinstance(best, Play) and not solved.state.table and best.metal > min(play.metal for play in solved.plays)
    )


def _four(move: Move) -> bool:
    return isinstance(move, Play) and move.count == MOST_AT_ONCE


CHECKS: Mapping[str, Callable[[Solved], bool]] = {
    "precipitate": _precipitates,
    "reverse change": lambda solved: _four(solved.best),
    "no reverse change": lambda solved: not _four(solved.best) and any(map(_four, solved.plays)),
    "hold back": _holds_back,
    "let go": _lets_go,
    "split": _splits,
    "jump": _jumps,
    "lead high": _leads_high,
    "deny": lambda solved: solved.held_down,
}


def themes_of(solved: Solved) -> list[str]:
    """The themes whose checks hold."""
    return [name for name, check in CHECKS.items() if check(solved)]
