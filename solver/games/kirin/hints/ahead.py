"""A player of kirin who looks ahead, as far as a small network tells what such a one plays, as kernels.

Hints played rounds among themselves, and the network (`solver.hints.learned.chooser`) learned to tell what they
played; `ahead.json` says how well it does. It judges each card from the features of `policy` and from what can be
counted quickly: the cards of the hand and the unseen ones that beat it or are beaten, the own colour, and how
strong what is kept will be by the direction that the trick then sets. The contexts are the cards on the table.
Cards as in `order`.
"""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

import numpy as np

from solver.games.kirin.fast_rules.kernel import direction_after
from solver.games.kirin.fast_rules.order import (
    ASCENDING_KIRIN,
    CARDS,
    DESCENDING_KIRIN,
    KIRIN,
    QUALIFYING,
    RANKED,
    STRONGER,
    TRUMPS,
    WEAKER,
)
from solver.games.kirin.hints.policy import (
    BEATS_TABLE,
    BEST,
    DIRECTION,
    FEATURES,
    FORCES,
    FORCES_KIRIN,
    FORCES_OWN,
    FORCES_OWN_WINS,
    HEIGHT,
    IS_KIRIN,
    OTHER_HEIGHT,
    OWN_CARD,
    OWN_HEIGHT,
    PLAYED,
    TRICK,
    TRUMP,
    TURNS,
    WINS,
    WINS_OWN_CARD,
    WINS_OWN_TABLE,
    WINS_TRICKS_LEFT,
    colour_of,
    rank_of,
)
from solver.hints.learned.chooser import NOTHING, UNITS, Chooser, ChooserRoom, chooser_kernels, chooser_of
from solver.hints.learned.network import Singles
from solver.kernels.arrays import Floats, Words
from solver.kernels.bits import popcount, trailing_zeros, unsigned
from solver.kernels.jit import inlined, kernel

SHARED = 16  # inputs that all cards of a choice have alike
OWN = FEATURES + 12  # inputs of a card
EXPECTED = (0.5, 0.5)  # players by rules, and who look ahead

think_of_choice, think_of_card = chooser_kernels("kirin_ahead", SHARED, OWN)


class Ahead(NamedTuple):
    """What is known of players who look ahead: the network, the weights by which they set cards aside (see
    `policy.declare_values`), and how many players are expected to play by rules, and to look ahead (shares).
    """

    net: Chooser
    declare: Floats
    expected: Floats


class Sight(NamedTuple):
    """What is counted once for all cards of a choice.

    `threats` has, by direction and card of the hand, how many unseen cards beat it; `sums` by direction the sum of
    that over the hand, then over its cards of the own colour.
    """

    threats: Words
    sums: Words


class Thoughts(NamedTuple):
    """Room to think in."""

    sight: Sight
    net: ChooserRoom


@lru_cache(maxsize=1)
def ahead() -> Ahead:
    """What the package knows of them."""
    with np.load(Path(__file__).with_name("ahead.npz")) as arrays:
        return Ahead(chooser_of(arrays), arrays["declare"].astype(np.float64), np.array(EXPECTED))


NOBODY = Ahead(NOTHING, np.zeros(0), np.array([1.0, 0.0]))  # looks ahead: all play by rules


@kernel
def new_thoughts() -> Thoughts:
    """Room to think in."""
    return Thoughts(
        Sight(np.zeros(2 * CARDS, np.int64), np.zeros(4, np.int64)),
        ChooserRoom(
            np.zeros(SHARED, np.float32),
            np.zeros(OWN, np.float32),
            np.zeros(UNITS, np.float32),
            np.zeros(UNITS, np.float32),
        ),
    )


@inlined
def look(hand: int, own: int, unseen: int, sight: Sight) -> None:
    """Count what beats the cards of a hand."""
    threats, sums = sight.threats, sight.sums
    for direction in range(2):
        whole = 0
        mine = 0
        rest = hand
        while rest != 0:
            card = trailing_zeros(rest)
            rest &= rest - 1
            at = direction * CARDS + card
            count = popcount(STRONGER[unsigned(at)] & unseen)
            threats[unsigned(at)] = count
            whole += count
            mine += count * ((own >> card) & 1)
        sums[direction] = whole
        sums[2 + direction] = mine


@inlined
def shared_inputs(hand: int, own: int, unseen: int, table: Words, legal: int, sight: Sight, out: Singles) -> None:
    """Write what all cards of a choice have alike, after `look`."""
    direction, best, trick = table[DIRECTION], table[BEST], table[TRICK]
    count = popcount(unseen)
    scale = 1.0 / count if count > 0 else 0.0
    left = popcount(hand)
    beats = RANKED if best < 0 else STRONGER[unsigned(direction * CARDS + best)]
    out[0] = 0.125 * left
    out[1] = 0.3 * popcount(hand & own)
    out[2] = 0.2 * popcount(unseen & own)
    out[3] = 0.5 * popcount(trick & own)
    out[4] = direction
    out[5] = direction_after(trick, direction)
    out[6] = 0.3 * popcount(hand & KIRIN)
    out[7] = 0.2 * popcount(unseen & ASCENDING_KIRIN)
    out[8] = 0.2 * popcount(unseen & DESCENDING_KIRIN)
    out[9] = 0.3 * popcount(hand & TRUMPS)
    out[10] = 0.3 * popcount(unseen & TRUMPS)
    out[11] = 0.0 if best < 0 else 1.0 - scale * popcount(beats & unseen)
    out[12] = 0.3 * popcount(hand & beats)
    out[13] = 0.0 if legal == hand else 1.0
    out[14] = scale * sight.sums[0] / left
    out[15] = scale * sight.sums[1] / left


@inlined
def own_inputs(card: int, hand: int, own: int, unseen: int, table: Words, sight: Sight, out: Singles) -> None:
    """Write what is told of a card of the hand, after `look`: the features of `policy`, and what is counted."""
    direction, played, trick = table[DIRECTION], table[PLAYED], table[TRICK]
    one = 1 << card
    at = unsigned(direction * CARDS + card)
    count = popcount(unseen)
    scale = 1.0 / count if count > 0 else 0.0
    best = table[BEST]
    height = 1.0 - scale * sight.threats[at]
    beats = 0.0
    if one & RANKED and (best < 0 or STRONGER[unsigned(direction * CARDS + best)] & one):
        beats = 1.0
    wins = beats
    if beats > 0.0:
        for _ in range(3 - played):
            wins *= height
    mine = 1.0 if one & own else 0.0
    before = direction_after(trick, direction)
    after = direction_after(trick | one, direction) if one & KIRIN else before
    out[WINS] = wins
    out[WINS_OWN_TABLE] = wins * popcount(trick & own)
    out[WINS_OWN_CARD] = wins * mine
    out[OWN_CARD] = mine
    out[HEIGHT] = height
    out[OTHER_HEIGHT] = 1.0 - scale * sight.threats[unsigned((1 - direction) * CARDS + card)]
    out[TRUMP] = 1.0 if one & TRUMPS else 0.0
    out[IS_KIRIN] = 1.0 if one & KIRIN else 0.0
    kept_after = sight.sums[after] - sight.threats[unsigned(after * CARDS + card)]
    kept_before = sight.sums[before] - sight.threats[unsigned(before * CARDS + card)]
    out[TURNS] = scale * (kept_before - kept_after)
    out[WINS_TRICKS_LEFT] = wins * scale * popcount(unseen & own)
    out[OWN_HEIGHT] = mine * height
    out[BEATS_TABLE] = beats
    followers = QUALIFYING[at] & unseen if played == 0 else 0
    own_followers = scale * popcount(followers & own)
    out[FORCES] = scale * popcount(followers)
    out[FORCES_OWN] = own_followers
    out[FORCES_KIRIN] = scale * popcount(followers & KIRIN)
    out[FORCES_OWN_WINS] = wins * own_followers
    stronger, weaker = STRONGER[at], WEAKER[at]
    left = popcount(hand) - 1
    kept = popcount(hand & own & ~one)
    own_threats = sight.sums[2 + after]
    if one & own:
        own_threats -= sight.threats[unsigned(after * CARDS + card)]
    out[FEATURES] = 0.3 * popcount(hand & stronger)
    out[FEATURES + 1] = 0.3 * popcount(hand & weaker)
    out[FEATURES + 2] = 0.3 * popcount(hand & STRONGER[unsigned((1 - direction) * CARDS + card)])
    out[FEATURES + 3] = scale * kept_after / max(left, 1)
    out[FEATURES + 4] = 0.3 * (kept - scale * own_threats)
    out[FEATURES + 5] = 0.3 * popcount(unseen & own & weaker)
    out[FEATURES + 6] = 0.3 * popcount(unseen & own & stronger)
    out[FEATURES + 7] = 0.15 * rank_of(card) if one & RANKED else 0.0
    out[FEATURES + 8] = 1.0 if before != after else 0.0
    out[FEATURES + 9] = 0.3 * colour_of(card)
    out[FEATURES + 10] = beats * popcount(hand & weaker & ~own) * 0.3
    out[FEATURES + 11] = 0.3 * popcount(hand & own & weaker)
