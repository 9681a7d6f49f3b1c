"""What a player who leads wins whatever the others play: cards that are led one after the other."""

from __future__ import annotations

from solver.games.king.cards.deck import TRUMP
from solver.games.king.fast_rules.kernel import (
    HANDS,
    LATE_TRUMP,
    LIVE,
    LOWER,
    PILE,
    PLAYER,
    PLAYERS,
    POINTS,
    READINGS,
    SUIT_CARDS,
    THE_DANCER,
    WON,
    cheapest_of,
    points_of,
    seat_after,
)
from solver.games.king.search.bounds.bonus_cache import least_bonus
from solver.kernels.arrays import Words
from solver.kernels.bits import popcount, trailing_zeros
from solver.kernels.jit import inlined, lean


@inlined
def above(deal: Words, cards: int, rivals: int) -> int:
    """Those of some cards whose numbers are above all of the rivals'."""
    found = 0
    rest = cards
    while rest != 0:
        card = trailing_zeros(rest)
        rest &= rest - 1
        if rivals & ~deal[LOWER + card] == 0:
            found |= 1 << card
    return found


@inlined
def sure(deal: Words, own: int, others: int) -> int:
    """The cards with which the player, who leads, wins one trick after the other whatever the others play.

    The Dancer, named a suit of which nobody else has a higher card; where a later trump does not lift it, only
    while no other has a trump. While no other has the Dancer, trumps above all others. While no other has a trump
    either, cards above all others of their suit; and if everybody has run out of a suit when those are led, all of
    it.
    """
    found = 0
    dancer = 1 << deal[THE_DANCER]
    trumps = others & deal[SUIT_CARDS + TRUMP]
    if own & dancer:
        higher = others & ~deal[LOWER + deal[THE_DANCER]]
        for suit in range(TRUMP):
            if higher & deal[SUIT_CARDS + suit] == 0:
                found = dancer
        if deal[READINGS] & LATE_TRUMP and trumps != 0:
            found = 0
    elif others & dancer:
        return 0
    found |= above(deal, own & deal[SUIT_CARDS + TRUMP], trumps)
    if trumps != 0:
        return int(found)
    for suit in range(TRUMP):
        suited = own & deal[SUIT_CARDS + suit]
        outside = others & deal[SUIT_CARDS + suit]
        high = above(deal, suited, outside)
        if high != suited and high != 0:
            longest = 0
            for place in range(1, deal[PLAYERS]):
                hand = deal[HANDS + seat_after(deal, deal[PLAYER], place)]
                longest = max(longest, popcount(outside & hand))
            if popcount(high) >= longest:
                high = suited
        found |= high
    return int(found)


@inlined
def followed(deal: Words, others: int, led: int) -> int:
    """The fewest points that two others play to `led`, sure cards of suits, of which all that follows is captured.

    The highest numbers are led first, the cards that win only because nobody follows last. A seat that is out of
    a suit may play what would follow a later lead; that is lower than the later lead, so captured now.
    """
    total = 0
    for place in range(1, 3):
        hand = others & deal[HANDS + seat_after(deal, deal[PLAYER], place)]
        for suit in range(TRUMP):
            follow = hand & deal[SUIT_CARDS + suit]
            for _ in range(min(popcount(led & deal[SUIT_CARDS + suit]), popcount(follow))):
                cheapest = cheapest_of(deal, follow)
                follow &= ~(1 << cheapest)
                total += deal[POINTS + cheapest]
    return int(total)


@lean
def assured(deal: Words, state: Words, at: int) -> int:
    """At least the score of the player, who leads: what is won, the sure cards, and what they compound."""
    own = state[at + LIVE] & deal[HANDS + deal[PLAYER]]
    others = state[at + LIVE] & ~own
    led = sure(deal, own, others)
    total = state[at + WON] + least_bonus(deal, state[at + PILE] | led) + points_of(deal, led)
    if deal[PLAYERS] == 3:
        total += followed(deal, others, led)
    return int(total)
