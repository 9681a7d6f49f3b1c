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
from functools import cache

import numpy as np
from numpy.typing import NDArray

from solver.games.king.deck import CARDS, Deck

INGREDIENTS, DEPTH, WIDTH, CARRIERS, BONUSES, BYTES, SUMS, SUM_BYTES, CARRYING = range(9)
ROWS = 9
MASK_BYTES = 7  # of a deck mask


def demand(deck: Deck, card: int) -> Counter[str]:
    """What making this carrier's recipe takes of each ingredient, the carrier itself included."""
    recipe = deck.cards[card].recipe
    assert recipe is not None
    units = Counter(recipe.needs)
    provided = deck.cards[card].provides
    if provided is not None:
        units[provided] += 1
    return units


@cache
def tables(deck: Deck) -> NDArray[np.int64]:
    """The compounding kernels' read-only tables of a deck, one flat int64 array."""
    carriers = [card for card in range(CARDS) if deck.cards[card].recipe is not None]
    carriers.sort(key=lambda card: (_bonus(deck, card), card))
    order = carriers + [card for card in range(CARDS) if deck.cards[card].recipe is None]
    place = {card: new for new, card in enumerate(order)}
    demands = [demand(deck, card) for card in carriers]
    # An ingredient that no recipe needs is never scarce.
    wanted = sorted({need for card in carriers for need in deck.cards[card].recipe.needs})  # type: ignore[union-attr]
    depth = max((units[need] for units in demands for need in wanted), default=1)

    rows = np.zeros((len(wanted), depth + 2), np.int64)
    for number, need in enumerate(wanted):
        rows[number, 0] = sum(1 << place[card] for card in range(CARDS) if deck.cards[card].provides == need)
        for least in range(1, depth + 1):
            rows[number, least] = sum(1 << at for at, units in enumerate(demands) if units[need] >= least)
    bonuses = np.array([_bonus(deck, card) for card in carriers], np.int64)
    renumbered = np.zeros((MASK_BYTES, 256), np.int64)
    for byte in range(MASK_BYTES):
        for value in range(256):
            cards = [8 * byte + bit for bit in range(8) if value >> bit & 1]
            renumbered[byte, value] = sum(1 << place[card] for card in cards if card < CARDS)
    sum_bytes = -(-len(carriers) // 8)
    sums = np.zeros((sum_bytes, 256), np.int64)
    for byte in range(sum_bytes):
        for value in range(256):
            at = [8 * byte + bit for bit in range(8) if value >> bit & 1]
            sums[byte, value] = sum(int(bonuses[carrier]) for carrier in at if carrier < len(carriers))

    parts = [rows.ravel(), bonuses, renumbered.ravel(), sums.ravel()]
    starts = ROWS + np.cumsum([0] + [len(part) for part in parts])
    header = np.zeros(ROWS, np.int64)
    header[INGREDIENTS] = len(wanted)
    header[DEPTH] = depth
    header[WIDTH] = depth + 2
    header[CARRIERS] = (1 << len(carriers)) - 1
    header[BONUSES], header[BYTES], header[SUMS] = starts[1], starts[2], starts[3]
    header[SUM_BYTES] = sum_bytes
    header[CARRYING] = sum(1 << card for card in carriers)
    found = np.concatenate([header, *parts])
    found.flags.writeable = False
    return found


def _bonus(deck: Deck, card: int) -> int:
    recipe = deck.cards[card].recipe
    assert recipe is not None
    return recipe.bonus
