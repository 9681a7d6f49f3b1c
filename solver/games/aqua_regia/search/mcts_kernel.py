"""Monte-Carlo tree search with all cards known (UCT, Kocsis and Szepesvári 2006): which move, not proved.

Each seat follows what it is after under the model. A game is played out by chance from where the tree ends, a
play preferred to a pass, until somebody is out or sure to win.
"""

from __future__ import annotations

import math

from solver.games.aqua_regia.fast_rules.kernel import (
    ALLY,
    MAXN,
    MODEL,
    PASS,
    STATE_WORDS,
    STATUS,
    asked_of,
    moves,
    play,
    turn_of,
)
from solver.games.aqua_regia.search.sure_winners import SCRATCH_WORDS, sure_winner
from solver.kernels.arrays import Words
from solver.kernels.jit import inlined, lean
from solver.kernels.rng import below

# Words of a tree's node: the move that leads to it, its first child (0: none yet), how many children, how often
# it was visited, and how often the seat that made the move got what it is after.
MOVE, FIRST, CHILDREN, VISITS, GAINS, NODE_WORDS = range(6)
USED, NODES, CONTROL_WORDS = range(3)  # words of the control array: tree nodes in use, game nodes looked at
WORK_WORDS = STATE_WORDS + SCRATCH_WORDS + STATE_WORDS
_EXPLORE = 0.7
_RIPE = 3  # visits before a node gets children
_PLAYS_ONLY = 4  # of five moves by chance where a play is possible


@inlined
def gains(deal: Words, status: int, seat: int, winner: int) -> int:
    """1 where `seat` gets what it is after when `winner` goes out first."""
    asked = asked_of(status)
    if deal[MODEL] == MAXN:
        return 1 if winner == seat else 0
    if deal[MODEL] == ALLY or seat == asked:
        return 1 if winner == asked else 0
    return 0 if winner == asked else 1


@inlined
def choose(tree: Words, node: int) -> int:
    """The child of the best mean with its allowance for few visits; one never visited first."""
    first = tree[node * NODE_WORDS + FIRST]
    spread = _EXPLORE * math.sqrt(math.log(tree[node * NODE_WORDS + VISITS] + 1.0))
    best = first
    most = -1.0
    for child in range(first, first + tree[node * NODE_WORDS + CHILDREN]):
        visits = tree[child * NODE_WORDS + VISITS]
        if visits == 0:
            return int(child)
        worth = tree[child * NODE_WORDS + GAINS] / visits + spread / math.sqrt(visits)
        if worth > most:
            most = worth
            best = child
    return int(best)


@inlined
def add_children(tree: Words, control: Words, node: int, found: Words, count: int) -> None:
    """Give a node its children, unless the tree is full."""
    first = control[USED]
    if (first + count) * NODE_WORDS > len(tree):
        return
    control[USED] += count
    tree[node * NODE_WORDS + FIRST] = first
    tree[node * NODE_WORDS + CHILDREN] = count
    for index in range(count):
        at = (first + index) * NODE_WORDS
        tree[at + MOVE] = found[index]
        tree[at + FIRST] = 0
        tree[at + CHILDREN] = 0
        tree[at + VISITS] = 0
        tree[at + GAINS] = 0


@lean
def explore(
    deal: Words,
    root: Words,
    tree: Words,
    control: Words,
    random: Words,
    work: Words,
    found: Words,
    path: Words,
    budget: int,
) -> None:
    """Play on for about `budget` moves; the root, node 0 of the tree, has children already.

    `found` has room for a node's moves, `path` for a line.
    """
    end = control[NODES] + budget
    other = STATE_WORDS + SCRATCH_WORDS
    while control[NODES] < end:
        for word in range(STATE_WORDS):
            work[word] = root[word]
        node = 0
        length = 0
        winner = -1
        while winner < 0:
            seat = turn_of(work[STATUS])
            if node >= 0 and tree[node * NODE_WORDS + FIRST] == 0 and tree[node * NODE_WORDS + VISITS] >= _RIPE:
                add_children(tree, control, node, found, moves(deal, work, 0, found, 0, 1))
            if node >= 0 and tree[node * NODE_WORDS + FIRST] != 0:
                node = choose(tree, node)
                path[length] = node * 8 + seat
                length += 1
                move = tree[node * NODE_WORDS + MOVE]
            else:
                node = -1
                count = moves(deal, work, 0, found, 0, 1)
                if found[0] < PASS and below(random, 5) < _PLAYS_ONLY:
                    while found[count - 1] >= PASS:
                        count -= 1
                move = found[below(random, count)]
            play(deal, work, 0, work, other, move)
            for word in range(STATE_WORDS):
                work[word] = work[other + word]
            control[NODES] += 1
            winner = sure_winner(deal, work, 0)
        tree[VISITS] += 1
        for step in range(length):
            at = (path[step] >> 3) * NODE_WORDS
            tree[at + VISITS] += 1
            tree[at + GAINS] += gains(deal, work[STATUS], path[step] & 7, winner)
