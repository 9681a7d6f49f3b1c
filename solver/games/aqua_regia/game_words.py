"""Aqua Regia's games in progress as arrays, and kernels that carry out plays and passes on them."""

from __future__ import annotations

from math import exp
from typing import NamedTuple

import numpy as np

from solver.games.aqua_regia.players import NO_PLAY, Turn, exchange_value, pass_value, play_value
from solver.games.aqua_regia.position import View
from solver.games.aqua_regia.rules import Move, Play, runs
from solver.kernels.jit import kernel, lean
from solver.kernels.words import Floats, Words

# Rows of the piles.
DISCARD, TABLE = 0, 1
# Scalars. METAL and COUNT are the top play; COUNT 0 is an empty table. DRAWN cards of the STOCKED are gone. TAKER:
# 1 + the seat that wins the first trick, 0 while it goes on. FUEL: the moves until a game ends without a winner,
# 0: no limit. STEPS: the most steps of a chain, 0: no limit.
TURN, FIELD, REVERSED, OWNER, METAL, COUNT, DRAWN, STOCKED, COPIES, TAKER, FUEL, STEPS = range(12)
SCALARS = 12
NOBODY = -1

# A move in words: its kind, and two metals or a metal and a count. A pass is left open if its draw is unknown: the
# player then chooses the exchange.
PLAYS, OPEN_PASS, CLOSED_PASS, EXCHANGES = range(4)


class Game(NamedTuple):
    """A game in progress. The kernels change all of its arrays except `reactivity` (`players.reactivity_rows`).

    `hands` has a row per seat with a count per metal, and `sizes` the number of cards in each hand. `piles` has a
    count per metal in two rows, one for the discard pile and one for the table. `scalars` is indexed by TURN,
    FIELD and so on. `stock` is in draw order, and still includes the cards already drawn. `known` has a row per
    seat: the cards that everybody saw going into its hand and not leaving it.

    A player sees no other hand, and of the stock only the number of cards.
    """

    reactivity: Words
    hands: Words
    sizes: Words
    piles: Words
    scalars: Words
    stock: Words
    known: Words


@lean
def next_field(scalars: Words) -> int:
    return int((scalars[FIELD] + (3 if scalars[REVERSED] else 1)) & 3)


@lean
def settle(game: Game) -> None:
    """Pass the deal on to the first seat that can lead; if there is none, change the field."""
    hands, scalars = game.hands, game.scalars
    seats, metals = hands.shape
    while True:
        for step in range(seats):
            dealer = (scalars[TURN] + step) % seats
            for metal in range(metals):
                if hands[dealer, metal] > 0 and game.reactivity[scalars[FIELD], metal] > 0:
                    scalars[TURN] = dealer
                    return
        scalars[FIELD] = next_field(scalars)


@lean
def lay(game: Game, metal: int, count: int) -> None:
    """Play `count` cards of a metal for the seat to move. Its known cards of the metal are assumed to go first."""
    scalars = game.scalars
    seat = scalars[TURN]
    game.known[seat, metal] = max(0, game.known[seat, metal] - count)
    game.hands[seat, metal] -= count
    game.sizes[seat] -= count
    game.piles[TABLE, metal] += count
    scalars[OWNER] = seat
    scalars[METAL] = metal
    scalars[COUNT] = count
    if count == 4:
        scalars[REVERSED] ^= 1
    scalars[TURN] = (seat + 1) % len(game.sizes)


@lean
def draw(game: Game) -> None:
    """Draw a card for the seat to move, if the stock has one."""
    scalars = game.scalars
    if scalars[DRAWN] < scalars[STOCKED]:
        game.hands[scalars[TURN], game.stock[scalars[DRAWN]]] += 1
        game.sizes[scalars[TURN]] += 1
        scalars[DRAWN] += 1


@lean
def finish_pass(game: Game, given: int, taken: int) -> None:
    """End a pass: exchange `given` for `taken` from the discard pile, or nothing if `given` is `NO_PLAY`.

    The caller must already have drawn the card for the seat to move.
    """
    hands, piles, scalars = game.hands, game.piles, game.scalars
    seat = scalars[TURN]
    if given != NO_PLAY:
        game.known[seat, given] = max(0, game.known[seat, given] - 1)
        game.known[seat, taken] += 1
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
        scalars[FIELD] = next_field(scalars)
        settle(game)


@lean
def make_move(game: Game, move: Words) -> bool:
    """Make a move given as a row of integers; return whether the seat has drawn and may now exchange."""
    if move[0] == PLAYS:
        lay(game, move[1], move[2])
    elif move[0] == EXCHANGES:
        finish_pass(game, move[1], move[2])
    elif move[0] == OPEN_PASS:
        draw(game)
        return True
    else:
        finish_pass(game, NO_PLAY, NO_PLAY)
    return False


@lean
def winner_of(game: Game) -> int:
    """Return the seat without cards, or `NOBODY`."""
    for seat in range(len(game.sizes)):
        if game.sizes[seat] == 0:
            return seat
    return NOBODY


@lean
def copy_rows(source: Words, target: Words) -> None:
    """Copy a two-dimensional array element by element: kernels that allocate no arrays can't copy a slice."""
    for row in range(source.shape[0]):
        for column in range(source.shape[1]):
            target[row, column] = source[row, column]


# ----------------------------------------------------------------------------------------------------
# A view and its moves as words for kernels.


def table_words(view: View) -> tuple[Words, Words]:
    """Convert a view's piles and other public data to the `piles` and `scalars` of a `Game`.

    If the view's seat has just drawn a card, the caller must record that in `scalars`.
    """
    deck = view.metals
    lying = deck.numbers(view.table)
    scalars = np.zeros(SCALARS, np.int64)
    scalars[TURN] = view.turn
    scalars[FIELD] = view.field_number
    scalars[REVERSED] = view.reversed
    scalars[STOCKED] = view.stock_count
    scalars[COPIES] = deck.copies
    if lying:
        assert view.owner is not None
        top = runs(lying)[-1]
        scalars[OWNER] = view.owner
        scalars[METAL] = top.metal
        scalars[COUNT] = top.count
    return np.array([view.pile, deck.counts(lying)], np.int64), scalars


def move_words(view: View, move: Move) -> tuple[int, int, int]:
    """Convert a move to three integers for kernels: its kind and two numbers."""
    if isinstance(move, Play):
        return PLAYS, move.metal, move.count
    if move.discarded is not None and move.taken is not None:
        return EXCHANGES, move.discarded, move.taken
    closed = view.drawn is not None or not view.stock_count
    return (CLOSED_PASS if closed else OPEN_PASS), 0, 0


# ----------------------------------------------------------------------------------------------------
# The plausible player's chances for each legal move, as a kernel.
#
# It chooses between plays and a pass, then an exchange. If it can play the last of its cards, it does.


@kernel
def alone(
    reactivity: Words, hand: Words, size: int, turn: Turn, moves: Words, weights: Floats, out: Floats
) -> None:
    """Write to `out` each legal move's probability for a plausible player.

    `moves` has a row of kernel words per move. `hand` has a count per metal, including a drawn card; a play of
    `size` cards goes out.
    """
    _field, following, metal, count, draws = turn
    passing = pass_value(draws, weights) if count else -1e300
    best_play, best_exchange = passing, 0.0  # to exchange nothing is worth 0
    for place in range(len(moves)):
        kind, one, other = moves[place, 0], moves[place, 1], moves[place, 2]
        if kind == PLAYS:
            if other == size:
                out[:] = 0.0
                out[place] = 1.0
                return
            value = play_value(reactivity, hand[one], following, metal, count, one, other, weights)
            best_play = max(best_play, value)
        elif kind == EXCHANGES:
            value = exchange_value(reactivity, hand, following, one, other, weights)
            best_exchange = max(best_exchange, value)
        else:
            value = 0.0
        out[place] = value
    plays = passes = exp(passing - best_play) if count else 0.0
    exchanges = 0.0
    for place in range(len(moves)):
        if moves[place, 0] == PLAYS:
            out[place] = exp(out[place] - best_play)
            plays += out[place]
        else:
            out[place] = exp(out[place] - best_exchange)
            exchanges += out[place]
    for place in range(len(moves)):
        out[place] *= 1 / plays if moves[place, 0] == PLAYS else passes / (plays * exchanges)
