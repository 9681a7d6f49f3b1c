"""How likely a plausible player would have made the moves that were seen, as kernels.

A seat's hand is followed through the game: its cards of the start, the cards that it drew, those that it took.
Each choice counts with the chance that the player of `policy` makes it, one choice in ten being made at random.
"""

from __future__ import annotations

from math import exp, log
from typing import NamedTuple

from solver.games.aqua_regia.cards.rules import MOST_AT_ONCE
from solver.games.aqua_regia.hints.policy import ON_ONE, exchange_value, pass_value, play_value
from solver.hints.policy import mixed
from solver.kernels.arrays import Floats, Words
from solver.kernels.jit import lean

MIXED = 0.1  # of each choice is taken to be made at random

# Words of what was seen: its kind; the seat; the field and the one after it; the play on top (no cards: to lead);
# whether a pass draws; the metal and number of cards played, or the metals discarded and taken (-1: none); the
# slot that a pass draws, among the cards that are hidden at the start.
KIND, SEAT, FIELD, FOLLOWING, METAL, COUNT, DRAWS, FIRST, SECOND, SLOT = range(10)
STEP_WORDS = 10
PLAYS, PASSES, STUCK = range(3)


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
    weights: Floats  # the plausible player's


IMPOSSIBLE = -1e15  # beyond any sum of logarithms of chances
_SMALL = 1e-200  # products from here on are turned into logarithms
_GOES_OUT = 1000.0  # added to a play's value: the player is sure to go out


@lean
def play_chance(reactivity: Words, hand: Words, size: int, step: Words, weights: Floats) -> float:
    """The chance that a hand of `size` cards plays, or passes, as the step says."""
    metal, count = step[METAL], step[COUNT]
    top, total, made, choices = -1e300, 0.0, 0.0, 0
    if count > 0:
        top, total, choices = pass_value(step[DRAWS], weights), 1.0, 1
        made = 1.0 if step[KIND] == PASSES else 0.0
    least, most = max(count, 1), min(count + 1, MOST_AT_ONCE) if count > 0 else MOST_AT_ONCE
    for other in range(metal + 1 if count > 0 else 0, len(hand)):
        lets = reactivity[step[FIELD], other]
        held = hand[other]
        if held < least or lets == 0:
            continue
        single = reactivity[ON_ONE, other] if count == 1 else 1
        for number in range(least, min(held, most if lets > 1 else single) + 1):
            value = play_value(reactivity, held, step[FOLLOWING], metal, count, other, number, weights)
            if number == size:
                value += _GOES_OUT
            if value > top:
                shrunk = exp(top - value)
                total *= shrunk
                made *= shrunk
                top = value
            share = exp(value - top)
            total += share
            choices += 1
            if step[KIND] == PLAYS and other == step[FIRST] and number == step[SECOND]:
                made += share
    return float(mixed(made, total, choices, MIXED))


@lean
def exchange_chance(
    reactivity: Words, hand: Words, discard: Words, copies: int, step: Words, weights: Floats
) -> float:
    """The chance that a hand, with the card drawn, exchanges as the step says."""
    top, total, choices = 0.0, 1.0, 1
    made = 1.0 if step[FIRST] < 0 else 0.0
    for taken in range(1, len(hand)):
        if discard[taken] <= 0 or discard[taken] >= copies:
            continue
        for given in range(taken):
            if hand[given] == 0:
                continue
            value = exchange_value(reactivity, hand, step[FOLLOWING], given, taken, weights)
            if value > top:
                shrunk = exp(top - value)
                total *= shrunk
                made *= shrunk
                top = value
            share = exp(value - top)
            total += share
            choices += 1
            if given == step[FIRST] and taken == step[SECOND]:
                made += share
    return float(mixed(made, total, choices, MIXED))


@lean
def log_likelihood(seat: int, evidence: Evidence, slots: Words, hand: Words) -> float:
    """The logarithm of the chance of what a seat was seen to do, with the cards in `slots`.

    At most `IMPOSSIBLE` where they don't allow it. `hand` becomes what the seat holds now.
    """
    begin, end = evidence.ends[seat, 0], evidence.ends[seat, 1]
    size = end - begin
    for metal in range(len(hand)):
        hand[metal] = evidence.held[seat, metal]
        size += hand[metal]
    for slot in range(begin, end):
        hand[slots[slot]] += 1
    total, chance = 0.0, 1.0
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
        if chance < _SMALL:
            total += log(chance)
            chance = 1.0
        chance *= play_chance(evidence.reactivity, hand, size, step, evidence.weights)
        if step[KIND] == PLAYS:
            hand[step[FIRST]] -= step[SECOND]
            size -= step[SECOND]
            continue
        if step[DRAWS] > 0:
            hand[slots[step[SLOT]]] += 1
            size += 1
        if step[FIRST] >= 0 and hand[step[FIRST]] == 0:
            return 2 * IMPOSSIBLE
        pile, copies = evidence.piles[row], evidence.copies
        chance *= exchange_chance(evidence.reactivity, hand, pile, copies, step, evidence.weights)
        if step[FIRST] >= 0:
            hand[step[FIRST]] -= 1
            hand[step[SECOND]] += 1
    return total + log(chance)
