"""How likely a seat would have made the moves that were seen, as kernels.

A seat's hand is followed through the game: its cards of the start, the cards that it drew, those that it took. The
seat is of one of some kinds (`kinds`), and which one its own choices tell: each kind's chance of all of them
counts, times how many players of the kind are expected. A share of each kind's choices is taken to be made at
random.
"""

from __future__ import annotations

from math import log
from typing import NamedTuple

from solver.games.aqua_regia.hints.chances import (
    DRAWS,
    FIELD,
    FIRST,
    KIND,
    PLAYS,
    SEAT,
    SECOND,
    SLOT,
    STUCK,
    Chances,
    exchange_chances,
    play_chances,
)
from solver.kernels.arrays import Floats, Words
from solver.kernels.jit import lean


class Evidence(NamedTuple):
    """What was seen, and where the cards that were hidden at its beginning can lie: in slots.

    The first `owned` slots belong to other seats, `owners`: places in a first hand or draws; the rest are in the
    stock or out of play. A seat's first hand is in the slots ``ends[seat, 0]`` … ``ends[seat, 1] - 1``, and `held`
    (a row a seat, a count a metal) has what is known of it. `begun` lays a card into each slot.
    """

    steps: Words  # a row a step
    piles: Words  # the discard pile before each step
    held: Words
    ends: Words
    owners: Words
    owned: int
    begun: Words
    reactivity: Words  # as `policy.reactivity_rows` makes it
    copies: int
    expected: Floats  # how many players of each kind are
    chances: Chances


IMPOSSIBLE = -1e15  # beyond any sum of logarithms of chances
_SMALL = 1e-200  # products from here on are turned into logarithms


@lean
def scaled(chances: Floats, least: float) -> float:
    """Divide chances by their sum where it is below `least`, and return its logarithm; else 0."""
    total = 0.0
    for place in range(len(chances)):
        total += chances[place]
    if total >= least:
        return 0.0
    for place in range(len(chances)):
        chances[place] /= total
    return log(total)


@lean
def log_likelihood(
    seat: int, evidence: Evidence, slots: Words, hand: Words, room: Floats, shares: Floats
) -> float:
    """The logarithm of the chance of what a seat was seen to do, with the cards in `slots`.

    At most `IMPOSSIBLE` where they don't allow it. `hand` becomes what the seat holds now, and `shares` how likely
    it then is of each kind. `room` is for two numbers of each kind.
    """
    chances = evidence.chances
    begin, end = evidence.ends[seat, 0], evidence.ends[seat, 1]
    size = end - begin
    for metal in range(len(hand)):
        hand[metal] = evidence.held[seat, metal]
        size += hand[metal]
    for slot in range(begin, end):
        hand[slots[slot]] += 1
    for kind in range(len(shares)):
        shares[kind] = evidence.expected[kind]
    total = 0.0
    for row in range(len(evidence.steps)):
        step = evidence.steps[row]
        if step[SEAT] != seat:
            continue
        if step[KIND] == STUCK:
            for metal in range(len(hand)):
                if hand[metal] > 0 and evidence.reactivity[step[FIELD], metal] > 0:
                    return 2 * IMPOSSIBLE
            continue
        if step[KIND] == PLAYS and hand[step[FIRST]] < step[SECOND]:
            return 2 * IMPOSSIBLE
        total += scaled(shares, _SMALL)
        play_chances(evidence.reactivity, hand, size, step, chances, room, shares)
        if step[KIND] == PLAYS:
            hand[step[FIRST]] -= step[SECOND]
            size -= step[SECOND]
            continue
        if step[DRAWS] > 0:
            hand[slots[step[SLOT]]] += 1
            size += 1
        if step[FIRST] >= 0 and hand[step[FIRST]] == 0:
            return 2 * IMPOSSIBLE
        exchange_chances(hand, evidence.piles[row], evidence.copies, step, chances, room, shares)
        if step[FIRST] >= 0:
            hand[step[FIRST]] -= 1
            hand[step[SECOND]] += 1
    return total + scaled(shares, 2.0)
