"""Rounds of kirin in one kernel, but for one seat's choices, and how much luck there was in the others' choices.

See `benchmarks.kirin_rounds`. Cards as in `solver.games.kirin.fast_rules`.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from benchmarks.kirin_tree import nth
from solver.games.kirin.fast_rules import direction_after
from solver.games.kirin.players import (
    ALL,
    BEST,
    COLOURS,
    DIRECTION,
    FEATURES,
    HOLDER,
    LEADER,
    PLAYED,
    TABLE_WORDS,
    TRICK,
    colour_of,
    legal_cards,
    open_table,
    put,
    values,
)
from solver.hints.policy import draw, to_chances
from solver.kernels.arrays import Floats, Words
from solver.kernels.bits import popcount, trailing_zeros
from solver.kernels.jit import kernel, lean
from solver.kernels.rng import start as start_stream
from training.choices import place_of_best

_REPEATS = 20  # of each ending by which luck is measured
_LEAST = 0.003  # cards with a smaller chance are left out of the estimates
GONE, COUNT, POINTS = 0, 1, 2  # words of a book: the cards played, how many, and by seat the cards won


class Round(NamedTuple):
    """A round in play. By seat `hands` (masks) and the cards set `aside`; the `table` in the words of `policy`;
    a `book` in the words above; the `plays` in order, as seat and card.
    """

    hands: Words
    aside: Words
    table: Words
    book: Words
    plays: Words


class Play(NamedTuple):
    """How the others play and the player goes on where luck is measured; then room for kernels to work in."""

    others: Floats
    player: Floats
    random: Words
    scratch: Floats
    out: Floats


def new_play(others: Floats, player: Floats) -> Play:
    """Players by these weights."""
    return Play(others, player, np.zeros(1, np.int64), np.zeros(FEATURES), np.zeros(9))


def new_round(hands: Words, aside: Words, leader: int) -> Round:
    """A round of which nothing is played; cards as in `order`."""
    table = np.zeros(TABLE_WORDS, np.int64)
    open_table(table, leader, 0)
    return Round(hands, aside, table, np.zeros(POINTS + 4, np.int64), np.zeros((32, 2), np.int64))


@lean
def turn(now: Round) -> int:
    """Whose turn it is, after the trick that may lie there is won; -1 at the end."""
    table = now.table
    if table[PLAYED] == 4:
        leader = table[LEADER]
        if table[BEST] >= 0:
            leader = table[HOLDER]
            now.book[POINTS + leader] += popcount(table[TRICK] & COLOURS[colour_of(now.aside[leader])])
        open_table(table, leader, direction_after(table[TRICK], table[DIRECTION]))
    seat = (table[LEADER] + table[PLAYED]) & 3
    return int(seat if now.hands[seat] != 0 else -1)


@lean
def lay(now: Round, seat: int, card: int) -> None:
    """Have a seat play a card."""
    now.plays[now.book[COUNT], 0], now.plays[now.book[COUNT], 1] = seat, card
    now.book[COUNT] += 1
    now.book[GONE] |= 1 << card
    now.hands[seat] &= ~(1 << card)
    put(now.table, card)


@lean
def judge(now: Round, seat: int, weights: Floats, play: Play) -> int:
    """Write the values of a seat's legal cards to `play.out`; return the cards."""
    hand, aside = now.hands[seat], now.aside[seat]
    unseen = ALL & ~hand & ~now.book[GONE] & ~(1 << aside)
    return values(hand, COLOURS[colour_of(aside)], unseen, now.table, weights, play.scratch, play.out)


@lean
def copy_to(words: Words, source: Words) -> None:
    """Write words of the same length."""
    for index in range(len(source)):
        words[index] = source[index]


@lean
def end_points(now: Round, spare: Round, me: int, seat: int, card: int, play: Play) -> float:
    """The points of `me` in the round's end, played on some times in `spare` after a seat's card."""
    total = 0.0
    for _ in range(_REPEATS):
        copy_to(spare.hands, now.hands)
        copy_to(spare.aside, now.aside)
        copy_to(spare.table, now.table)
        copy_to(spare.book, now.book)
        lay(spare, seat, card)
        while True:
            next_ = turn(spare)
            if next_ < 0:
                break
            legal = judge(spare, next_, play.player if next_ == me else play.others, play)
            count = popcount(legal)
            if next_ == me:
                place = place_of_best(count, play.out)
            else:
                to_chances(count, play.out)
                place = draw(count, play.out, play.random)
            lay(spare, next_, nth(legal, place))
        total += spare.book[POINTS + me]
    return total / _REPEATS


@kernel
def advance(now: Round, spare: Round, me: int, seed: int, play: Play, luck: Floats) -> bool:
    """Play on to a choice of `me` (True) or to the end (False); add to `luck` what the others' choices brought.

    A seat's random numbers are the same whatever was played before, as in the arena.
    """
    chances = np.zeros(9)
    while True:
        seat = turn(now)
        if seat < 0:
            return False
        legal = legal_cards(now.hands[seat], now.table)
        count = popcount(legal)
        if count == 1:
            lay(now, seat, trailing_zeros(legal))
            continue
        if seat == me:
            return True
        start_stream(play.random, seed, 16 * seat + popcount(now.hands[seat]))
        judge(now, seat, play.others, play)
        to_chances(count, play.out)
        for place in range(count):
            chances[place] = play.out[place]
        chosen = draw(count, play.out, play.random)
        follow = play.random[0]
        # All is less what the likeliest card brings, and so much do those bring that are left out.
        usual = place_of_best(count, chances)
        less = end_points(now, spare, me, seat, nth(legal, usual), play)
        for place in range(count):
            if chances[place] >= _LEAST and place != usual:
                play.random[0] = follow
                more = end_points(now, spare, me, seat, nth(legal, place), play) - less
                luck[0] += more * ((1.0 if place == chosen else 0.0) - chances[place])
        lay(now, seat, nth(legal, chosen))
