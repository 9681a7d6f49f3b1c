"""What a seat of King × Alchemy guarantees over all deals that agree with what it sees."""

from __future__ import annotations

from collections.abc import Sequence

from pydantic import BaseModel

from solver.common.control import Control
from solver.common.masks import members
from solver.games.king.answers import KingAnalysis
from solver.games.king.cards import rules
from solver.games.king.cards.deck import Deck
from solver.games.king.cards.rules import Move, State
from solver.games.king.cards.text import move_text
from solver.games.king.compounding.best import best
from solver.games.king.hints.deals import deals
from solver.games.king.positions.known import View
from solver.hints.guaranteed import MOST_DEALS, Deals, check_turn, of_moves, told
from solver.inputs.errors import RequestError


class _Open:
    """`solver.hints.guaranteed.Open` for a seat."""

    def __init__(self, deck: Deck, seat: int) -> None:
        self._deck = deck
        self._seat = seat
        self._worths: dict[int, int] = {}

    def _worth(self, pile: int) -> int:
        if pile not in self._worths:
            self._worths[pile] = best(self._deck, members(pile)).total
        return self._worths[pile]

    def is_own(self, state: State) -> bool:
        return state.to_move == self._seat

    def moves(self, state: State) -> Sequence[Move]:
        return rules.legal_moves(state)

    def after(self, state: State, move: Move) -> State:
        return rules.play(state, move)

    def bounds(self, state: State) -> tuple[int, int]:
        pile = state.won[self._seat]
        worth = self._worth(pile)
        if state.over:
            return worth, worth
        left = (1 << len(self._deck.cards)) - 1
        for seat, won in enumerate(state.won):
            if seat != self._seat:
                left &= ~won
        # A pile only grows, and more cards make no less of it.
        return worth, self._worth(left)


def deals_of(view: View) -> Deals[State]:
    """The deals that agree with a view. Raises RequestError where they are too many to number."""
    found = deals(view)
    if found.worlds is None:
        raise RequestError("not_offered", "there are too many deals to look at them all")
    total = found.worlds.total
    states = []
    for rank in range(total if total <= MOST_DEALS else 1):
        hands = [view.hand_mask if seat == view.seat else 0 for seat in range(view.players)]
        for card, place in zip(found.cards, found.world(rank), strict=True):
            hands[(view.seat + 1 + place) % view.players] |= 1 << card
        states.append(State(view.full_deck, tuple(hands), view.leader, tuple(view.plays), tuple(view.piles)))
    return Deals(total, states)


def guaranteed(view: BaseModel, control: Control) -> KingAnalysis:
    """What the seat that sees a view guarantees by each move, whatever the others hold and do.

    Raises RequestError before the round, where there are too many deals to look at any, and where another seat is
    to move.
    """
    if not isinstance(view, View):
        raise RequestError("not_offered", "before the round there are too many deals to look at them all")
    check_turn(view.seat, view.seat_to_move)
    deck = view.full_deck
    open_rules = _Open(deck, view.seat)
    found = deals_of(view)
    moves = [(move_text(deck, move), bounds) for move, bounds in of_moves(open_rules, found, control).items()]
    return KingAnalysis.model_validate(
        {"game": "king", **told(view.seat, moves, open_rules.bounds(found.states[0]), control)}
    )
