"""The chances of moves that are not proved, by Monte-Carlo tree search with all cards known."""

from __future__ import annotations

import threading
from dataclasses import dataclass

import numpy as np

from solver.games.aqua_regia.fast_rules.kernel import ASKED, STATUS
from solver.games.aqua_regia.search import mcts_kernel
from solver.games.aqua_regia.search.mcts_kernel import GAINS, MOVE, NODE_WORDS, VISITS
from solver.games.aqua_regia.search.outcome import Outcomes
from solver.kernels import rng
from solver.kernels.arrays import Words

_TREE_NODES = 1 << 20  # 40 MB
_SEED = 1


@dataclass(frozen=True, slots=True)
class Chance:
    """Games that began with a move, and the share in which the seat to move got what it is after."""

    games: int
    share: float


class _Arrays(threading.local):
    """This thread's tree; the system gives memory only to what is written."""

    def __init__(self) -> None:
        self.tree: Words = np.zeros(_TREE_NODES * NODE_WORDS, np.int64)


_arrays = _Arrays()


def chances(outcomes: Outcomes, moves: list[int], asked: int) -> dict[int, Chance]:
    """What the games played by the limit say of `moves` from the start, `asked` the seat of the question.

    A move that no game began with is left out.
    """
    tree = _arrays.tree
    deal = outcomes.deal
    root = outcomes.start.copy()
    root[STATUS] |= asked << ASKED
    control = np.zeros(mcts_kernel.CONTROL_WORDS, np.int64)
    control[mcts_kernel.USED] = 1
    tree[:NODE_WORDS] = 0
    mcts_kernel.add_children(tree, control, 0, np.array(moves, np.int64), len(moves))
    random = np.zeros(1, np.int64)
    rng.start(random, _SEED, 0)
    work = np.zeros(mcts_kernel.WORK_WORDS, np.int64)
    found = np.zeros(deal.moves, np.int64)
    path = np.zeros(deal.depth + 1, np.int64)

    def step(budget: int) -> tuple[bool, int]:
        before = int(control[mcts_kernel.NODES])
        mcts_kernel.explore(deal.words, root, tree, control, random, work, found, path, budget)
        return False, int(control[mcts_kernel.NODES]) - before

    outcomes.control.drive(step, stage="estimate")
    answer = {}
    for child in range(1, 1 + len(moves)):
        at = child * NODE_WORDS
        games = int(tree[at + VISITS])
        if games:
            answer[int(tree[at + MOVE])] = Chance(games, int(tree[at + GAINS]) / games)
    return answer
