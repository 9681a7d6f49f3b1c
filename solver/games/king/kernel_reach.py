"""How many points a player can still gain of the cards in hands, by the numbers on them."""

from __future__ import annotations

from solver.games.king.kernel import HANDS, LOWER, PLAYER, POINTS, RANK
from solver.search.bits import trailing_zeros
from solver.search.jit import lean
from solver.search.trick import Words

RANKED = 16  # a switch


@lean
def takeable(deal: Words, live: int) -> int:
    """At most the points that the player gains of the cards in hands between two tricks, whatever is played.

    A trick won brings the card that won it and at most two others of lower numbers. So without gifts the others'
    cards that are gained can be matched to own cards above them, two to one: the most points come of serving the
    lowest own card first, with the best two left (scheduling with deadlines, from the last slot back). A trick
    lost brings one card at most, the bottom's gift, and the card played is lost unless it is the gift. Of the
    cards of at least any given worth, `n` gifts raise the number that can be gained by at most `n`: so they add
    no more than the best `n` cards that were not matched, each in place of an own card.
    """
    own = live & deal[HANDS + deal[PLAYER]]
    others = live & ~own
    total = 0
    left = own
    while left != 0:
        lowest = trailing_zeros(left)
        rest = left & (left - 1)
        while rest != 0:
            card = trailing_zeros(rest)
            rest &= rest - 1
            if deal[RANK + card] < deal[RANK + lowest]:
                lowest = card
        left &= ~(1 << lowest)
        for _ in range(2):
            lower = others & deal[LOWER + lowest]
            best = 0
            taken = 0
            while lower != 0:
                card = trailing_zeros(lower)
                lower &= lower - 1
                if deal[POINTS + card] > best:
                    best = deal[POINTS + card]
                    taken = 1 << card
            total += best
            others &= ~taken
    gift = 0
    while others != 0:
        gift = max(gift, deal[POINTS + trailing_zeros(others)])
        others &= others - 1
    while own != 0:
        total += max(gift, deal[POINTS + trailing_zeros(own)])
        own &= own - 1
    return int(total)
