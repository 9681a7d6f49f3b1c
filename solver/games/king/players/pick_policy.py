"""How a plausible player of King × Alchemy picks its first card, as kernels: see `policy`.

The card is drawn with probabilities proportional to exp(value); its value is a weighted sum of features.
"""

from __future__ import annotations

from solver.games.king.cards.deck import TRUMP
from solver.games.king.fast_rules.kernel import LOWER, SUIT, SUIT_CARDS, THE_DANCER
from solver.games.king.players.card_values import BONUSES, CARRIES, CardValues, card_value, row_of
from solver.games.king.players.features import RECIPROCAL
from solver.games.king.players.policy import Room
from solver.hints.policy import to_chances
from solver.kernels.arrays import Floats
from solver.kernels.bits import popcount, trailing_zeros
from solver.kernels.jit import lean

# Features of a card that is picked before the first trick.
PICK_OWN, PICK_NUMBER, PICK_TRUMP, PICK_TRUMP_NUMBER, PICK_DANCER, PICK_BONUS, PICK_LENGTH, PICK_VOID = range(8)
PICK_FEATURES = 8


@lean
def pick_features(values: CardValues, seat: int, hand: int, left: int, card: int, out: Floats) -> None:
    """Write the features of picking a card of a hand (a mask); `left` cards are left in the hand then."""
    deal, recipes = values.deal, values.recipes
    for index in range(PICK_FEATURES):
        out[index] = 0.0
    out[PICK_OWN] = card_value(values, row_of(recipes, seat), left, card)
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
def pick_values(values: CardValues, seat: int, hand: int, weights: Floats, room: Room) -> int:
    """Write the cards of a hand to the codes of `room`, and the value of picking each to its values.

    Returns how many there are.
    """
    count = 0
    left = popcount(hand) - 1
    rest = hand
    while rest != 0:
        card = trailing_zeros(rest)
        rest &= rest - 1
        room.codes[count] = card
        pick_features(values, seat, hand, left, card, room.table)
        value = 0.0
        for index in range(PICK_FEATURES):
            value += room.table[index] * weights[index]
        room.values[count] = value
        count += 1
    return count


@lean
def pick_chances(values: CardValues, seat: int, hand: int, weights: Floats, room: Room) -> int:
    """As `pick_values`, but with the chance of each card to be picked."""
    count = pick_values(values, seat, hand, weights, room)
    to_chances(count, room.values)
    return int(count)
