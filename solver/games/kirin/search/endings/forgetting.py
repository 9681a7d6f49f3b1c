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

Which seats can be forgotten depends on the deal, and on the situation between two tricks. So every subset keeps
balances, one for the deal and one for each situation, of what its proofs saved against what all its trials took,
and is tried while neither falls behind.
"""

from __future__ import annotations

from solver.games.kirin.fast_rules.kernel import (
    FORGET_LIMIT,
    FORGETS,
    FORGETTABLE,
    FORGOTTEN,
    HANDS,
    LAST_TRICKS,
    LOST,
    OWN,
    PLAYER,
    SUBSETS,
    TRIAL_WORDS,
    TRIALS,
    WAITING,
)
from solver.games.kirin.fast_rules.order import CARDS, RANKED, STRONGER, TRUMPS
from solver.games.kirin.fast_rules.switches import EQUIVALENT
from solver.kernels.arrays import Words
from solver.kernels.bits import trailing_zeros
from solver.kernels.jit import inlined
from solver.search.tricks.words import FINISHED, SWITCHES, UNKNOWN, YES

FORGETS_SHIFT = 45  # the forgotten seats in a key of the table: where a trick has its second card, without a first

# Words of a number of tricks: how often proofs were tried, exact searches after that and their nodes; then for
# every subset of seats its proofs and the nodes of its trials, of the deal and of each situation.
TRIED, SEARCHED, SEARCH_NODES, PROOFS = range(4)
# The seats after the player that are forgotten, as bits: the largest subsets first, whose proofs are shared most.
ORDER = 0x4216537

TRIAL_NODES = 20_000  # of one trial
ASKING = 20  # nodes that a trial counts besides its own, for looking at the table
CREDIT = 500  # nodes that a subset may fall behind, and
CREDIT_SHARE = 4  # the same as a share of the nodes of exact searches: a shift
SITUATION_CREDIT = 15_000  # nodes that it may fall behind in one situation, besides that share of its credit
SEARCH_GUESS = 300  # nodes of a boundary of `LAST_TRICKS`, until some were searched
ABOVE = 40  # the work under a boundary with more tricks, in boundaries of `LAST_TRICKS`
OFTEN = 255  # every so many trials all subsets are tried, less 1


@inlined
def first_of(cards: int) -> int:
    """One card of a set, as a set; none of none."""
    return cards & -cards


@inlined
def representatives(
    deal: Words, cards: int, over: int, must: int, later: int, direction: int, standing: int
) -> int:
    """The legal `cards` of a follower that are worth looking at: all unless its seat is forgotten.

    A forgotten seat holds the same cards after the trick, whichever number it plays. So what a number does to this
    trick is all there is to it. One that does not get ahead gives a point or not; of those that do, two are the
    same when no card that may be played `later` tells them apart. A qualifying card (`must`) shows nothing about
    the hand, so it is never worse than another that does the same.
    """
    own = deal[OWN]
    numbers = cards & deal[FORGOTTEN] & RANKED
    if deal[SWITCHES] & EQUIVALENT == 0 or numbers & (numbers - 1) == 0:
        return int(cards)
    kept = cards & ~numbers
    under = numbers & ~over
    spare = under if standing == LOST else under & ~own  # what gives nothing to the player
    if spare & must != 0:
        kept |= first_of(spare & must)
    else:
        kept |= first_of(spare) | first_of(under & must)
        if spare == 0 and under & must == 0:
            kept |= first_of(under)
    for kind in range(4):
        rest = numbers & over & (must if kind & 1 else ~must)
        if standing == WAITING:  # the player may still take it
            rest &= own if kind & 2 else ~own
        elif kind & 2:
            break
        stronger = -1
        while rest != 0:
            card = trailing_zeros(rest)
            rest &= rest - 1
            if later & STRONGER[direction * CARDS + card] != stronger:
                stronger = later & STRONGER[direction * CARDS + card]
                kept |= 1 << card
    return int(kept)


def forgetful(deal: Words, table: Words, live: int, leader: int, direction: int, need: int) -> int:
    """The instance of `last_tricks.tricks` that is forgetful."""
    raise NotImplementedError


def forgettable(deal: Words) -> None:
    """Write the cards that each subset of seats forgets into a deal's words."""
    for place in range(SUBSETS):
        forgotten = 0
        for other in range(1, 4):
            if (ORDER >> (4 * place) >> (other - 1)) & 1:
                forgotten |= int(deal[HANDS + ((deal[PLAYER] + other) & 3)])
        deal[FORGETTABLE + place] = forgotten & ~TRUMPS


# Templates from here on.


def forgetting(deal: Words, table: Words, live: int, leader: int, direction: int, need: int, left: int) -> int:
    """YES where a proof that forgets some seats is found, UNKNOWN otherwise, with `left` tricks to play.

    Its nodes are added to FINISHED.
    """
    at = TRIALS + left * TRIAL_WORDS
    deal[at + TRIED] += 1
    searches = TRIALS + min(left, LAST_TRICKS) * TRIAL_WORDS
    saved = SEARCH_GUESS
    if left > LAST_TRICKS:
        spent = deal[searches + SEARCH_NODES]
        for place in range(SUBSETS):
            spent += deal[searches + PROOFS + 2 * place + 1]
        if deal[searches + TRIED] != 0:
            saved = spent // deal[searches + TRIED]
        saved *= ABOVE
    elif deal[searches + SEARCHED] != 0:
        saved = deal[searches + SEARCH_NODES] // deal[searches + SEARCHED]
    credit = CREDIT + (deal[searches + SEARCH_NODES] >> CREDIT_SHARE)
    situation = ((leader - deal[PLAYER]) & 3) + 4 * min(need - 1, 3) + 16 * direction
    here = at + PROOFS + 2 * SUBSETS * (1 + situation)
    for place in range(SUBSETS):
        ever = at + PROOFS + 2 * place
        now = here + 2 * place
        behind = deal[ever] * saved + credit < deal[ever + 1]
        behind |= deal[now] * saved + SITUATION_CREDIT + (credit >> CREDIT_SHARE) < deal[now + 1]
        if behind and deal[at + TRIED] & OFTEN != 0:
            continue
        forgotten = deal[FORGETTABLE + place]
        if live | forgotten == live:
            continue
        before = deal[FINISHED]
        deal[FORGETS] = (ORDER >> (4 * place)) & 7
        deal[FORGOTTEN] = forgotten
        deal[FORGET_LIMIT] = before + TRIAL_NODES
        answer = forgetful(deal, table, live | forgotten, leader, direction, need)
        for balance in (ever, now):
            deal[balance] += answer
            deal[balance + 1] += deal[FINISHED] - before + ASKING
        if answer == YES:
            return YES
    return UNKNOWN
