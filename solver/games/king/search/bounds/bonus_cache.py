"""The best compounding of a pile, and the optimistic one, remembered for the sets asked last.

Piles recur: a search asks for the same few thousands of sets again and again. Each cache is direct-mapped, in the
deal's own words, so that nothing outlives the deal.

Of some sets of decks made for it the best bonus takes hours. So each set is searched for a number of nodes, and
then it is only known to be at least what was found (`least_bonus`) and at most the optimistic one (`near_bonus`).
Where a search needs the very number, `best_bonus` stalls it; who drives the search has the number worked out under
its limit and enters it (`enter_hard`). What a search pays for such sets beside its nodes adds up in the deal's
word TOLL.
"""

from __future__ import annotations

from solver.games.king.compounding.kernel import REST, best, optimistic, renumbered
from solver.games.king.compounding.tables import CARRIERS, PATIENCE
from solver.games.king.fast_rules.kernel import (
    CACHE,
    CACHE_BITS,
    HARD,
    HARD_BITS,
    HARD_SETS,
    STALLED,
    TABLES,
    TOLL,
    WORK,
)
from solver.kernels.arrays import Words
from solver.kernels.bits import popcount, wrapping_product
from solver.kernels.jit import inlined, lean

_SECOND = 2 << CACHE_BITS
MOST_CARRIERS = 24  # the house deck has fewer; more are not searched for a bound
_FREE = 256  # nodes of compounding that are part of a node's own time; the house deck needs fewer
_RATE = 4  # nodes of compounding take the time of one node
_WEARY = 5000  # with so much toll since it was last taken, sets get few nodes each
_WEARY_NODES = 32


@inlined
def mixed(cards: int) -> int:
    """A set's hash, of 63 bits of which the highest are the best."""
    return int(wrapping_product(cards, 0x1E3779B97F4A7C15) & 0x7FFFFFFFFFFFFFFF)


@inlined
def slot_of(cards: int) -> int:
    """The word of a set's slot."""
    return int(mixed(cards) >> (63 - CACHE_BITS)) << 1


@lean
def hard_place(deal: Words, cards: int) -> int:
    """The word where a hard set is, or where it would be entered."""
    slot = mixed(cards) >> (63 - HARD_BITS)
    while deal[HARD + 2 * slot] != 0 and deal[HARD + 2 * slot] != cards:
        slot = (slot + 1) & ((1 << HARD_BITS) - 1)
    return int(HARD + 2 * slot)


@lean
def enter_hard(deal: Words, cards: int, bonus: int) -> None:
    """Remember the best bonus of a hard set, and let the search that is stalled for it go on."""
    if 4 * deal[HARD_SETS] >= 3 << HARD_BITS:
        deal[HARD_SETS] = 0
        for word in range(HARD, HARD + (2 << HARD_BITS)):
            deal[word] = 0
    at = hard_place(deal, cards)
    if deal[at] == 0:
        deal[HARD_SETS] += 1
    deal[at] = cards
    deal[at + 1] = bonus
    at = CACHE + slot_of(cards)
    deal[at] = cards
    deal[at + 1] = bonus
    deal[STALLED] = 0


@lean
def found_bonus(deal: Words, cards: int) -> int:
    """The best bonus of a set of cards or, where it takes too long, ~b (below 0) with the best one found, b."""
    if deal[HARD_SETS] != 0:
        at = hard_place(deal, cards)
        if deal[at] == cards:
            return int(deal[at + 1])
    nodes = deal[TABLES + PATIENCE]
    if deal[TOLL] >= _WEARY:
        nodes = min(nodes, _WEARY_NODES)
    found = best(deal[TABLES:], deal[WORK:], cards, nodes)
    rest = deal[WORK + REST]
    if rest < 0:
        deal[TOLL] += 1 + nodes // _RATE
        return int(~found)
    if nodes - rest > _FREE:
        deal[TOLL] += (nodes - rest) // _RATE
    return int(found)


@lean
def bonus_or_less(deal: Words, cards: int) -> int:
    """What `found_bonus` says. The empty set is what an unused slot says: no cards, no bonus."""
    at = CACHE + slot_of(cards)
    if deal[at] != cards:
        deal[at + 1] = found_bonus(deal, cards)
        deal[at] = cards
    return int(deal[at + 1])


@lean
def best_bonus(deal: Words, cards: int) -> int:
    """The best bonus of a set of cards. Where it takes too long: the best one found, and the search is stalled."""
    found = bonus_or_less(deal, cards)
    if found < 0:
        deal[STALLED] = cards
        return int(~found)
    return int(found)


@lean
def least_bonus(deal: Words, cards: int) -> int:
    """The best bonus of a set of cards; where it takes too long, the best one found."""
    found = bonus_or_less(deal, cards)
    return int(found if found >= 0 else ~found)


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
    if popcount(carriers) > MOST_CARRIERS:
        return most_bonus(deal, cards)
    found = bonus_or_less(deal, cards)
    return int(found if found >= 0 else most_bonus(deal, cards))


@inlined
def stalled(deal: Words) -> bool:
    """See `solver.search.tricks.fail_soft_vocabulary`."""
    return bool(deal[STALLED] != 0)


@inlined
def toll(deal: Words) -> int:
    """See `solver.search.tricks.fail_soft_vocabulary`."""
    paid = deal[TOLL]
    deal[TOLL] = 0
    return int(paid)
