"""In the middle of one of the last tricks: how the player stands, what that settles, which card comes next."""

from __future__ import annotations

from solver.games.kirin.bounds import SURE, later, spared, strongest, weakest
from solver.games.kirin.kernel import HANDS, OWN, PLAYER
from solver.games.kirin.order import CARDS, KIRIN, RANKED, STRONGER
from solver.search.bits import popcount
from solver.search.jit import inlined
from solver.search.trick import NO, SWITCHES, UNKNOWN, YES, Words

AHEAD, WAITING, LOST = range(3)  # how the player stands in a trick: is best, has yet to play, was beaten


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
def certain(
    deal: Words,
    live: int,
    directions: int,
    direction: int,
    trick: int,
    mine: int,
    reply: int,
    against: int,
    forced: int,
    over: int,
    standing: int,
    need: int,
) -> int:
    """As `bounds.sure_trick`, of what the loops know.

    The player's cards and legal `reply`; the cards that may still be played `against` it, and the seats
    `forced` to play a scoring one; the cards that would get ahead (`over`).
    """
    points = popcount(trick & deal[OWN])
    sure = 1
    if standing != WAITING:
        if standing == LOST or against & over != 0:
            sure = 0
            points = 0
    else:
        winning = reply & over & RANKED
        if against & RANKED != 0:
            winning &= STRONGER[direction * CARDS + strongest(against, direction)]
        if winning == 0:
            return spared(deal, live, directions, mine, reply, need)
        if winning & deal[OWN] != 0:
            points += 1
            winning &= deal[OWN]
        mine &= ~(winning & -winning)
    if points >= need:
        return int(points)
    return int(points) + later(deal, live, mine, directions, sure, forced)


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
        certain(deal, live, directions, direction, trick, mine, reply, against, forced, over, standing, need)
        >= need
    ):
        return YES
    return UNKNOWN


@inlined
def stands(deal: Words, turn: int, played: int, best: int) -> int:
    """How the player, whose turn comes after `turn` cards, stands after `played`. All kirin: nobody wins."""
    if turn >= played:
        return WAITING
    return AHEAD if best >= 0 and (deal[HANDS + deal[PLAYER]] >> best) & 1 else LOST
