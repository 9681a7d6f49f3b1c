"""A player of King × Alchemy who looks ahead, as far as a small network tells what such a one plays, as kernels.

Hints played rounds among themselves, and the network (`solver.hints.learned.chooser`) learned to tell what they
played; `ahead.json` says how well it does. It judges each play from its `features` and from what can be counted
quickly: the cards of its suit in the hand and among the unseen ones, the trumps, what stays the highest. The
contexts are the places in the trick: leads, between, last.
"""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

import numpy as np

from solver.games.king.cards.deck import SUITS, TRUMP
from solver.games.king.fast_rules.kernel import (
    LEAD,
    LOWER,
    NAMED,
    ORDER,
    PLAYED,
    PLAYERS,
    RANK,
    SUIT,
    SUIT_CARDS,
    THE_DANCER,
    TRICK,
    card_at,
)
from solver.games.king.players.features import FEATURES, Features
from solver.hints.learned.chooser import UNITS, Chooser, ChooserRoom, chooser_kernels, read
from solver.hints.learned.network import Singles
from solver.kernels.arrays import Floats, Words
from solver.kernels.bits import popcount, trailing_zeros, unsigned
from solver.kernels.jit import inlined, kernel

SHARED = 12  # inputs that all plays of a choice have alike
OWN = FEATURES + 12  # inputs of a play

think_of_choice, think_of_play = chooser_kernels("king_ahead", SHARED, OWN)


@lru_cache(maxsize=1)
def ahead() -> Chooser:
    """The network of the package."""
    return read(Path(__file__).with_name("ahead.npz"))


@kernel
def ahead_room() -> ChooserRoom:
    """Room to think in."""
    return ChooserRoom(
        np.zeros(SHARED, np.float32),
        np.zeros(OWN, np.float32),
        np.zeros(UNITS, np.float32),
        np.zeros(UNITS, np.float32),
    )


@inlined
def shared_inputs(deal: Words, node: Words, hand: int, unseen: int, table: Floats, out: Singles) -> None:
    """Write what all plays of a choice have alike; `table` has what each card on the table is worth."""
    trumps = deal[SUIT_CARDS + TRUMP]
    highest = 0  # cards that no unseen one of their suit is above
    for suit in range(SUITS):
        cards = hand & deal[SUIT_CARDS + suit]
        hidden = unseen & deal[SUIT_CARDS + suit]
        while cards != 0:
            card = trailing_zeros(cards)
            cards &= cards - 1
            if hidden & ~deal[unsigned(LOWER + card)] == 0:
                highest += 1
    worth = 0.0
    for place in range(node[PLAYED]):
        worth += table[place]
    out[0] = 0.1 * popcount(hand)
    out[1] = 0.3 * popcount(hand & trumps)
    out[2] = 0.3 * popcount(unseen & trumps)
    out[3] = (hand >> deal[THE_DANCER]) & 1
    out[4] = (unseen >> deal[THE_DANCER]) & 1
    out[5] = 0.2 * highest
    out[6] = 0.3 * node[PLAYED]
    out[7] = 0.3 * (deal[PLAYERS] - 1 - node[PLAYED])
    out[8] = 0.1 * worth
    out[9] = 1.0 if deal[PLAYERS] == 3 else 0.0
    out[10] = 1.0 if deal[PLAYERS] == 5 else 0.0
    out[11] = 1.0 if node[TRICK] & trumps != 0 else 0.0


@inlined
def own_inputs(
    deal: Words, node: Words, hand: int, unseen: int, move: int, of_play: Features, out: Singles
) -> None:
    """Write what is told of a play with these features."""
    named = move >= NAMED
    card = deal[THE_DANCER] if named else move
    suit = move - NAMED if named else deal[unsigned(SUIT + card)]
    lower = deal[unsigned(LOWER + card)]
    one = 1 << card
    of_suit = deal[unsigned(SUIT_CARDS + suit)] & ~one
    others = hand & of_suit
    hidden = unseen & of_suit
    highest = hidden & ~lower == 0
    takable = 0
    order = node[ORDER]
    for place in range(node[PLAYED]):
        takable += (lower >> card_at(order, place)) & 1
    for index in range(FEATURES):
        out[index] = of_play[index]
    out[FEATURES] = 0.2 * popcount(hidden & ~lower)
    out[FEATURES + 1] = 0.2 * popcount(hidden & lower)
    out[FEATURES + 2] = 0.3 * popcount(others & ~lower)
    out[FEATURES + 3] = 0.3 * popcount(others & lower)
    out[FEATURES + 4] = 1.0 if highest else 0.0
    out[FEATURES + 5] = 0.2 * popcount(hidden) if highest else 0.0
    out[FEATURES + 6] = 0.05 * popcount(unseen & lower & ~deal[SUIT_CARDS + TRUMP])
    out[FEATURES + 7] = 0.5 * takable
    out[FEATURES + 8] = 1.0 if node[PLAYED] != 0 and suit == node[LEAD] else 0.0
    out[FEATURES + 9] = 0.1 * popcount(hidden)
    out[FEATURES + 10] = 0.1 * deal[unsigned(RANK + card)]
    out[FEATURES + 11] = 0.1 * popcount(hand & lower)
