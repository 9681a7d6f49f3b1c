"""The best compounding of a pile, and the optimistic one, remembered for the sets asked last.

Piles recur: a search asks for the same few thousands of sets again and again. Each cache is direct-mapped, in the
deal's own words, so that nothing outlives the deal.
"""

from __future__ import annotations

from solver.games.king.compounding.kernel import best, optimistic, renumbered
from solver.games.king.compounding.tables import CARRIERS
from solver.games.king.fast_rules.kernel import CACHE, CACHE_BITS, TABLES, WORK
from solver.kernels.arrays import Words
from solver.kernels.bits import popcount, wrapping_product
from solver.kernels.jit import inlined, lean

_SECOND = 2 << CACHE_BITS
MOST_CARRIERS = 24  # the house deck has fewer; of forty in a deck made for it the best bonus takes seconds


@inlined
def slot_of(cards: int) -> int:
    """The word of a set's slot."""
    mixed = wrapping_product(cards, 0x1E3779B97F4A7C15) & 0x7FFFFFFFFFFFFFFF
    return int(mixed >> (63 - CACHE_BITS)) << 1


@lean
def best_bonus(deal: Words, cards: int) -> int:
    """The best bonus of a set of cards. The empty set is what an unused slot says: no cards, no bonus."""
    at = CACHE + slot_of(cards)
    if deal[at] != cards:
        deal[at + 1] = best(deal[TABLES:], deal[WORK:], cards)
        deal[at] = cards
    return int(deal[at + 1])


@lean
def most_bonus(deal: Words, cards: int) -> int:
    """At least the best bonus of a set of cards, for less work."""
    at = CACHE + _SECOND + slot_of(cards)
    if deal[at] != cards:
        deal[at + 1] = optimistic(deal[TABLES:], deal[WORK:], cards)
        deal[at] = cards
    return int(deal[at + 1])


@lean
def near_bonus(deal: Words, cards: int) -> int:
    """The best bonus of a set of cards; where its carriers are too many to search within a node, at least that."""
    carriers = renumbered(deal[TABLES:], cards) & deal[TABLES + CARRIERS]
    return most_bonus(deal, cards) if popcount(carriers) > MOST_CARRIERS else best_bonus(deal, cards)
