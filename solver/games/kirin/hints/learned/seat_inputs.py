"""What the learned player sees of a round: what its seat knows, as under the ascending order."""

from __future__ import annotations

from math import exp, floor, log

from solver.games.kirin.fast_rules.order import CARDS, QUALIFYING, STRONGER
from solver.games.kirin.hints.learned.mirror import IMAGES
from solver.games.kirin.hints.learned.round_words import ASIDE, EXCLUDED, GONE, HANDS, LAID, LED, PLAYS, THREW, WON
from solver.games.kirin.hints.policy import (
    ALL,
    BEST,
    COLOURS,
    DIRECTION,
    FEATURES,
    FORCES_OWN,
    FORCES_OWN_WINS,
    HEIGHT,
    LEADER,
    OWN_CARD,
    OWN_HEIGHT,
    PLAYED,
    STANDARD,
    TRICK,
    WINS,
    WINS_OWN_CARD,
    WINS_OWN_TABLE,
    WINS_TRICKS_LEFT,
    colour_of,
    features,
    values,
)
from solver.hints.learned.forward import Inputs, add_input
from solver.hints.policy import to_chances
from solver.kernels.arrays import Floats, Words
from solver.kernels.bits import popcount, trailing_zeros
from solver.kernels.jit import inlined, lean

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
