"""Static bounds on the points that Kirin's player can still win: ceiling, floor, sure win of this trick.

Each holds whatever the others do, so each serves `paranoid` and `ally` alike.
"""

from __future__ import annotations

import numpy as np

from solver.games.kirin.kernel import ALLIES, BEST, DIRECTION, HANDS, LEADER, LIVE, OWN, PLAYED, PLAYER, STANDARD, TRICK, legal
from solver.games.kirin.order import (
    ASCENDING_KIRIN,
    CARDS,
    DESCENDING_KIRIN,
    KIRIN,
    NUMBERS,
    RANKED,
    STRONGER,
    TRUMPS,
    WEAKER,
)
from solver.search.bits import highest_one, popcount, trailing_zeros
from solver.search.jit import inlined
from solver.search.trick import NEED, NO, SWITCHES, UNKNOWN, YES, Words

CEILING, FLOOR, SURE = 2, 4, 8  # switches


@inlined
def strongest(cards: int, direction: int) -> int:
    """The strongest of a set; some kirin where there are only kirin."""
    if direction == 0 or cards & RANKED == 0:
        return highest_one(cards)
    trumps = cards & TRUMPS
    return trailing_zeros(trumps if trumps != 0 else cards & NUMBERS)


@inlined
def weakest(cards: int, direction: int) -> int:
    """The weakest of a set; some kirin where there is one."""
    if direction == 0 or cards & KIRIN != 0:
        return trailing_zeros(cards)
    numbers = cards & NUMBERS
    return highest_one(numbers if numbers != 0 else cards)


@inlined
def may_turn(live: int, direction: int) -> bool:
    """Whether the other direction can still come about."""
    return live & (DESCENDING_KIRIN if direction == 0 else ASCENDING_KIRIN) != 0


@inlined
def ceiling(deal: Words, state: Words, at: int) -> int:
    """Most points from here on: of this trick, and of the ones after it.

    A card of the player's wins only over some card of each other hand; a trick is won only if it holds none
    of the cards that the player cannot beat. Each other hand gives at most a point for each trick won.
    """
    live = state[at + LIVE]
    player = deal[PLAYER]
    mine = live & deal[HANDS + player]
    own = deal[OWN]
    played = state[at + PLAYED]
    total = np.int64(0)
    most = popcount(mine)  # tricks
    turning = live
    if played != 0:
        leader = state[at + LEADER]
        turning |= state[at + TRICK]
        most = popcount(live & deal[HANDS + ((leader + 3) & 3)]) - 1
        if may_win(deal, state, at):
            total = popcount(state[at + TRICK] & own)
            for place in range(played, 4):
                if live & deal[HANDS + ((leader + place) & 3)] & own:
                    total += 1
    if most == 0:
        return total
    directions = 3 if may_turn(turning, state[at + DIRECTION]) else 1 << state[at + DIRECTION]
    winners = 0
    for direction in range(2):
        if (directions >> direction) & 1 == 0:
            continue
        beaten = mine & RANKED
        for other in range(1, 4):
            hand = live & deal[HANDS + ((player + other) & 3)]
            beaten &= STRONGER[direction * CARDS + weakest(hand, direction)]
        winners |= beaten
    if winners == 0:
        return total
    catchable = 0
    for direction in range(2):
        if (directions >> direction) & 1:
            catchable |= WEAKER[direction * CARDS + strongest(winners, direction)]
    most = min(most, popcount(winners))
    for other in range(1, 4):
        most = min(most, popcount(live & deal[HANDS + ((player + other) & 3)] & catchable))
    total += min(most, popcount(winners & own))
    for other in range(1, 4):
        total += min(most, popcount(live & deal[HANDS + ((player + other) & 3)] & catchable & own))
    return total


@inlined
def may_win(deal: Words, state: Words, at: int) -> bool:
    """Whether the player can still win the trick on the table: it is ahead, or holds a card that gets ahead."""
    best = state[at + BEST]
    turn = (deal[PLAYER] - state[at + LEADER]) & 3
    if turn < state[at + PLAYED]:
        return bool(best >= 0 and (deal[HANDS + deal[PLAYER]] >> best) & 1)
    direction = state[at + DIRECTION]
    cards = legal(state[at + LIVE] & deal[HANDS + deal[PLAYER]], state[at + STANDARD], direction) & RANKED
    return bool(cards & (STRONGER[direction * CARDS + best] if best >= 0 else RANKED))


@inlined
def floor(deal: Words, state: Words, at: int) -> int:
    """Points from a boundary on that no defence can keep from the player.

    The player's cards that nothing beats win a trick each; a hand with more points than it can hold back in
    the other tricks gives the rest.
    """
    live = state[at + LIVE]
    direction = state[at + DIRECTION]
    player = deal[PLAYER]
    mine = live & deal[HANDS + player]
    others = live & ~mine
    sure = mine & RANKED & STRONGER[direction * CARDS + strongest(others, direction)]
    if sure != 0 and may_turn(live, direction):
        sure &= STRONGER[(1 - direction) * CARDS + strongest(others, 1 - direction)]
    if sure == 0:
        return 0
    own = deal[OWN]
    spare = popcount(mine) - popcount(sure)
    total = popcount(sure & own)
    for other in range(1, 4):
        total += max(0, popcount(live & deal[HANDS + ((player + other) & 3)] & own) - spare)
    return total


@inlined
def sure_win(deal: Words, state: Words, at: int) -> int:
    """Points of this trick that the player takes whatever comes; 0 when the trick is not sure."""
    player = deal[PLAYER]
    own = deal[OWN]
    live = state[at + LIVE]
    direction = state[at + DIRECTION]
    played = state[at + PLAYED]
    leader = state[at + LEADER]
    turn = (player - leader) & 3
    if played == 0 and turn != 0:
        return 0
    best = state[at + BEST]
    if turn > played:
        return 0
    if turn < played and (best < 0 or (deal[HANDS + player] >> best) & 1 == 0):
        return 0
    if played == 0:
        most = 0
        rest = live & deal[HANDS + player] & RANKED
        while rest != 0:
            card = trailing_zeros(rest)
            rest &= rest - 1
            points = (own >> card) & 1
            for other in range(1, 4):
                hand = legal(live & deal[HANDS + ((player + other) & 3)], card, direction)
                if hand & STRONGER[direction * CARDS + card] != 0:
                    points = -9
                if hand & ~own == 0:
                    points += 1
            most = max(most, points)
        return most
    standard = state[at + STANDARD]
    points = popcount(state[at + TRICK] & own)
    first = played
    if turn == played:
        first += 1
    against = np.int64(0)
    for place in range(first, 4):
        hand = legal(live & deal[HANDS + ((leader + place) & 3)], standard, direction)
        against |= hand
        if hand & ~own == 0:
            points += 1
    if turn < played:
        return 0 if against & STRONGER[direction * CARDS + best] != 0 else points
    winning = legal(live & deal[HANDS + player], standard, direction) & RANKED
    if best >= 0:
        winning &= STRONGER[direction * CARDS + best]
    if against != 0:
        winning &= STRONGER[direction * CARDS + strongest(against, direction)]
    if winning == 0:
        return 0
    return points + (1 if winning & own != 0 else 0)


@inlined
def estimate(deal: Words, state: Words, at: int) -> int:
    switches = deal[SWITCHES]
    need = state[at + NEED]
    if switches & SURE and sure_win(deal, state, at) >= need:
        return YES
    between = state[at + PLAYED] == 0
    if switches & CEILING and (between or deal[ALLIES] != 0) and ceiling(deal, state, at) < need:
        return NO
    if between and switches & FLOOR and floor(deal, state, at) >= need:
        return YES
    return UNKNOWN
