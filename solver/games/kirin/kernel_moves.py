"""Which of Kirin's moves to look at, in which order. Equivalent cards are looked at once."""

from __future__ import annotations

import numpy as np

from solver.games.kirin.kernel import (
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
    candidates,
    owner,
)
from solver.games.kirin.order import CARDS, COLOUR_SETS, KIRIN, NUMBERS, RANKED, STRONGER
from solver.search.bits import highest_one, trailing_zeros
from solver.search.jit import inlined
from solver.search.trick import SWITCHES, Words

EQUIVALENT = 1  # a switch

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
        [1, 7, -1, 1, 5],
        [-9, 11, -18, -75, -23],
        [346, -464, 0, -2, -45],
        [12, -8, -1, -2, -171],
        [-240, 8, -5, -10, -14],
        [374, 148, 78, 28, 247],
    ],
    np.int64,
)


@inlined
def twins(hand: int, others: int, kept: int, card: int, own: int) -> bool:
    """Whether no card of `others` tells two cards of a hand apart, now or later.

    Two numbers of one colour, with no other card's number at or between theirs; or two cards of one rank
    and one worth, with no other card's colour at or between theirs.
    """
    if card >= 8 and card < 32 and kept >= 8 and kept < 32 and (card & 3) == (kept & 3):
        low = kept >> 2 << 2
        high = (card >> 2 << 2) + 4
        return others & ((1 << high) - (1 << low)) == 0
    if card >= 8 and kept >= 8:
        if card >> 2 != kept >> 2:
            return False
        first, last = kept & 3, card & 3
    elif card < 8 and kept < 8:
        if (card & 1) != (kept & 1):
            return False
        first, last = kept >> 1, card >> 1
    else:
        return False
    if ((own >> card) & 1) != ((own >> kept) & 1):
        return False
    between = np.int64(0)
    for strength in range(first, last + 1):
        between |= STRENGTH_SETS[strength]
    return others & between == 0


@inlined
def distinct(deal: Words, state: Words, at: int) -> int:
    """The legal cards, one of each set of equivalent ones (its lowest)."""
    legal = candidates(deal, state, at)
    if deal[SWITCHES] & EQUIVALENT == 0:
        return legal
    hand = deal[HANDS + ((state[at + LEADER] + state[at + PLAYED]) & 3)]
    others = (state[at + LIVE] & ~hand) | state[at + TRICK]
    kept = np.int64(0)
    rest = legal
    while rest != 0:
        card = trailing_zeros(rest)
        rest &= rest - 1
        earlier = kept
        same = False
        while earlier != 0 and not same:
            other = trailing_zeros(earlier)
            earlier &= earlier - 1
            same = twins(hand, others, other, card, deal[OWN])
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
    """The cards whose strength matters to the seat to move: the player's, or of those who play after the player."""
    live = state[at + LIVE]
    mine = live & deal[HANDS + deal[PLAYER]]
    if ((state[at + LEADER] + state[at + PLAYED]) & 3) != deal[PLAYER]:
        return mine
    later = np.int64(0)
    for place in range(state[at + PLAYED] + 1, 4):
        later |= live & deal[HANDS + ((state[at + LEADER] + place) & 3)]
    return later


@inlined
def moves(deal: Words, state: Words, at: int, out: Words, to: int, first: int) -> int:
    rest = distinct(deal, state, at)
    if rest & (rest - 1) == 0:
        out[to] = trailing_zeros(rest)
        return 1
    who = role(deal, state, at)
    direction = state[at + DIRECTION]
    best = state[at + BEST]
    over = STRONGER[direction * CARDS + best] if best >= 0 else RANKED
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
        if card == first:
            score = np.int64(5000)
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
