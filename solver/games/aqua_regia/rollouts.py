"""Aqua Regia's games played on by plausible players, as kernels.

A game is one array of words: hands, the discard pile and the table's cards as counts, a row of metals each, then
the scalars below, then the stock. `player` chooses the moves.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from solver.games.aqua_regia.player import NO_PLAY, choose_exchange, choose_play
from solver.search.jit import lean

Words = NDArray[np.int64]
Floats = NDArray[np.float64]

# Rows after the hands, of as many words as there are metals.
DISCARD, TABLE = 0, 1
# Scalars. METAL and COUNT are the play on top; COUNT 0 is an empty table. DRAWN cards of the STOCKED are gone.
TURN, FIELD, REVERSED, OWNER, METAL, COUNT, DRAWN, STOCKED, COPIES, PLIES = range(10)
SCALARS = 10

# A move in words: its kind, and two metals or a metal and a count. A pass is left open where what it draws is not
# known yet: the player then chooses what to exchange.
PLAYS, OPEN_PASS, CLOSED_PASS, EXCHANGES = range(4)
MOVE_WORDS = 3


@lean
def _next_field(scalars: Words) -> int:
    return int((scalars[FIELD] + (3 if scalars[REVERSED] else 1)) & 3)


@lean
def settle(reactivity: Words, hands: Words, scalars: Words) -> None:
    """The deal goes on to the first seat that can lead; if there is none, the field changes."""
    seats, metals = hands.shape
    while True:
        for step in range(seats):
            dealer = (scalars[TURN] + step) % seats
            for metal in range(metals):
                if hands[dealer, metal] > 0 and reactivity[scalars[FIELD], metal] > 0:
                    scalars[TURN] = dealer
                    return
        scalars[FIELD] = _next_field(scalars)


@lean
def put(hands: Words, sizes: Words, piles: Words, scalars: Words, metal: int, count: int) -> None:
    """The seat to move plays `count` cards of a metal."""
    seat = scalars[TURN]
    hands[seat, metal] -= count
    sizes[seat] -= count
    piles[TABLE, metal] += count
    scalars[OWNER] = seat
    scalars[METAL] = metal
    scalars[COUNT] = count
    if count == 4:
        scalars[REVERSED] ^= 1
    scalars[TURN] = (seat + 1) % len(sizes)


@lean
def draw(hands: Words, sizes: Words, scalars: Words, stock: Words) -> None:
    """The seat to move draws a card, if there is one."""
    if scalars[DRAWN] < scalars[STOCKED]:
        hands[scalars[TURN], stock[scalars[DRAWN]]] += 1
        sizes[scalars[TURN]] += 1
        scalars[DRAWN] += 1


@lean
def end_pass(reactivity: Words, hands: Words, piles: Words, scalars: Words, given: int, taken: int) -> None:
    """The seat to move, which has drawn, exchanges a card (unless `given` is `NO_PLAY`) and has passed."""
    seat = scalars[TURN]
    if given != NO_PLAY:
        hands[seat, given] -= 1
        hands[seat, taken] += 1
        piles[DISCARD, given] += 1
        piles[DISCARD, taken] -= 1
    scalars[TURN] = (seat + 1) % hands.shape[0]
    if scalars[TURN] == scalars[OWNER]:
        for metal in range(hands.shape[1]):
            piles[DISCARD, metal] += piles[TABLE, metal]
            piles[TABLE, metal] = 0
        scalars[COUNT] = 0
        scalars[FIELD] = _next_field(scalars)
        settle(reactivity, hands, scalars)


@lean
def open_pass(
    reactivity: Words,
    hands: Words,
    sizes: Words,
    piles: Words,
    scalars: Words,
    stock: Words,
    weights: Floats,
    random: Words,
) -> None:
    """The seat to move passes, draws, and exchanges as a plausible player would."""
    draw(hands, sizes, scalars, stock)
    hand = hands[scalars[TURN]]
    pair = choose_exchange(
        reactivity, hand, piles[DISCARD], scalars[COPIES], _next_field(scalars), weights, random
    )
    if pair == NO_PLAY:
        end_pass(reactivity, hands, piles, scalars, NO_PLAY, NO_PLAY)
    else:
        end_pass(reactivity, hands, piles, scalars, pair // 1000, pair % 1000)


@lean
def play_on(
    reactivity: Words,
    hands: Words,
    sizes: Words,
    piles: Words,
    scalars: Words,
    stock: Words,
    weights: Floats,
    random: Words,
) -> int:
    """Play to the end; the seat that goes out. `weights` has a row a seat; `sizes` counts each hand's cards."""
    while True:
        seat = scalars[TURN]
        chosen = choose_play(
            reactivity,
            hands[seat],
            sizes[seat],
            scalars[FIELD],
            _next_field(scalars),
            scalars[METAL],
            scalars[COUNT],
            1 if scalars[DRAWN] < scalars[STOCKED] else 0,
            weights[seat],
            random,
        )
        scalars[PLIES] += 1
        if chosen == NO_PLAY:
            open_pass(reactivity, hands, sizes, piles, scalars, stock, weights[seat], random)
        else:
            put(hands, sizes, piles, scalars, chosen >> 3, chosen & 7)
            if sizes[seat] == 0:
                return int(seat)
