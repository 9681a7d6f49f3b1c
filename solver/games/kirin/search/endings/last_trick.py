"""The last trick, where nobody has a choice of cards."""

from __future__ import annotations

from solver.games.kirin.fast_rules.kernel import HANDS, OWN, PLAYER, legal
from solver.games.kirin.fast_rules.order import CARDS, RANKED, STRONGER
from solver.kernels.arrays import Words
from solver.kernels.bits import highest_one, popcount
from solver.kernels.jit import inlined
from solver.search.tricks.words import NO, YES


@inlined
def last_trick(deal: Words, live: int, direction: int, need: int) -> int:
    """Whether the player reaches `need` points in the last trick."""
    if need <= 0:
        return YES
    if need > popcount(live & deal[OWN]):
        return NO
    mine = live & deal[HANDS + deal[PLAYER]]
    if mine & RANKED == 0 or STRONGER[direction * CARDS + highest_one(mine)] & live:
        return NO
    return YES


@inlined
def last_forgetful(deal: Words, live: int, leader: int, direction: int, need: int) -> int:
    """The last trick: whether the player's card wins and brings `need`, whichever cards the others have."""
    own = deal[OWN]
    mine = live & deal[HANDS + deal[PLAYER]]
    if mine & RANKED == 0:
        return NO
    card = highest_one(mine)
    points = (own >> card) & 1
    for other in range(1, 4):
        hand = live & deal[HANDS + ((deal[PLAYER] + other) & 3)]
        if leader == deal[PLAYER]:
            hand = legal(hand, card, direction, popcount(hand) - 1)
        if hand & STRONGER[direction * CARDS + card]:
            return NO
        if hand & ~own == 0:
            points += 1
    return YES if points >= need else NO
