"""In the middle of one of the last tricks: what the player's standing settles, and which card comes next."""

from __future__ import annotations

from solver.games.kirin.fast_rules.kernel import AHEAD, LOST, OWN, weakest
from solver.games.kirin.fast_rules.order import KIRIN, RANKED
from solver.games.kirin.fast_rules.switches import SURE
from solver.games.kirin.search.bounds import certain
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
def settled(
    deal: Words,
    live: int,
    directions: int,
    direction: int,
    trick: int,
    mine: int,
    reply: int,
    against: int,
    forced: int,
    yet: int,
    over: int,
    standing: int,
    fresh: bool,
    need: int,
) -> int:
    """YES, NO or UNKNOWN in the middle of a trick. Unless `fresh`, the player has played some cards ago."""
    if standing == LOST and need > popcount(live & deal[OWN]):
        return NO
    if deal[SWITCHES] & SURE == 0 or not (fresh or (standing == AHEAD and against & over == 0)):
        return UNKNOWN
    if (
        certain(deal, live, directions, direction, trick, mine, reply, against, forced, yet, over, standing, need)
        >= need
    ):
        return YES
    return UNKNOWN
