"""A plausible player of kirin, as kernels: it sees its own cards and what has been played, and thinks no further.

A card's value is a weighted sum of features; the weights depend on how many cards lie on the table and, linearly,
on how many are left in the hand. The card is drawn with probabilities proportional to exp(value). The weights of
`weights` were learned by self-play (`benchmarks.kirin_learning`). Cards as in `order`.
"""

from __future__ import annotations

import numpy as np

from solver.games.kirin.fast_rules.kernel import direction_after
from solver.games.kirin.fast_rules.order import CARDS, COLOUR_SETS, KIRIN, QUALIFYING, RANKED, STRONGER, TRUMPS
from solver.hints.policy import to_chances
from solver.kernels.arrays import Floats, Words
from solver.kernels.bits import popcount, trailing_zeros
from solver.kernels.jit import inlined, lean
from solver.kernels.rng import uniform

ALL = (1 << CARDS) - 1
COLOURS = np.array(COLOUR_SETS, np.int64)  # by colour in deck numbering

# Features of a card. "Safe" is the chance that none of the cards that the later seats would draw at random from
# the unseen ones beats it; "wins" is that, where it beats the table so far.
WINS = 0
WINS_OWN_TABLE = 1  # wins, times the own-colour cards on the table
WINS_OWN_CARD = 2  # wins, being of the own colour
OWN_CARD = 3
HEIGHT = 4  # the share of unseen cards that do not beat it
OTHER_HEIGHT = 5  # the same in the other direction
TRUMP = 6
IS_KIRIN = 7
TURNS = 8  # how much better the kept hand becomes by the turn of direction that it makes, as things are
WINS_TRICKS_LEFT = 9  # wins, times the share of own-colour cards still unseen
OWN_HEIGHT = 10  # height, of an own-colour card
BEATS_TABLE = 11  # it beats what is on the table
FORCES = 12  # led: the share of unseen cards that would have to follow
FORCES_OWN = 13  # led: the share of unseen cards that are of the own colour and would have to follow
FORCES_KIRIN = 14  # led: the share of unseen cards that are kirin and would have to follow
FORCES_OWN_WINS = 15  # led: the own-colour ones, times wins
FEATURES = 16
CONTEXTS = 4  # cards on the table
WEIGHTS = 2 * CONTEXTS * FEATURES  # constant, and a card left

# Weights of setting a card aside: for each rank (1 … 6, trump, ascending, descending kirin) what a kept card of
# the colour is worth, then what the card set aside is.
DECLARE_WEIGHTS = 18


# What is on the table, in words: the trick as a set, its standard and its best card (-1: none), how many cards,
# the direction, the leader, and who played the best card.
TRICK, STANDARD, BEST, PLAYED, DIRECTION, LEADER, HOLDER = range(7)
TABLE_WORDS = 7


@inlined
def open_table(table: Words, leader: int, direction: int) -> None:
    table[TRICK] = 0
    table[STANDARD] = -1
    table[BEST] = -1
    table[PLAYED] = 0
    table[DIRECTION] = direction
    table[LEADER] = leader
    table[HOLDER] = leader


@inlined
def put(table: Words, card: int) -> None:
    """Lay a card on the table."""
    if table[PLAYED] == 0:
        table[STANDARD] = card
    one = 1 << card
    best = table[BEST]
    if one & RANKED and (best < 0 or STRONGER[table[DIRECTION] * CARDS + best] & one):
        table[BEST] = card
        table[HOLDER] = (table[LEADER] + table[PLAYED]) & 3
    table[TRICK] |= one
    table[PLAYED] += 1


@inlined
def legal_cards(hand: int, table: Words) -> int:
    if table[PLAYED] == 0:
        return hand
    qualifying = hand & QUALIFYING[table[DIRECTION] * CARDS + table[STANDARD]]
    return int(qualifying if qualifying != 0 else hand)


@inlined
def features(card: int, hand: int, own: int, unseen: int, table: Words, out: Floats) -> None:
    """Write the features of playing `card` to `out`. `unseen` are the cards that the player has not seen."""
    direction = table[DIRECTION]
    one = 1 << card
    count = popcount(unseen)
    scale = 1.0 / count if count > 0 else 0.0
    played = table[PLAYED]
    best = table[BEST]
    height = 1.0 - scale * popcount(STRONGER[direction * CARDS + card] & unseen)
    other = 1.0 - scale * popcount(STRONGER[(1 - direction) * CARDS + card] & unseen)
    beats = 1.0 if one & RANKED and (best < 0 or STRONGER[direction * CARDS + best] & one) else 0.0
    wins = beats
    for _ in range(3 - played):
        wins *= height
    mine = 1.0 if one & own else 0.0
    for index in range(FEATURES):
        out[index] = 0.0
    out[WINS] = wins
    out[WINS_OWN_TABLE] = wins * popcount(table[TRICK] & own)
    out[WINS_OWN_CARD] = wins * mine
    out[OWN_CARD] = mine
    out[HEIGHT] = height
    out[OTHER_HEIGHT] = other
    out[TRUMP] = 1.0 if one & TRUMPS else 0.0
    out[WINS_TRICKS_LEFT] = wins * scale * popcount(unseen & own)
    out[OWN_HEIGHT] = mine * height
    out[BEATS_TABLE] = beats
    if one & KIRIN:
        out[IS_KIRIN] = 1.0
        before = direction_after(table[TRICK], direction)
        after = direction_after(table[TRICK] | one, direction)
        if before != after:
            gain = 0.0
            rest = hand & ~one
            while rest != 0:
                held = trailing_zeros(rest)
                rest &= rest - 1
                gain += popcount(STRONGER[before * CARDS + held] & unseen)
                gain -= popcount(STRONGER[after * CARDS + held] & unseen)
            out[TURNS] = gain * scale
    if played == 0:
        followers = QUALIFYING[direction * CARDS + card] & unseen
        out[FORCES] = scale * popcount(followers)
        out[FORCES_OWN] = scale * popcount(followers & own)
        out[FORCES_KIRIN] = scale * popcount(followers & KIRIN)
        out[FORCES_OWN_WINS] = wins * scale * popcount(followers & own)


@lean
def values(hand: int, own: int, unseen: int, table: Words, weights: Floats, scratch: Floats, out: Floats) -> int:
    """Write the value of each legal card to `out`, in order of the cards; return the legal cards."""
    legal = legal_cards(hand, table)
    at = 2 * FEATURES * table[PLAYED]
    left = popcount(hand) * 0.125
    rest = legal
    place = 0
    while rest != 0:
        card = trailing_zeros(rest)
        rest &= rest - 1
        features(card, hand, own, unseen, table, scratch)
        value = 0.0
        for index in range(FEATURES):
            value += scratch[index] * (weights[at + index] + left * weights[at + FEATURES + index])
        out[place] = value
        place += 1
    return legal


@lean
def draw(legal: int, out: Floats, random: Words) -> int:
    """One of the legal cards, by their probabilities in `out`."""
    left = uniform(random)
    place = 0
    card = trailing_zeros(legal)
    rest = legal & (legal - 1)
    while rest != 0 and left >= out[place]:
        left -= out[place]
        place += 1
        card = trailing_zeros(rest)
        rest &= rest - 1
    return card


@lean
def choose(
    hand: int,
    own: int,
    unseen: int,
    table: Words,
    weights: Floats,
    random: Words,
    scratch: Floats,
    out: Floats,
) -> int:
    """The card that the player plays."""
    legal = legal_cards(hand, table)
    if legal & (legal - 1) == 0:
        return trailing_zeros(legal)
    values(hand, own, unseen, table, weights, scratch, out)
    to_chances(popcount(legal), out)
    return draw(legal, out, random)


@inlined
def rank_of(card: int) -> int:
    """0 to 8: the numbers, the trump, the kirin."""
    if card < 8:
        return 7 + (card & 1)
    return (card - 8) >> 2


@inlined
def colour_of(card: int) -> int:
    """The colour in deck numbering."""
    return 3 - (card >> 1 if card < 8 else card & 3)


@lean
def declare_values(hand: int, weights: Floats, out: Floats) -> None:
    """The value of setting each card of a hand of nine aside, in order of the cards."""
    rest = hand
    place = 0
    while rest != 0:
        card = trailing_zeros(rest)
        rest &= rest - 1
        value = weights[9 + rank_of(card)]
        kept = hand & COLOURS[colour_of(card)] & ~(1 << card)
        while kept != 0:
            value += weights[rank_of(trailing_zeros(kept))]
            kept &= kept - 1
        out[place] = value
        place += 1
