"""A round of kirin in words, as the networks' inputs need it, and what a play changes. Cards as in `order`."""

from __future__ import annotations

from solver.games.kirin.fast_rules.kernel import direction_after
from solver.games.kirin.fast_rules.order import CARDS, QUALIFYING
from solver.games.kirin.hints.policy import (
    BEST,
    COLOURS,
    DIRECTION,
    HOLDER,
    LEADER,
    PLAYED,
    STANDARD,
    TRICK,
    colour_of,
    open_table,
    put,
)
from solver.kernels.arrays import Words
from solver.kernels.bits import popcount
from solver.kernels.jit import lean

# By seat: the cards held, the card set aside, the cards played, won, led, played without following, those that it
# cannot hold because it would have had to play them, the card in the trick (-1: none yet), and the points won.
# Then every card played.
HANDS, ASIDE, PLAYS, WON, LED, THREW, EXCLUDED, LAID, POINTS = range(0, 36, 4)
GONE = 36
ROUND_WORDS = 37


@lean
def lay(state: Words, table: Words, card: int) -> None:
    """Let the seat to move play a card. The fourth card of a trick ends it."""
    seat = (table[LEADER] + table[PLAYED]) & 3
    one = 1 << card
    state[HANDS + seat] &= ~one
    state[PLAYS + seat] |= one
    state[GONE] |= one
    state[LAID + seat] = card
    if table[PLAYED] == 0:
        state[LED + seat] |= one
    else:
        following = QUALIFYING[table[DIRECTION] * CARDS + table[STANDARD]]
        if following & one == 0:
            state[THREW + seat] |= one
            state[EXCLUDED + seat] |= following
    put(table, card)
    if table[PLAYED] == 4:
        leader = table[LEADER]
        if table[BEST] >= 0:
            leader = table[HOLDER]
            state[WON + leader] |= table[TRICK]
            state[POINTS + leader] += popcount(table[TRICK] & COLOURS[colour_of(state[ASIDE + leader])])
        open_table(table, leader, direction_after(table[TRICK], table[DIRECTION]))
        for other in range(4):
            state[LAID + other] = -1
