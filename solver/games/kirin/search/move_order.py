"""Which of Kirin's moves to look at, in which order. Equivalent cards are looked at once."""

from __future__ import annotations

import numpy as np

from solver.games.kirin.fast_rules.kernel import (
    ALLIES,
    BEST,
    DIRECTION,
    HANDS,
    LEADER,
    LIVE,
    OWN,
    PLAYED,
    PLAYER,
    TRICK,
    ahead_of,
    candidates,
    owner,
    possible_directions,
)
from solver.games.kirin.fast_rules.order import (
    CARDS,
    COLOUR_SETS,
    DIFFERENCES,
    KIRIN,
    NUMBERS,
    RANKED,
    STRONGER,
)
from solver.games.kirin.fast_rules.switches import EQUIVALENT
from solver.kernels.arrays import Words
from solver.kernels.bits import trailing_zeros, wrapping_product
from solver.kernels.jit import inlined
from solver.search.tricks.words import ATTEMPT, SWITCHES

NOISE = 255  # the most that an attempt after the first adds to a weight

# The sets of the colours by strength, weakest first.
STRENGTH_SETS = np.array(COLOUR_SETS[::-1], np.int64)

# How promising a card is: weights of (scores for the player, wins the trick so far, height 0-8, is a kirin, can
# be beaten by a card of the player's, or for the player by a later hand's) for each role of the seat to move.
# Tuned on node counts of random deals.
LEADS, FOLLOWS, OPENS, CONTESTS, COVERS, SHEDS, FRIENDS = range(7)
WEIGHTS = np.array(
    [
        [10, -14, 3, 3, 9],  # the player leads
        [5, 8, -1, 7, 1],  # the player follows
        [16, 18, -3, 2, -1],  # an opponent leads
        [-6, 45, -6, -9, 13],  # an opponent follows, the player's card is best
        [5, 5, -3, -3, -7],  # an opponent follows, the player has yet to play
        [10, 1, -1, 3, 5],  # an opponent follows, the player has played and lost
        # The same six with allies for opponents.
        [10, 82, 0, 77, 19],
        [19, -35, -10, -104, -47],
        [360, -469, 12, 7, -40],
        [0, 94, 12, -73, -151],
        [-258, 15, -5, -28, -21],
        [203, 5, 33, 9, 451],
    ],
    np.int64,
)


@inlined
def told_apart(card: int, kept: int, others: int, directions: int) -> bool:
    """Whether a card of `others` tells two cards of one hand apart, in a direction that can still come about.

    Two ranked cards are the same when they beat the same cards, lose to the same, must follow the same and
    are followed by the same. Two kirin of one direction, when no other card's colour is at or between theirs.
    """
    if (1 << card) & RANKED == 0:
        if (card ^ kept) & 1:
            return True
        between = 0
        for strength in range(kept >> 1, (card >> 1) + 1):
            between |= STRENGTH_SETS[strength]
        return bool(others & between)
    differ = 0
    for direction in range(2):
        if (directions >> direction) & 1:
            differ |= DIFFERENCES[(direction * CARDS + card) * CARDS + kept]
    return bool(others & differ)


@inlined
def distinct(deal: Words, state: Words, at: int) -> int:
    """The legal cards, one of each set of equivalent ones (the first in the kernels' order)."""
    legal = candidates(deal, state, at)
    if deal[SWITCHES] & EQUIVALENT == 0 or legal & (legal - 1) == 0:
        return legal
    hand = deal[HANDS + ((state[at + LEADER] + state[at + PLAYED]) & 3)]
    others = (state[at + LIVE] & ~hand) | state[at + TRICK]
    turning = state[at + LIVE] | state[at + TRICK]
    directions = possible_directions(turning, state[at + DIRECTION])
    kept = 0
    rest = legal
    while rest != 0:
        card = trailing_zeros(rest)
        rest &= rest - 1
        # Only with a card of the same worth and kind.
        earlier = kept & (deal[OWN] if (deal[OWN] >> card) & 1 else ~deal[OWN])
        earlier &= RANKED if (1 << card) & RANKED else KIRIN
        same = False
        while earlier != 0 and not same:
            other = trailing_zeros(earlier)
            earlier &= earlier - 1
            same = not told_apart(card, other, others, directions)
        if not same:
            kept |= 1 << card
    return kept


@inlined
def role(deal: Words, state: Words, at: int) -> int:
    played = state[at + PLAYED]
    turn = (deal[PLAYER] - state[at + LEADER]) & 3  # the player's place in the trick
    best = state[at + BEST]
    if turn == played:
        who = LEADS if played == 0 else FOLLOWS
    elif played == 0:
        who = OPENS
    elif turn > played:
        who = COVERS
    elif best >= 0 and owner(deal, best) == deal[PLAYER]:
        who = CONTESTS
    else:
        who = SHEDS
    return who + FRIENDS - 1 if deal[ALLIES] != 0 else who


@inlined
def against(deal: Words, state: Words, at: int) -> int:
    """The cards that the seat to move reckons with: the player's; for the player, those of the later seats."""
    live = state[at + LIVE]
    mine = live & deal[HANDS + deal[PLAYER]]
    if ((state[at + LEADER] + state[at + PLAYED]) & 3) != deal[PLAYER]:
        return int(mine)
    later = 0
    for place in range(state[at + PLAYED] + 1, 4):
        later |= live & deal[HANDS + ((state[at + LEADER] + place) & 3)]
    return int(later)


@inlined
def moves(deal: Words, state: Words, at: int, out: Words, to: int, first: int) -> int:
    rest = distinct(deal, state, at)
    if rest & (rest - 1) == 0:
        out[to] = trailing_zeros(rest)
        return 1
    who = role(deal, state, at)
    direction = state[at + DIRECTION]
    best = state[at + BEST]
    over = ahead_of(best, direction)
    rivals = against(deal, state, at)
    count = 0
    while rest != 0:
        card = trailing_zeros(rest)
        one = rest & -rest
        rest &= rest - 1
        height = card >> 2
        if direction == 1 and one & NUMBERS:
            height = 9 - height
        score = WEIGHTS[who, 2] * height
        if one & deal[OWN]:
            score += WEIGHTS[who, 0]
        if one & over:
            score += WEIGHTS[who, 1]
        if one & KIRIN:
            score += WEIGHTS[who, 3]
        if STRONGER[direction * CARDS + card] & rivals:
            score += WEIGHTS[who, 4]
        if deal[ATTEMPT] != 0:
            mixed = wrapping_product(state[at + LIVE] + (deal[ATTEMPT] << 36), 0x1E3779B97F4A7C15)
            mixed = wrapping_product(mixed ^ card ^ (mixed >> 31), 0x1B03738712FAD5C9)
            score += (mixed >> 40) & NOISE
        if card == first:
            score = 5000
        # Insertion sort, the score above the card number in one word.
        word = ((score + 5000) << 6) | card
        place = to + count
        while place > to and out[place - 1] < word:
            out[place] = out[place - 1]
            place -= 1
        out[place] = word
        count += 1
    for place in range(to, to + count):
        out[place] &= 63
    return count
