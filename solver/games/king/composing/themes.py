"""What is in the best move of a King × Alchemy puzzle, found by checks on the cards and on the best line."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from solver.common.masks import members
from solver.games.king.cards.deck import TRUMP
from solver.games.king.cards.rules import (
    Move,
    Play,
    State,
    Taking,
    bottom,
    legal_moves,
    lifted,
    play,
    takings,
    winner,
)
from solver.games.king.compounding.best import best as best_compounding


@dataclass(frozen=True)
class Solved:
    """A position, its best move, and best play from that move on."""

    state: State
    best: Move
    line: Sequence[Move]
    held_down: bool

    @property
    def seat(self) -> int:
        return self.state.to_move

    @cached_property
    def end(self) -> State:
        """What the line comes to."""
        state = self.state
        for move in self.line:
            state = play(state, move)
        return state

    @cached_property
    def trick(self) -> tuple[Play, ...] | None:
        """The trick as the line completes it; None where a taking is asked for, or the line ends before."""
        plays = [*self.state.trick]
        for move in self.line:
            if isinstance(move, Taking):
                break
            plays.append(move)
        whole = len(plays) == self.state.players and not self.state.full
        return tuple(plays) if whole else None

    @property
    def taker(self) -> int | None:
        """Who takes the trick that is played to; None where the line does not tell."""
        if self.trick is None:
            return None
        return (self.state.leader + winner(self.state.deck, self.trick)) % self.state.players

    @cached_property
    def sure(self) -> list[Play]:
        """The plays that win the trick whatever the others can play."""
        place = len(self.state.trick)
        return [
            move
            for move in legal_moves(self.state)
            if isinstance(move, Play)
            and all(winner(self.state.deck, trick) == place for trick in _completed(play(self.state, move)))
        ]

    @cached_property
    def used(self) -> tuple[set[str], set[str]]:
        """The carriers and ingredients of the seat's compounding at the end; none where the line ends before."""
        if not self.end.over:
            return set(), set()
        recipes = best_compounding(self.state.deck, list(members(self.end.won[self.seat]))).recipes
        return {made.card for made in recipes}, {card for made in recipes for card in made.uses}

    @property
    def gained(self) -> list[str]:
        """The cards that a taking takes."""
        return self.state.deck.codes(self.best.taken) if isinstance(self.best, Taking) else []


def _completed(state: State) -> Iterator[tuple[Play, ...]]:
    """Every way in which the trick can be completed."""
    if state.full:
        yield state.trick
        return
    for move in legal_moves(state):
        yield from _completed(play(state, move))


def _points(solved: Solved, move: Move) -> int:
    assert isinstance(move, Taking)
    return sum(solved.state.deck.cards[card].vp for card in move.taken)


def _leaves_points(solved: Solved) -> bool:
    """It takes fewer points than could be taken."""
    state, best = solved.state, solved.best
    if not isinstance(best, Taking):
        return False
    return any(_points(solved, other) > _points(solved, best) for other in takings(state.deck, state.trick))


def _gives(solved: Solved) -> bool:
    """With the same cards taken, another card could be given."""
    best, state = solved.best, solved.state
    if not isinstance(best, Taking):
        return False
    return any(move.taken == best.taken and move != best for move in takings(state.deck, state.trick))


def _ducks(solved: Solved) -> bool:
    """Following, it leaves a trick that another card wins for certain."""
    following = bool(solved.state.trick) and isinstance(solved.best, Play)
    return following and bool(solved.sure) and solved.taker not in (None, solved.seat)


def _holds_up(solved: Solved) -> bool:
    """A card that wins this trick for certain is kept, and wins a later one on the best line."""
    if not isinstance(solved.best, Play) or solved.best in solved.sure:
        return False
    kept = {move.card for move in solved.sure} - {solved.best.card}
    state = solved.state
    for move in solved.line:
        if isinstance(move, Taking):
            place = winner(state.deck, state.trick)
            if state.to_move == solved.seat and state.trick[place].card in kept:
                return True
        state = play(state, move)
    return False


def _goes_under(solved: Solved) -> bool:
    """It becomes the bottom of the trick, and a card is given to it."""
    if solved.trick is None:
        return False
    under = bottom(solved.state.deck, solved.trick)
    taking = next((move for move in solved.line if isinstance(move, Taking)), None)
    return under == len(solved.state.trick) and taking is not None and taking.given is not None


def _has_dancer(solved: Solved) -> bool:
    return any(isinstance(move, Play) and _dances(solved, move) for move in legal_moves(solved.state))


def _dances(solved: Solved, move: Move) -> bool:
    return isinstance(move, Play) and move.card == solved.state.deck.dancer


CHECKS: Mapping[str, Callable[[Solved], bool]] = {
    "ingredient": lambda solved: bool(solved.used[1].intersection(solved.gained)),
    "recipe": lambda solved: bool(solved.used[0].intersection(solved.gained)),
    "leave points": _leaves_points,
    "gift": _gives,
    "duck": _ducks,
    "hold up": _holds_up,
    "go under": _goes_under,
    "lift the Dancer": lambda solved: solved.trick is not None and lifted(solved.state.deck, solved.trick),
    "the Dancer": lambda solved: _dances(solved, solved.best),
    "keep the Dancer": lambda solved: _has_dancer(solved) and not _dances(solved, solved.best),
    "trump": lambda solved: isinstance(solved.best, Play) and solved.best.suit == TRUMP,
    "exit": lambda solved: not solved.state.trick and solved.taker not in (None, solved.seat),
    "deny": lambda solved: solved.held_down,
}


def themes_of(solved: Solved) -> list[str]:
    """The themes whose checks hold."""
    return [name for name, check in CHECKS.items() if check(solved)]
