"""Static bounds on the points that the player can still win in Kirin, for the score search.

The bounds hold whatever the other seats play, so they are valid under both `paranoid` and `ally`. `floor`,
`sure_lead` and `certain` remain valid if other hands have more cards than there are tricks left, no matter which
of the surplus cards are dropped.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from solver.games.kirin.deck import CARDS, KIRIN
from solver.games.kirin.fast_rules import (
    ALLIES,
    ASKS,
    BEST,
    CEILING,
    DIRECTION,
    FLOOR,
    HANDS,
    HOLDER,
    LEADER,
    LIVE,
    LOST,
    NUMBERS,
    OWN,
    PLAYED,
    PLAYER,
    RANKED,
    STANDARD,
    STRONGER,
    SURE,
    TRICK,
    WAITING,
    WEAKER,
    ahead_of,
    at_most,
    candidates,
    gained,
    legal,
    possible_directions,
    seat_to_move,
    stands,
    strongest,
    weakest,
)
from solver.kernels.jit import inlined
from solver.kernels.words import Words, highest_one, popcount, trailing_zeros, wrapping_product
from solver.search.trick_rules import ATTEMPT, NEED, NO, SWITCHES, UNKNOWN, YES, bare, insert

# ----------------------------------------------------------------------------------------------------
# A trick as seen by Kirin's static tests. Sets of cards are masks.


class Hands(NamedTuple):
    """The cards in all hands (`live`) and in the player's (`mine`), and the possible directions as two bits."""

    live: int
    mine: int
    directions: int


class OnTable(NamedTuple):
    """An unfinished trick: its cards and direction, and the player's standing in it (AHEAD, WAITING or LOST).

    `over` has the cards that would beat its best card so far.
    """

    cards: int
    direction: int
    over: int
    standing: int


class Followers(NamedTuple):
    """What the other seats that have yet to play to the trick may do.

    `against` has the cards that they may play. `forced` has the seats among them, as bits, that must play a card
    that scores for the player. `yet` has all these seats, as bits; the player's own bit does not matter.
    """

    against: int
    forced: int
    yet: int


# ----------------------------------------------------------------------------------------------------
# The most points that Kirin's player can still win with everybody's help: a bound under every model.


@inlined
def first_of(cards: int) -> int:
    """Return one card of a set, as a set; empty for the empty set."""
    return cards & -cards


@inlined
def ceiling(deal: Words, state: Words, at: int) -> int:
    """Return an upper bound on the points that the player can still win, in this trick and the later ones.

    One of the player's cards wins only if each other hand has a card that it beats, in the same direction for all
    three; and the player wins no trick containing a card that it cannot beat. Each other hand gives at most one
    point per trick won.
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
    ascending = 0  # the winners in a direction
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
    return total + at_most(own, live) - (popcount(live & own) - caught)


@inlined
def matched(cards: int, ascending: int, descending: int) -> int:
    """Return an upper bound on how many of a hand's `cards` can be beaten, each by a different winning card.

    `ascending` and `descending` have the cards that may win in these directions. If a set of cards outnumbers the
    winning cards that beat any of them, at least the difference is not beaten (Hall's deficiency). The sets tried
    are the strongest cards in each direction.
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
    """Return an upper bound on the points in the tricks that the player's winning cards win.

    `ascending` and `descending` have the player's cards that may win in these directions. Each card counts in the
    direction in which it can win more.
    """
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
    """Return the most points that the player can win in the trick on the table; 0 if it can no longer win it.

    The player can win if its card is ahead or it has a legal card that would be, and if everyone else who has yet
    to play has a legal card that does not beat that card. If it has yet to play, its strongest such card is
    considered.
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
    trick = state[at + TRICK]
    standing = stands(deal, turn, played, best)
    if standing == LOST:
        return 0
    if standing == WAITING:
        winning = legal(live & deal[HANDS + player], standard, direction, 0) & ahead_of(best, direction)
        if winning == 0:
            return 0
        trick |= first_of(winning & own)
        best = strongest(winning, direction)
    under = WEAKER[direction * CARDS + best]
    for other in range(played, 4):
        if other != turn:
            cards = legal(live & deal[HANDS + ((leader + other) & 3)], standard, direction, 0) & under
            if cards == 0:
                return 0
            trick |= first_of(cards & own)
    return gained(own, trick, popcount(live) + played == 4)


@inlined
def certain_wins(cards: int, others: int, directions: int) -> int:
    """Return a lower bound on how many of the player's `cards` win their trick, whatever the `others` do.

    A card loses only to a card that beats it in the same trick, and each such card is played only once. So, of any
    set of ranked cards, at most as many lose as there are cards that beat one of them (Hall's deficiency).
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
            break  # weaker cards cannot add more
    return most


@inlined
def later(deal: Words, live: int, mine: int, directions: int, sure: int, forced: int, yet: int, need: int) -> int:
    """Return how many points the player is certain to win in the tricks in which it plays one of the cards `mine`.

    Two kinds of scoring cards count: those of `mine` that are certain to win, and those that the other hands can't
    avoid playing to tricks that the player is certain to win, because they have too many to play all of them
    elsewhere. With `sure`, the player also wins the current trick, to which the seats in `yet` have yet to play;
    those in `forced` must play a scoring card to it. `live` has all hands. A result below `need` may be too low.
    """
    own = deal[OWN]
    player = deal[PLAYER]
    others = live & ~deal[HANDS + player]
    wins = certain_wins(mine, others, directions)
    points = 0
    for other in range(1, 4):
        seat = (player + other) & 3
        hand = live & deal[HANDS + seat]
        unavoidable = popcount(hand & own) - popcount(hand) + wins + ((yet >> seat) & sure)
        points += max(unavoidable, (forced >> seat) & sure)
    if points < need and points + min(wins, popcount(mine & own)) >= need:
        points += certain_wins(mine & own, others, directions)
    return int(points)


@inlined
def floor(deal: Words, state: Words, at: int) -> int:
    """Return how many points the player is certain to win from a node between two tricks on.

    A result below NEED may be too low.
    """
    live = state[at + LIVE]
    mine = live & deal[HANDS + deal[PLAYER]]
    directions = possible_directions(live, state[at + DIRECTION])
    return later(deal, live, mine, directions, 0, 0, 0, state[at + NEED])


@inlined
def sure_lead(deal: Words, state: Words, at: int) -> int:
    """Return how many points the player is certain to win by leading an unbeatable card; 0 if it has no such card.

    A result below NEED may be too low.
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
            hand = legal(hand, card + deal[ASKS], direction, popcount(hand) - popcount(mine))
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
    """Return the points that are certain in the later tricks if the player gives up the current trick.

    The player uses the best of its `discards`; they are tried until one reaches `need`. The result is 0 if even
    keeping every card would not reach `need`.
    """
    if later(deal, live, mine, directions, 0, 0, 0, need) < need:
        return 0
    most = 0
    rest = discards
    while rest != 0 and most < need:
        discard = first_of(rest)
        rest &= rest - 1
        most = max(most, later(deal, live, mine & ~discard, directions, 0, 0, 0, need))
    return int(most)


@inlined
def certain(deal: Words, hands: Hands, table: OnTable, reply: int, rest: Followers, need: int) -> int:
    """Return a lower bound on the player's further points, for a node in the middle of a trick.

    The player is sure of the trick if its card is ahead, or if a legal card (in `reply`) would be, and no card
    that may still be played beats that card. If the player has yet to play and is not sure of the trick, it is
    assumed to lose it (`spared`).
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
    """Return a lower bound on the player's further points, for a node in the middle of a trick (see `certain`)."""
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
    for other in range(played, 4):
        if other != turn:
            seat = (leader + other) & 3
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
    """Return YES if a lower bound shows that the player reaches NEED, else UNKNOWN.

    The node must be between two tricks. Other hands may have more cards than there are tricks left.
    """
    need = state[at + NEED]
    if deal[SWITCHES] & SURE and state[at + LEADER] == deal[PLAYER] and sure_lead(deal, state, at) >= need:
        return YES
    if deal[SWITCHES] & FLOOR and floor(deal, state, at) >= need:
        return YES
    return UNKNOWN


@inlined
def estimate(deal: Words, state: Words, at: int) -> int:
    """Return YES or NO if static bounds show whether the player reaches NEED, else UNKNOWN.

    In the middle of a trick, `ceiling` is tried only if the others are allies; otherwise it would cost more than
    it saves.
    """
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


# ----------------------------------------------------------------------------------------------------
# Move generation and ordering.


NOISE = 255  # the most that later attempts add to a weight

# How promising a card is: weights of (scores for the player, wins the trick so far, height 0-8, is a kirin, can be
# beaten by a card of the player or, if the player moves, of a later hand) for each role of the seat to move. Tuned
# on node counts of random deals.
LEADS, FOLLOWS, OPENS, CONTESTS, COVERS, SHEDS, FRIENDS = range(7)
WEIGHTS = np.array(
    [
        [10, -14, 3, 3, 9],  # the player leads
        [5, 8, -1, 7, 1],  # the player follows
        [16, 18, -3, 2, -1],  # an opponent leads
        [-6, 45, -6, -9, 13],  # an opponent follows, the player's card is best
        [5, 5, -3, -3, -7],  # an opponent follows, the player has yet to play
        [10, 1, -1, 3, 5],  # an opponent follows, the player has played and lost
        # The same six with allies for opponents.
        [10, 82, 0, 77, 19],
        [19, -35, -10, -104, -47],
        [360, -469, 12, 7, -40],
        [0, 94, 12, -73, -151],
        [-258, 15, -5, -28, -21],
        [203, 5, 33, 9, 451],
    ],
    np.int64,
)


@inlined
def role(deal: Words, state: Words, at: int) -> int:
    played = state[at + PLAYED]
    turn = (deal[PLAYER] - state[at + LEADER]) & 3  # the player's place in the trick
    best = state[at + BEST]
    if turn == played:
        who = LEADS if played == 0 else FOLLOWS
    elif played == 0:
        who = OPENS
    elif turn > played:
        who = COVERS
    elif best >= 0 and state[at + HOLDER] == deal[PLAYER]:
        who = CONTESTS
    else:
        who = SHEDS
    return who + FRIENDS - 1 if deal[ALLIES] != 0 else who


@inlined
def against(deal: Words, state: Words, at: int) -> int:
    """Return the cards that may beat the next card to be played, as a mask.

    If the player is to move, these are the cards of the seats that play after it; otherwise they are the player's.
    """
    live = state[at + LIVE]
    mine = live & deal[HANDS + deal[PLAYER]]
    if seat_to_move(state, at) != deal[PLAYER]:
        return int(mine)
    later = 0
    for turn in range(state[at + PLAYED] + 1, 4):
        later |= live & deal[HANDS + ((state[at + LEADER] + turn) & 3)]
    return int(later)


@inlined
def moves(deal: Words, state: Words, at: int, out: Words, to: int, first: int) -> int:
    rest = candidates(deal, state, at)
    if rest & (rest - 1) == 0:
        out[to] = trailing_zeros(rest)
        return 1
    who = role(deal, state, at)
    direction = state[at + DIRECTION]
    best = state[at + BEST]
    over = ahead_of(best, direction)
    rivals = against(deal, state, at)
    count = 0
    while rest != 0:
        card = trailing_zeros(rest)
        bit = rest & -rest
        rest &= rest - 1
        height = card >> 2
        if direction == 1 and bit & NUMBERS:
            height = 9 - height
        score = WEIGHTS[who, 2] * height
        if bit & deal[OWN]:
            score += WEIGHTS[who, 0]
        if bit & over:
            score += WEIGHTS[who, 1]
        if bit & KIRIN:
            score += WEIGHTS[who, 3]
        if STRONGER[direction * CARDS + card] & rivals:
            score += WEIGHTS[who, 4]
        if deal[ATTEMPT] != 0:
            mixed = wrapping_product(state[at + LIVE] + (deal[ATTEMPT] << 36), 0x1E3779B97F4A7C15)
            mixed = wrapping_product(mixed ^ card ^ (mixed >> 31), 0x1B03738712FAD5C9)
            score += (mixed >> 40) & NOISE
        if card == first:
            score = 5000
        count = insert(out, to, count, card, score)
    return bare(out, to, count)
