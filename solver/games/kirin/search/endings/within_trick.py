"""In the middle of one of the last tricks: what the player's standing settles, and which card comes next."""

from __future__ import annotations

from solver.games.kirin.fast_rules.kernel import AHEAD, LOST, OWN, weakest
from solver.games.kirin.fast_rules.order import KIRIN, RANKED
from solver.games.kirin.fast_rules.switches import SURE
from solver.games.kirin.search.bounds import certain
from solver.games.kirin.search.endings.situation import Followers, Hands, OnTable
from solver.kernels.arrays import Words
from solver.kernels.bits import popcount
from solver.kernels.jit import inlined
from solver.search.tricks.words import NO, SWITCHES, UNKNOWN, YES


@inlined
def chosen(cards: int, mover: int, standing: int, over: int, own: int, direction: int) -> int:
    """The next to look at of a follower's `cards`; those in `over` get ahead. `mover`: 1 for the player."""
    pool = 0
    if mover == 1:
        pool = cards & over & own
        if pool == 0:
            pool = cards & KIRIN & own
        if pool == 0:
            pool = cards & over
        if pool == 0:
            pool = cards & KIRIN
    elif standing == AHEAD:
        pool = cards & over
        if pool == 0:
            pool = cards & RANKED & ~own
    if pool == 0 and (mover == 1 or standing == LOST):
        pool = cards & own
    if pool == 0 and standing != LOST:
        pool = cards & RANKED
    return weakest(pool if pool != 0 else cards, direction)


@inlined
def settled(deal: Words, hands: Hands, table: OnTable, reply: int, rest: Followers, fresh: bool, need: int) -> int:
    """YES, NO or UNKNOWN in the middle of a trick; `reply` are the player's legal cards.

    What the player is sure of is looked at when it has just played or is still to play (`fresh`). Later it would
    say the same as then, unless the player is ahead and nobody can beat the card any more.
    """
    if table.standing == LOST and need > popcount(hands.live & deal[OWN]):
        return NO
    unbeaten = table.standing == AHEAD and rest.against & table.over == 0
    if deal[SWITCHES] & SURE == 0 or not (fresh or unbeaten):
        return UNKNOWN
    return YES if certain(deal, hands, table, reply, rest, need) >= need else UNKNOWN
