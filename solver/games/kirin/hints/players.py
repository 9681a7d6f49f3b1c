"""The kinds of players that a hint of kirin reckons with, as kernels: nobody knows how the others choose.

Each seat plays by rules, as the player of `policy` that learned by self-play, or looks ahead, as the network of
`ahead` tells. Which one it is its own choices tell, as they tell of its cards (`likelihood`); and it plays on as
one of them, as often as it is likely to be that one. Cards as in `order`.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from solver.games.kirin.hints.ahead import (
    Ahead,
    Thoughts,
    look,
    new_thoughts,
    own_inputs,
    shared_inputs,
    think_of_card,
    think_of_choice,
)
from solver.games.kirin.hints.policy import FEATURES, PLAYED, draw, values
from solver.hints.policy import to_chances
from solver.kernels.arrays import Floats, Words
from solver.kernels.bits import popcount, trailing_zeros, unsigned
from solver.kernels.jit import inlined, kernel, lean
from solver.kernels.rng import uniform

BY_RULES, LOOKS_AHEAD = range(2)
KINDS = 2
MIXED = np.array([0.1, 0.05])  # the share of each kind's choices that is taken to be made at random
MOST = 9  # cards to choose from


class Room(NamedTuple):
    """Room for a choice: the features of a card, by kind the values (later chances) of `MOST` cards; thoughts."""

    features: Floats
    values: Floats
    thoughts: Thoughts


@kernel
def new_room() -> Room:
    """Room for the choices of a seat."""
    return Room(np.zeros(FEATURES), np.zeros(KINDS * MOST), new_thoughts())


@inlined
def expects(ahead: Ahead, kind: int) -> bool:
    """Whether there may be players of a kind."""
    return bool(ahead.expected[kind] > 0.0)


@inlined
def by_weights(hand: int, table: Words, weights: Floats, thoughts: Thoughts) -> float:
    """The value of the card whose inputs are in `thoughts` to who plays by rules (see `policy.values`)."""
    inputs = thoughts.net.own
    at = 2 * FEATURES * table[PLAYED]
    left = popcount(hand) * 0.125
    one = 0.0
    two = 0.0
    for index in range(0, FEATURES, 2):
        here = unsigned(at + index)
        one += inputs[unsigned(index)] * (weights[here] + left * weights[unsigned(at + FEATURES + index)])
        two += inputs[unsigned(index + 1)] * (
            weights[unsigned(at + index + 1)] + left * weights[unsigned(at + FEATURES + index + 1)]
        )
    return one + two


@lean
def judge(
    hand: int, own: int, unseen: int, table: Words, legal: int, play: Floats, ahead: Ahead, rules: bool, room: Room
) -> None:
    """Write the value of each legal card to who looks ahead, and with `rules` to who plays by rules, to `room`."""
    thoughts = room.thoughts
    look(hand, own, unseen, thoughts.sight)
    shared_inputs(hand, own, unseen, table, legal, thoughts.sight, thoughts.net.shared)
    context = table[PLAYED]
    think_of_choice(ahead.net, context, thoughts.net)
    place = 0
    rest = legal
    while rest != 0:
        card = trailing_zeros(rest)
        rest &= rest - 1
        own_inputs(card, hand, own, unseen, table, thoughts.sight, thoughts.net.own)
        room.values[MOST + place] = think_of_card(ahead.net, context, thoughts.net)
        if rules:
            room.values[place] = by_weights(hand, table, play, thoughts)
        place += 1


@lean
def judge_kinds_of(
    hand: int, own: int, unseen: int, table: Words, legal: int, play: Floats, ahead: Ahead, room: Room
) -> None:
    """Write the value of each legal card to each kind of player that is expected to `room`."""
    if expects(ahead, LOOKS_AHEAD):
        judge(hand, own, unseen, table, legal, play, ahead, expects(ahead, BY_RULES), room)
    else:
        values(hand, own, unseen, table, play, room.features, room.values)


@inlined
def drawn(share: float, random: Words) -> bool:
    """Whether something is so that is as likely as `share`. What is certain takes no random number."""
    return bool(share > 0.0 and (share >= 1.0 or uniform(random) < share))


@inlined
def draw_of(legal: int, room: Room, random: Words) -> int:
    """The card that who looks ahead draws, after `judge`."""
    told = room.values[MOST:]
    to_chances(popcount(legal), told)
    return int(draw(legal, told, random))


@inlined
def best_of(legal: int, room: Room) -> int:
    """The card that who looks ahead values most, after `judge`; the first of equals."""
    found = 0
    for place in range(1, popcount(legal)):
        if room.values[MOST + place] > room.values[MOST + found]:
            found = place
    for _ in range(found):
        legal &= legal - 1
    return trailing_zeros(legal)
