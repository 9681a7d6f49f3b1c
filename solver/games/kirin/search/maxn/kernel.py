"""`maxn` by retrograde enumeration: the scores of every set of hands with k cards each, from k = 0 up.

Under `maxn` hardly anything can be pruned, so speed is filling a dense memo. A state between two tricks is the
subset that each hand still holds of the cards it had at the root, the leader and the direction. Subsets with
k cards are numbered in colexicographic order, which does not depend on how many cards the hand had. A memo
word has what each seat still wins, four bits a seat.

A hand's cards are numbered from 0 in deck order, so that the first of equal moves is the canonical one.
"""

from __future__ import annotations

from math import comb

import numpy as np
from numpy.typing import NDArray

from solver.games.kirin.fast_rules.kernel import direction_after
from solver.kernels.arrays import Words
from solver.kernels.bits import trailing_zeros
from solver.kernels.jit import inlined, lean

MOST_CARDS = 8
SEATS = 4

# Of each subset of eight cards its number among those of its size; and the subsets of each size, in order.
NUMBER = np.array(
    [
        sum(comb(card, place + 1) for place, card in enumerate(c for c in range(MOST_CARDS) if subset >> c & 1))
        for subset in range(1 << MOST_CARDS)
    ],
    np.int64,
)
SUBSETS = np.zeros((MOST_CARDS + 1, comb(MOST_CARDS, MOST_CARDS // 2)), np.int64)
for _subset in range(1 << MOST_CARDS):
    SUBSETS[_subset.bit_count(), NUMBER[_subset]] = _subset
CHOOSE = np.array([[comb(n, k) for k in range(MOST_CARDS + 2)] for n in range(MOST_CARDS + 1)], np.int64)

# Words of the cards' table, for each (seat, card): what wins (0 for a kirin) by direction; the card as one of
# the kirin, else 0; the seats that it scores for, four bits a seat; for each direction and seat, which of that
# seat's cards must follow it.
POWER, KIRIN_BIT, SCORES, FOLLOWERS = 0, 2, 3, 4
CARD_WORDS = 12


@inlined
def merit(scores: int, seat: int) -> int:
    """How good scores are for a seat: its own, then the less for the others in all."""
    own = (scores >> (4 * seat)) & 15
    pairs = (scores & 0x0F0F) + ((scores >> 4) & 0x0F0F)
    return 65 * own - (pairs & 0xFF) - (pairs >> 8)


@lean
def trick_value(
    cards: Words, held: Words, leader: int, direction: int, below: NDArray[np.uint16], strides: Words
) -> int:
    """The scores from a boundary on, by all ways to play one trick. `strides`: of each seat in `below`."""
    first, second, third, fourth = leader, (leader + 1) & 3, (leader + 2) & 3, (leader + 3) & 3
    best1 = -1
    merit1 = -1000
    rest1 = held[first]
    while rest1 != 0:
        card1 = trailing_zeros(rest1)
        rest1 &= rest1 - 1
        at1 = (first * MOST_CARDS + card1) * CARD_WORDS
        index1 = NUMBER[held[first] ^ (1 << card1)] * strides[first]
        power1 = cards[at1 + POWER + direction]
        follow = at1 + FOLLOWERS + 4 * direction
        legal2 = held[second] & cards[follow + second]
        legal2 = legal2 if legal2 != 0 else held[second]
        legal3 = held[third] & cards[follow + third]
        legal3 = legal3 if legal3 != 0 else held[third]
        legal4 = held[fourth] & cards[follow + fourth]
        legal4 = legal4 if legal4 != 0 else held[fourth]
        best2 = -1
        merit2 = -1000
        while legal2 != 0:
            card2 = trailing_zeros(legal2)
            legal2 &= legal2 - 1
            at2 = (second * MOST_CARDS + card2) * CARD_WORDS
            index2 = index1 + NUMBER[held[second] ^ (1 << card2)] * strides[second]
            power2, winner2 = power1, first
            if cards[at2 + POWER + direction] > power1:
                power2, winner2 = cards[at2 + POWER + direction], second
            kirin2 = cards[at1 + KIRIN_BIT] | cards[at2 + KIRIN_BIT]
            scores2 = cards[at1 + SCORES] + cards[at2 + SCORES]
            best3 = -1
            merit3 = -1000
            rest3 = legal3
            while rest3 != 0:
                card3 = trailing_zeros(rest3)
                rest3 &= rest3 - 1
                at3 = (third * MOST_CARDS + card3) * CARD_WORDS
                index3 = index2 + NUMBER[held[third] ^ (1 << card3)] * strides[third]
                power3, winner3 = power2, winner2
                if cards[at3 + POWER + direction] > power2:
                    power3, winner3 = cards[at3 + POWER + direction], third
                kirin3 = kirin2 | cards[at3 + KIRIN_BIT]
                scores3 = scores2 + cards[at3 + SCORES]
                best4 = -1
                merit4 = -1000
                rest4 = legal4
                while rest4 != 0:
                    card4 = trailing_zeros(rest4)
                    rest4 &= rest4 - 1
                    at4 = (fourth * MOST_CARDS + card4) * CARD_WORDS
                    index = index3 + NUMBER[held[fourth] ^ (1 << card4)] * strides[fourth]
                    power4, winner4 = power3, winner3
                    if cards[at4 + POWER + direction] > power3:
                        power4, winner4 = cards[at4 + POWER + direction], fourth
                    found = 0
                    if power4 > 0:
                        found = (scores3 + cards[at4 + SCORES]) & (15 << (4 * winner4))
                    else:
                        winner4 = leader
                    turned = direction_after(kirin3 | cards[at4 + KIRIN_BIT], direction)
                    found += int(below[index + 2 * winner4 + turned])
                    worth = merit(found, fourth)
                    if worth > merit4:
                        merit4, best4 = worth, found
                worth = merit(best4, third)
                if worth > merit3:
                    merit3, best3 = worth, best4
            worth = merit(best3, second)
            if worth > merit2:
                merit2, best2 = worth, best3
        worth = merit(best2, first)
        if worth > merit1:
            merit1, best1 = worth, best2
    return int(best1)


@lean
def fill(
    cards: Words,
    counts: Words,
    level: int,
    below: NDArray[np.uint16],
    here: NDArray[np.uint16],
    scratch: Words,
    begin: int,
    end: int,
) -> None:
    """Fill the sets of hands `begin` to `end` of a level (cards a hand) from the level below.

    `counts` has the cards that each hand had at the root. Threads may fill different parts of a level, each
    with eight words of `scratch` to itself.
    """
    held = scratch[:SEATS]
    strides = scratch[SEATS:]
    stride = 8
    for seat in range(3, -1, -1):
        strides[seat] = stride
        stride *= CHOOSE[counts[seat], level - 1]
    for index in range(begin, end):
        rest = index
        for seat in range(3, -1, -1):
            size = CHOOSE[counts[seat], level]
            held[seat] = SUBSETS[level, rest % size]
            rest //= size
        for leader in range(SEATS):
            for direction in range(2):
                here[8 * index + 2 * leader + direction] = trick_value(
                    cards, held, leader, direction, below, strides
                )
