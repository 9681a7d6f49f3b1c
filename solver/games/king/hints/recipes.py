"""For which recipes there is all that it takes in the piles of sampled worlds."""

from __future__ import annotations

from collections import Counter
from functools import lru_cache

import numpy as np

from solver.common.masks import mask
from solver.games.king.cards.deck import Deck
from solver.games.king.compounding.tables import KEPT_DECKS
from solver.hints.causes import Truths
from solver.kernels.arrays import Words


def can_make(deck: Deck, carrier: int, piles: Words) -> Truths:
    """In which of some piles there is all that a recipe takes, if nothing else is made."""
    found: Truths = (piles >> carrier & 1) != 0
    for serving, count in _needs(deck)[carrier]:
        found &= np.bitwise_count(piles & serving) >= count
    return found


@lru_cache(maxsize=KEPT_DECKS)
def _needs(deck: Deck) -> tuple[tuple[tuple[int, int], ...], ...]:
    """For each card and each need of its recipe the cards that serve (a mask), and how many it takes of them."""
    return tuple(
        tuple(
            (
                mask(other for other, card in enumerate(deck.cards) if card.provides == need and other != carrier),
                count,
            )
            for need, count in Counter(held.recipe.needs if held.recipe else ()).items()
        )
        for carrier, held in enumerate(deck.cards)
    )
