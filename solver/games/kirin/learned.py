"""What a player does that thinks no further than its network: a hint's first answer. Cards as in `order`.

The network (`policy.npz`; `policy.json` tells how it was made and how well it plays) was taught by self-play. It
sees what a seat sees (`seat_inputs`) and says of each card by how much it should be likelier than the plausible
player (`solver.games.kirin.players`) makes it. Which card to set aside it has not learned: that is the
plausible player's choice.

A choice is the same on every machine: what the network is told is rounded (`seat_inputs.rounded`), and it adds in
an order of its own (`solver.hints.network`).
"""

from __future__ import annotations

from functools import lru_cache
from math import exp, floor, log
from pathlib import Path
from typing import NamedTuple

import numpy as np

from solver.games.kirin.fast_rules import CARDS, QUALIFYING, STRONGER, direction_after
from solver.games.kirin.players import (
    ALL,
    BEST,
    COLOURS,
    DIRECTION,
    FEATURES,
    FORCES_OWN,
    FORCES_OWN_WINS,
    HEIGHT,
    HOLDER,
    LEADER,
    OWN_CARD,
    OWN_HEIGHT,
    PLAYED,
    STANDARD,
    TABLE_WORDS,
    TRICK,
    WINS,
    WINS_OWN_CARD,
    WINS_OWN_TABLE,
    WINS_TRICKS_LEFT,
    colour_of,
    declare_values,
    features,
    open_table,
    put,
    values,
)
from solver.games.kirin.worlds import ASIDE as DEAL_KERNEL_ASIDE
from solver.games.kirin.worlds import HAND as DEAL_KERNEL_HAND
from solver.games.kirin.worlds import SEAT, Setting
from solver.hints.network import Inputs, Network, Room, add_input, evaluate, inputs, read, room
from solver.hints.policy import to_chances
from solver.kernels.arrays import Floats, Words
from solver.kernels.bits import popcount, trailing_zeros
from solver.kernels.jit import inlined, kernel, lean

# ----------------------------------------------------------------------------------------------------
# A round of kirin in words, as the networks' inputs need it, and what a play changes. Cards as in `order`.


# By seat: the cards held, the card set aside, the cards played, won, led, played without following, those that it
# cannot hold because it would have had to play them, the card in the trick (-1: none yet), and the points won.
# Then every card played.
HANDS, ASIDE, PLAYS, WON, LED, THREW, EXCLUDED, LAID, POINTS = range(0, 36, 4)
GONE = 36
ROUND_WORDS = 37


@lean
def lay(state: Words, table: Words, card: int) -> None:
    """Let the seat to move play a card. The fourth card of a trick ends it."""
    seat = (table[LEADER] + table[PLAYED]) & 3
    one = 1 << card
    state[HANDS + seat] &= ~one
    state[PLAYS + seat] |= one
    state[GONE] |= one
    state[LAID + seat] = card
    if table[PLAYED] == 0:
        state[LED + seat] |= one
    else:
        following = QUALIFYING[table[DIRECTION] * CARDS + table[STANDARD]]
        if following & one == 0:
            state[THREW + seat] |= one
            state[EXCLUDED + seat] |= following
    put(table, card)
    if table[PLAYED] == 4:
        leader = table[LEADER]
        if table[BEST] >= 0:
            leader = table[HOLDER]
            state[WON + leader] |= table[TRICK]
            state[POINTS + leader] += popcount(table[TRICK] & COLOURS[colour_of(state[ASIDE + leader])])
        open_table(table, leader, direction_after(table[TRICK], table[DIRECTION]))
        for other in range(4):
            state[LAID + other] = -1


# ----------------------------------------------------------------------------------------------------
# The mirror: cards stand to each other under the descending order as their images do under the ascending one.
#
# Colours are turned round (D ↔ G, S ↔ B), numbers too (1 ↔ 6), and the two kinds of kirin change places. So a
# position under the descending order is, card by card, one under the ascending order. Cards as in `order`.


def mirrored(card: int) -> int:
    """The mirror image of a card."""
    if card < 8:
        return 7 - card
    return 39 - card if card < 32 else 67 - card


def _images() -> Words:
    rows = [list(range(CARDS)), [mirrored(card) for card in range(CARDS)]]
    return np.array(rows, np.int64).ravel()


IMAGES = _images()  # at [direction * 36 + card]: the card as it is seen under the ascending order


# ----------------------------------------------------------------------------------------------------
# What the learned player sees of a round: what its seat knows, as under the ascending order.


# Sets of cards: the hand, the legal cards, the card set aside; by seat those of the trick, its best; by seat those
# played, won, led, played without following, and those that a seat cannot hold. For each own card the share of the
# unseen ones that beat it; for each legal card the log of the plausible player's chance. How likely each of the
# others collects each colour; the own colour; how many cards lie there and are left.
HAND = 0
LEGAL = HAND + CARDS
SET_ASIDE = LEGAL + CARDS
ON_TABLE = SET_ASIDE + CARDS
BEST_CARD = ON_TABLE + 3 * CARDS
PLAYED_BY = BEST_CARD + CARDS
WON_BY = PLAYED_BY + 4 * CARDS
LED_BY = WON_BY + 4 * CARDS
THROWN_BY = LED_BY + 4 * CARDS
CANNOT_HOLD = THROWN_BY + 3 * CARDS
BEATEN = CANNOT_HOLD + 3 * CARDS
RULE = BEATEN + CARDS
BELIEF = RULE + CARDS
OWN_COLOUR = BELIEF + 12
LYING = OWN_COLOUR + 4
LEFT = LYING + 4
SEAT_INPUTS = LEFT + 9
MOST_SEAT = 9 * 4 + 3 + 2 + 32 * 4 + 3 * 27 + 12 + 3
LEAST_LOG = -8.0  # no smaller log of a chance is told
LOG_SCALE = 0.25
_FINEST = 4096.0


@inlined
def rounded(value: float) -> float:
    """To the next multiple of 1/4096: what `exp` and `log` give may differ in the last place between machines."""
    return floor(value * _FINEST + 0.5) / _FINEST


@inlined
def told_of(chance: float) -> float:
    """The log of a chance of the plausible player's, as the network is told it."""
    return rounded(max(LEAST_LOG, log(chance + 1e-30)))


@lean
def image_of_colour(colour: int, direction: int) -> int:
    """A colour as under the ascending order."""
    return 3 - colour if direction == 1 else colour


@lean
def add_cards(inputs: Inputs, cards: int, direction: int, at: int) -> None:
    """Note each card of a set."""
    while cards != 0:
        add_input(inputs, at + IMAGES[direction * CARDS + trailing_zeros(cards)], 1.0)
        cards &= cards - 1


@lean
def note_play(state: Words, table: Words, card: int, weights: Floats, scratch: Floats, belief: Floats) -> None:
    """Add to `belief`, by seat and colour, the log of how likely a plausible player would play `card` now.

    The seat's hand is not known, so the card is judged among all that it may hold, by what everybody has seen; the
    part of a card's value that the colour does not enter is worked out once. Called before the card is laid.
    """
    seat = (table[LEADER] + table[PLAYED]) & 3
    direction = table[DIRECTION]
    unseen = ALL & ~state[GONE] & ~state[EXCLUDED + seat]
    if table[PLAYED] > 0:
        following = QUALIFYING[direction * CARDS + table[STANDARD]]
        if following >> card & 1:
            unseen &= following
        else:
            unseen &= ~following
    unseen |= 1 << card
    left = popcount(state[HANDS + seat]) * 0.125
    at = 2 * FEATURES * table[PLAYED]
    around = ALL & ~state[GONE]
    scale = 1.0 / popcount(around)
    total0 = 0.0
    total1 = 0.0
    total2 = 0.0
    total3 = 0.0
    made0 = 0.0
    made1 = 0.0
    made2 = 0.0
    made3 = 0.0
    rest = unseen
    while rest != 0:
        other = trailing_zeros(rest)
        rest &= rest - 1
        features(other, 0, 0, around, table, scratch)
        base = 0.0
        for index in range(FEATURES):
            base += scratch[index] * (weights[at + index] + left * weights[at + FEATURES + index])
        wins = scratch[WINS]
        is_own = (
            weights[at + OWN_CARD]
            + left * weights[at + FEATURES + OWN_CARD]
            + wins * (weights[at + WINS_OWN_CARD] + left * weights[at + FEATURES + WINS_OWN_CARD])
            + scratch[HEIGHT] * (weights[at + OWN_HEIGHT] + left * weights[at + FEATURES + OWN_HEIGHT])
        )
        on_table = wins * (weights[at + WINS_OWN_TABLE] + left * weights[at + FEATURES + WINS_OWN_TABLE])
        to_come = (
            wins * scale * (weights[at + WINS_TRICKS_LEFT] + left * weights[at + FEATURES + WINS_TRICKS_LEFT])
        )
        forced = 0
        forces = 0.0
        if table[PLAYED] == 0:
            forced = QUALIFYING[direction * CARDS + other] & around
            forces = scale * (
                weights[at + FORCES_OWN]
                + left * weights[at + FEATURES + FORCES_OWN]
                + wins * (weights[at + FORCES_OWN_WINS] + left * weights[at + FEATURES + FORCES_OWN_WINS])
            )
        mine = colour_of(other)
        for colour in range(4):
            own = COLOURS[colour]
            value = base + on_table * popcount(table[TRICK] & own) + to_come * popcount(around & own)
            value += forces * popcount(forced & own)
            if colour == mine:
                value += is_own
            made = exp(min(60.0, max(-60.0, value)))
            if colour == 0:
                total0 += made
                made0 = made if other == card else made0
            elif colour == 1:
                total1 += made
                made1 = made if other == card else made1
            elif colour == 2:
                total2 += made
                made2 = made if other == card else made2
            else:
                total3 += made
                made3 = made if other == card else made3
    even = 0.1 / popcount(unseen)
    belief[4 * seat] += log(0.9 * made0 / total0 + even)
    belief[4 * seat + 1] += log(0.9 * made1 / total1 + even)
    belief[4 * seat + 2] += log(0.9 * made2 / total2 + even)
    belief[4 * seat + 3] += log(0.9 * made3 / total3 + even)


@lean
def seat_inputs(
    state: Words, table: Words, belief: Floats, weights: Floats, scratch: Floats, out: Floats, inputs: Inputs
) -> int:
    """Write what the seat to move sees; return its legal cards. `out` gets the plausible player's chances."""
    direction = table[DIRECTION]
    seat = (table[LEADER] + table[PLAYED]) & 3
    hand = state[HANDS + seat]
    aside = state[ASIDE + seat]
    own = colour_of(aside)
    unseen = ALL & ~hand & ~state[GONE] & ~(1 << aside)
    legal = values(hand, COLOURS[own], unseen, table, weights, scratch, out)
    to_chances(popcount(legal), out)
    inputs.many[0] = 0
    add_cards(inputs, hand, direction, HAND)
    add_cards(inputs, legal, direction, LEGAL)
    add_cards(inputs, 1 << aside, direction, SET_ASIDE)
    add_input(inputs, OWN_COLOUR + image_of_colour(own, direction), 1.0)
    if table[BEST] >= 0:
        add_cards(inputs, 1 << table[BEST], direction, BEST_CARD)
    for step in range(4):
        other = (seat + step) & 3
        add_cards(inputs, state[PLAYS + other], direction, PLAYED_BY + step * CARDS)
        add_cards(inputs, state[WON + other], direction, WON_BY + step * CARDS)
        add_cards(inputs, state[LED + other], direction, LED_BY + step * CARDS)
        if step == 0:
            continue
        if state[LAID + other] >= 0:
            add_cards(inputs, 1 << state[LAID + other], direction, ON_TABLE + (step - 1) * CARDS)
        add_cards(inputs, state[THREW + other], direction, THROWN_BY + (step - 1) * CARDS)
        add_cards(inputs, state[EXCLUDED + other] & unseen, direction, CANNOT_HOLD + (step - 1) * CARDS)
        most = belief[4 * other]
        for colour in range(1, 4):
            most = max(most, belief[4 * other + colour])
        total = 0.0
        for colour in range(4):
            total += exp(belief[4 * other + colour] - most)
        for colour in range(4):
            place = BELIEF + 4 * (step - 1) + image_of_colour(colour, direction)
            add_input(inputs, place, rounded(exp(belief[4 * other + colour] - most) / total))
    scale = 1.0 / popcount(unseen)
    rest = hand
    while rest != 0:
        card = trailing_zeros(rest)
        rest &= rest - 1
        share = scale * popcount(STRONGER[direction * CARDS + card] & unseen)
        add_input(inputs, BEATEN + IMAGES[direction * CARDS + card], share)
    rest = legal
    place = 0
    while rest != 0:
        card = trailing_zeros(rest)
        rest &= rest - 1
        add_input(inputs, RULE + IMAGES[direction * CARDS + card], LOG_SCALE * told_of(out[place]))
        place += 1
    add_input(inputs, LYING + table[PLAYED], 1.0)
    add_input(inputs, LEFT + popcount(hand), 1.0)
    return int(legal)


_WEIGHTS = Path(__file__).with_name("policy.npz")
_PLAYS = 8  # of a seat in a round
_NOWHERE = CARDS  # from here on bits stand for cards that nobody knows


class Thought(NamedTuple):
    """Room to think: a card's features, the cards' values, what the network is told, its layers."""

    scratch: Floats
    out: Floats
    seen: Inputs
    layers: Room


class Seen(NamedTuple):
    """A round as one seat sees it (`round_words`, the table's words), and what the plays tell of the colours."""

    state: Words
    table: Words
    belief: Floats


@lean
def logits(net: Network, trust: float, seen: Seen, rule: Floats, thought: Thought) -> int:
    """Write the legal cards' logs of chances, but for what they share, to `thought.out`; return the cards.

    `trust` is what the log of the plausible player's chance counts in the learned player's; `rule` has that one's
    weights.
    """
    out = thought.out
    direction = seen.table[DIRECTION]
    legal = seat_inputs(seen.state, seen.table, seen.belief, rule, thought.scratch, out, thought.seen)
    evaluate(net, thought.seen, thought.layers)
    rest = legal
    place = 0
    while rest != 0:
        image = IMAGES[direction * CARDS + trailing_zeros(rest)]
        rest &= rest - 1
        out[place] = thought.layers.out[image] + trust * told_of(out[place])
        place += 1
    return legal


@lean
def open_round(seen: Seen, leader: int, direction: int) -> None:
    """Begin a round of which nobody's cards are known. `seen` comes with zeros."""
    for seat in range(4):
        seen.state[LAID + seat] = -1
        # Of hands that nobody knows only the size counts.
        seen.state[HANDS + seat] = ((1 << _PLAYS) - 1) << _NOWHERE
    open_table(seen.table, leader, direction)


@lean
def see(seen: Seen, me: int, card: int, rule: Floats, scratch: Floats) -> None:
    """Play the next card. What it tells of its seat's colour is noted, but for the seat `me`, which looks on."""
    state, table = seen.state, seen.table
    seat = (table[LEADER] + table[PLAYED]) & 3
    if seat != me:
        note_play(state, table, card, rule, scratch, seen.belief)
        unknown = state[HANDS + seat]
        state[HANDS + seat] = unknown & (unknown - 1)
    lay(state, table, card)


@lean
def watch(setting: Setting, seen: Seen, scratch: Floats) -> None:
    """Play what the seat that asks has seen of the round."""
    question, tricks = setting.question, setting.tricks
    me = question[SEAT]
    open_round(seen, tricks[0], tricks[1])
    seen.state[ASIDE + me] = question[DEAL_KERNEL_ASIDE]
    seen.state[HANDS + me] = question[DEAL_KERNEL_HAND]
    for trick in range(len(tricks) // 6):
        for place in range(4):
            card = tricks[6 * trick + 2 + place]
            if card >= 0:
                see(seen, me, card, setting.play, scratch)


@kernel
def alone(net: Network, trust: Floats, setting: Setting, seen: Seen, thought: Thought) -> int:
    """Write the chance of each legal card to `thought.out`; return the cards. `seen` comes with zeros."""
    hand = setting.question[DEAL_KERNEL_HAND]
    if setting.question[DEAL_KERNEL_ASIDE] < 0:
        declare_values(hand, setting.declare, thought.out)
        to_chances(9, thought.out)
        return int(hand)
    watch(setting, seen, thought.scratch)
    legal = logits(net, trust[0], seen, setting.play, thought)
    to_chances(popcount(legal), thought.out)
    return legal


@lru_cache(maxsize=1)
def policy() -> tuple[Network, Floats]:
    """The network, and its trust in the plausible player (`logits`)."""
    net, further = read(_WEIGHTS)
    return net, further["trust"].astype(np.float64)


def chances(setting: Setting) -> dict[int, float]:
    """The chance of each card that may be played, or set aside, by its number in `order`."""
    net, trust = policy()
    seen = Seen(np.zeros(ROUND_WORDS, np.int64), np.zeros(TABLE_WORDS, np.int64), np.zeros(16))
    thought = Thought(np.zeros(FEATURES), np.zeros(CARDS), inputs(MOST_SEAT), room(net))
    legal = alone(net, trust, setting, seen, thought)
    cards = [card for card in range(CARDS) if legal >> card & 1]
    return dict(zip(cards, thought.out.tolist(), strict=False))
