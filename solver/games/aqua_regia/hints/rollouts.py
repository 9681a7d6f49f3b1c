"""Aqua Regia's games played on by plausible players, as kernels.

A game is some arrays of words: the hands, a row a seat and a count a metal; their sizes; the piles, in such rows,
too; the scalars; and the stock. `player` chooses the moves.
"""

from __future__ import annotations

import numpy as np

from solver.games.aqua_regia.hints.deal_kernel import deal_world
from solver.games.aqua_regia.hints.policy import NO_PLAY, choose_exchange, choose_play
from solver.kernels.arrays import Floats, Words
from solver.kernels.jit import kernel, lean
from solver.kernels.rng import start

# Rows of the piles.
DISCARD, TABLE = 0, 1
# Scalars. METAL and COUNT are the play on top; COUNT 0 is an empty table. DRAWN cards of the STOCKED are gone.
# TAKER: 1 + the seat that the trick of the start goes to, 0 while it goes on.
TURN, FIELD, REVERSED, OWNER, METAL, COUNT, DRAWN, STOCKED, COPIES, TAKER = range(10)
SCALARS = 10

# Statistics of a game: 1 for going out first, the cards left at the end, 1 for winning the trick of the start.
SCORE, LEFT, TOOK = range(3)
STATISTICS = 3

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
        if scalars[TAKER] == 0:
            scalars[TAKER] = scalars[OWNER] + 1
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
        if chosen == NO_PLAY:
            open_pass(reactivity, hands, sizes, piles, scalars, stock, weights[seat], random)
        else:
            put(hands, sizes, piles, scalars, chosen >> 3, chosen & 7)
            if sizes[seat] == 0:
                return int(seat)


@lean
def make(
    reactivity: Words,
    hands: Words,
    sizes: Words,
    piles: Words,
    scalars: Words,
    stock: Words,
    weights: Floats,
    random: Words,
    move: Words,
) -> None:
    """The seat to move makes a move."""
    if move[0] == PLAYS:
        put(hands, sizes, piles, scalars, move[1], move[2])
    elif move[0] == OPEN_PASS:
        open_pass(reactivity, hands, sizes, piles, scalars, stock, weights, random)
    else:
        draw(hands, sizes, scalars, stock)
        given, taken = (move[1], move[2]) if move[0] == EXCHANGES else (NO_PLAY, NO_PLAY)
        end_pass(reactivity, hands, piles, scalars, given, taken)


@lean
def copy_rows(source: Words, target: Words) -> None:
    """Copy a table, for kernels that make no arrays: there a slice can't be copied."""
    for row in range(source.shape[0]):
        for column in range(source.shape[1]):
            target[row, column] = source[row, column]


@lean
def try_moves(
    reactivity: Words,
    dealt: Words,
    seen_piles: Words,
    seen_scalars: Words,
    stock: Words,
    moves: Words,
    weights: Floats,
    random: Words,
    hands: Words,
    sizes: Words,
    piles: Words,
    scalars: Words,
    results: Floats,
) -> None:
    """Play each of `moves` in a world, all with the same random numbers, and on to the end: a row of `results`.

    `weights` has a row a seat; `hands`, `sizes`, `piles` and `scalars` are room to play in.
    """
    seat = seen_scalars[TURN]
    begin = random[0]
    for index in range(len(moves)):
        random[0] = begin
        copy_rows(dealt, hands)
        copy_rows(seen_piles, piles)
        for word in range(SCALARS):
            scalars[word] = seen_scalars[word]
        for other in range(len(sizes)):
            sizes[other] = 0
            for metal in range(dealt.shape[1]):
                sizes[other] += dealt[other, metal]
        make(reactivity, hands, sizes, piles, scalars, stock, weights[seat], random, moves[index])
        winner = seat
        if sizes[seat] > 0:
            winner = play_on(reactivity, hands, sizes, piles, scalars, stock, weights, random)
        taker = scalars[TAKER] - 1 if scalars[TAKER] else winner
        results[index, SCORE] = 1.0 if winner == seat else 0.0
        results[index, LEFT] = sizes[seat]
        results[index, TOOK] = 1.0 if taker == seat else 0.0


@kernel
def play_worlds(
    pool: Words,
    starts: Words,
    nodes: Words,
    chances: Floats,
    ends: Words,
    taken: Words,
    order: Words,
    places: Words,
    restricted: int,
    reactivity: Words,
    seen_hands: Words,
    seen_piles: Words,
    seen_scalars: Words,
    drawn: int,
    moves: Words,
    weights: Floats,
    seed: int,
    first: int,
    results: Floats,
) -> None:
    """Play each of `moves` in the worlds from number `first` on, and on to the end.

    The first nine arguments are `hidden.Deals`' (`places` its sizes). `seen_hands` has the cards whose place is
    known; `drawn` is the card on top of the stock where it is known, else negative. `moves` has a row a move.
    """
    seats, metals = seen_hands.shape
    known = 1 if drawn >= 0 else 0
    random = np.zeros(1, np.int64)
    scratch = np.empty(len(pool), np.int64)
    dealt = np.empty((seats, metals), np.int64)
    hands = np.empty((seats, metals), np.int64)
    sizes = np.empty(seats, np.int64)
    piles = np.empty((2, metals), np.int64)
    scalars = np.empty(SCALARS, np.int64)
    stock = np.empty(seen_scalars[STOCKED], np.int64)
    everybody = np.empty((seats, len(weights)))
    everybody[:] = weights
    if known:
        stock[0] = drawn
    for world in range(results.shape[0]):
        start(random, seed, first + world)
        dealt[:] = seen_hands
        deal_world(
            pool,
            starts,
            nodes,
            chances,
            ends,
            taken,
            order,
            places,
            restricted,
            random,
            scratch,
            dealt,
            stock[known:],
        )
        try_moves(
            reactivity, dealt, seen_piles, seen_scalars, stock, moves, everybody, random, hands, sizes, piles,
            scalars, results[world],
        )  # fmt: skip
