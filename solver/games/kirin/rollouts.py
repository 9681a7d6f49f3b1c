"""Rounds of Kirin played out by plausible players, in sampled worlds, as kernels. Cards as in `fast_rules`."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from solver.games.kirin.fast_rules import direction_after
from solver.games.kirin.players import (
    ALL,
    ASKS,
    BEST,
    COLOURS,
    DIRECTION,
    HOLDER,
    LEADER,
    LOOKS_AHEAD,
    PLAYED,
    TABLE_WORDS,
    TRICK,
    Ahead,
    Room,
    best_of,
    choose,
    colour_of,
    declare_values,
    draw,
    draw_of,
    drawn,
    judge,
    legal_cards,
    open_table,
    put,
)
from solver.games.kirin.worlds import (
    ASIDE,
    GONE,
    HAND,
    PILES,
    POINTS,
    SEAT,
    TRICK_ASKS,
    TRICK_DIRECTION,
    TRICK_LEADER,
    Reading,
    Setting,
    begin_chain,
    draw_world,
    evidence_of,
    likelihood,
    new_work,
    open_chain,
    step_chain,
)
from solver.hints.policy import to_chances
from solver.hints.sampled import Kept
from solver.hints.worlds import STEPS
from solver.kernels.jit import kernel, lean
from solver.kernels.rng import start as start_stream
from solver.kernels.words import Floats, Words, popcount, trailing_zeros

# Statistics of a finished round, for the asking seat: the round's points; whether the card won its trick; the
# points of that trick. If there is room, the round's points of each seat follow.
SCORE, WON_TRICK, TRICK_POINTS, SCORES = range(4)
STATISTICS = SCORES
ALL_STATISTICS = SCORES + 4
DIRECTION_BIT = 40  # in what is noted, above all cards

_TAKEN = 6  # where the cards won by seats start in `Round.points`
_POINTS_WORDS = _TAKEN + 4


class Round(NamedTuple):
    """A round in play. By seat: `hands` (masks), the cards set `aside`, and the `points` won from now on.

    `table` has the trick on the table in the words of `players`. Further words of `points` have the points of the
    first trick that ends, the direction after it, and by seat the cards won from now on (masks).
    """

    hands: Words
    aside: Words
    table: Words
    points: Words


@lean
def play_on(
    playing: Round, gone: int, play: Floats, ahead: Ahead, shares: Floats, me: int, random: Words, room: Room
) -> int:
    """Play the round to its end. Returns who won the trick on the table, -1 if nobody did.

    `gone` has every card played, including those on the table. `shares` has the probability that each seat looks
    ahead; it does so with that frequency. If seat `me` does, it plays the card that it values most.
    """
    hands, aside, table, points = playing
    taker = -2
    while True:
        if table[PLAYED] == 4:
            leader = table[LEADER]
            winner = -1
            if table[BEST] >= 0:
                leader = table[HOLDER]
                winner = leader
                points[leader] += popcount(table[TRICK] & COLOURS[colour_of(aside[leader])])
                points[_TAKEN + leader] |= table[TRICK]
            if taker == -2:
                taker = winner
                points[4] = points[leader] if winner >= 0 else 0
                points[5] = direction_after(table[TRICK], table[DIRECTION])
            open_table(table, leader, direction_after(table[TRICK], table[DIRECTION]))
        seat = (table[LEADER] + table[PLAYED]) & 3
        hand = hands[seat]
        if hand == 0:
            return taker
        unseen = ALL & ~hand & ~gone & ~(1 << aside[seat])
        own = COLOURS[colour_of(aside[seat])]
        legal = legal_cards(hand, table)
        if legal & (legal - 1) == 0:
            card = trailing_zeros(legal)
        elif not drawn(shares[seat], random):
            card = choose(hand, own, unseen, table, play, random, room.features, room.values)
        else:
            judge(hand, own, unseen, table, legal, play, ahead, False, room)
            card = best_of(legal, room) if seat == me else draw_of(legal, room, random)
        hands[seat] = hand & ~(1 << card)
        gone |= 1 << card
        put(table, card)


@lean
def declare(setting: Setting, hands: Words, aside: Words, random: Words, out: Floats) -> None:
    """Let all seats but the asking one set a card aside, as players of the expected kinds."""
    for step in range(1, 4):
        other = (setting.question[SEAT] + step) & 3
        ahead = drawn(setting.ahead.expected[LOOKS_AHEAD], random)
        declare_values(hands[other], setting.ahead.declare if ahead else setting.declare, out)
        to_chances(9, out)
        aside[other] = draw(hands[other], out, random)
        hands[other] &= ~(1 << aside[other])


@kernel
def play_worlds(
    setting: Setting, kept: Kept, moves: Words, seed: int, first: int, infer: bool, results: Floats, noted: Words
) -> None:
    """Write the statistics of each move, played to the end of the round, in worlds from number `first` on.

    `results` has a row per world with a row per move; `noted` has a row per world, with its hands (masks by seat),
    and for each move the cards that the seat wins from then on (a mask), with the direction after the first trick
    at `DIRECTION_BIT`. `kept` is for this view alone. With `infer`, the worlds are steps of one chain (see
    `worlds`); otherwise they are independent.
    """
    # Local names for everything that the loops read: in a kernel that allocates arrays, each access to a tuple
    # counts references.
    question, tricks, cards, _, play, _, ahead = setting
    random = np.zeros(1, np.int64)
    places = np.zeros(len(cards), np.int64)
    hands = np.zeros(4, np.int64)
    aside = np.zeros(4, np.int64)
    points = np.zeros(_POINTS_WORDS, np.int64)
    table = np.zeros(TABLE_WORDS, np.int64)
    played = np.zeros(4, np.int64)
    shares = np.zeros(4)
    playing = Round(played, aside, table, points)
    evidence = evidence_of(setting)
    work = new_work(hands, aside, table, kept)
    room, chances = work.room, work.chances
    reading = Reading(setting, evidence, work)
    chain = open_chain(setting, random)
    boxes = chain.boxes
    seat = question[SEAT]
    start_stream(random, seed, first)
    for other in range(4):
        shares[other] = ahead.expected[LOOKS_AHEAD]
    shares[seat] = 1.0 if len(ahead.net.last) > 0 else 0.0
    if infer:
        begin_chain(reading, chain)
    for world in range(len(results)):
        if infer:
            for _ in range(STEPS):
                step_chain(reading, chain)
            hands[seat], aside[seat] = question[HAND], question[ASIDE]
            for step in range(1, 4):
                other = (seat + step) & 3
                hands[other], aside[other] = boxes[step - 1], trailing_zeros(boxes[step + 2])
        else:
            start_stream(random, seed, first + world)
            draw_world(setting, random, places, hands, aside)
        if infer:
            for step in range(1, 4):
                other = (seat + step) & 3
                total = likelihood(other, hands[other], aside[other], evidence, work)
                shares[other] = chances[LOOKS_AHEAD] / total
        if question[ASIDE] < 0:
            declare(setting, hands, aside, random, room.values)
        forgotten = 0  # cards that were played and are not remembered
        if question[ASIDE] >= 0:
            forgotten = ALL & ~question[GONE]
            for other in range(4):
                forgotten &= ~(hands[other] | (1 << aside[other]))
        for other in range(4):
            noted[world, other] = hands[other]
        follow = random[0]
        for index in range(len(moves)):
            random[0] = follow
            for other in range(4):
                played[other] = hands[other]
                points[other] = 0
                points[_TAKEN + other] = 0
            gone = question[GONE] | forgotten
            table[ASKS] = question[TRICK_ASKS]
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
            taker = play_on(playing, gone, play, ahead, shares, seat, random, room)
            noted[world, 4 + index] = points[_TAKEN + seat] | points[5] << DIRECTION_BIT
            results[world, index, SCORE] = question[POINTS] + points[seat]
            results[world, index, WON_TRICK] = 1.0 if taker == seat else 0.0
            results[world, index, TRICK_POINTS] = points[4] if taker == seat else 0.0
            if results.shape[2] >= ALL_STATISTICS:
                for other in range(4):
                    before = popcount(question[PILES + other] & COLOURS[colour_of(aside[other])])
                    results[world, index, SCORES + other] = before + points[other]
