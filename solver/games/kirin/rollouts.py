"""Rounds of kirin played to the end by plausible players, in sampled worlds, as kernels. Cards as in `order`."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from solver.games.kirin.kernel import direction_after
from solver.games.kirin.order import COLOUR_SETS
from solver.games.kirin.player import (
    ALL,
    BEST,
    DIRECTION,
    HOLDER,
    LEADER,
    PLAYED,
    TABLE_WORDS,
    TRICK,
    choose,
    draw,
    legal_cards,
    open_table,
    put,
    to_chances,
    values,
)
from solver.hints.worlds import deal
from solver.search.bits import popcount, trailing_zeros
from solver.search.jit import inlined, kernel, lean
from solver.search.rng import below_wide
from solver.search.rng import start as start_stream

Words = NDArray[np.int64]
Floats = NDArray[np.float64]

COLOURS = np.array(COLOUR_SETS, np.int64)  # by colour in deck numbering
# Weights of setting a card aside: for each rank (1 … 6, trump, ascending, descending kirin) what a kept card of
# the colour is worth, then what the card set aside is.
DECLARE_WEIGHTS = 18

# Statistics of a finished round, for the seat that asks: the round's points; whether the card won its trick; the
# points of that trick.
SCORE, WON_TRICK, TRICK_POINTS = range(3)
STATISTICS = 3

_MIXED = 0.1  # of each choice is taken to be made at random

# Words of a question: the seat that asks, its hand and the card that it has set aside (-1: not yet), the points
# that it has, the leader and the direction of the trick on the table, and the cards played before it.
SEAT, HAND, ASIDE, POINTS, TRICK_LEADER, TRICK_DIRECTION, GONE, ARRANGEMENTS = range(8)
QUESTION_WORDS = 8


@inlined
def rank_of(card: int) -> int:
    """0 to 8: the numbers, the trump, the kirin."""
    if card < 8:
        return 7 + (card & 1)
    return (card - 8) >> 2


@inlined
def colour_of(card: int) -> int:
    """The colour in deck numbering."""
    return 3 - (card >> 1 if card < 8 else card & 3)


@inlined
def declare_values(hand: int, weights: Floats, out: Floats) -> None:
    """The value of setting each card of a hand of nine aside, in order of the cards."""
    rest = hand
    place = 0
    while rest != 0:
        card = trailing_zeros(rest)
        rest &= rest - 1
        value = weights[9 + rank_of(card)]
        kept = hand & COLOURS[colour_of(card)] & ~(1 << card)
        while kept != 0:
            value += weights[rank_of(trailing_zeros(kept))]
            kept &= kept - 1
        out[place] = value
        place += 1


@lean
def play_on(
    hands: Words,
    aside: Words,
    table: Words,
    gone: int,
    weights: Floats,
    random: Words,
    scratch: Floats,
    out: Floats,
    points: Words,
) -> int:
    """Play the round to its end; `points` grows by what each seat wins. Returns who won the trick on the table.

    `gone` has every card played, those on the table too; `aside` each seat's card that is set aside. -1 is
    returned when nobody won.
    """
    taker = -2
    while True:
        if table[PLAYED] == 4:
            leader = table[LEADER]
            winner = -1
            if table[BEST] >= 0:
                leader = table[HOLDER]
                winner = leader
                points[leader] += popcount(table[TRICK] & COLOURS[colour_of(aside[leader])])
            if taker == -2:
                taker = winner
                points[4] = points[leader] if winner >= 0 else 0
            open_table(table, leader, direction_after(table[TRICK], table[DIRECTION]))
        seat = (table[LEADER] + table[PLAYED]) & 3
        hand = hands[seat]
        if hand == 0:
            return taker
        unseen = ALL & ~hand & ~gone & ~(1 << aside[seat])
        card = choose(hand, COLOURS[colour_of(aside[seat])], unseen, table, weights, random, scratch, out)
        hands[seat] = hand & ~(1 << card)
        gone |= 1 << card
        put(table, card)


@lean
def likelihood(
    question: Words,
    tricks: Words,
    hands: Words,
    aside: Words,
    weights: Floats,
    declare: Floats,
    table: Words,
    before: Words,
    scratch: Floats,
    out: Floats,
) -> float:
    """How likely the other players of a world would have set aside and played what was.

    `tricks` has the leader, the direction and the cards (-1: not played) of each trick, the one on the table
    last.
    """
    for seat in range(4):
        before[seat] = hands[seat]
    for trick in range(len(tricks) // 6):
        for place in range(4):
            card = tricks[6 * trick + 2 + place]
            if card >= 0:
                before[(tricks[6 * trick] + place) & 3] |= 1 << card
    found = 1.0
    for seat in range(4):
        if seat != question[SEAT]:
            nine = before[seat] | (1 << aside[seat])
            declare_values(nine, declare, out)
            to_chances(9, out)
            found *= (1 - _MIXED) * out[popcount(nine & ((1 << aside[seat]) - 1))] + _MIXED / 9
    gone = 0
    for trick in range(len(tricks) // 6):
        open_table(table, tricks[6 * trick], tricks[6 * trick + 1])
        for place in range(4):
            card = tricks[6 * trick + 2 + place]
            if card < 0:
                break
            seat = (tricks[6 * trick] + place) & 3
            hand = before[seat]
            legal = legal_cards(hand, table)
            if seat != question[SEAT] and legal & (legal - 1) != 0:
                unseen = ALL & ~hand & ~gone & ~(1 << aside[seat])
                values(hand, COLOURS[colour_of(aside[seat])], unseen, table, weights, scratch, out)
                count = popcount(legal)
                to_chances(count, out)
                found *= (1 - _MIXED) * out[popcount(legal & ((1 << card) - 1))] + _MIXED / count
            before[seat] = hand & ~(1 << card)
            gone |= 1 << card
            put(table, card)
    return found


@inlined
def lay_out(question: Words, cards: Words, places: Words, hands: Words, aside: Words, arrangement: int) -> None:
    """The hands and the cards set aside of a world; `places` has the group of each unseen card.

    Groups 0 to 2 are the hands of the seats after the one that asks; the cards of group 3 are set aside by them,
    in the order number `arrangement` of six.
    """
    seat = question[SEAT]
    for other in range(4):
        hands[other] = 0
    hands[seat] = question[HAND]
    aside[seat] = question[ASIDE]
    found = 0
    for index in range(len(cards)):
        group = places[index]
        if group < 3:
            hands[(seat + 1 + group) & 3] |= 1 << cards[index]
        else:
            # The first card goes to one of three, the second to one of the two left.
            first = arrangement % 3
            if found == 0:
                group = first
            elif found == 1:
                group = (first + 1 + arrangement // 3) % 3
            else:
                group = (first + 2 - arrangement // 3) % 3
            aside[(seat + 1 + group) & 3] = cards[index]
            found += 1


@kernel
def draw_world(
    question: Words,
    cards: Words,
    groups: Words,
    strides: Words,
    ways: Words,
    random: Words,
    places: Words,
    hands: Words,
    aside: Words,
) -> None:
    """Draw one of the deals that agree with the question, each as likely as any other."""
    start = ways.shape[1] - 1
    rank = below_wide(random, ways[0, start] * question[ARRANGEMENTS])
    deal(groups, strides, ways, start, rank // question[ARRANGEMENTS], places)
    lay_out(question, cards, places, hands, aside, rank % question[ARRANGEMENTS])


@kernel
def play_worlds(
    question: Words,
    tricks: Words,
    moves: Words,
    cards: Words,
    groups: Words,
    strides: Words,
    ways: Words,
    weights: Floats,
    declare: Floats,
    seed: int,
    first: int,
    infer: bool,
    results: Floats,
    worlds: Floats,
) -> None:
    """Worlds number `first` and on: their weights, and the statistics of each move played to the end of the
    round.

    `cards` are the unseen cards; `groups`, `strides` and `ways` are those of `solver.hints.worlds`.
    """
    random = np.zeros(1, np.int64)
    places = np.zeros(len(cards), np.int64)
    hands = np.zeros(4, np.int64)
    aside = np.zeros(4, np.int64)
    before = np.zeros(4, np.int64)
    played = np.zeros(4, np.int64)
    points = np.zeros(5, np.int64)
    table = np.zeros(TABLE_WORDS, np.int64)
    scratch = np.zeros(16)
    out = np.zeros(9)
    seat = question[SEAT]
    for world in range(len(worlds)):
        start_stream(random, seed, first + world)
        draw_world(question, cards, groups, strides, ways, random, places, hands, aside)
        if question[ASIDE] < 0:
            for step in range(1, 4):
                other = (seat + step) & 3
                declare_values(hands[other], declare, out)
                to_chances(9, out)
                aside[other] = draw(hands[other], out, random)
                hands[other] &= ~(1 << aside[other])
        worlds[world] = 1.0
        if infer:
            worlds[world] = likelihood(
                question, tricks, hands, aside, weights, declare, table, before, scratch, out
            )
        follow = random[0]
        for index in range(len(moves)):
            random[0] = follow
            for other in range(4):
                played[other] = hands[other]
                points[other] = 0
            gone = question[GONE]
            open_table(table, question[TRICK_LEADER], question[TRICK_DIRECTION])
            played[seat] &= ~(1 << moves[index])
            if question[ASIDE] < 0:
                aside[seat] = moves[index]
            else:
                last = len(tricks) - 6
                for place in range(4):
                    card = tricks[last + 2 + place]
                    if card >= 0:
                        put(table, card)
                put(table, moves[index])
                gone |= 1 << moves[index]
            taker = play_on(played, aside, table, gone, weights, random, scratch, out, points)
            results[world, index, SCORE] = question[POINTS] + points[seat]
            results[world, index, WON_TRICK] = 1.0 if taker == seat else 0.0
            results[world, index, TRICK_POINTS] = points[4] if taker == seat else 0.0
