"""King × Alchemy's rules for the Monte-Carlo tree search: every seat chooses by what it wants under the model.

Beyond the tree plays are random, and a winner takes what is worth most at once.
"""

from __future__ import annotations

from solver.common.threads import once
from solver.games.king.fast_rules.kernel import ALLIES, BEST, LIVE, PLAYED, PLAYER, PLAYERS, TOLL, seat_to_move
from solver.games.king.fast_rules.round_kernel import NODE_WORDS, PILES, SCORES, list_moves, make
from solver.games.king.search.bounds.bonus_cache import least_bonus
from solver.kernels.arrays import Words
from solver.kernels.jit import inlined
from solver.kernels.rng import below
from solver.search.uct.rules import TreeKernels, TreeRules, kernels_of

EVERYBODY = 2  # in place of a deal's ALLIES word: each seat for itself
_OTHERS_POINT = 0.02  # what a point in a score, the own one too, takes off what a seat for itself wants


@inlined
def moves(deal: Words, work: Words, at: int, codes: Words) -> int:
    return list_moves(deal, work, at, codes, 0)


@inlined
def play(deal: Words, work: Words, at: int, to: int, move: int) -> None:
    make(deal, work, at, to, move)


@inlined
def result(deal: Words, work: Words, at: int) -> int:
    """-1 while cards are in hands or on the table, else 0."""
    return 0 if work[at + LIVE] | work[at + PLAYED] == 0 else -1


@inlined
def reward(deal: Words, work: Words, at: int, ended: int, seat: int) -> int:
    """A seat's score, its best compounding included, or as good a one as is found soon."""
    if seat == 0:
        deal[TOLL] = 0  # whatever the playing of this game took, its scores are looked at well
    return int(work[at + SCORES + seat] + least_bonus(deal, work[at + PILES + seat]))


@inlined
def wanted(deal: Words, tree: Words, sums: int, visits: int, seat: int) -> float:
    """Each for itself: the own mean score, the others' low; else the player's, which opponents want low."""
    if deal[ALLIES] == EVERYBODY:
        total = 0
        for other in range(deal[PLAYERS]):
            total += tree[sums + other]
        return float(tree[sums + seat] - _OTHERS_POINT * total) / float(visits)
    mean = float(tree[sums + deal[PLAYER]]) / float(visits)
    return mean if deal[ALLIES] != 0 or seat == deal[PLAYER] else -mean


@inlined
def rollout(deal: Words, work: Words, at: int, spare: int, codes: Words, count: int, random: Words) -> int:
    """A random play; of a full trick, of the takings worth most to the winner at once one at random."""
    if work[at + PLAYED] < deal[PLAYERS]:
        return int(codes[below(random, count)])
    winner = work[at + BEST]
    start = below(random, count)
    most = -1
    chosen = 0
    for step in range(count):
        index = start + step
        move = codes[index - count if index >= count else index]
        make(deal, work, at, spare, move)
        worth = work[spare + SCORES + winner] + least_bonus(deal, work[spare + PILES + winner])
        if worth > most:
            most = worth
            chosen = move
    return int(chosen)


@once
def kernels() -> TreeKernels:
    """The tree search with King's rules."""
    return kernels_of(
        TreeRules(
            game="king",
            state_words=NODE_WORDS,
            moves=moves,
            play=play,
            seat_to_move=seat_to_move,
            result=result,
            reward=reward,
            wanted=wanted,
            rollout=rollout,
            first_at_random=True,
        )
    )
