"""Worlds as likely as they are: what the others set aside and played tells of what they hold. Cards as in
`order`.

A world's weight is the chance that its three other players, each by the plausible player of `player` (with one
choice in ten made at random, for nobody plays quite like that), would have set aside what they did and played the
cards that were seen. Worlds by weight come from a chain (Metropolis et al. 1953): the best of a few uniform
worlds, drawn by weight, begins it; a step proposes to swap two unseen cards, and is taken with the chance
min(1, new weight / old weight). The proposal is symmetric, and swaps lead from any world to any other that the
rules allow, up to a few tight endings; so the chain's worlds come to be distributed as their weights. The
worlds of one chain depend on each other; chains do not.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from solver.games.kirin.dealing import SEAT, draw_world
from solver.games.kirin.player import (
    ALL,
    COLOURS,
    Floats,
    Words,
    colour_of,
    declare_values,
    legal_cards,
    open_table,
    put,
    values,
)
from solver.hints.softmax import to_chances
from solver.search.bits import popcount
from solver.search.jit import inlined, kernel, lean
from solver.search.rng import below, uniform

MIXED = 0.1  # of each choice is taken to be made at random
FIRST = 8  # uniform worlds, of which one begins the chain
WARMING = 60  # steps before the first world counts
STEPS = 10  # from one world to the next

# Words of a play that was seen: the seat (-1: no play), its card, the cards played before it, and the table.
PLAYER, CARD, BEFORE, TABLE = range(4)
SEEN_WORDS = TABLE + 7


class Evidence(NamedTuple):
    """What the chain judges worlds by: the plays that were seen, and the plausible player's weights."""

    seen: Words
    play: Floats
    declare: Floats


class Chain(NamedTuple):
    """Where a chain stands: a world, how likely each seat's choices are in it, and the random numbers to come.

    `places` has each unseen card's place, 0-2 a hand, 3-5 aside; by seat there are `hands`, `aside`, `chances`.
    """

    random: Words
    places: Words
    hands: Words
    aside: Words
    chances: Floats


class Work(NamedTuple):
    """What the kernels write to on the way; it need not be kept."""

    table: Words
    features: Floats
    values: Floats


@lean
def lay_seen(tricks: Words, table: Words, seen: Words) -> None:
    """Write the plays of the tricks (leader, direction, four cards or -1 each) to the rows of `seen`."""
    gone = 0
    for trick in range(len(tricks) // 6):
        open_table(table, tricks[6 * trick], tricks[6 * trick + 1])
        for place in range(4):
            row = 4 * trick + place
            card = tricks[6 * trick + 2 + place]
            seen[row, PLAYER] = -1
            if card >= 0:
                seen[row, PLAYER] = (tricks[6 * trick] + place) & 3
                seen[row, CARD] = card
                seen[row, BEFORE] = gone
                for word in range(7):
                    seen[row, TABLE + word] = table[word]
                gone |= 1 << card
                put(table, card)


@lean
def likelihood(
    seat: int,
    hand: int,
    aside: int,
    evidence: Evidence,
    work: Work,
) -> float:
    """How likely a seat that holds `hand` would have set `aside` aside and played what it did."""
    seen, table, out = evidence.seen, work.table, work.values
    for row in range(len(seen)):
        if seen[row, PLAYER] == seat:
            hand |= 1 << seen[row, CARD]
    nine = hand | (1 << aside)
    declare_values(nine, evidence.declare, out)
    to_chances(9, out)
    found = (1 - MIXED) * out[popcount(nine & ((1 << aside) - 1))] + MIXED / 9
    own = COLOURS[colour_of(aside)]
    for row in range(len(seen)):
        if seen[row, PLAYER] != seat:
            continue
        for word in range(7):
            table[word] = seen[row, TABLE + word]
        card = seen[row, CARD]
        legal = legal_cards(hand, table)
        if legal & (legal - 1) != 0:
            unseen = ALL & ~hand & ~seen[row, BEFORE] & ~(1 << aside)
            values(hand, own, unseen, table, evidence.play, work.features, out)
            count = popcount(legal)
            to_chances(count, out)
            found *= (1 - MIXED) * out[popcount(legal & ((1 << card) - 1))] + MIXED / count
        hand &= ~(1 << card)
    return float(found)


@kernel
def begin_chain(
    question: Words,
    cards: Words,
    groups: Words,
    strides: Words,
    ways: Words,
    evidence: Evidence,
    chain: Chain,
    work: Work,
) -> None:
    """Begin a chain, whose arrays are written.

    Of some uniform worlds each is kept with the chance of its share of the weights so far.
    """
    random, places, hands, aside, chances = chain
    seat = question[SEAT]
    total = 0.0
    kept = np.zeros(8, np.int64)
    for _ in range(FIRST):
        draw_world(question, cards, groups, strides, ways, random, places, hands, aside)
        weight = 1.0
        for step in range(1, 4):
            other = (seat + step) & 3
            weight *= likelihood(other, hands[other], aside[other], evidence, work)
        total += weight
        if uniform(random) * total < weight:
            for other in range(4):
                kept[other] = hands[other]
                kept[4 + other] = aside[other]
    for other in range(4):
        hands[other] = kept[other]
        aside[other] = kept[4 + other]
    for step in range(1, 4):
        other = (seat + step) & 3
        chances[other] = likelihood(other, hands[other], aside[other], evidence, work)
        for index in range(len(cards)):
            if (hands[other] >> cards[index]) & 1:
                places[index] = step - 1
            elif aside[other] == cards[index]:
                places[index] = step + 2
    for _ in range(WARMING):
        step_chain(question, cards, groups, evidence, chain, work)


@inlined
def _put_at(place: int, seat: int, old: int, new: int, hands: Words, aside: Words) -> None:
    """Put `new` where `old` is."""
    other = (seat + 1 + place % 3) & 3
    if place < 3:
        hands[other] = (hands[other] & ~(1 << old)) | (1 << new)
    else:
        aside[other] = new


@lean
def step_chain(
    question: Words,
    cards: Words,
    groups: Words,
    evidence: Evidence,
    chain: Chain,
    work: Work,
) -> None:
    """One step of the chain."""
    random, places, hands, aside, chances = chain
    one = below(random, len(cards))
    two = below(random, len(cards))
    from_, to = places[one], places[two]
    # A card set aside was never held while it was played: group 3 stands for every such place.
    fits = (groups[one] >> min(to, 3)) & (groups[two] >> min(from_, 3)) & 1
    if from_ == to or fits == 0:
        return
    seat = question[SEAT]
    first, second = (seat + 1 + from_ % 3) & 3, (seat + 1 + to % 3) & 3
    _put_at(from_, seat, cards[one], cards[two], hands, aside)
    _put_at(to, seat, cards[two], cards[one], hands, aside)
    new_first = likelihood(first, hands[first], aside[first], evidence, work)
    ratio = new_first / chances[first]
    new_second = new_first
    if second != first:
        new_second = likelihood(second, hands[second], aside[second], evidence, work)
        ratio *= new_second / chances[second]
    if ratio < 1.0 and uniform(random) >= ratio:
        _put_at(to, seat, cards[one], cards[two], hands, aside)
        _put_at(from_, seat, cards[two], cards[one], hands, aside)
        return
    chances[first] = new_first
    chances[second] = new_second
    places[one], places[two] = to, from_
