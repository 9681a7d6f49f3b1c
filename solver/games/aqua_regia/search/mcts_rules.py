"""Aqua Regia's rules for the Monte-Carlo tree search: each seat follows what it is after under the model.

A game is played out by chance from where the tree ends, a play preferred to a pass, until somebody is out or sure
to win.
"""

from __future__ import annotations

from solver.common.threads import once
from solver.games.aqua_regia.fast_rules import kernel
from solver.games.aqua_regia.fast_rules.kernel import (
    ALLY,
    MAXN,
    MODEL,
    PASS,
    STATE_WORDS,
    STATUS,
    asked_of,
    turn_of,
)
from solver.games.aqua_regia.search.sure_winners import SCRATCH_WORDS, sure_winner
from solver.kernels.arrays import Words
from solver.kernels.jit import inlined
from solver.kernels.rng import below
from solver.search.uct.rules import TreeKernels, TreeRules, kernels_of

_RIPE = 3  # visits before a node gets children
_PLAYS_ONLY = 4  # of five moves by chance where a play is possible


@inlined
def moves(deal: Words, work: Words, at: int, codes: Words) -> int:
    return kernel.moves(deal, work, at, codes, 0, 1)


@inlined
def play(deal: Words, work: Words, at: int, to: int, move: int) -> None:
    kernel.play(deal, work, at, work, to, move)


@inlined
def seat_to_move(deal: Words, work: Words, at: int) -> int:
    return turn_of(work[at + STATUS])


@inlined
def reward(deal: Words, work: Words, at: int, ended: int, seat: int) -> int:
    """1 where `seat` gets what it is after when the seat `ended` goes out first, else 0."""
    asked = asked_of(work[at + STATUS])
    if deal[MODEL] == MAXN:
        return 1 if ended == seat else 0
    if deal[MODEL] == ALLY or seat == asked:
        return 1 if ended == asked else 0
    return 0 if ended == asked else 1


@inlined
def rollout(deal: Words, work: Words, at: int, spare: int, codes: Words, count: int, random: Words) -> int:
    """A move by chance; of five, four are plays where a play is possible."""
    if codes[0] < PASS and below(random, 5) < _PLAYS_ONLY:
        while codes[count - 1] >= PASS:
            count -= 1
    return int(codes[below(random, count)])


@once
def kernels() -> TreeKernels:
    """The tree search with Aqua Regia's rules."""
    return kernels_of(
        TreeRules(
            game="aqua_regia",
            state_words=STATE_WORDS,
            scratch_words=SCRATCH_WORDS,
            moves=moves,
            play=play,
            seat_to_move=seat_to_move,
            result=sure_winner,
            reward=reward,
            rollout=rollout,
            ripe=_RIPE,
        )
    )
