"""How a plausible player of King × Alchemy picks its first card, as kernels: see `player`.

The card is drawn with probabilities proportional to exp(value); its value is a weighted sum of features.
"""

from __future__ import annotations

from solver.games.king.cards.deck import TRUMP
from solver.games.king.fast_rules.kernel import LOWER, SUIT, SUIT_CARDS, THE_DANCER
from solver.games.king.hints.card_values import BONUSES, CARRIES, row_of, worth
from solver.games.king.hints.policy import RECIPROCAL
from solver.hints.policy import to_chances
from solver.kernels.arrays import Floats, Words
from solver.kernels.bits import popcount, trailing_zeros
from solver.kernels.jit import lean

# Features of a card that is picked before the first trick.
PICK_OWN, PICK_NUMBER, PICK_TRUMP, PICK_TRUMP_NUMBER, PICK_DANCER, PICK_BONUS, PICK_LENGTH, PICK_VOID = range(8)
PICK_FEATURES = 8


@lean
def pick_features(
    deal: Words, recipes: Words, book: Words, adds: Floats, seat: int, hand: int, left: int, card: int, out: Floats
) -> None:
    """Write the features of picking a card; so many cards are left in the hand then."""
    for index in range(PICK_FEATURES):
        out[index] = 0.0
    out[PICK_OWN] = worth(deal, recipes, book, adds, row_of(recipes, seat), left, card)
    suit = deal[SUIT + card]
    of_suit = deal[SUIT_CARDS + suit]
    lower = popcount(deal[LOWER + card] & of_suit)
    recipe = recipes[CARRIES + card]
    out[PICK_BONUS] = 0.1 * recipes[BONUSES + recipe]
    if suit == TRUMP:
        out[PICK_TRUMP] = 1.0
        out[PICK_TRUMP_NUMBER] = lower * RECIPROCAL[popcount(of_suit) - 1]
    elif card == deal[THE_DANCER]:
        out[PICK_DANCER] = 1.0
    else:
        out[PICK_NUMBER] = lower * RECIPROCAL[popcount(of_suit) - 1]
        stay = popcount(hand & of_suit) - 1
        out[PICK_LENGTH] = 0.2 * stay
        if stay == 0:
            out[PICK_VOID] = 1.0


@lean
def pick_chances(
    deal: Words,
    recipes: Words,
    book: Words,
    adds: Floats,
    seat: int,
    hand: int,
    weights: Floats,
    codes: Words,
    scratch: Floats,
    out: Floats,
) -> int:
    """Write the cards of a hand to `codes` and the chance of each to be picked to `out`; return how many."""
    count = 0
    left = popcount(hand) - 1
    rest = hand
    while rest != 0:
        card = trailing_zeros(rest)
        rest &= rest - 1
        codes[count] = card
        pick_features(deal, recipes, book, adds, seat, hand, left, card, scratch)
        value = 0.0
        for index in range(PICK_FEATURES):
            value += scratch[index] * weights[index]
        out[count] = value
        count += 1
    to_chances(count, out)
    return count
