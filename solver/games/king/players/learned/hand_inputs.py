"""What the learned player of King × Alchemy is told of a hand, as kernels: see `context_inputs`."""

from __future__ import annotations

from typing import NamedTuple

from solver.games.king.cards.deck import SUITS, TRUMP
from solver.games.king.fast_rules.kernel import (
    LOWER,
    PLAYERS,
    SUIT,
    SUIT_CARDS,
    THE_DANCER,
    seat_after,
)
from solver.games.king.players.card_values import (
    BONUSES,
    RECIPES,
    CardValues,
    card_value,
    row_of,
)
from solver.games.king.players.features import RECIPROCAL
from solver.hints.learned.forward import Inputs, tell
from solver.kernels.arrays import Floats, Words
from solver.kernels.bits import popcount, trailing_zeros
from solver.kernels.jit import lean


class Sight(NamedTuple):
    """A round as a seat sees it: values of cards with the piles of now, the trick, the piles and, by seat, the
    suits that it is known to hold no card of (bits). `worth` has room for what each unseen card is
    worth to it, then what each card that is not won yet would be by `reach`, which has room for that.
    """

    values: CardValues
    node: Words
    piles: Words
    voids: Words
    worth: Floats
    reach: Floats


@lean
def open_bonuses(sight: Sight, seat: int) -> tuple[float, float, float, float]:
    """The sums of the bonuses of a seat's recipes that lack no card, one, two, and three."""
    recipes, book = sight.values.recipes, sight.values.book
    row = row_of(recipes, seat)
    none, one, two, three = 0.0, 0.0, 0.0, 0.0
    for recipe in range(recipes[RECIPES]):
        lacking = book[row + recipe]
        bonus = recipes[BONUSES + recipe]
        if lacking == 0:
            none += bonus
        elif lacking == 1:
            one += bonus
        elif lacking == 2:
            two += bonus
        elif lacking == 3:
            three += bonus
    return none, one, two, three


@lean
def hand_inputs(sight: Sight, seat: int, hand: int, unseen: int, left: int, inputs: Inputs, at: int) -> None:
    """Note what is so of a hand: 12 inputs."""
    values = sight.values
    deal = values.deal
    row = row_of(values.recipes, seat)
    trumps = deal[SUIT_CARDS + TRUMP]
    dancer = deal[THE_DANCER]
    total, most, masters, strength = 0.0, 0.0, 0, 0.0
    rest = hand
    while rest != 0:
        card = trailing_zeros(rest)
        rest &= rest - 1
        value = card_value(values, row, left, card)
        total += value
        most = max(most, value)
        suit = deal[SUIT + card]
        if suit < TRUMP:
            of_suit = unseen & deal[SUIT_CARDS + suit]
            above = popcount(of_suit & ~deal[LOWER + card])
            if above == 0:
                masters += 1
            strength += 1.0 - above * RECIPROCAL[popcount(of_suit) + 1]
    longest, empty = 0, 0
    for suit in range(SUITS):
        length = popcount(hand & deal[SUIT_CARDS + suit])
        longest = max(longest, length)
        if length == 0:
            empty += 1
    tell(inputs, at, 0.05 * total)
    tell(inputs, at + 1, 0.2 * most)
    tell(inputs, at + 2, 0.33 * masters)
    tell(inputs, at + 3, 0.25 * strength)
    tell(inputs, at + 4, 0.2 * longest)
    tell(inputs, at + 5, 0.33 * empty)
    tell(inputs, at + 6, 0.5 * popcount(hand & trumps))
    tell(inputs, at + 7, 0.2 * popcount(unseen & trumps))
    tell(inputs, at + 8, 1.0 * ((hand >> dancer) & 1))
    tell(inputs, at + 9, 1.0 * ((unseen >> dancer) & 1))
    tell(inputs, at + 10, 0.1 * left)
    tell(inputs, at + 11, 0.01 * left * left)


@lean
def suit_inputs(
    sight: Sight, seat: int, hand: int, unseen: int, left: int, suit: int, inputs: Inputs, at: int
) -> None:
    """Note what is so of a suit: 7 inputs."""
    values = sight.values
    deal = values.deal
    of_suit = deal[SUIT_CARDS + suit]
    row = row_of(values.recipes, seat)
    open_cards = unseen & of_suit
    many = popcount(open_cards)
    rest = hand & of_suit
    length = popcount(rest)
    top, masters, total = 0.0, 0, 0.0
    while rest != 0:
        card = trailing_zeros(rest)
        rest &= rest - 1
        under = popcount(open_cards & deal[LOWER + card])
        top = max(top, (1 + under) * RECIPROCAL[many + 1])
        if under == many:
            masters += 1
        total += card_value(values, row, left, card)
    worth = 0.0
    rest = open_cards
    while rest != 0:
        worth += sight.worth[trailing_zeros(rest)]
        rest &= rest - 1
    void = 0
    for step in range(1, deal[PLAYERS]):
        void += (sight.voids[seat_after(deal, seat, step)] >> suit) & 1
    tell(inputs, at, 0.25 * length)
    tell(inputs, at + 1, top)
    tell(inputs, at + 2, 0.5 * masters)
    tell(inputs, at + 3, 0.1 * many)
    tell(inputs, at + 4, 0.1 * total)
    tell(inputs, at + 5, 0.2 * worth * RECIPROCAL[many])
    tell(inputs, at + 6, 0.33 * void)
