"""A plausible player of King × Alchemy, as kernels: it sees its own cards and what is open, and thinks no further.

A play's value is a weighted sum of features; the weights depend on the place in the trick (first, between, last)
and, linearly, on the cards left in the hand. The play of the highest value is made; to learn, one is drawn with
probabilities proportional to exp(value). What cards are worth is told by `worth`. The node of the trick on the
table is that of `kernel`.
"""

from __future__ import annotations

import numpy as np

from solver.games.king.deck import CARDS, SUITS, TRUMP
from solver.games.king.kernel import (
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
from solver.games.king.worth import MOST_LEFT, Floats, row_of, worth
from solver.search.bits import popcount, trailing_zeros
from solver.search.jit import inlined, lean
from solver.search.rng import uniform
from solver.search.trick import Words

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
SCRATCH = FEATURES + 8  # features, then the worths of the cards on the table


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
    """Write what the cards on the table are worth to a seat next to the features."""
    row = row_of(recipes, seat)
    order = node[ORDER]
    for place in range(node[PLAYED]):
        scratch[FEATURES + place] = worth(deal, recipes, book, adds, row, left, card_at(order, place))


@lean
def features(deal: Words, node: Words, hand: int, unseen: int, move: int, own: float, out: Floats) -> None:
    """Write the features of a play. `unseen` are the cards that the player has not seen, `own` the card's worth.

    `out` has the worths of the cards on the table next to the features.
    """
    dancer = deal[THE_DANCER]
    named = move >= NAMED
    card = dancer if named else move
    suit = move - NAMED if named else deal[SUIT + card]
    played = node[PLAYED]
    later = deal[PLAYERS] - 1 - played
    lead = suit if played == 0 else node[LEAD]
    rank = deal[RANK + card]
    lower = deal[LOWER + card]
    trumps = deal[SUIT_CARDS + TRUMP]
    count = popcount(unseen)
    scale = RECIPROCAL[count]
    for index in range(FEATURES):
        out[index] = 0.0

    beats = False
    beaters = 0
    followed = 0  # unseen cards of the lead suit
    if named:
        if node[TRICK] & trumps != 0:
            beats = True
        elif suit == lead:
            beats = 2 * rank > node[BEST_POWER]
            followed = unseen & deal[SUIT_CARDS + suit]
            beaters = followed & ~lower
    elif suit == TRUMP:
        beats = node[NAME] < 0 and TRUMPED + rank > node[BEST_POWER]
        beaters = unseen & ((trumps & ~lower) | (1 << dancer))
    elif suit == lead:
        beats = 2 * rank + 1 > node[BEST_POWER]
        followed = unseen & deal[SUIT_CARDS + suit]
        beaters = (followed & ~lower) | (unseen & trumps)
        if deal[RANK + dancer] > rank:
            beaters |= unseen & (1 << dancer)
    wins = 1.0 if beats else 0.0
    sharp = wins
    if beats:
        chance = 1.0 - scale * popcount(beaters)
        follows = (1.0 - popcount(beaters & followed) * RECIPROCAL[popcount(followed) + 1]) * (
            1.0 - scale * popcount(beaters & ~followed)
        )
        for _ in range(later):
            wins *= chance
            sharp *= follows
    first = 0.0
    second = 0.0
    worst = own
    takable = 0
    for place in range(played):
        value = out[FEATURES + place]
        worst = min(worst, value)
        if (lower >> card_at(node[ORDER], place)) & 1:
            takable += 1
            if value > first:
                second = first
                first = value
            elif value > second:
                second = value
    table = first + second
    room = 2.0 - min(takable, 2)
    out[WINS] = wins
    out[WINS_OWN] = wins * own
    out[WINS_TABLE] = wins * table
    out[WINS_LATER] = wins * min(room, later * scale * popcount(unseen & lower))
    out[SHARP] = sharp
    out[SHARP_GAIN] = sharp * (own + table)
    if named:
        out[IS_DANCER] = 1.0
    elif suit == TRUMP:
        out[IS_TRUMP] = 1.0
        out[TRUMP_NUMBER] = popcount(lower & trumps) * RECIPROCAL[popcount(trumps) - 1]
    else:
        of_suit = deal[SUIT_CARDS + suit]
        out[NUMBER] = popcount(lower & of_suit) * RECIPROCAL[popcount(of_suit) - 1]
        out[HEIGHT] = popcount(lower & of_suit & unseen) * RECIPROCAL[popcount(of_suit & unseen)]
        stay = popcount(hand & of_suit) - 1
        out[LENGTH] = 0.2 * stay
        if stay == 0:
            out[VOID] = 1.0
    out[OWN] = own
    lowest = suit == lead and rank <= node[LOWEST_RANK]
    if node[NAME] == lead and node[TRICK] & trumps == 0 and rank >= deal[RANK + dancer]:
        lowest = False  # the Dancer on the table is lower, also with the same number
    if lowest:
        low = 1.0 - wins
        below = 1.0 - scale * popcount(unseen & lower & deal[SUIT_CARDS + suit])
        for _ in range(later):
            low *= below
        out[BOTTOM] = low
        out[BOTTOM_TABLE] = low * worst


@lean
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


@lean
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
    played = node[PLAYED]
    context = 0 if played == 0 else 2 if played == deal[PLAYERS] - 1 else 1
    at = (left * CONTEXTS + context) * FEATURES
    row = row_of(recipes, seat)
    table_worths(deal, recipes, book, adds, node, seat, left, scratch)
    for place in range(count):
        move = codes[place]
        card = deal[THE_DANCER] if move >= NAMED else move
        own = worth(deal, recipes, book, adds, row, left, card)
        features(deal, node, hand, unseen, move, own, scratch)
        # Four sums at once: one addition need not wait for the one before.
        one = 0.0
        two = 0.0
        three = 0.0
        four = 0.0
        for index in range(0, FEATURES, 4):
            one += scratch[index] * weights[at + index]
            two += scratch[index + 1] * weights[at + index + 1]
            three += scratch[index + 2] * weights[at + index + 2]
            four += scratch[index + 3] * weights[at + index + 3]
        out[place] = (one + two) + (three + four)


@lean
def draw(count: int, out: Floats, random: Words) -> int:
    """A place by the probabilities in `out`."""
    left = uniform(random)
    place = 0
    while place < count - 1 and left >= out[place]:
        left -= out[place]
        place += 1
    return place


@lean
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
