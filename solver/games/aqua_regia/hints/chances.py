"""How likely each kind of player makes a choice that was seen, as kernels.

What a choice is worth (`policy`) is a sum of terms, so its exponential is a product: those of plays, and those of
the two cards of an exchange, are looked up in tables, with a column for each kind. An exchange is worth what the
card taken and the card given are worth, each for itself, so all exchanges are added up card by card.
"""

from __future__ import annotations

from math import exp
from typing import NamedTuple

import numpy as np

from solver.games.aqua_regia.cards.rules import MOST_AT_ONCE
from solver.games.aqua_regia.hints.kinds import Kinds
from solver.games.aqua_regia.hints.policy import (
    BREAKS,
    EXCHANGE,
    GAINS_FIELDS,
    GAINS_NEXT,
    GAINS_STRENGTH,
    JUMP,
    MATCHES,
    ON_ONE,
    pass_value,
    play_value,
)
from solver.hints.policy import mixed
from solver.kernels.arrays import Floats, Words
from solver.kernels.jit import kernel, lean

# Words of what was seen: its kind; the seat; the field and the one after it; the play on top (no cards: to lead);
# whether a pass draws; the metal and number of cards played, or the metals discarded and taken (-1: none); the
# slot that a pass draws, among the cards that are hidden at the start.
KIND, SEAT, FIELD, FOLLOWING, METAL, COUNT, DRAWS, FIRST, SECOND, SLOT = range(10)
STEP_WORDS = 10
PLAYS, PASSES, STUCK = range(3)

_FIELDS = 4
_LARGEST = 300.0  # of a term, so that products stay finite: larger ones come up with more than a dozen copies only


class Chances(NamedTuple):
    """The exponentials of what choices are worth; the last index is the kind.

    `plays` is by whether it is a lead (1), the field after this one, the metal, the number of cards less 1, and
    whether cards of the metal stay (1). Plays of two cards and more upon others count times `jumps`, by the metal
    on top. `passes` is by whether they draw; `gives` and `takes` by the field after this one, the metal, and how
    many cards of it are in the hand. `at_random` is the share of a kind's choices that is made at random.
    """

    plays: Floats
    jumps: Floats
    passes: Floats
    gives: Floats
    takes: Floats
    at_random: Floats


@lean
def _bounded(value: float) -> float:
    return exp(min(max(value, -_LARGEST), _LARGEST))


@kernel
def chances_of(reactivity: Words, copies: int, kinds: Kinds) -> Chances:
    """The tables for a deck; `reactivity` is as `policy.reactivity_rows` makes it."""
    count, metals = len(kinds.expected), reactivity.shape[1]
    found = Chances(
        np.empty((2, _FIELDS, metals, MOST_AT_ONCE, 2, count)),
        np.empty((metals, count)),
        np.empty((2, count)),
        np.empty((_FIELDS, metals, copies + 1, count)),
        np.empty((_FIELDS, metals, copies + 1, count)),
        kinds.at_random,
    )
    for kind in range(count):
        weights = kinds.weights[kind]
        for draws in range(2):
            found.passes[draws, kind] = _bounded(pass_value(draws, weights))
        for metal in range(metals):
            strength = metal / metals
            found.jumps[metal, kind] = _bounded(-weights[JUMP] * strength)
            fields = 0
            for field in range(_FIELDS):
                fields += int(reactivity[field, metal] > 0)
            for field in range(_FIELDS):
                for number in range(1, MOST_AT_ONCE + 1):
                    for stay in range(2):
                        for lead in range(2):
                            value = play_value(
                                reactivity, number + stay, field, 0, 1 - lead, metal, number, weights
                            )
                            found.plays[lead, field, metal, number - 1, stay, kind] = _bounded(value)
                gains = weights[GAINS_FIELDS] * fields + weights[GAINS_STRENGTH] * strength
                gains += weights[GAINS_NEXT] * int(reactivity[field, metal] > 0)
                for held in range(copies + 1):
                    taken = weights[EXCHANGE] + weights[MATCHES] * held + gains
                    found.takes[field, metal, held, kind] = _bounded(taken)
                    found.gives[field, metal, held, kind] = _bounded(weights[BREAKS] * (held - 1) - gains)
    return found


@lean
def play_chances(
    reactivity: Words, hand: Words, size: int, step: Words, chances: Chances, room: Floats, out: Floats
) -> None:
    """Multiply `out` by the chance of each kind with this hand of `size` cards to play or pass as a step says.

    A hand that can go out is sure to, but for what is done at random. `room` is for a number of each kind.
    """
    metal, count, following, kinds = step[METAL], step[COUNT], step[FOLLOWING], len(out)
    lead = 1 if count == 0 else 0
    choices, ends = 1 - lead, 0
    for kind in range(kinds):
        room[kind] = chances.passes[step[DRAWS], kind] if count > 0 else 0.0
    least, most = max(count, 1), min(count + 1, MOST_AT_ONCE) if count > 0 else MOST_AT_ONCE
    for other in range(metal + 1 if count > 0 else 0, len(hand)):
        lets = reactivity[step[FIELD], other]
        held = hand[other]
        if held < least or lets == 0:
            continue
        single = reactivity[ON_ONE, other] if count == 1 else 1
        for number in range(least, min(held, most if lets > 1 else single) + 1):
            choices += 1
            ends |= int(number == size)
            stay = 1 if held > number else 0
            for kind in range(kinds):
                share = chances.plays[lead, following, other, number - 1, stay, kind]
                room[kind] += share * chances.jumps[metal, kind] if number > 1 and lead == 0 else share
    plays, other, number = step[KIND] == PLAYS, step[FIRST], step[SECOND]
    stay = 1 if plays and hand[other] > number else 0
    for kind in range(kinds):
        made, total = 0.0, room[kind]
        if ends:
            made, total = 1.0 if plays and number == size else 0.0, 1.0
        elif plays:
            made = chances.plays[lead, following, other, number - 1, stay, kind]
            if number > 1 and lead == 0:
                made *= chances.jumps[metal, kind]
        else:
            made = chances.passes[step[DRAWS], kind]
        out[kind] *= mixed(made, total, choices, chances.at_random[kind])


@lean
def exchange_chances(
    hand: Words, discard: Words, copies: int, step: Words, chances: Chances, room: Floats, out: Floats
) -> None:
    """Multiply `out` by the chance of each kind to exchange as a step says; the hand has the card drawn.

    `room` is for two numbers of each kind.
    """
    following, kinds, choices, given = step[FOLLOWING], len(out), 1, 0
    for kind in range(kinds):
        room[kind], room[kinds + kind] = 1.0, 0.0
    for metal in range(len(hand)):
        held = min(hand[metal], copies)  # more only where another hand then lacks cards that it showed
        if given > 0 and 0 < discard[metal] < copies:
            choices += given
            for kind in range(kinds):
                room[kind] += chances.takes[following, metal, held, kind] * room[kinds + kind]
        if held > 0:
            given += 1
            for kind in range(kinds):
                room[kinds + kind] += chances.gives[following, metal, held, kind]
    given, taken = step[FIRST], step[SECOND]
    for kind in range(kinds):
        made = 1.0
        if given >= 0:
            made = chances.gives[following, given, min(hand[given], copies), kind]
            made *= chances.takes[following, taken, min(hand[taken], copies), kind]
        out[kind] *= mixed(made, room[kind], choices, chances.at_random[kind])
