"""A deck's recipes as the flat array that the compounding kernels read.

Which cards serve a recipe never matters, only how many of each ingredient there are: a card provides at most one
ingredient, so a carrier that is made uses up its recipe's needs and, once more, the ingredient that it could have
been itself. The best compounding is then a 0/1 packing: carriers whose *demand* of every ingredient is together
at most the number of cards that provide it. The kernels know no other cards or choices.

Cards are renumbered: carriers first, the lowest bonus first, so that the cheapest carriers of a mask are its
lowest ones. Layout, in words: a header (below), the rows of the ingredients, the bonuses of the carriers, the
renumbering of each byte of a deck mask, the sum of the bonuses of each byte of a carrier mask. The row of
an ingredient: the cards that provide it, then for each number of units u the carriers that demand at least u,
from 1 to `DEPTH` + 1 (nobody).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache, cached_property

import numpy as np
from numpy.typing import NDArray

from solver.games.king.cards.deck import CARDS, Deck

INGREDIENTS, DEPTH, WIDTH, CARRIERS, BONUSES, BYTES, SUMS, ROWS = range(8)
MASK_BYTES = 7  # of a deck mask
BONUS_WEIGHT = 64  # above any number of cards


def demand(deck: Deck, card: int) -> Counter[str]:
    """What making this carrier's recipe takes of each ingredient, the carrier itself included."""
    recipe = deck.cards[card].recipe
    assert recipe is not None
    units = Counter(recipe.needs)
    provided = deck.cards[card].provides
    if provided is not None:
        units[provided] += 1
    return units


def weight(deck: Deck, card: int) -> int:
    """What decides between compoundings: the bonus and, if equal, how few cards they use. Adds up over recipes."""
    recipe = deck.cards[card].recipe
    assert recipe is not None
    return recipe.bonus * BONUS_WEIGHT - 1 - len(recipe.needs)


def bonus_of(weights: int) -> int:
    """The bonus in a sum of weights."""
    return -(-weights // BONUS_WEIGHT)


@dataclass(frozen=True)
class Numbering:
    """Which carriers the tables know, in their order; the cards' new numbers follow it."""

    deck: Deck
    carriers: tuple[int, ...]
    values: tuple[int, ...]

    @cached_property
    def place(self) -> dict[int, int]:
        """The new number of each card."""
        others = [card for card in range(CARDS) if card not in self.carriers]
        return {card: new for new, card in enumerate((*self.carriers, *others))}

    def mask(self, cards: Iterable[int]) -> int:
        return sum(1 << self.place[card] for card in cards)


@cache
def numbering(deck: Deck, *, thrifty: bool = False) -> Numbering:
    """The carriers by what they are worth: the bonus or, `thrifty`, the weight (without those of no bonus)."""
    values = {
        card: weight(deck, card) if thrifty else recipe.bonus
        for card in range(CARDS)
        if (recipe := deck.cards[card].recipe) is not None and (recipe.bonus > 0 or not thrifty)
    }
    carriers = tuple(sorted(values, key=lambda card: (values[card], card)))
    return Numbering(deck, carriers, tuple(values[card] for card in carriers))


@cache
def tables(deck: Deck, *, thrifty: bool = False) -> NDArray[np.int64]:
    """The compounding kernels' read-only tables of a deck, one flat int64 array.

    With `thrifty` the kernels' bonuses are weights.
    """
    numbers = numbering(deck, thrifty=thrifty)
    carriers, values = numbers.carriers, numbers.values
    demands = [demand(deck, card) for card in carriers]
    # An ingredient that no recipe needs is never scarce.
    wanted = sorted({need for card in carriers for need in _needs(deck, card)})
    depth = max((units[need] for units in demands for need in wanted), default=1)

    rows = np.zeros((len(wanted), depth + 2), np.int64)
    for number, need in enumerate(wanted):
        rows[number, 0] = numbers.mask(card for card in range(CARDS) if deck.cards[card].provides == need)
        for least in range(1, depth + 1):
            rows[number, least] = sum(1 << at for at, units in enumerate(demands) if units[need] >= least)
    renumbered = np.zeros((MASK_BYTES, 256), np.int64)
    for byte in range(MASK_BYTES):
        for bits in range(256):
            renumbered[byte, bits] = numbers.mask(card for card in _ones(byte, bits) if card < CARDS)
    sums = np.zeros((-(-len(carriers) // 8), 256), np.int64)
    for byte in range(len(sums)):
        for bits in range(256):
            sums[byte, bits] = sum(values[at] for at in _ones(byte, bits) if at < len(carriers))

    parts = [rows.ravel(), np.array(values, np.int64), renumbered.ravel(), sums.ravel()]
    header = np.zeros(ROWS, np.int64)
    header[INGREDIENTS], header[DEPTH], header[WIDTH] = len(wanted), depth, depth + 2
    header[CARRIERS] = (1 << len(carriers)) - 1
    header[[BONUSES, BYTES, SUMS]] = ROWS + np.cumsum([len(part) for part in parts[:-1]])
    found = np.concatenate([header, *parts])
    found.flags.writeable = False
    return found


def _needs(deck: Deck, card: int) -> tuple[str, ...]:
    recipe = deck.cards[card].recipe
    return recipe.needs if recipe else ()


def _ones(byte: int, bits: int) -> Iterator[int]:
    """The members of a mask's byte."""
    return (8 * byte + bit for bit in range(8) if bits >> bit & 1)
