"""What a game of suits states in a line of its fast rules: relative cards for its keys, and tricks surely won.

Such a game numbers its cards by suit, and in each suit from low to high. Its deal has a word for the cards of each
suit from the index `suits` on, and then for each hand from `hands` on. Live cards are those in hands.
"""

from __future__ import annotations

from collections.abc import Iterable

from solver.kernels.jit import inlined, lean
from solver.kernels.words import Words, highest_one, popcount, trailing_zeros


def room(lengths: Iterable[int]) -> int:
    """The words of a deal that `relative` needs, if the suits have so many cards."""
    return sum(1 << length for length in lengths)


@inlined
def relative(deal: Words, live: int, suits: int, hands: int, tables: int) -> int:
    """Return the lowest set of cards that lie in the hands like the live ones do, in every suit from low to high.

    So sets in which the same hands beat one another have the same number. `tables` is the index of `room` words
    right behind the hands, 0 in a new deal. A card that matters for more than its place in its suit is a further
    hand of its own, behind the others.
    """
    cards = 0
    table = tables
    for word in range(suits, hands):
        suit = deal[word]
        if suit != 0:
            lowest = trailing_zeros(suit)
            entry = table + ((live & suit) >> lowest)
            if deal[entry] == 0:
                deal[entry] = _lowest(deal, live & suit, suit, hands, tables)
            cards |= deal[entry]
            table += (suit >> lowest) + 1
    return int(cards)


@lean
def _lowest(deal: Words, live: int, suit: int, hands: int, tables: int) -> int:
    cards = 0
    while live != 0:
        card = live & -live
        live ^= card
        holder = 0
        for word in range(hands, tables):
            holder = deal[word] if deal[word] & card != 0 else holder & ~deal[word]
        lowest = holder & suit
        lowest &= -lowest
        cards |= lowest
        suit &= -lowest << 1
    return int(cards)


@inlined
def sure_tricks(deal: Words, live: int, suits: int, hands: int, trump: int, leader: int) -> tuple[int, int]:
    """Return how many tricks the leader's side surely wins from a boundary on, and how many the other side.

    There are four seats, and partners sit opposite. `trump` is the number of the suit of trumps, which may be an
    empty one. The leader leads the cards that nobody can beat, and then crosses to those of its partner; suits
    besides trumps count if the opponents have no trump. Each of the highest trumps in a hand wins a trick.
    """
    mine = live & deal[hands + leader]
    after = live & deal[hands + ((leader + 1) & 3)]
    partner = live & deal[hands + ((leader + 2) & 3)]
    before = live & deal[hands + ((leader + 3) & 3)]
    trumped = (after | before) & deal[suits + trump] != 0
    sure = partners = theirs = 0
    crossing = False
    for suit in range(4):
        cards = deal[suits + suit]
        own, across = highest_one(mine & cards), highest_one(partner & cards)
        against = highest_one((after | before) & cards)
        if suit == trump:
            above = max(own, across) + 1
            theirs = max(popcount((after & cards) >> above), popcount((before & cards) >> above))
        elif trumped:
            continue
        if own > max(across, against):
            sure += popcount((mine & cards) >> (max(across, against) + 1))
        elif across > max(own, against):
            partners += popcount((partner & cards) >> (max(own, against) + 1))
            crossing |= mine & cards != 0
    if crossing:
        sure += partners
    return min(sure, popcount(mine)), theirs
