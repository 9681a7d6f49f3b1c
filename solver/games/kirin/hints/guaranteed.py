"""What a seat of Kirin guarantees over all deals that agree with what it sees."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from pydantic import BaseModel

from solver.common.control import Control
from solver.common.masks import mask
from solver.games.kirin.answers import KirinAnalysis
from solver.games.kirin.cards import rules
from solver.games.kirin.cards.deck import RANKS, colour, name, of_colour
from solver.games.kirin.cards.readings import extra_points
from solver.games.kirin.cards.rules import SEATS, State
from solver.games.kirin.fast_rules.order import DECK
from solver.games.kirin.hints.deals import deals
from solver.games.kirin.positions.fields import four, number, numbers
from solver.games.kirin.positions.known import View
from solver.hints.guaranteed import MOST_DEALS, Deals, check_turn, of_moves, told
from solver.inputs.errors import RequestError


class _Open(NamedTuple):
    """`solver.hints.guaranteed.Open` for a seat, the mask of the cards that count for it, and points beside."""

    seat: int
    own: int
    extra: int

    def is_own(self, state: State) -> bool:
        return state.to_move == self.seat

    def moves(self, state: State) -> Sequence[int]:
        return rules.legal_moves(state)

    def after(self, state: State, move: int) -> State:
        return rules.play(state, move)

    def bounds(self, state: State) -> tuple[int, int]:
        won = (state.won[self.seat] & self.own).bit_count() + self.extra
        if state.over:
            return won, won
        lost = sum((pile & self.own).bit_count() for pile in state.won)
        return won, won + len(RANKS) - 1 - lost  # the card set aside is never won


def deals_of(view: View) -> Deals[State]:
    """The deals that agree with a view, but for who set aside which of the cards that nobody holds."""
    found = deals(view)
    held = mask(numbers(view.hand))
    direction, won = view.past.rules.direction, four(view.past.won)
    assert found.worlds is not None
    total = found.worlds.total
    states = []
    for rank in range(total if total <= MOST_DEALS else 1):
        hands = [held if seat == view.seat else 0 for seat in range(SEATS)]
        for card, place in zip(found.cards, found.world(rank), strict=True):
            if place < SEATS - 1:  # the last group is set aside
                hands[(view.seat + 1 + place) % SEATS] |= 1 << DECK[card]
        states.append(State(four(hands), view.leader, direction, view.plays, won))
    return Deals(total, states)


def guaranteed(view: BaseModel, control: Control) -> KirinAnalysis:
    """What the seat that sees a view guarantees by each card, whatever the others hold and play.

    Raises RequestError before the round, where there are too many deals to look at any, and where another seat is
    to move.
    """
    if not isinstance(view, View):
        raise RequestError("not_offered", "before the round there are too many deals to look at them all")
    check_turn(view.seat, view.seat_to_move)
    open_rules = _Open(view.seat, of_colour(colour(number(view.declared))), extra_points(view.rules))
    found = deals_of(view)
    moves = [(name(card), bounds) for card, bounds in of_moves(open_rules, found, control).items()]
    return KirinAnalysis.model_validate(
        {"game": "kirin", **told(view.seat, moves, open_rules.bounds(found.states[0]), control)}
    )
