"""Which positions of Aqua Regia are the same puzzle.

The seats may be turned round. The fields may be turned round, and seen in the other order, where the metals in
play react alike to the field in force and to those that follow. And metals may be exchanged for others of the same
reactivities: what counts of a metal is its place among those in play, the weakest first, and what it does in each
field.
"""

from __future__ import annotations

from solver.games.aqua_regia.cards.deck import FIELDS, Deck
from solver.games.aqua_regia.cards.rules import State


def key(deck: Deck, state: State, player: int) -> str:
    """A text that settled states share which are the same but for these symmetries."""
    step = -1 if state.reversed else 1
    fields = [(state.field + step * ahead) % len(FIELDS) for ahead in range(len(FIELDS))]
    held = [sum(counts) for counts in zip(*state.hands, state.discard, strict=True)]
    lying = {*state.table, *state.stock}
    metals = [metal for metal in range(deck.size) if held[metal] or metal in lying]
    # More than two at once need no more than a reactivity of two.
    rows = [[min(2, deck.reactivity[field][metal]) for field in fields] for metal in metals]
    number = {metal: index for index, metal in enumerate(metals)}
    seats = [(state.turn + ahead) % state.seats for ahead in range(state.seats)]
    hands = [[state.hands[seat][metal] for metal in metals] for seat in seats]
    owner = None if state.owner is None else seats.index(state.owner)
    piles = [[number[metal] for metal in cards] for cards in (state.table, state.stock)]
    discard = [state.discard[metal] for metal in metals]
    return f"{deck.copies} {rows} {hands} {piles} {discard} {owner} {seats.index(player)}"
