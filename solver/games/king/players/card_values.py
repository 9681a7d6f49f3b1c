"""What a card is worth to a player by its points and the recipes that it helps, as kernels.

A recipe that lacks m cards (its carrier among them) is taken to be worth bonus * q**m, so a card that it lacks
adds bonus * (q**(m - 1) - q**m); what the card adds to each recipe is added up, though a card serves but one.
q is the chance to get a card that is lacking: it falls with the cards that are left to be played.
"""

from __future__ import annotations

from collections import Counter
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from solver.common.masks import members
from solver.games.king.cards.deck import CARDS, Deck
from solver.games.king.compounding.tables import KEPT_DECKS
from solver.games.king.fast_rules.kernel import PLAYERS, POINTS
from solver.kernels.arrays import Floats, Words
from solver.kernels.bits import trailing_zeros, unsigned
from solver.kernels.jit import inlined, lean

KINDS, RECIPES, WIDEST, PROVIDES = range(4)
CARRIES = PROVIDES + CARDS
BONUSES = CARRIES + CARDS
DEAD = 64
LACKING = 8  # a recipe that lacks as many cards, or more, counts nothing
MOST_LEFT = 16


class CardValues(NamedTuple):
    """What cards are worth by.

    `deal` has the words of the deal (`fast_rules.kernel`), and `adds` what a lacking card adds (see `additions`).

    `recipes` has how many ingredients and recipes there are, and the most recipes that need one ingredient; for
    each card the ingredient that it provides and the recipe that it carries; the bonuses; and for each ingredient
    the recipes that need it, with how many units, padded to lists of one length. What does not exist has a number
    too, one past the last, so that kernels need not ask: a recipe without bonus, an ingredient of no use.

    `book` is what changes: a row a seat, with how many cards each recipe lacks (`DEAD` more when somebody else has
    its carrier, or nobody will), and the units that the seat has of each ingredient.
    """

    deal: Words
    recipes: Words
    book: Words
    adds: Floats


@lru_cache(maxsize=KEPT_DECKS)
def recipes_of(deck: Deck) -> Words:
    """The recipes of a deck as the kernels read them. Read-only."""
    kinds = sorted({card.provides for card in deck.cards if card.provides is not None})
    carriers = [number for number, card in enumerate(deck.cards) if card.recipe is not None]
    needs = {number: Counter(recipe.needs) for number in carriers if (recipe := deck.cards[number].recipe)}
    lists = [
        [(recipe, needs[card][kind]) for recipe, card in enumerate(carriers) if needs[card][kind]]
        for kind in kinds
    ]
    widest = max(map(len, lists), default=0)
    nothing = len(carriers), 0
    words = [len(kinds), len(carriers), widest]
    words += [len(kinds) if card.provides is None else kinds.index(card.provides) for card in deck.cards]
    words += [carriers.index(number) if number in needs else len(carriers) for number in range(CARDS)]
    words += [recipe.bonus for number in carriers if (recipe := deck.cards[number].recipe)] + [0]
    for entries in (*lists, []):
        words += [word for entry in entries + [nothing] * (widest - len(entries)) for word in entry]
    recipes = np.array(words, np.int64)
    recipes.flags.writeable = False
    return recipes


@lru_cache(maxsize=KEPT_DECKS)
def needs_of(deck: Deck) -> Words:
    """How many cards each recipe takes, its carrier included."""
    return np.array([1 + len(card.recipe.needs) for card in deck.cards if card.recipe is not None], np.int64)


def additions(hope: float, players: int) -> Floats:
    """What a lacking card adds to a recipe, as a share of its bonus: by the cards left in a hand, and by m.

    `hope` is q when a whole deck is left.
    """
    shares = np.zeros((MOST_LEFT, LACKING + 1))
    for left in range(MOST_LEFT):
        chance = min(0.9, hope * left * players / 45)
        for lacking in range(1, LACKING):
            shares[left, lacking] = chance ** (lacking - 1) - chance**lacking
    return shares.ravel()


def book_of(deck: Deck, piles: tuple[int, ...], lost: int) -> Words:
    """The book of these piles (masks by seat); `lost` are the cards that nobody has and that are out of play."""
    recipes, needs = recipes_of(deck), needs_of(deck)
    book = np.zeros((len(piles), int(row_of(recipes, 1))), np.int64)
    book[:, : len(needs)] = needs
    words = np.zeros(PLAYERS + 1, np.int64)
    words[PLAYERS] = len(piles)
    values = CardValues(words, recipes, book.ravel(), np.zeros(0))
    for seat, pile in enumerate(piles):
        for card in members(pile):
            get(values, seat, card)
    for card in members(lost):
        lose(values, card)
    return values.book


@inlined
def row_of(recipes: Words, seat: int) -> int:
    return int(seat * (recipes[RECIPES] + recipes[KINDS] + 2))


@inlined
def lose(values: CardValues, card: int) -> None:
    """Enter that a card is out of play."""
    recipe = values.recipes[CARRIES + card]
    if recipe < values.recipes[RECIPES]:
        for seat in range(values.deal[PLAYERS]):
            values.book[row_of(values.recipes, seat) + recipe] += DEAD


@inlined
def get(values: CardValues, seat: int, card: int) -> None:
    """Enter that a seat has won a card."""
    recipes, book = values.recipes, values.book
    row = row_of(recipes, seat)
    recipe = recipes[CARRIES + card]
    if recipe < recipes[RECIPES]:
        lose(values, card)
        book[row + recipe] -= DEAD + 1
    kind = recipes[PROVIDES + card]
    units = book[row + recipes[RECIPES] + 1 + kind]
    book[row + recipes[RECIPES] + 1 + kind] = units + 1
    entry = list_of(recipes, kind)
    for _ in range(recipes[WIDEST]):
        if units < recipes[entry + 1]:
            book[row + recipes[entry]] -= 1
        entry += 2


@inlined
def list_of(recipes: Words, kind: int) -> int:
    """Where the list of an ingredient begins."""
    return int(BONUSES + recipes[RECIPES] + 1 + 2 * recipes[WIDEST] * kind)


@inlined
def card_value(values: CardValues, row: int, left: int, card: int) -> float:
    """What a card that nobody has won adds for the seat whose row of the book begins at `row`.

    `left` is how many cards a hand has left.
    """
    deal, recipes, book, adds = values
    value = float(deal[unsigned(POINTS + card)])
    at = left * (LACKING + 1)
    recipe = recipes[unsigned(CARRIES + card)]
    bonus = recipes[unsigned(BONUSES + recipe)]
    value += bonus * adds[unsigned(at + min(book[unsigned(row + recipe)], LACKING))]
    kind = recipes[unsigned(PROVIDES + card)]
    units = book[unsigned(row + recipes[RECIPES] + 1 + kind)]
    entry = list_of(recipes, kind)
    for _ in range(recipes[WIDEST]):  # as many for each ingredient: no branch to guess
        recipe = recipes[unsigned(entry)]
        bonus = recipes[unsigned(BONUSES + recipe)]
        lacking = min(book[unsigned(row + recipe)], LACKING)
        if units >= recipes[unsigned(entry + 1)]:
            lacking = LACKING
        value += bonus * adds[unsigned(at + lacking)]
        entry += 2
    return float(value)


@lean
def dearest(values: CardValues, seat: int, left: int, cards: int, sign: float) -> int:
    """Of some cards (a mask) the one that is worth most to a seat, with `sign` -1 the least; the first of
    equals."""
    row = row_of(values.recipes, seat)
    chosen = -1
    most = 0.0
    while cards != 0:
        card = trailing_zeros(cards)
        cards &= cards - 1
        value = sign * card_value(values, row, left, card)
        if chosen < 0 or value > most:
            chosen = card
            most = value
    return chosen
