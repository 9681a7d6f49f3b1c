"""A plausible player of King × Alchemy, as kernels: it sees its own cards and what is open, and thinks no further.

A play's value is a weighted sum of features; the weights depend on the place in the trick (first, between, last)
and, linearly, on the cards left in the hand. The play of the highest value is made; to learn, one is drawn with
probabilities proportional to exp(value). What cards are worth is told by `worth`. The node of the trick on the
table is that of `kernel`.
"""

from __future__ import annotations

import numpy as np

from solver.games.king.cards.deck import CARDS, SUITS, TRUMP
from solver.games.king.fast_rules.kernel import (
    BEST_POWER,
    LEAD,
    LOWER,
    LOWEST_RANK,
    NAME,
    NAMED,
    ORDER,
    PLAYED,
    PLAYERS,
    RANK,
    SUIT,
    SUIT_CARDS,
    THE_DANCER,
    TRICK,
    TRUMPED,
    card_at,
    followers,
    playable,
)
from solver.games.king.hints.card_values import MOST_LEFT, row_of, worth
from solver.kernels.arrays import Floats, Words
from solver.kernels.bits import popcount, trailing_zeros, unsigned
from solver.kernels.jit import inlined

Features = tuple[float, ...]

ALL = (1 << CARDS) - 1
RECIPROCAL = np.array([0.0, *(1.0 / count for count in range(1, CARDS + 2))])  # divisions cost what much else does

# Features of a play. "Wins" is the chance that none of the cards that the later seats would draw at random from
# the unseen ones beats it; "sharp" the same where later seats follow suit.
WINS = 0
WINS_OWN = 1  # wins, times the card's worth
WINS_TABLE = 2  # wins, times the worth of the two best cards on the table that it could take
WINS_LATER = 3  # wins, times the cards that it could still take of those to come
SHARP = 4
SHARP_GAIN = 5  # sharp, times the worth of the card and of those that it could take
NUMBER = 6  # of a suit card: the share of its suit that is lower
HEIGHT = 7  # of a suit card: the share of its suit's unseen cards that is lower
IS_TRUMP = 8
TRUMP_NUMBER = 9  # the share of the trumps that is lower
IS_DANCER = 10
OWN = 11  # the card's worth
BOTTOM = 12  # the chance to be the bottom
BOTTOM_TABLE = 13  # the same, times the worth of the worst card on the table
VOID = 14  # the hand has no other card of the suit
LENGTH = 15  # the cards of the suit that stay in the hand
FEATURES = 16
CONTEXTS = 3  # leads, plays between, plays last
WEIGHTS = 2 * CONTEXTS * FEATURES  # constant, and a card left
SCALE = 0.1  # of the cards left

MOST_PLAYS = 20  # of a seat: a card each, the Dancer four
SCRATCH = 8  # the worths of the cards on the table; the features of a pick


def prepared(weights: tuple[float, ...]) -> Floats:
    """The weights of each number of cards left in the hand, for each place in the trick."""
    given = np.array(weights, np.float64).reshape(CONTEXTS, 2, FEATURES)
    left = SCALE * np.arange(MOST_LEFT)
    found: Floats = given[None, :, 0] + left[:, None, None] * given[None, :, 1]
    return np.ascontiguousarray(found).ravel()


@inlined
def table_worths(
    deal: Words, recipes: Words, book: Words, adds: Floats, node: Words, seat: int, left: int, scratch: Floats
) -> None:
    """Write what the cards on the table are worth to a seat."""
    row = row_of(recipes, seat)
    order = node[ORDER]
    for place in range(node[PLAYED]):
        scratch[place] = worth(deal, recipes, book, adds, row, left, card_at(order, place))


@inlined
def features(deal: Words, node: Words, hand: int, unseen: int, move: int, own: float, table: Floats) -> Features:
    """The features of a play. `unseen` are the cards that the player has not seen, `own` the card's worth.

    `table` has the worths of the cards on the table. What is returned stays in registers.
    """
    dancer = deal[THE_DANCER]
    named = move >= NAMED
    card = dancer if named else move
    suit = move - NAMED if named else deal[unsigned(SUIT + card)]
    played = node[PLAYED]
    later = deal[PLAYERS] - 1 - played
    lead = suit if played == 0 else node[LEAD]
    rank = deal[unsigned(RANK + card)]
    lower = deal[unsigned(LOWER + card)]
    trumps = deal[SUIT_CARDS + TRUMP]
    of_suit = deal[unsigned(SUIT_CARDS + suit)]
    scale = RECIPROCAL[popcount(unseen)]

    number = 0.0
    height = 0.0
    trump = 0.0
    trump_number = 0.0
    void = 0.0
    length = 0.0
    beats = False
    beaters = 0
    followed = 0  # unseen cards of the lead suit
    if named:
        if node[TRICK] & trumps != 0:
            beats = True
        elif suit == lead:
            beats = 2 * rank > node[BEST_POWER]
            followed = unseen & of_suit
            beaters = followed & ~lower
    elif suit == TRUMP:
        beats = node[NAME] < 0 and TRUMPED + rank > node[BEST_POWER]
        beaters = unseen & ((trumps & ~lower) | (1 << dancer))
        trump = 1.0
        trump_number = popcount(lower & trumps) * RECIPROCAL[popcount(trumps) - 1]
    else:
        if suit == lead:
            beats = 2 * rank + 1 > node[BEST_POWER]
            followed = unseen & of_suit
            beaters = (followed & ~lower) | (unseen & trumps)
            if deal[unsigned(RANK + dancer)] > rank:
                beaters |= unseen & (1 << dancer)
        number = popcount(lower & of_suit) * RECIPROCAL[popcount(of_suit) - 1]
        height = popcount(lower & of_suit & unseen) * RECIPROCAL[popcount(of_suit & unseen)]
        stay = popcount(hand & of_suit) - 1
        length = 0.2 * stay
        void = 1.0 if stay == 0 else 0.0

    wins = 0.0
    sharp = 0.0
    first = 0.0
    second = 0.0
    yet = 0.0
    if beats:
        chance = 1.0 - scale * popcount(beaters)
        follows = (1.0 - popcount(beaters & followed) * RECIPROCAL[popcount(followed) + 1]) * (
            1.0 - scale * popcount(beaters & ~followed)
        )
        wins = 1.0
        sharp = 1.0
        for _ in range(later):
            wins *= chance
            sharp *= follows
        takable = 0
        order = node[ORDER]
        for place in range(played):
            can = (lower >> card_at(order, place)) & 1
            takable += can
            value = table[place] if can else 0.0
            second = max(second, min(first, value))
            first = max(first, value)
        yet = min(2.0 - min(takable, 2), later * scale * popcount(unseen & lower))
    gain = first + second

    bottom = 0.0
    worst = 0.0
    lowest = suit == lead and rank <= node[LOWEST_RANK]
    if node[NAME] == lead and node[TRICK] & trumps == 0 and rank >= deal[unsigned(RANK + dancer)]:
        lowest = False  # the Dancer on the table is lower, also with the same number
    if lowest:
        bottom = 1.0 - wins
        below = 1.0 - scale * popcount(unseen & lower & of_suit)
        for _ in range(later):
            bottom *= below
        worst = own
        for place in range(played):
            worst = min(worst, table[place])
    return (
        wins,
        wins * own,
        wins * gain,
        wins * yet,
        sharp,
        sharp * (own + gain),
        number,
        height,
        trump,
        trump_number,
        1.0 if named else 0.0,
        own,
        bottom,
        bottom * worst,
        void,
        length,
    )


@inlined
def weighted(found: Features, weights: Floats, at: int) -> float:
    """The value of a play: its features times the weights from `at` on."""
    # Four sums at once: one addition need not wait for the one before.
    one = found[0] * weights[unsigned(at)]
    two = found[1] * weights[unsigned(at + 1)]
    three = found[2] * weights[unsigned(at + 2)]
    four = found[3] * weights[unsigned(at + 3)]
    one += found[4] * weights[unsigned(at + 4)]
    two += found[5] * weights[unsigned(at + 5)]
    three += found[6] * weights[unsigned(at + 6)]
    four += found[7] * weights[unsigned(at + 7)]
    one += found[8] * weights[unsigned(at + 8)]
    two += found[9] * weights[unsigned(at + 9)]
    three += found[10] * weights[unsigned(at + 10)]
    four += found[11] * weights[unsigned(at + 11)]
    one += found[12] * weights[unsigned(at + 12)]
    two += found[13] * weights[unsigned(at + 13)]
    three += found[14] * weights[unsigned(at + 14)]
    four += found[15] * weights[unsigned(at + 15)]
    return float((one + two) + (three + four))


@inlined
def row_of_weights(deal: Words, node: Words, left: int) -> int:
    """Where the `prepared` weights begin for the next place in the trick and so many cards in the hand."""
    played = node[PLAYED]
    context = 0 if played == 0 else 2 if played == deal[PLAYERS] - 1 else 1
    return int((left * CONTEXTS + context) * FEATURES)


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
def values(
    deal: Words,
    recipes: Words,
    book: Words,
    adds: Floats,
    node: Words,
    seat: int,
    hand: int,
    unseen: int,
    weights: Floats,
    codes: Words,
    count: int,
    scratch: Floats,
    out: Floats,
) -> None:
    """Write the value of each of the plays in `codes` to `out`. `weights` are those `prepared`."""
    left = popcount(hand)
    at = row_of_weights(deal, node, left)
    row = row_of(recipes, seat)
    table_worths(deal, recipes, book, adds, node, seat, left, scratch)
    for place in range(count):
        move = codes[place]
        card = deal[THE_DANCER] if move >= NAMED else move
        own = worth(deal, recipes, book, adds, row, left, card)
        found = features(deal, node, hand, unseen, move, own, scratch)
        out[place] = weighted(found, weights, at)


@inlined
def choose(
    deal: Words,
    recipes: Words,
    book: Words,
    adds: Floats,
    node: Words,
    seat: int,
    hand: int,
    unseen: int,
    weights: Floats,
    codes: Words,
    scratch: Floats,
    out: Floats,
) -> int:
    """The play of the highest value; the first of equals."""
    count = plays(deal, node, hand, codes)
    if count == 1:
        return int(codes[0])
    values(deal, recipes, book, adds, node, seat, hand, unseen, weights, codes, count, scratch, out)
    best = 0
    for place in range(1, count):
        if out[place] > out[best]:
            best = place
    return int(codes[best])
