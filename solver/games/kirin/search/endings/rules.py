"""Kirin's own search of the last tricks, as the rules `finish` and `assured` of the score search."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from solver.games.kirin.fast_rules.kernel import (
    ALLIES,
    DIRECTION,
    FORGET_FROM,
    FORGET_TRICKS,
    HANDS,
    LAST_TRICKS,
    LEADER,
    LIVE,
    PLAYED,
    PLAYER,
    key,
)
from solver.games.kirin.fast_rules.switches import FORGET, LAST
from solver.games.kirin.search import bounds, move_order
from solver.games.kirin.search.endings.forgetting import forgetting
from solver.games.kirin.search.endings.last_tricks import tricks
from solver.kernels.arrays import Words
from solver.kernels.bits import popcount
from solver.kernels.template import Instances
from solver.search.switches import TABLE
from solver.search.tricks.score_table import ScoreTable, bucket_of, find
from solver.search.tricks.words import FINISHED, NEED, SWITCHES, UNKNOWN


@dataclass(frozen=True)
class Endings:
    """The search of the last tricks, instantiated.

    `forgetful` answers for hands that may have too many cards. `finish` and `assured` are rules of the score
    search.
    """

    forgetful: Callable[[Words, Words, int, int, int, int], int]
    finish: Callable[[Words, Words, int, Words], int]
    assured: Callable[[Words, Words, int, Words], int]


def endings(table: ScoreTable) -> Endings:
    """Instantiate it for the table that it shares with the score search. Compiles nothing yet."""
    rules = {**table.names, "estimate": bounds.estimate, "moves": move_order.moves}
    forgets = Instances("kirin_forgetful", {**rules, "FORGETFUL": True, "estimate": bounds.assures})
    forgetful = forgets.of(tricks)
    made = Instances("kirin", {**rules, "forgetful": forgetful})
    made.of(forgetting)
    proof = made.of(assured)
    made.of(tricks)
    return Endings(forgetful, made.of(finish), proof)


# Templates from here on.


def finish(deal: Words, state: Words, at: int, table: Words) -> int:
    """The rule `finish`: of boundaries with two to `LAST_TRICKS` tricks left, all others against the player."""
    deal[FINISHED] = 0
    if deal[SWITCHES] & LAST == 0 or deal[ALLIES] != 0 or state[at + PLAYED] != 0:
        return UNKNOWN
    live = state[at + LIVE]
    left = popcount(live & deal[HANDS + deal[PLAYER]])
    if left < 2:
        return UNKNOWN
    if left > LAST_TRICKS:
        return int(assured(deal, state, at, table))
    leader = state[at + LEADER]
    direction = state[at + DIRECTION]
    need = state[at + NEED]
    return int(tricks(deal, table, live, leader, direction, need))


def assured(deal: Words, state: Words, at: int, table: Words) -> int:
    """The rule `assured`: of boundaries with more tricks than `finish` solves, by proofs that forget."""
    deal[FINISHED] = 0
    if deal[SWITCHES] & FORGET == 0 or deal[ALLIES] != 0 or state[at + PLAYED] != 0:
        return UNKNOWN
    live = state[at + LIVE]
    left = popcount(live & deal[HANDS + deal[PLAYER]])
    if left <= LAST_TRICKS or left > FORGET_TRICKS or left < deal[FORGET_FROM]:
        return UNKNOWN
    node = key(deal, state, at)
    if deal[SWITCHES] & TABLE and find(deal, table, node, bucket_of(deal, node)) >= 0:
        return UNKNOWN  # tried when it was first met
    return int(forgetting(deal, table, live, state[at + LEADER], state[at + DIRECTION], state[at + NEED], left))
