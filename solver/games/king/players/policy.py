"""A plausible player of King × Alchemy, as kernels: it sees its own cards and what is open, and thinks no further.

A play's value is a weighted sum of `features`; the weights depend on the place in the trick (first, between, last)
and, linearly, on the cards left in the hand. A hint takes the others to draw their plays with
probabilities proportional to exp(value), and itself to make the play of the highest value. `card_values` says what
cards are worth. The node of the trick on the table is that of `fast_rules.kernel`.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from solver.games.king.cards.deck import CARDS, SUITS
from solver.games.king.fast_rules.kernel import (
    LEAD,
    NAMED,
    ORDER,
    PLAYED,
    PLAYERS,
    THE_DANCER,
    card_at,
    followers,
    playable,
)
from solver.games.king.players.ahead import (
    ahead_room,
    own_inputs,
    shared_inputs,
    think_of_choice,
    think_of_play,
)
from solver.games.king.players.card_values import MOST_LEFT, CardValues, card_value, row_of
from solver.games.king.players.features import FEATURES, Features, features
from solver.hints.learned.chooser import Chooser, ChooserRoom
from solver.hints.policy import to_chances
from solver.kernels.arrays import Floats, Words
from solver.kernels.bits import popcount, trailing_zeros, unsigned
from solver.kernels.jit import inlined, kernel

TRAINED, THRIFTY, AHEAD = range(3)  # the kinds of players (`kinds`)
KINDS = 3

ALL = (1 << CARDS) - 1
CONTEXTS = 3  # leads, plays between, plays last
WEIGHTS = 2 * CONTEXTS * FEATURES  # constant, and a card left
SCALE = 0.1  # of the cards left

MOST_PLAYS = 20  # of a seat: a card each, the Dancer four
LEAST = 0.001  # of the chance of the likeliest play: plays that are less likely are never drawn
PLAY_WEIGHTS = MOST_LEFT * CONTEXTS * FEATURES  # of a kind, as `prepared`
_TABLE = 8  # what the cards on the table are worth; the features of a pick


class Plays(NamedTuple):
    """What players go by when they play a card: the `prepared` weights of each kind, one after the other, and what
    who looks ahead goes by in the place of weights.
    """

    weights: Floats
    ahead: Chooser


class Room(NamedTuple):
    """What a choice is written to: the `codes` of the moves, their `values` (later chances), and room for the
    `table`'s cards and for who looks `ahead`.
    """

    codes: Words
    table: Floats
    values: Floats
    ahead: ChooserRoom


@kernel
def new_room() -> Room:
    """Room for the choices of a seat."""
    return Room(np.zeros(MOST_PLAYS, np.int64), np.zeros(_TABLE), np.zeros(MOST_PLAYS), ahead_room())


def prepared(weights: tuple[float, ...]) -> Floats:
    """The weights of each number of cards left in the hand, for each place in the trick."""
    parts = np.array(weights, np.float64).reshape(CONTEXTS, 2, FEATURES)
    left = SCALE * np.arange(MOST_LEFT)
    rows: Floats = parts[None, :, 0] + left[:, None, None] * parts[None, :, 1]
    return np.ascontiguousarray(rows).ravel()


@inlined
def table_values(values: CardValues, node: Words, seat: int, left: int, out: Floats) -> None:
    """Write what the cards on the table are worth to a seat."""
    row = row_of(values.recipes, seat)
    order = node[ORDER]
    for place in range(node[PLAYED]):
        out[place] = card_value(values, row, left, card_at(order, place))


@inlined
def weighted(of_play: Features, weights: Floats, at: int) -> float:
    """The value of a play: its features times the weights from `at` on."""
    # Four sums at once: one addition need not wait for the one before.
    one = of_play[0] * weights[unsigned(at)]
    two = of_play[1] * weights[unsigned(at + 1)]
    three = of_play[2] * weights[unsigned(at + 2)]
    four = of_play[3] * weights[unsigned(at + 3)]
    one += of_play[4] * weights[unsigned(at + 4)]
    two += of_play[5] * weights[unsigned(at + 5)]
    three += of_play[6] * weights[unsigned(at + 6)]
    four += of_play[7] * weights[unsigned(at + 7)]
    one += of_play[8] * weights[unsigned(at + 8)]
    two += of_play[9] * weights[unsigned(at + 9)]
    three += of_play[10] * weights[unsigned(at + 10)]
    four += of_play[11] * weights[unsigned(at + 11)]
    one += of_play[12] * weights[unsigned(at + 12)]
    two += of_play[13] * weights[unsigned(at + 13)]
    three += of_play[14] * weights[unsigned(at + 14)]
    four += of_play[15] * weights[unsigned(at + 15)]
    return float((one + two) + (three + four))


@inlined
def context_of(deal: Words, node: Words) -> int:
    """The next place in the trick: 0 leads, 2 plays last, 1 plays between."""
    played = node[PLAYED]
    return 0 if played == 0 else 2 if played == deal[PLAYERS] - 1 else 1


@inlined
def row_of_weights(deal: Words, node: Words, left: int) -> int:
    """Where the `prepared` weights begin for the next place in the trick and so many cards in the hand."""
    return int((left * CONTEXTS + context_of(deal, node)) * FEATURES)


@inlined
def plays(deal: Words, node: Words, hand: int, codes: Words) -> int:
    """Write the plays to choose from to `codes`, in canonical order; return how many.

    Next to a lead, names of the Dancer that lose are the same: one of them stands for all.
    """
    leads = node[PLAYED] == 0
    cards = hand if leads else playable(deal, hand, node[LEAD])
    count = 0
    while cards != 0:
        card = trailing_zeros(cards)
        cards &= cards - 1
        if card != deal[THE_DANCER]:
            codes[count] = card
            count += 1
            continue
        lead = node[LEAD]
        only = not leads and followers(deal, hand, lead) != 0
        other = -1
        for suit in range(SUITS):
            if leads or suit == lead:
                codes[count] = NAMED + suit
                count += 1
            elif not only and other < 0:
                other = suit
                codes[count] = NAMED + suit
                count += 1
    return count


@inlined
def play_values(
    values: CardValues,
    node: Words,
    seat: int,
    hand: int,
    unseen: int,
    by: Plays,
    count: int,
    room: Room,
    kind: int = TRAINED,
) -> None:
    """Write the value of each of the first `count` plays in the codes of `room` to a kind of player."""
    left = popcount(hand)
    at = kind * PLAY_WEIGHTS + row_of_weights(values.deal, node, left)
    row = row_of(values.recipes, seat)
    table_values(values, node, seat, left, room.table)
    thinks = kind == AHEAD and len(by.ahead.last) != 0
    context = context_of(values.deal, node)
    if thinks:
        shared_inputs(values.deal, node, hand, unseen, room.table, room.ahead.shared)
        think_of_choice(by.ahead, context, room.ahead)
    for place in range(count):
        move = room.codes[place]
        card = values.deal[THE_DANCER] if move >= NAMED else move
        own = card_value(values, row, left, card)
        of_play = features(values.deal, node, hand, unseen, move, own, room.table)
        if thinks:
            own_inputs(values.deal, node, hand, unseen, move, of_play, room.ahead.own)
            room.values[place] = think_of_play(by.ahead, context, room.ahead)
        else:
            room.values[place] = weighted(of_play, by.weights, at)


@inlined
def valued_plays(
    values: CardValues,
    node: Words,
    seat: int,
    hand: int,
    unseen: int,
    by: Plays,
    room: Room,
    kind: int = TRAINED,
) -> int:
    """Write the plays to choose from to the codes of `room`, and what each is worth to its values.

    Returns how many there are. An only play is worth 0: there is nothing to hold it against.
    """
    count = plays(values.deal, node, hand, room.codes)
    room.values[0] = 0.0
    if count > 1:
        play_values(values, node, seat, hand, unseen, by, count, room, kind)
    return count


@inlined
def choose(
    values: CardValues,
    node: Words,
    seat: int,
    hand: int,
    unseen: int,
    by: Plays,
    room: Room,
    kind: int = TRAINED,
) -> int:
    """The play of the highest value; the first of equals. `hand` and `unseen` are masks."""
    count = valued_plays(values, node, seat, hand, unseen, by, room, kind)
    best = 0
    for place in range(1, count):
        if room.values[place] > room.values[best]:
            best = place
    return int(room.codes[best])


@inlined
def play_chances(
    values: CardValues,
    node: Words,
    seat: int,
    hand: int,
    unseen: int,
    by: Plays,
    room: Room,
    kind: int = TRAINED,
) -> int:
    """Write the plays that a player may draw to the codes of `room`, and the chance of each to its values.

    Returns how many there are.
    """
    count = valued_plays(values, node, seat, hand, unseen, by, room, kind)
    to_chances(count, room.values)
    most = 0.0
    for place in range(count):
        most = max(most, room.values[place])
    total = 0.0
    for place in range(count):
        if room.values[place] < LEAST * most:
            room.values[place] = 0.0
        total += room.values[place]
    for place in range(count):
        room.values[place] /= total
    return count
