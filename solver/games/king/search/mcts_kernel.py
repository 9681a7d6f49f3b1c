"""Monte-Carlo tree search over known cards, for positions too large to prove: which move looks best.

Upper confidence bounds on trees (Kocsis and Szepesvári 2006), every seat choosing by what it wants under the
model. Beyond the tree plays are random, and a winner takes what is worth most at once. It proves nothing.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from solver.games.king.fast_rules.kernel import ALLIES, BEST, LIVE, PLAYED, PLAYER, PLAYERS, seat_to_move
from solver.games.king.fast_rules.round_kernel import (
    MOST_MOVES,
    NODE_WORDS,
    PILES,
    SCORES,
    SEATS,
    list_moves,
    make,
)
from solver.games.king.search.bonus_cache import best_bonus
from solver.kernels.arrays import Words
from solver.kernels.jit import inlined, lean
from solver.kernels.rng import below

# Words of a tree node: its first child, their number (-1: not looked at), the move that leads to it, visits, and
# the sum of every seat's scores.
FIRST, CHILDREN, MOVE, VISITS, SUMS = range(5)
TREE_WORDS = SUMS + SEATS
# Words of the control array: tree nodes in use, games played, the highest and the lowest score so far.
USED, GAMES, HIGHEST, LOWEST_SCORE = range(4)
CONTROL_WORDS = 4
EVERYBODY = 2  # in place of a deal's ALLIES word: each seat for itself
# Words of the stack: the moves, the node, the node after a move.
MOVES = 0
NODE = MOVES + MOST_MOVES
AFTER = NODE + NODE_WORDS
STACK_WORDS = AFTER + NODE_WORDS
_LONGEST = 120  # moves of a round
PATH_WORDS = _LONGEST
EXPLORATION = 0.7


@inlined
def wanted(deal: Words, tree: Words, at: int, seat: int) -> float:
    """What a seat wants of the sums in a tree node, for one visit."""
    visits = float(tree[at + VISITS])
    if deal[ALLIES] == EVERYBODY:
        total = 0
        for other in range(deal[PLAYERS]):
            total += tree[at + SUMS + other]
        return float(tree[at + SUMS + seat] - 0.02 * total) / visits
    mean = float(tree[at + SUMS + deal[PLAYER]]) / visits
    return mean if deal[ALLIES] != 0 or seat == deal[PLAYER] else -mean


@inlined
def choose(deal: Words, tree: Words, at: int, seat: int, spread: float, state: NDArray[np.int64]) -> int:
    """The child to visit: one never visited, at random, else that of the highest confidence bound."""
    first = tree[at + FIRST]
    count = tree[at + CHILDREN]
    start = below(state, count)
    best = -1e30
    chosen = first
    width = EXPLORATION * spread * math.sqrt(math.log(tree[at + VISITS] + 1.0))
    for step in range(count):
        child = start + step
        at_child = (first + (child - count if child >= count else child)) * TREE_WORDS
        visits = tree[at_child + VISITS]
        if visits == 0:
            return int(at_child)
        bound = wanted(deal, tree, at_child, seat) + width / math.sqrt(visits)
        if bound > best:
            best = bound
            chosen = at_child
    return int(chosen)


@inlined
def greedy(deal: Words, stack: Words, count: int, state: NDArray[np.int64]) -> int:
    """A random play; of a full trick, of the takings worth most to the winner at once one at random."""
    if stack[NODE + PLAYED] < deal[PLAYERS]:
        return int(stack[MOVES + below(state, count)])
    winner = stack[NODE + BEST]
    start = below(state, count)
    most = -1
    chosen = 0
    for step in range(count):
        index = start + step
        move = stack[MOVES + (index - count if index >= count else index)]
        make(deal, stack, NODE, AFTER, move)
        worth = stack[AFTER + SCORES + winner] + best_bonus(deal, stack[AFTER + PILES + winner])
        if worth > most:
            most = worth
            chosen = move
    return int(chosen)


@lean
def run_samples(
    deal: Words, root: Words, stack: Words, tree: Words, path: Words, control: Words, state: Words, budget: int
) -> bool:
    """Play `budget` games from the root; never finished."""
    capacity = len(tree) // TREE_WORDS
    players = deal[PLAYERS]
    for _ in range(budget):
        for word in range(NODE_WORDS):
            stack[NODE + word] = root[word]
        at = 0
        steps = 1
        path[0] = 0
        growing = True
        spread = float(max(1, control[HIGHEST] - control[LOWEST_SCORE]))
        while stack[NODE + LIVE] | stack[NODE + PLAYED] != 0:
            if growing and tree[at + CHILDREN] < 0:
                if tree[at + VISITS] > 0 or at == 0:
                    count = list_moves(deal, stack, NODE, MOVES)
                    if control[USED] + count <= capacity:
                        tree[at + FIRST] = control[USED]
                        tree[at + CHILDREN] = count
                        for index in range(count):
                            child = (control[USED] + index) * TREE_WORDS
                            for word in range(TREE_WORDS):
                                tree[child + word] = 0
                            tree[child + CHILDREN] = -1
                            tree[child + MOVE] = stack[MOVES + index]
                        control[USED] += count
                    else:
                        growing = False
                else:
                    growing = False
            if growing:
                at = choose(deal, tree, at, seat_to_move(deal, stack, NODE), spread, state)
                move = tree[at + MOVE]
                path[steps] = at
                steps += 1
            else:
                count = list_moves(deal, stack, NODE, MOVES)
                move = greedy(deal, stack, count, state)
            make(deal, stack, NODE, AFTER, move)
            for word in range(NODE_WORDS):
                stack[NODE + word] = stack[AFTER + word]
        for seat in range(players):
            score = stack[NODE + SCORES + seat] + best_bonus(deal, stack[NODE + PILES + seat])
            control[HIGHEST] = max(control[HIGHEST], score)
            control[LOWEST_SCORE] = min(control[LOWEST_SCORE], score)
            for step in range(steps):
                tree[path[step] + SUMS + seat] += score
        for step in range(steps):
            tree[path[step] + VISITS] += 1
        control[GAMES] += 1
    return False
