"""What is in the best card of a Kirin puzzle, each theme found by a check on the cards and on the best line."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from solver.games.kirin.cards.deck import TRUMP, colour, is_kirin, rank
from solver.games.kirin.cards.rules import (
    SEATS,
    State,
    colour_strength,
    direction_after,
    legal_moves,
    play,
    playable,
    rank_strength,
    winner,
)


@dataclass(frozen=True)
class Solved:
    """A position, its best card, and best play from that card on. `own` is the colour of the seat to move."""

    state: State
    best: int
    line: Sequence[int]
    own: int
    held_down: bool

    @property
    def seat(self) -> int:
        return self.state.to_move

    @property
    def trick(self) -> tuple[int, ...]:
        """The trick as the line completes it; shorter where the line ends before."""
        return (*self.state.trick, *self.line[: SEATS - len(self.state.trick)])

    @property
    def taker(self) -> int | None:
        """Who takes the trick; None for nobody, or where the line does not tell."""
        if len(self.trick) < SEATS:
            return None
        place = winner(self.trick, self.state.direction)
        return None if place is None else (self.state.leader + place) % SEATS

    @property
    def sure(self) -> frozenset[int]:
        """The cards that may be played now and take the trick whatever the others play."""
        state = self.state
        later = range(len(state.trick) + 1, SEATS)
        others = [*state.trick]
        for step in later:
            hand = state.hands[(state.leader + step) % SEATS]
            others += [card for card in range(36) if hand >> card & 1]
        strength = {card: _strength(card, state.direction) for card in range(36)}
        return frozenset(
            card
            for card in legal_moves(state)
            if not is_kirin(card) and all(strength[card] > strength[other] for other in others)
        )


def _strength(card: int, direction: int) -> tuple[int, int]:
    return rank_strength(card, direction), colour_strength(card, direction)


def _ducks(solved: Solved) -> bool:
    """Following, it leaves a trick that another card takes for certain."""
    sure = solved.sure
    return bool(solved.state.trick and sure) and solved.best not in sure and solved.taker != solved.seat


def _holds_up(solved: Solved) -> bool:
    """A card that takes this trick for certain is kept, and takes a later one on the best line."""
    sure = solved.sure
    if solved.best in sure:
        return False
    state = solved.state
    for card in solved.line:
        after = play(state, card)
        if not after.trick and state is not solved.state:
            trick = (*state.trick, card)
            place = winner(trick, state.direction)
            if place is not None and trick[place] in sure and (state.leader + place) % SEATS == solved.seat:
                return True
        state = after
    return False


def _flips(solved: Solved) -> bool:
    """The kirin turns the order, which would stay without it."""
    return is_kirin(solved.best) and _turned(solved.trick, solved) and not _turned(_without(solved), solved)


def _keeps_order(solved: Solved) -> bool:
    """The kirin keeps the order, which would turn without it."""
    return is_kirin(solved.best) and not _turned(solved.trick, solved) and _turned(_without(solved), solved)


def _turned(trick: Sequence[int], solved: Solved) -> bool:
    whole = len(solved.trick) == SEATS
    return whole and direction_after(trick, solved.state.direction) != solved.state.direction


def _without(solved: Solved) -> list[int]:
    return [card for card in solved.trick if card != solved.best]


def _forces(solved: Solved) -> bool:
    """Led, it makes at least two others follow who could else play any of several cards."""
    state = solved.state
    if state.trick:
        return False
    made = 0
    for step in range(1, SEATS):
        hand = state.hands[(solved.seat + step) % SEATS]
        made += playable(hand, (solved.best,), state.direction) != hand
    return made >= 2


def _gives_up(solved: Solved) -> bool:
    """A card of the own colour goes to another seat, though one of another colour could be played."""
    others = [card for card in legal_moves(solved.state) if colour(card) != solved.own]
    lost = solved.taker not in (None, solved.seat)
    return not solved.held_down and colour(solved.best) == solved.own and bool(others) and lost


def _gathers(solved: Solved) -> bool:
    """It takes two cards of the own colour or more at once."""
    gained = sum(colour(card) == solved.own for card in solved.trick)
    return not solved.held_down and solved.taker == solved.seat and gained >= 2


CHECKS: Mapping[str, Callable[[Solved], bool]] = {
    "flip the order": _flips,
    "keep the order": _keeps_order,
    "duck": _ducks,
    "hold up": _holds_up,
    "sacrifice": _gives_up,
    "lead a kirin": lambda solved: is_kirin(solved.best) and not solved.state.trick,
    "throw a kirin": lambda solved: is_kirin(solved.best) and bool(solved.state.trick),
    "trump": lambda solved: rank(solved.best) == TRUMP,
    "force": _forces,
    "exit": lambda solved: not solved.state.trick and solved.taker not in (None, solved.seat),
    "gather": _gathers,
    "deny": lambda solved: solved.held_down,
}


def themes_of(solved: Solved) -> list[str]:
    """The themes whose checks hold."""
    return [name for name, check in CHECKS.items() if check(solved)]
