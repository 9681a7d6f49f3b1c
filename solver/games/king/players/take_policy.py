"""A trick of the plausible players comes to its end: who takes and gives what, as kernels. See `policy`."""

from __future__ import annotations

from solver.games.king.cards.rules import TAKEN
from solver.games.king.fast_rules.kernel import (
    BEST,
    LEADER,
    LOWER,
    LOWEST,
    NAMED,
    PLAYED,
    PLAYERS,
    THE_DANCER,
    TRICK,
    judge,
    lay,
    seat_after,
    start_trick,
    winning_card,
)
from solver.games.king.players.card_values import CardValues, dearest, get, lose
from solver.kernels.arrays import Words
from solver.kernels.bits import trailing_zeros
from solver.kernels.jit import inlined


@inlined
def share_out(values: CardValues, node: Words, piles: Words, left: int, taken: int, given: int) -> None:
    """Enter who gets what of a judged full trick into the book and the piles, and begin the next trick.

    `left` is how many cards a hand has left. `taken` (a mask) and `given` are what the winner does; with `taken`
    -1 it takes what is worth most to it, one card after another, and gives what is worth least to the bottom.
    """
    deal = values.deal
    winner = node[BEST]
    won = winning_card(deal, node, 0)
    rest = node[TRICK] & ~(1 << won)
    piles[winner] |= 1 << won
    get(values, winner, won)
    if taken < 0:
        for _ in range(TAKEN):
            lower = rest & deal[LOWER + won]
            if lower != 0:
                card = dearest(values, winner, left, lower, 1.0)
                rest &= ~(1 << card)
                piles[winner] |= 1 << card
                get(values, winner, card)
        if rest != 0 and node[LOWEST] >= 0:
            given = dearest(values, node[LOWEST], left, rest, -1.0)
    else:
        rest &= ~taken
        piles[winner] |= taken
        while taken != 0:
            get(values, winner, trailing_zeros(taken))
            taken &= taken - 1
    if given >= 0:
        rest &= ~(1 << given)
        piles[node[LOWEST]] |= 1 << given
        get(values, node[LOWEST], given)
    while rest != 0:
        lose(values, trailing_zeros(rest))
        rest &= rest - 1
    start_trick(node, 0, winner)


@inlined
def put(deal: Words, node: Words, hands: Words, move: int) -> None:
    """Play a card of the seat to move; a full trick is judged."""
    seat = seat_after(deal, node[LEADER], node[PLAYED])
    card = deal[THE_DANCER] if move >= NAMED else move
    hands[seat] &= ~(1 << card)
    lay(deal, node, 0, move)
    if node[PLAYED] == deal[PLAYERS]:
        judge(deal, node, 0)
