"""Which recipes a player of King × Alchemy may still complete, as kernels: by the cards that are left to be won.

`card_values` counts what a recipe lacks; here it counts who may still get it. A card that is not yet won comes to
a seat with a chance: one in the number of players, and for the own cards the more the higher they are. The chance
of an ingredient is that of at least one of its cards, and that of a recipe the product of what it lacks. A card is
worth its points, and as much as it raises these chances if it is won, over its being lost.
"""

from __future__ import annotations

from solver.games.king.cards.deck import CARDS, TRUMP
from solver.games.king.fast_rules.kernel import LOWER, PLAYERS, POINTS, SUIT, SUIT_CARDS
from solver.games.king.players.card_values import (
    BONUSES,
    CARRIES,
    DEAD,
    KINDS,
    PROVIDES,
    RECIPES,
    WIDEST,
    CardValues,
    list_of,
    row_of,
)
from solver.games.king.players.features import RECIPROCAL
from solver.kernels.arrays import Floats
from solver.kernels.bits import popcount, trailing_zeros
from solver.kernels.jit import lean

MOST = 64  # ingredients, and recipes, at most
# Of each seat the chances of its recipes; then those of the ingredients for the seat that asks, and for another
# one; then the chance of each card for the seat that asks.
MINE = 5 * MOST
THEIRS = MINE + MOST
COMES = THEIRS + MOST
REACH = COMES + CARDS
_LEAST = 0.01  # of an ingredient's chance: what nobody can get any more


@lean
def _ingredients(values: CardValues, cards: int, seat_asking: bool, reach: Floats) -> None:
    """Write the chances of the ingredients, for the seat that asks or another one."""
    recipes = values.recipes
    at = MINE if seat_asking else THEIRS
    for kind in range(recipes[KINDS]):
        reach[at + kind] = 1.0
    share = RECIPROCAL[values.deal[PLAYERS]]
    while cards != 0:
        card = trailing_zeros(cards)
        cards &= cards - 1
        kind = recipes[PROVIDES + card]
        if kind < recipes[KINDS]:
            reach[at + kind] *= 1.0 - (reach[COMES + card] if seat_asking else share)
    for kind in range(recipes[KINDS]):
        reach[at + kind] = max(_LEAST, 1.0 - reach[at + kind])


@lean
def write_reach(values: CardValues, seat: int, hand: int, table: int, unseen: int, reach: Floats) -> None:
    """Write the chances of cards, ingredients and recipes. `hand`, `table` and `unseen` are masks."""
    deal, recipes, book = values.deal, values.recipes, values.book
    players = deal[PLAYERS]
    share = RECIPROCAL[players]
    rest = table | unseen
    while rest != 0:
        reach[COMES + trailing_zeros(rest)] = share
        rest &= rest - 1
    rest = hand
    while rest != 0:
        card = trailing_zeros(rest)
        rest &= rest - 1
        suit = deal[SUIT + card]
        if suit < TRUMP:
            of_suit = unseen & deal[SUIT_CARDS + suit]
            reach[COMES + card] = (
                0.15 + 0.5 * popcount(of_suit & deal[LOWER + card]) * RECIPROCAL[popcount(of_suit)]
            )
        else:
            reach[COMES + card] = 0.7
    cards = hand | table | unseen
    _ingredients(values, cards, True, reach)
    _ingredients(values, cards, False, reach)
    for owner in range(players):
        row = row_of(recipes, owner)
        at = owner * MOST
        for recipe in range(recipes[RECIPES]):
            reach[at + recipe] = 1.0 if book[row + recipe] < DEAD else 0.0
        rest = cards
        while rest != 0:
            card = trailing_zeros(rest)
            rest &= rest - 1
            if recipes[CARRIES + card] < recipes[RECIPES]:
                reach[at + recipes[CARRIES + card]] *= reach[COMES + card] if owner == seat else share
        chances = MINE if owner == seat else THEIRS
        for kind in range(recipes[KINDS]):
            entry = list_of(recipes, kind)
            units = book[row + recipes[RECIPES] + 1 + kind]
            for _ in range(recipes[WIDEST]):
                for _ in range(units, recipes[entry + 1]):
                    reach[at + recipes[entry]] *= reach[chances + kind]
                entry += 2


@lean
def expected_bonus(values: CardValues, owner: int, reach: Floats) -> float:
    """The bonuses of a seat's recipes, times their chances."""
    recipes = values.recipes
    total = 0.0
    for recipe in range(recipes[RECIPES]):
        total += recipes[BONUSES + recipe] * reach[owner * MOST + recipe]
    return total


@lean
def swing(values: CardValues, owner: int, seat: int, card: int, reach: Floats) -> float:
    """What it is worth to `owner` to win a card, over its being lost; `seat` is the one that asks."""
    deal, recipes, book = values.deal, values.recipes, values.book
    row = row_of(recipes, owner)
    at = owner * MOST
    comes = reach[COMES + card] if owner == seat else RECIPROCAL[deal[PLAYERS]]
    value = float(deal[POINTS + card])
    recipe = recipes[CARRIES + card]
    if recipe < recipes[RECIPES]:
        value += recipes[BONUSES + recipe] * reach[at + recipe] / comes
    kind = recipes[PROVIDES + card]
    if kind < recipes[KINDS]:
        chance = reach[(MINE if owner == seat else THEIRS) + kind]
        without = max(_LEAST, 1.0 - (1.0 - chance) / (1.0 - comes))
        units = book[row + recipes[RECIPES] + 1 + kind]
        entry = list_of(recipes, kind)
        for _ in range(recipes[WIDEST]):
            if recipes[entry + 1] > units:
                value += recipes[BONUSES + recipes[entry]] * reach[at + recipes[entry]] * (1.0 - without) / chance
            entry += 2
    return value
