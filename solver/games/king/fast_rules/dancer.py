"""The suits that the Dancer may be named, without those that change nothing."""

from __future__ import annotations

from solver.games.king.cards.deck import SUITS, TRUMP
from solver.games.king.fast_rules.kernel import LEAD, LIVE, SUIT_CARDS, followers
from solver.games.king.fast_rules.switches import NAMES
from solver.kernels.arrays import Words
from solver.kernels.jit import inlined
from solver.search.tricks.words import SWITCHES


@inlined
def names(deal: Words, state: Words, at: int, hand: int) -> int:
    """The suits to name the Dancer, as a set. Names that are worth the same are left out but one.

    Next to a lead, all names but the lead suit lose, and a trump lifts each alike. Led, a suit that nobody else
    has a card of is like any other such.
    """
    everything = (1 << SUITS) - 1
    lead = state[at + LEAD]
    if lead < 0:
        if deal[SWITCHES] & NAMES == 0:
            return everything
        others = state[at + LIVE] & ~hand
        found = 0
        empty = 0
        for suit in range(SUITS):
            if deal[SUIT_CARDS + suit] & others != 0:
                found |= 1 << suit
            elif empty == 0:
                empty = 1 << suit
        return found | empty
    if followers(deal, hand, lead) != 0:
        return 1 << int(lead)
    if deal[SWITCHES] & NAMES == 0:
        return everything
    other = 1 if lead != 0 else 2
    return other if lead == TRUMP else other | (1 << int(lead))
