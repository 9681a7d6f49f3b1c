"""A deck's recipes as the flat array that the compounding kernels read.

A *carrier* is a card that carries a recipe. Which cards serve in a recipe never matters, only how many cards of
each ingredient there are. For a card provides at most one ingredient: a carrier that is made takes the needs of
its recipe and, because it cannot serve elsewhere, one unit of the ingredient that it provides itself. That is its
*demand*. The best compounding is then a multidimensional 0/1 knapsack: the carriers of the most bonus whose
demand of every ingredient is together at most the number of cards that provide it.

The tables number the cards anew: carriers first, those of the lowest bonus first, so that the lowest bits of a
mask of carriers are its cheapest ones. The array is made of int64 words, in this order:

- a header of `ROWS` words, named below;
- a row of `WIDTH` words for each ingredient: a mask of the cards that provide it, then for u = 1 … `DEPTH` + 1 a
  mask of the carriers that demand at least u units (for `DEPTH` + 1 no carrier does);
- the bonus of each carrier, from `BONUSES` on;
- for each of the `MASK_BYTES` bytes of a deck mask, the new mask of its 256 values, from `BYTES` on;
- for each byte of a mask of carriers, the sum of the bonuses of its 256 values, from `SUMS` on.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache

import numpy as np
from numpy.typing import NDArray

from solver.games.king.cards.deck import CARDS, Deck

# The header: the number of ingredients, the most units that a carrier demands of one, the words of a row, the
# mask of all carriers, where the bonuses and the two tables by bytes begin, and how many nodes a search may take
# in passing, well under a millisecond. The rows begin after the header.
INGREDIENTS, DEPTH, WIDTH, CARRIERS, BONUSES, BYTES, SUMS, PATIENCE, ROWS = range(9)
MASK_BYTES = 7  # of a deck mask
_PATIENCE = 512  # nodes; no set of the house deck was seen to take 200
_LEAST_PATIENCE = 32
_ROOMY = 64  # ingredients times units demanded; with more, a node takes longer, in proportion
KEPT_DECKS = 64  # decks whose tables are kept; users send as many as they like
BONUS_WEIGHT = 64  # more than the cards of any compounding, so that bonus always decides before their number


def demand(deck: Deck, card: int) -> Counter[str]:
    """How many units of each ingredient it takes to make a carrier's recipe, the carrier itself included."""
    recipe = deck.cards[card].recipe
    assert recipe is not None
    units = Counter(recipe.needs)
    provided = deck.cards[card].provides
    if provided is not None:
        units[provided] += 1
    return units


def weight(deck: Deck, card: int) -> int:
    """A carrier's share of what decides between compoundings: more bonus and, if equal, fewer cards used.

    The weight of a compounding is the sum of its carriers' weights; `bonus_of` gives its bonus back.
    """
    recipe = deck.cards[card].recipe
    assert recipe is not None
    return recipe.bonus * BONUS_WEIGHT - 1 - len(recipe.needs)


def bonus_of(weights: int) -> int:
    """The bonus of the carriers whose weights have this sum."""
    return -(-weights // BONUS_WEIGHT)


@dataclass(frozen=True)
class Numbering:
    """The new numbers of a deck's cards.

    `carriers` are those that the tables know, in their new order, and `values` what each is worth to the kernels.
    """

    deck: Deck
    carriers: tuple[int, ...]
    values: tuple[int, ...]

    @cached_property
    def place(self) -> dict[int, int]:
        """The new number of each card."""
        others = [card for card in range(CARDS) if card not in self.carriers]
        return {card: new for new, card in enumerate((*self.carriers, *others))}

    def mask(self, cards: Iterable[int]) -> int:
        """The table mask of some cards of the deck."""
        return sum(1 << self.place[card] for card in cards)


@lru_cache(maxsize=KEPT_DECKS)
def numbering(deck: Deck, *, thrifty: bool = False) -> Numbering:
    """The numbering for tables whose values are bonuses or, if `thrifty`, weights.

    `thrifty` tables leave out the carriers whose recipes have no bonus. Both leave out those that not even the
    whole deck suffices for.
    """
    supply = Counter(card.provides for card in deck.cards)
    values = {
        card: weight(deck, card) if thrifty else recipe.bonus
        for card in range(CARDS)
        if (recipe := deck.cards[card].recipe) is not None
        and (recipe.bonus > 0 or not thrifty)
        and all(supply[need] >= units for need, units in demand(deck, card).items())
    }
    carriers = tuple(sorted(values, key=lambda card: (values[card], card)))
    return Numbering(deck, carriers, tuple(values[card] for card in carriers))


@lru_cache(maxsize=KEPT_DECKS)
def tables(deck: Deck, *, thrifty: bool = False) -> NDArray[np.int64]:
    """The read-only tables of a deck for the kernels, whose bonuses are then weights if `thrifty`."""
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
    renumbered = _by_bytes([1 << numbers.place[card] for card in range(CARDS)])

    parts = [rows.ravel(), np.array(values, np.int64), renumbered, _by_bytes(values)]
    header = np.zeros(ROWS, np.int64)
    header[INGREDIENTS], header[DEPTH], header[WIDTH] = len(wanted), depth, depth + 2
    header[CARRIERS] = (1 << len(carriers)) - 1
    header[PATIENCE] = max(_LEAST_PATIENCE, _PATIENCE * _ROOMY // max(_ROOMY, len(wanted) * depth))
    header[[BONUSES, BYTES, SUMS]] = ROWS + np.cumsum([len(part) for part in parts[:-1]])
    found = np.concatenate([header, *parts])
    found.flags.writeable = False
    return found


def _needs(deck: Deck, card: int) -> tuple[str, ...]:
    recipe = deck.cards[card].recipe
    return recipe.needs if recipe else ()


def _by_bytes(values: Sequence[int]) -> NDArray[np.int64]:
    """For each byte of a mask of as many bits as `values`, and each value of the byte: its bits' sum.

    A service reads many decks, so it is quick.
    """
    sums = np.zeros((-(-len(values) // 8), 256), np.int64)
    for bit, value in enumerate(values):
        row, half = sums[bit // 8], 1 << bit % 8
        row[half : 2 * half] = row[:half] + value
    return sums.ravel()
