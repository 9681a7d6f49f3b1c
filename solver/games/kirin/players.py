"""Kernels for the two kinds of players that Kirin's hints simulate: rule-based ones, and ones who look ahead.

A rule-based player chooses cards by a weighted sum of features, with weights learned by self-play. A player who
looks ahead chooses by a small network that was trained to imitate hints. Among players of equal strength, both
kinds are expected; club players and beginners are all rule-based. A seat's choices are evidence of its kind as
well as of its cards (`solver.hints.rounds`): in simulated play, it acts as either kind, with the probability that
it is of that kind. A hint's first answer is the choice of a player who looks ahead.
"""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

import numpy as np

from solver.games.kirin.deck import CARDS, KIRIN
from solver.games.kirin.fast_rules import (
    ASCENDING_KIRIN,
    BEST,
    COLOUR_OF,
    DESCENDING_KIRIN,
    DIRECTION,
    PLAYED,
    QUALIFYING,
    RANK_OF,
    RANKED,
    SAME_COLOUR,
    STANDARD,
    STRONGER,
    TRICK,
    TRUMPS,
    WEAKER,
    ahead_of,
    direction_after,
    playable,
)
from solver.hints.network import UNITS, Chooser, ChooserScratch, Singles, chooser_kernels, chooser_of
from solver.kernels.jit import inlined, lean
from solver.kernels.words import Floats, Words, popcount, trailing_zeros

# ----------------------------------------------------------------------------------------------------
# A plausible player of Kirin, as kernels: it sees its own cards and the cards played, and does not think ahead.
#
# A card's value is a weighted sum of features; the weights depend on the number of cards on the table and,
# linearly, on the number left in the hand. The card is drawn with probabilities proportional to exp(value). The
# weights, below, were learned by self-play (`training.kirin_rules`).


# Features of a card. "Wins" is 0 if it does not beat the table so far; otherwise it is the chance that no card of
# the later seats beats it, if they draw at random from the unseen cards.
WINS = 0
WINS_OWN_TABLE = 1  # wins, times the cards of the player's colour on the table
WINS_OWN_CARD = 2  # wins, if it is of the player's colour
OWN_CARD = 3
HEIGHT = 4  # the share of unseen cards that do not beat it
OTHER_HEIGHT = 5  # the same in the other direction
TRUMP = 6
IS_KIRIN = 7
TURNS = 8  # the improvement of the kept hand if the kirin so far decide the direction
WINS_TRICKS_LEFT = 9  # wins, times the share of own-colour cards still unseen
OWN_HEIGHT = 10  # height, of an own-colour card
BEATS_TABLE = 11  # it beats what is on the table
FORCES = 12  # led: the share of unseen cards that would have to follow
FORCES_OWN = 13  # led: the share of unseen cards that are of the player's colour and would have to follow
FORCES_KIRIN = 14  # led: the share of unseen cards that are kirin and would have to follow
FORCES_OWN_WINS = 15  # led: those of the player's colour, times wins
FEATURES = 16
CONTEXTS = 4  # numbers of cards on the table
WEIGHTS = 2 * CONTEXTS * FEATURES  # a constant and a slope in the cards left

# Weights of setting a card aside: for each rank (1 … 6, trump, ascending, descending kirin) the worth of a kept
# card of the colour, then that of the card set aside.
DECLARE_WEIGHTS = 18


LOOKS_AHEAD, BY_RULES = range(2)
KINDS = 2
MIXED = np.array([0.05, 0.1])  # the share of each kind's choices that is random
MOST = 9  # cards to choose from
RANKS = 9  # of a colour


class Sight(NamedTuple):
    """How many unseen cards beat each card of a hand; counted once for each choice (see `look`).

    `threats` has this number for each direction and card of the hand, at index direction * `CARDS` + card. `sums`
    has its sum over the whole hand in each direction, and then its sum over the hand's cards of the player's
    colour in each direction.
    """

    threats: Words
    sums: Words


class Scratch(NamedTuple):
    """Scratch memory of a choice.

    `features` is for one card; `values` has the values, and later the probabilities, of `MOST` cards for each kind
    of player; `net` is for the network of players who look ahead.
    """

    sight: Sight
    features: Floats
    values: Floats
    net: ChooserScratch


def new_scratch() -> Scratch:
    return Scratch(
        Sight(np.zeros(2 * CARDS, np.int64), np.zeros(4, np.int64)),
        np.zeros(FEATURES),
        np.zeros(KINDS * MOST),
        ChooserScratch(
            np.zeros(SHARED, np.float32),
            np.zeros(OWN, np.float32),
            np.zeros(UNITS, np.float32),
            np.zeros(UNITS, np.float32),
        ),
    )


@inlined
def look(hand: int, own: int, unseen: int, sight: Sight) -> None:
    """Count the unseen cards that beat each card of a hand, in each direction, and write the counts to `sight`."""
    threats, sums = sight.threats, sight.sums
    for direction in range(2):
        whole = 0
        mine = 0
        rest = hand
        while rest != 0:
            card = trailing_zeros(rest)
            rest &= rest - 1
            at = direction * CARDS + card
            count = popcount(STRONGER[at] & unseen)
            threats[at] = count
            whole += count
            mine += count * ((own >> card) & 1)
        sums[direction] = whole
        sums[2 + direction] = mine


@inlined
def features(card: int, own: int, unseen: int, table: Words, sight: Sight, out: Floats | Singles) -> int:
    """Write the features of playing a card to `out`, indexed by `WINS` and so on.

    Sets of cards are masks: `own` has all cards of the player's colour, and `unseen` those that the player has not
    seen. `table` has the words of a node. The caller must have called `look`. Returns the direction that the trick
    sets so far, with this card.
    """
    direction, played, trick, threats = table[DIRECTION], table[PLAYED], table[TRICK], sight.threats
    bit = 1 << card
    count = popcount(unseen)
    scale = 1.0 / count if count > 0 else 0.0
    height = 1.0 - scale * threats[direction * CARDS + card]
    beats = 1.0 if bit & ahead_of(table[BEST], direction) else 0.0
    wins = beats
    if beats > 0.0:
        for _ in range(3 - played):
            wins *= height
    mine = 1.0 if bit & own else 0.0
    before = direction_after(trick, direction)
    after = direction_after(trick | bit, direction) if bit & KIRIN else before
    # How many fewer unseen cards beat a card of the rest of the hand after the change of direction, in all.
    gain = sight.sums[before] - threats[before * CARDS + card]
    gain -= sight.sums[after] - threats[after * CARDS + card]
    followers = QUALIFYING[direction * CARDS + card + table[STANDARD]] & unseen if played == 0 else 0
    out[WINS] = wins
    out[WINS_OWN_TABLE] = wins * popcount(trick & own)
    out[WINS_OWN_CARD] = wins * mine
    out[OWN_CARD] = mine
    out[HEIGHT] = height
    out[OTHER_HEIGHT] = 1.0 - scale * threats[(1 - direction) * CARDS + card]
    out[TRUMP] = 1.0 if bit & TRUMPS else 0.0
    out[IS_KIRIN] = 1.0 if bit & KIRIN else 0.0
    out[TURNS] = gain * scale
    out[WINS_TRICKS_LEFT] = wins * scale * popcount(unseen & own)
    out[OWN_HEIGHT] = mine * height
    out[BEATS_TABLE] = beats
    out[FORCES] = scale * popcount(followers)
    out[FORCES_OWN] = scale * popcount(followers & own)
    out[FORCES_KIRIN] = scale * popcount(followers & KIRIN)
    out[FORCES_OWN_WINS] = wins * scale * popcount(followers & own)
    return after


@inlined
def by_weights(hand: int, table: Words, weights: Floats, found: Floats | Singles) -> float:
    """Return a rule-based player's value of the card with the features `found`."""
    at = 2 * FEATURES * table[PLAYED]
    left = popcount(hand) * 0.125
    even = 0.0
    odd = 0.0
    for index in range(0, FEATURES, 2):
        offset = at + index
        even += found[index] * (weights[offset] + left * weights[offset + FEATURES])
        odd += found[index + 1] * (weights[offset + 1] + left * weights[offset + FEATURES + 1])
    return even + odd


@lean
def declare_values(hand: int, weights: Floats, out: Floats) -> None:
    """Write to `out`, for each card of a hand of nine in order, the value of setting it aside."""
    rest = hand
    index = 0
    while rest != 0:
        card = trailing_zeros(rest)
        rest &= rest - 1
        value = weights[9 + RANK_OF[card]]
        kept = hand & SAME_COLOUR[card] & ~(1 << card)
        while kept != 0:
            value += weights[RANK_OF[trailing_zeros(kept)]]
            kept &= kept - 1
        out[index] = value
        index += 1


# ----------------------------------------------------------------------------------------------------
# A player of Kirin who looks ahead, as kernels: a small network that imitates hints.
#
# The network (`solver.hints.network`) was trained on hints' plays in rounds among themselves; `ahead.json` says
# how well it does. It judges each card from its `features` and from quick counts: the cards of the hand and the
# unseen ones that beat it or are beaten, the player's colour, and the strength of the kept cards in the direction
# that the trick then sets. The contexts are the numbers of cards on the table.


SHARED = 16  # inputs shared by all cards of a choice
OWN = FEATURES + 12  # inputs of a card
EXPECTED = (0.5, 0.5)  # shares of players who look ahead, and of players by rules

think_of_choice, think_of_card = chooser_kernels("kirin_ahead", SHARED, OWN)


class Ahead(NamedTuple):
    """What hints assume about players who look ahead: how they choose, and how common they are.

    `net` is their network, and `declare` has the weights by which they set a card aside (see `declare_values`).
    `expected` has the assumed shares of players who look ahead and of rule-based players.
    """

    net: Chooser
    declare: Floats
    expected: Floats


@lru_cache(maxsize=1)
def ahead() -> Ahead:
    """Load the package's data about players who look ahead."""
    with np.load(Path(__file__).with_name("ahead.npz")) as arrays:
        return Ahead(chooser_of(arrays), arrays["declare"].astype(np.float64), np.array(EXPECTED))


ALL_BY_RULES = np.array([0.0, 1.0])  # `Ahead.expected` if the others are club players or beginners
LESS_SURE = 0.2  # a factor on the weights of players by rules, for beginners


@inlined
def shared_inputs(hand: int, own: int, unseen: int, table: Words, legal: int, sight: Sight, out: Singles) -> None:
    """Write the network inputs that are shared by all cards of a choice.

    The caller must have called `look`.
    """
    direction, best, trick = table[DIRECTION], table[BEST], table[TRICK]
    count = popcount(unseen)
    scale = 1.0 / count if count > 0 else 0.0
    left = popcount(hand)
    beats = ahead_of(best, direction)
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
    """Write the network inputs for a card of the hand: its features and further counts.

    The caller must have called `look`.
    """
    direction, trick, threats = table[DIRECTION], table[TRICK], sight.threats
    bit = 1 << card
    at = direction * CARDS + card
    count = popcount(unseen)
    scale = 1.0 / count if count > 0 else 0.0
    after = features(card, own, unseen, table, sight, out)
    kept_after = sight.sums[after] - threats[after * CARDS + card]
    stronger, weaker = STRONGER[at], WEAKER[at]
    left = popcount(hand) - 1
    kept = popcount(hand & own & ~bit)
    own_threats = sight.sums[2 + after]
    if bit & own:
        own_threats -= threats[after * CARDS + card]
    out[FEATURES] = 0.3 * popcount(hand & stronger)
    out[FEATURES + 1] = 0.3 * popcount(hand & weaker)
    out[FEATURES + 2] = 0.3 * popcount(hand & STRONGER[(1 - direction) * CARDS + card])
    out[FEATURES + 3] = scale * kept_after / max(left, 1)
    out[FEATURES + 4] = 0.3 * (kept - scale * own_threats)
    out[FEATURES + 5] = 0.3 * popcount(unseen & own & weaker)
    out[FEATURES + 6] = 0.3 * popcount(unseen & own & stronger)
    out[FEATURES + 7] = 0.15 * RANK_OF[card] if bit & RANKED else 0.0
    out[FEATURES + 8] = 1.0 if after != direction_after(trick, direction) else 0.0
    out[FEATURES + 9] = 0.3 * COLOUR_OF[card]
    out[FEATURES + 10] = out[BEATS_TABLE] * popcount(hand & weaker & ~own) * 0.3
    out[FEATURES + 11] = 0.3 * popcount(hand & own & weaker)


@lean
def value_cards(
    codes: Words,
    count: int,
    hand: int,
    own: int,
    unseen: int,
    table: Words,
    weights: Floats,
    net: Chooser,
    kinds: int,
    room: Scratch,
) -> None:
    """Write the value of each of the first `count` cards in `codes`, for each kind of player in the set `kinds`.

    The values of a kind begin at index kind * `MOST` of `room.values`. Sets of cards are masks, as in `features`.
    """
    context = table[PLAYED]
    look(hand, own, unseen, room.sight)
    if kinds == 1 << BY_RULES:
        for index in range(count):
            features(codes[index], own, unseen, table, room.sight, room.features)
            room.values[BY_RULES * MOST + index] = by_weights(hand, table, weights, room.features)
        return
    shared_inputs(hand, own, unseen, table, playable(hand, table, 0), room.sight, room.net.shared)
    think_of_choice(net, context, room.net)
    for index in range(count):
        own_inputs(codes[index], hand, own, unseen, table, room.sight, room.net.own)
        room.values[LOOKS_AHEAD * MOST + index] = think_of_card(net, context, room.net)
        if (kinds >> BY_RULES) & 1:
            room.values[BY_RULES * MOST + index] = by_weights(hand, table, weights, room.net.own)


# ----------------------------------------------------------------------------------------------------
# The weights of Kirin's plausible player, learned by self-play: ``python -m training.kirin_rules``.


# For each number of cards on the table: the constant, then the slope per card left (of eight) in the hand.
# fmt: off
PLAY = (
    -4.362, 0.000, -15.298, -2.334, 1.532, -1.872, 4.689, 0.729,
    4.888, -17.228, -9.308, -0.729, 10.207, -40.836, -1.787, 57.287,
    -1.393, 0.000, -19.658, -4.316, 6.784, -7.161, 1.558, -2.210,
    -9.804, -7.584, -8.220, 2.210, 3.727, -41.135, 1.464, 57.341,
    7.859, 10.958, 12.619, -8.064, -3.979, 0.404, -5.560, 1.498,
    2.596, -6.883, -1.699, -8.031, 0.000, 0.000, 0.000, 0.000,
    2.956, 10.360, 9.454, -10.380, 5.714, -2.729, -1.434, 0.337,
    -5.369, -5.307, -2.218, -8.881, 0.000, 0.000, 0.000, 0.000,
    2.177, 22.272, 11.784, -0.643, -7.387, 1.008, -8.190, 1.529,
    1.529, -10.291, -0.863, 3.626, 0.000, 0.000, 0.000, 0.000,
    -0.929, 19.360, 5.699, -9.723, 4.813, -5.286, -1.447, 3.245,
    -4.127, -7.522, -4.278, -0.970, 0.000, 0.000, 0.000, 0.000,
    0.404, 16.820, 17.286, -2.959, -8.326, 3.279, -8.764, 2.948,
    1.440, -16.023, -5.536, 0.404, 0.000, 0.000, 0.000, 0.000,
    1.614, 19.035, 17.699, -6.653, 4.114, -6.819, -10.086, 0.743,
    -3.683, -5.774, -8.076, 1.614, 0.000, 0.000, 0.000, 0.000,
)
# The worth of a kept card of the colour, by rank, and that of the card set aside.
DECLARE = (
    8.092, -1.209, -9.576, -3.121, 2.312, 14.095, 34.429, -6.084, -7.518,
    2.172, 0.522, 1.759, 1.759, 1.096, 2.982, -9.099, -1.814, -0.185,
)
# fmt: on
