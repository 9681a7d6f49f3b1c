"""The most points that Kirin's player can still win, all the others helping: it bounds every model's value."""

from __future__ import annotations

from solver.games.kirin.fast_rules.kernel import (
    ALLIES,
    BEST,
    DIRECTION,
    HANDS,
    LEADER,
    LIVE,
    LOST,
    OWN,
    PLAYED,
    PLAYER,
    STANDARD,
    TRICK,
    WAITING,
    ahead_of,
    legal,
    possible_directions,
    stands,
    strongest,
    weakest,
)
from solver.games.kirin.fast_rules.order import CARDS, RANKED, STRONGER, WEAKER
from solver.kernels.arrays import Words
from solver.kernels.bits import popcount, trailing_zeros
from solver.kernels.jit import inlined


@inlined
def ceiling(deal: Words, state: Words, at: int) -> int:
    """Most points from here on: of this trick, and of the ones after it.

    A card of the player's wins only over some card of each other hand, in one direction for all three; a trick is
    won only if it holds none of the cards that the player cannot beat. Each other hand gives at most a point for
    each trick won.
    """
    live = state[at + LIVE]
    player = deal[PLAYER]
    mine = live & deal[HANDS + player]
    own = deal[OWN]
    played = state[at + PLAYED]
    total = 0
    most = popcount(mine)  # tricks
    turning = live
    if played != 0:
        leader = state[at + LEADER]
        turning |= state[at + TRICK]
        most = popcount(live & deal[HANDS + ((leader + 3) & 3)]) - 1
        total = most_of_trick(deal, state, at)
    if most == 0:
        return total
    directions = possible_directions(turning, state[at + DIRECTION])
    ascending = 0  # the winners of a direction
    descending = 0
    catchable = 0
    for direction in range(2):
        if (directions >> direction) & 1 == 0:
            continue
        beaten = mine & RANKED
        for other in range(1, 4):
            hand = live & deal[HANDS + ((player + other) & 3)]
            beaten &= STRONGER[direction * CARDS + weakest(hand, direction)]
        if beaten != 0:
            if direction == 0:
                ascending = beaten
            else:
                descending = beaten
            catchable |= WEAKER[direction * CARDS + strongest(beaten, direction)]
    winners = ascending | descending
    if winners == 0:
        return total
    most = min(most, popcount(winners))
    for other in range(1, 4):
        most = min(most, popcount(live & deal[HANDS + ((player + other) & 3)] & catchable))
    caught = min(most, popcount(winners & own))
    for other in range(1, 4):
        cards = live & deal[HANDS + ((player + other) & 3)] & catchable & own
        if deal[ALLIES] != 0:
            caught += min(most, matched(cards, ascending, descending))
        else:
            caught += min(most, popcount(cards))
    if deal[ALLIES] != 0:
        caught = min(caught, by_winners(deal, live, ascending, descending))
    return total + caught


@inlined
def matched(cards: int, ascending: int, descending: int) -> int:
    """At most how many cards of a hand are caught, each by a winner of its own, of one direction or the other.

    Of any set of cards, as many stay uncaught as there are more of them than winners over one of them (Hall's
    deficiency): looked at are the strongest ones and, descending, the strongest ones.
    """
    most = popcount(cards)
    uncaught = 0
    for direction in range(2):
        over = 0
        count = 0
        rest = cards
        while rest != 0:
            card = strongest(rest, direction)
            rest &= ~(1 << card)
            over |= (ascending & STRONGER[card]) | (descending & STRONGER[CARDS + card])
            count += 1
            uncaught = max(uncaught, count - popcount(over))
    return int(most - uncaught)


@inlined
def by_winners(deal: Words, live: int, ascending: int, descending: int) -> int:
    """Most points of the tricks that the winners of the directions win, each in the one that suits it."""
    player = deal[PLAYER]
    own = deal[OWN]
    total = 0
    rest = ascending | descending
    while rest != 0:
        card = trailing_zeros(rest)
        rest &= rest - 1
        most = 0
        for direction in range(2):
            winners = ascending if direction == 0 else descending
            if (winners >> card) & 1 == 0:
                continue
            points = (own >> card) & 1
            weaker = live & own & WEAKER[direction * CARDS + card]
            for other in range(1, 4):
                if weaker & deal[HANDS + ((player + other) & 3)] != 0:
                    points += 1
            most = max(most, points)
        total += most
    return int(total)


@inlined
def most_of_trick(deal: Words, state: Words, at: int) -> int:
    """The most points of the trick on the table; 0 where the player cannot win it any more.

    Won it is with the card that is ahead or, at best, with the player's strongest legal one, over a legal card
    of everyone who has yet to play.
    """
    own = deal[OWN]
    player = deal[PLAYER]
    live = state[at + LIVE]
    leader = state[at + LEADER]
    played = state[at + PLAYED]
    best = state[at + BEST]
    standard = state[at + STANDARD]
    direction = state[at + DIRECTION]
    turn = (player - leader) & 3
    points = popcount(state[at + TRICK] & own)
    standing = stands(deal, turn, played, best)
    if standing == LOST:
        return 0
    if standing == WAITING:
        winning = legal(live & deal[HANDS + player], standard, direction, 0) & ahead_of(best, direction)
        if winning == 0:
            return 0
        points += 1 if winning & own != 0 else 0
        best = strongest(winning, direction)
    under = WEAKER[direction * CARDS + best]
    for place in range(played, 4):
        if place != turn:
            cards = legal(live & deal[HANDS + ((leader + place) & 3)], standard, direction, 0) & under
            if cards == 0:
                return 0
            points += 1 if cards & own != 0 else 0
    return int(points)
