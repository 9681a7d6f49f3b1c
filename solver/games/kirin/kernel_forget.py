"""Proofs that forget what some of the other seats have played: one proof serves many positions.

Between two tricks, a forgotten seat may hold any of the cards that it was dealt, as many as there are tricks left,
those it has played long since included; only its trumps stay known, since most proofs need them. What the player
reaches against all of these is reached against the hand that the seat has. Positions that differ only in that
hand become one, and the more seats are forgotten the fewer they are: an abstraction, as in pattern databases
(Culberson and Schaeffer 1998), that bounds a game from below. It proves YES only: a NO says nothing, nor does
giving up.

Within a trick a forgotten seat may play what some choice of its hand allows: any of its qualifying cards, and any
other as long as the cards that it must be without suffice to be without every qualifying one (`kernel.legal`).
Whoever plays another card is then without them for this trick. Static bounds count what other hands may hold, less
what they must be without.

Which seats can be forgotten hangs on the deal. So every subset keeps a balance, what its proofs saved against what
all its trials took, and is tried while it does not fall behind.
"""

from __future__ import annotations

from solver.games.kirin.kernel import (
    ALLIES,
    DIRECTION,
    FORGET_FROM,
    FORGET_LIMIT,
    FORGET_TRICKS,
    FORGETS,
    FORGOTTEN,
    HANDS,
    LAST_TRICKS,
    LEADER,
    LIVE,
    OWN,
    PLAYED,
    PLAYER,
    SUBSETS,
    TRIAL_WORDS,
    TRIALS,
    key,
    legal,
)
from solver.games.kirin.order import CARDS, RANKED, STRONGER, TRUMPS
from solver.search.bits import highest_one, popcount
from solver.search.jit import inlined
from solver.search.trick import FINISHED, NEED, NO, SWITCHES, UNKNOWN, YES, Words
from solver.search.trick_ab import TABLE
from solver.search.trick_table import bucket_of, find

FORGET = 32  # a switch
FORGETS_SHIFT = 45  # the forgotten seats in a key of the table: where a trick has its second card, without a first

# Words of a number of tricks: how often proofs were tried, exact searches after that and their nodes; then for
# every subset of seats its proofs, and the nodes of its trials.
TRIED, SEARCHED, SEARCH_NODES, PROOFS = range(4)
# The seats after the player that are forgotten, as bits: the largest subsets first, whose proofs are shared most.
ORDER = 0x4216537

TRIAL_NODES = 20_000  # of one trial
ASKING = 5  # nodes that a trial counts besides its own, for looking at the table
CREDIT = 500  # nodes that a subset may fall behind, and
CREDIT_SHARE = 4  # the same as a share of the nodes of exact searches: a shift
SEARCH_GUESS = 300  # nodes of an exact search, until some were made
ABOVE = 20  # the work under a boundary that exact loops do not solve, in exact searches
OFTEN = 255  # every so many trials all subsets are tried, less 1


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


def forgetful(deal: Words, table: Words, live: int, leader: int, direction: int, need: int) -> int:
    """The instance of `kernel_last.tricks` that is forgetful."""
    raise NotImplementedError


# Templates from here on.


def forgetting(deal: Words, table: Words, live: int, leader: int, direction: int, need: int, left: int) -> int:
    """YES where a proof that forgets some seats is found, UNKNOWN otherwise, with `left` tricks to play.

    Its nodes are added to FINISHED.
    """
    at = TRIALS + left * TRIAL_WORDS
    searches = TRIALS + min(left, LAST_TRICKS) * TRIAL_WORDS
    deal[at + TRIED] += 1
    saved = SEARCH_GUESS
    if deal[searches + SEARCHED] != 0:
        saved = deal[searches + SEARCH_NODES] // deal[searches + SEARCHED]
    if left > LAST_TRICKS:
        saved *= ABOVE
    credit = CREDIT + (deal[searches + SEARCH_NODES] >> CREDIT_SHARE)
    for place in range(SUBSETS):
        balance = at + PROOFS + 2 * place
        behind = deal[balance] * saved + credit < deal[balance + 1]
        if behind and deal[at + TRIED] & OFTEN != 0:
            continue
        seats = (ORDER >> (4 * place)) & 7
        forgotten = 0
        for other in range(1, 4):
            if (seats >> (other - 1)) & 1:
                forgotten |= deal[HANDS + ((deal[PLAYER] + other) & 3)]
        forgotten &= ~TRUMPS
        if live | forgotten == live:
            continue
        before = deal[FINISHED]
        deal[FORGETS] = seats
        deal[FORGOTTEN] = forgotten
        deal[FORGET_LIMIT] = before + TRIAL_NODES
        answer = forgetful(deal, table, live | forgotten, leader, direction, need)
        deal[balance] += answer
        deal[balance + 1] += deal[FINISHED] - before + ASKING
        if answer == YES:
            return YES
    return UNKNOWN


def assured(deal: Words, state: Words, at: int, table: Words) -> int:
    """See `solver.search.trick`: of boundaries with more tricks than `kernel_last` solves."""
    deal[FINISHED] = 0
    if deal[SWITCHES] & FORGET == 0 or deal[ALLIES] != 0 or state[at + PLAYED] != 0:
        return UNKNOWN
    live = state[at + LIVE]
    left = popcount(live & deal[HANDS + deal[PLAYER]])
    if left <= LAST_TRICKS or left > FORGET_TRICKS or left < deal[FORGET_FROM]:
        return UNKNOWN
    node = key(deal, state, at)
    if deal[SWITCHES] & TABLE and find(deal, table, node, bucket_of(node, table)) >= 0:
        return UNKNOWN  # tried when it was first met
    return int(forgetting(deal, table, live, state[at + LEADER], state[at + DIRECTION], state[at + NEED], left))
