"""Static bounds on the points that Kirin's player can still win: the floor, a sure win of this trick, the test.

Each holds whatever the others do, so each serves `paranoid` and `ally` alike. `floor`, `sure_lead` and `certain`
hold too where other hands have more cards than tricks are left, whichever of them they are without.
"""

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
)
from solver.games.kirin.fast_rules.order import CARDS, RANKED, STRONGER
from solver.games.kirin.fast_rules.switches import CEILING, FLOOR, SURE
from solver.games.kirin.search.endings.situation import Followers, Hands, OnTable
from solver.games.kirin.search.upper_bound import ceiling
from solver.kernels.arrays import Words
from solver.kernels.bits import highest_one, popcount, trailing_zeros
from solver.kernels.jit import inlined
from solver.search.tricks.words import NEED, NO, SWITCHES, UNKNOWN, YES


@inlined
def certain_wins(cards: int, others: int, directions: int) -> int:
    """How many of the player's `cards` win their trick, whatever the `others` do: a lower bound.

    A card loses only to a card that beats it, in the same trick, and each of these serves once. So of any
    set of ranked cards, all but as many win as there are cards that beat one of them (Hall's deficiency).
    """
    most = 0
    count = 0
    beat = 0
    rest = cards & RANKED
    room = popcount(rest)
    while rest != 0:
        card = highest_one(rest) if directions != 2 else strongest(rest, 1)
        rest &= ~(1 << card)
        if directions & 1:
            beat |= STRONGER[card]
        if directions & 2:
            beat |= STRONGER[CARDS + card]
        count += 1
        losers = popcount(others & beat)
        most = max(most, count - losers)
        if room - losers <= most:
            break  # weaker cards cannot make it more
    return most


@inlined
def later(deal: Words, live: int, mine: int, directions: int, sure: int, forced: int, yet: int, need: int) -> int:
    """Points certain from the tricks in which the player's cards `mine` will be played; `live` has all hands.

    Cards of the player's that are certain to win, and what hands must give to certain wins when they hold more
    points than they can keep back for the other tricks. What the seats in the set `yet`, which have yet to play to
    the trick on the table, must give to it counts too where it is `sure`: a point at least if the seat is in the
    set `forced`. Not all of them where they do not come to `need`.
    """
    own = deal[OWN]
    player = deal[PLAYER]
    others = live & ~deal[HANDS + player]
    wins = certain_wins(mine, others, directions)
    points = 0
    for other in range(1, 4):
        seat = (player + other) & 3
        hand = live & deal[HANDS + seat]
        given = popcount(hand & own) - popcount(hand) + wins + ((yet >> seat) & sure)
        points += max(given, (forced >> seat) & sure)
    if points < need and points + min(wins, popcount(mine & own)) >= need:
        points += certain_wins(mine & own, others, directions)
    return int(points)


@inlined
def floor(deal: Words, state: Words, at: int) -> int:
    """Points from a boundary on that no defence can keep from the player.

    Not all of them where they do not come to NEED.
    """
    live = state[at + LIVE]
    mine = live & deal[HANDS + deal[PLAYER]]
    directions = possible_directions(live, state[at + DIRECTION])
    return later(deal, live, mine, directions, 0, 0, 0, state[at + NEED])


@inlined
def sure_lead(deal: Words, state: Words, at: int) -> int:
    """Points that the player takes for sure by leading a card that nobody may beat; 0 without one.

    Not all of them where they do not come to NEED.
    """
    need = state[at + NEED]
    player = deal[PLAYER]
    own = deal[OWN]
    live = state[at + LIVE]
    direction = state[at + DIRECTION]
    directions = possible_directions(live, direction)
    mine = live & deal[HANDS + player]
    most = 0
    rest = mine & RANKED
    while rest != 0:
        card = trailing_zeros(rest)
        rest &= rest - 1
        against = 0
        forced = 0
        for other in range(1, 4):
            seat = (player + other) & 3
            hand = live & deal[HANDS + seat]
            hand = legal(hand, card, direction, popcount(hand) - popcount(mine))
            against |= hand
            if hand & ~own == 0:
                forced |= 1 << seat
        if against & STRONGER[direction * CARDS + card] == 0:
            points = (own >> card) & 1
            most = max(
                most, points + later(deal, live, mine & ~(1 << card), directions, 1, forced, 15, need - points)
            )
    return int(most)


@inlined
def spared(deal: Words, live: int, directions: int, mine: int, discards: int, need: int) -> int:
    """Points certain from the later tricks when the player lets the one on the table go, by its best discard.

    Looked at only where keeping every card for one trick less would reach `need`, and until a discard does.
    """
    if later(deal, live, mine, directions, 0, 0, 0, need) < need:
        return 0
    most = 0
    rest = discards
    while rest != 0 and most < need:
        one = rest & -rest
        rest &= rest - 1
        most = max(most, later(deal, live, mine & ~one, directions, 0, 0, 0, need))
    return int(most)


@inlined
def certain(deal: Words, hands: Hands, table: OnTable, reply: int, rest: Followers, need: int) -> int:
    """Points certain in the middle of a trick: of this trick where it is sure, and of the later ones.

    The trick is sure when the player is ahead, or holds a legal card (of `reply`) that gets ahead, and no card
    that may still be played beats that one. 0 when it is not sure and the player has yet to play.
    """
    points = popcount(table.cards & deal[OWN])
    mine = hands.mine
    sure = 1
    if table.standing != WAITING:
        if table.standing == LOST or rest.against & table.over != 0:
            sure = 0
            points = 0
    else:
        winning = reply & table.over & RANKED
        if rest.against & RANKED != 0:
            winning &= STRONGER[table.direction * CARDS + strongest(rest.against, table.direction)]
        if winning == 0:
            return spared(deal, hands.live, hands.directions, mine, reply, need)
        if winning & deal[OWN] != 0:
            points += 1
            winning &= deal[OWN]
        mine &= ~(winning & -winning)
    if points >= need:
        return int(points)
    more = later(deal, hands.live, mine, hands.directions, sure, rest.forced, rest.yet, need - points)
    return int(points) + more


@inlined
def sure_trick(deal: Words, state: Words, at: int) -> int:
    """`certain` of a node in the middle of a trick."""
    player = deal[PLAYER]
    live = state[at + LIVE]
    direction = state[at + DIRECTION]
    leader = state[at + LEADER]
    played = state[at + PLAYED]
    best = state[at + BEST]
    standard = state[at + STANDARD]
    turn = (player - leader) & 3
    mine = live & deal[HANDS + player]
    against = 0
    forced = 0
    yet = 0
    for place in range(played, 4):
        if place != turn:
            seat = (leader + place) & 3
            hand = legal(live & deal[HANDS + seat], standard, direction, 0)
            against |= hand
            yet |= 1 << seat
            if hand & ~deal[OWN] == 0:
                forced |= 1 << seat
    return certain(
        deal,
        Hands(live, mine, possible_directions(live | state[at + TRICK], direction)),
        OnTable(state[at + TRICK], direction, ahead_of(best, direction), stands(deal, turn, played, best)),
        legal(mine, standard, direction, 0),
        Followers(against, forced, yet),
        state[at + NEED],
    )


@inlined
def assures(deal: Words, state: Words, at: int) -> int:
    """YES or UNKNOWN of a boundary where other hands may have too many cards."""
    need = state[at + NEED]
    if deal[SWITCHES] & SURE and state[at + LEADER] == deal[PLAYER] and sure_lead(deal, state, at) >= need:
        return YES
    if deal[SWITCHES] & FLOOR and floor(deal, state, at) >= need:
        return YES
    return UNKNOWN


@inlined
def estimate(deal: Words, state: Words, at: int) -> int:
    """The search's static test; the ceiling in the middle of a trick pays for allies only."""
    switches = deal[SWITCHES]
    need = state[at + NEED]
    between = state[at + PLAYED] == 0
    if between:
        if assures(deal, state, at) == YES:
            return YES
    elif switches & SURE and sure_trick(deal, state, at) >= need:
        return YES
    if switches & CEILING and (between or deal[ALLIES] != 0) and ceiling(deal, state, at) < need:
        return NO
    return UNKNOWN
