"""What a plausible player of King × Alchemy goes by when it plays a card: the features of a play, as kernels.

The node of the trick on the table is that of `fast_rules.kernel`.
"""

from __future__ import annotations

import numpy as np

from solver.games.king.cards.deck import CARDS, TRUMP
from solver.games.king.fast_rules.kernel import (
    BEST_POWER,
    LATE_TRUMP,
    LEAD,
    LOWER,
    LOWEST_RANK,
    NAME,
    NAMED,
    ORDER,
    PLAYED,
    PLAYERS,
    RANK,
    READINGS,
    SUIT,
    SUIT_CARDS,
    THE_DANCER,
    TRICK,
    TRUMPED,
    card_at,
)
from solver.kernels.arrays import Floats, Words
from solver.kernels.bits import popcount, unsigned
from solver.kernels.jit import inlined

Features = tuple[float, ...]

RECIPROCAL = np.array([0.0, *(1.0 / count for count in range(1, CARDS + 2))])  # divisions cost what much else does

# Features of a play. "Wins" is the chance that none of the cards that the later seats would draw at random from
# the unseen ones beats it; "sharp" the same where later seats follow suit.
WINS = 0
WINS_OWN = 1  # wins, times what the card is worth
WINS_TABLE = 2  # wins, times what the two best cards on the table are worth that it could take
WINS_LATER = 3  # wins, times the cards that it could still take of those to come
SHARP = 4
SHARP_GAIN = 5  # sharp, times what the card and those that it could take are worth
NUMBER = 6  # of a suit card: the share of its suit that is lower
HEIGHT = 7  # of a suit card: the share of its suit's unseen cards that is lower
IS_TRUMP = 8
TRUMP_NUMBER = 9  # the share of the trumps that is lower
IS_DANCER = 10
OWN = 11  # what the card is worth
BOTTOM = 12  # the chance to be the bottom
BOTTOM_TABLE = 13  # the same, times what the worst card on the table is worth
VOID = 14  # the hand has no other card of the suit
LENGTH = 15  # the cards of the suit that stay in the hand
FEATURES = 16


@inlined
def features(deal: Words, node: Words, hand: int, unseen: int, move: int, own: float, table: Floats) -> Features:
    """The features of a play. `unseen` are the cards that the player has not seen, `own` is what the card is
    worth.

    `table` has what each card on the table is worth. What is returned stays in registers.
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
    late = deal[READINGS] & LATE_TRUMP != 0  # a trump after the Dancer beats it

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
            if late:
                beaters |= unseen & trumps
    elif suit == TRUMP:
        beats = (late or node[NAME] < 0) and TRUMPED + rank > node[BEST_POWER]
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
