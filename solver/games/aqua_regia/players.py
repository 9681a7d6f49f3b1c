"""The plausible player of Aqua Regia, as kernels: a softmax policy that sees only its own cards and the table.

It does not look ahead: a choice's value is a weighted sum of features, and its probability is proportional to
exp(value). The weights in PLAYER were learned by self-play (`training.aqua_regia_rules`).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np

from solver.common import Others
from solver.games.aqua_regia.deck import Deck
from solver.games.aqua_regia.rules import MOST_AT_ONCE, Play, needs
from solver.hints.policy import gumbel
from solver.kernels.jit import lean
from solver.kernels.words import Floats, Words

# Features of a play; leads have weights of their own.
CARDS = 0  # how many
STRENGTH = 1  # of the metal, 0 to 1
SPLITS = 2  # cards of the metal that stay in the hand
RARE = 3  # fields in which the metal can't be played
JUMP = 4  # how much stronger it is than the top play, 0 to 1; led: its strength among the hand's possible leads
NEXT = 5  # whether it can also be played in the next field
PLAY_FEATURES = 6
# Features of a pass and of an exchange.
PASS = 2 * PLAY_FEATURES
PASS_DRAWS = PASS + 1
EXCHANGE = PASS + 2
MATCHES = PASS + 3  # cards of the taken metal in the hand
BREAKS = PASS + 4  # cards of the discarded metal that stay
GAINS_FIELDS = PASS + 5  # fields for the metal taken, minus those for the metal discarded
GAINS_NEXT = PASS + 6  # the same for the next field
GAINS_STRENGTH = PASS + 7
WEIGHTS = PASS + 8

NO_PLAY = -1
# The row after those of the four fields in a table of reactivities: how many cards of a metal of reactivity 1 may
# be played on a single card.
ON_ONE = 4


def reactivity_rows(deck: Deck) -> Words:
    """Return the reactivities as an array: one row per field, then the row ON_ONE; one column per metal."""
    on_one = 2 if needs(deck, 2, Play(0, 1)) == 1 else 1
    return np.array([*deck.reactivity, [on_one] * deck.size], np.int64)


class Turn(NamedTuple):
    """What a choice depends on besides the hand.

    `following` is the field after `field`. `metal` and `number` (of cards) are the play on top; `number` is 0 for
    a lead. `draws` is 1 while the stock has cards for a pass to draw, else 0.
    """

    field: int
    following: int
    metal: int
    number: int
    draws: int


@lean
def play_value(
    reactivity: Words,
    held: int,
    following: int,
    metal: int,
    count: int,
    other: int,
    number: int,
    weights: Floats,
) -> float:
    """Return the value of playing `number` of the `held` cards of the metal `other`.

    The play on top is `count` cards of `metal`; `count` is 0 for a lead. `following` is the field after the
    current one.
    """
    metals = reactivity.shape[1]
    scale = 1.0 / metals
    start = 0 if count else PLAY_FEATURES
    rare = 0
    for some in range(4):
        rare += int(reactivity[some, other] == 0)
    value = weights[start + CARDS] * number + weights[start + STRENGTH] * other * scale
    value += weights[start + SPLITS] * (held > number) + weights[start + RARE] * rare
    value += weights[start + JUMP] * (other - metal if count else other) * scale * (number > 1)
    return float(value + weights[start + NEXT] * (reactivity[following, other] > 0))


@lean
def pass_value(draws: int, weights: Floats) -> float:
    """Return the value of passing; `draws` is 1 while the stock has cards."""
    return float(weights[PASS] + weights[PASS_DRAWS] * draws)


@lean
def exchange_value(
    reactivity: Words, hand: Words, following: int, given: int, taken: int, weights: Floats
) -> float:
    """Return the value of exchanging a card, relative to exchanging none."""
    fields = 0
    for some in range(4):
        fields += int(reactivity[some, taken] > 0) - int(reactivity[some, given] > 0)
    ready = int(reactivity[following, taken] > 0) - int(reactivity[following, given] > 0)
    value = weights[EXCHANGE] + weights[MATCHES] * hand[taken] + weights[BREAKS] * (hand[given] - 1)
    value += weights[GAINS_FIELDS] * fields + weights[GAINS_NEXT] * ready
    return float(value + weights[GAINS_STRENGTH] * (taken - given) / len(hand))


@lean
def choose_play(reactivity: Words, hand: Words, size: int, turn: Turn, weights: Floats, random: Words) -> int:
    """Choose a play or a pass at random: 8 * metal + count for a play, `NO_PLAY` for a pass.

    Probabilities are proportional to exp(value), but a play that goes out is always chosen. `reactivity` is from
    `reactivity_rows`; `hand` has a count per metal, `size` cards in total.
    """
    field, following, metal, count, draws = turn
    metals = len(hand)
    best, chosen = -1e300, NO_PLAY
    if count:
        best = pass_value(draws, weights) + gumbel(random)
    least, most = max(count, 1), min(count + 1, MOST_AT_ONCE) if count else MOST_AT_ONCE
    for other in range(metal + 1 if count else 0, metals):
        lets = reactivity[field, other]
        held = hand[other]
        if held < least or lets == 0:
            continue
        single = reactivity[ON_ONE, other] if count == 1 else 1
        for number in range(least, min(held, most if lets > 1 else single) + 1):
            if number == size:
                return int(8 * other + number)
            value = gumbel(random) + play_value(reactivity, held, following, metal, count, other, number, weights)
            if value > best:
                best, chosen = value, 8 * other + number
    return int(chosen)


@lean
def choose_exchange(
    reactivity: Words, hand: Words, discard: Words, copies: int, following: int, weights: Floats, random: Words
) -> int:
    """Choose an exchange at random: 1000 * metal discarded + metal taken, or `NO_PLAY` for none.

    Probabilities are proportional to exp(value). `hand` includes the card just drawn.
    """
    best, chosen = gumbel(random), NO_PLAY
    for taken in range(1, len(hand)):
        if not 0 < discard[taken] < copies:
            continue
        for given in range(taken):
            if hand[given] == 0:
                continue
            value = exchange_value(reactivity, hand, following, given, taken, weights) + gumbel(random)
            if value > best:
                best, chosen = value, 1000 * given + taken
    return int(chosen)


# ----------------------------------------------------------------------------------------------------
# The weights of Aqua Regia's plausible players; `training.aqua_regia_rules` found PLAYER for the house deck.


# fmt: off
PLAYER = (
    19.55, -2.02, -1.03, 11.61, 1.85, 1.22,  # to follow
    5.78, 10.75, -5.16, 16.88, 15.21, -8.16,  # to lead
    5.93, -1.45, 3.49, 5.34, -12.55, 19.78, 10.74, -5.31,  # to pass, and to exchange
)
# Players who look ahead: fitted by `training.aqua_regia_rules` to 5,188 choices of hints in 400 games with three
# players, where hints took all others for trained rule players. Hints have changed since; a new fit gives somewhat
# different weights.
AHEAD = (
    0.81, 4.69, -0.77, -0.02, -0.4, -0.04,  # to follow
    0.35, 3.14, -1.28, 0.7, 0.4, -1.4,  # to lead
    1.87, -0.72, 0.21, 0.72, -1.69, 1.38, 0.04, 0.41,  # to pass, and to exchange
)
GREEDY = (
    20.0, -15.0, 0.0, 0.0, 0.0, 0.0,  # to follow
    20.0, -15.0, 0.0, 0.0, 0.0, 0.0,  # to lead
    -40.0, 0.0, -5.0, 20.0, -20.0, 0.0, 0.0, 5.0,  # to pass, and to exchange
)
# fmt: on


# ----------------------------------------------------------------------------------------------------
# The assumed kinds of the other players. A seat's own choices are evidence of its kind, as of its cards
# (`worlds.log_likelihood`).
#
# * Equals do what hints do, as far as weights can express it (``python -m training.aqua_regia_rules watch``).
#
# * A club player plays by PLAYER, the weights learned by self-play.
#
# * A beginner plays by these weights, too, but is a fifth as sure of them.


class Kinds(NamedTuple):
    """The assumed kinds of players; the first index of each array is the kind.

    `weights` are those of each kind, `at_random` the share of its choices that is random, and `expected` the share
    of players that are of the kind.
    """

    weights: Floats
    at_random: Floats
    expected: Floats


def _kinds(*rows: tuple[tuple[float, ...], float, float]) -> Kinds:
    kinds = Kinds(*(np.array(column) for column in zip(*rows, strict=True)))
    for array in kinds:
        array.flags.writeable = False
    return kinds


_LESS_SURE = 0.2  # a factor on a club player's weights

KINDS: Mapping[Others, Kinds] = {
    "equal": _kinds((AHEAD, 0.1, 1.0)),
    "club": _kinds((PLAYER, 0.1, 1.0)),
    "beginner": _kinds((tuple(_LESS_SURE * weight for weight in PLAYER), 0.1, 1.0)),
}
