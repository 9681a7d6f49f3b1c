"""Which move looks best in a position too large to prove: Monte-Carlo tree search with all cards known."""

from __future__ import annotations

import numpy as np

from solver.common.control import Control
from solver.games.king.cards.rules import Move, State
from solver.games.king.fast_rules.encode import deal_words, move_of, round_words
from solver.games.king.fast_rules.kernel import ALLIES
from solver.games.king.fast_rules.switches import ALL_SWITCHES, NAMES
from solver.games.king.search import mcts_kernel
from solver.games.king.search.mcts_kernel import (
    CHILDREN,
    EVERYBODY,
    FIRST,
    LOWEST_SCORE,
    MOVE,
    PATH_WORDS,
    STACK_WORDS,
    SUMS,
    TREE_WORDS,
    USED,
    VISITS,
)
from solver.kernels import rng
from solver.kernels.arrays import Words

_TREE_NODES = 1 << 18
_SEED = 1  # the same question gets the same games
_STEPS_A_CARD = 3  # a card played out costs about as much as so many nodes of a proof


Means = dict[Move, tuple[float, ...]]


def sampled(start: State, player: int, model: str, control: Control) -> Means:
    """Every seat's mean score by each move that was tried until the limit; all seats play as the model says."""
    sampling = Sampling(start, player, model)
    control.drive(sampling.step, stage="sample")
    return sampling.means()


def estimate(means: Means, move: Move, seat: int, bounds: tuple[int, int]) -> float:
    """A seat's mean score by a move, within what is proved of it; its least where the move was not tried."""
    least, most = bounds
    return min(max(means[move][seat], least), most) if move in means else float(least)


class Sampling:
    """Games played out from a state, and the tree of their first moves."""

    def __init__(self, start: State, player: int, model: str) -> None:
        self.start = start
        # The names of the Dancer are kept apart, so that each has its own estimate.
        self._deal = deal_words(start, player, allies=model == "ally", switches=ALL_SWITCHES & ~NAMES)
        if model == "maxn":
            self._deal[ALLIES] = EVERYBODY
        self._root = round_words(start, self._deal)
        self._stack: Words = np.zeros(STACK_WORDS, np.int64)
        self._tree: Words = np.zeros(_TREE_NODES * TREE_WORDS, np.int64)
        self._tree[CHILDREN] = -1
        self._path: Words = np.zeros(PATH_WORDS, np.int64)
        self._words: Words = np.zeros(mcts_kernel.CONTROL_WORDS, np.int64)
        self._words[USED] = 1
        self._words[LOWEST_SCORE] = 1 << 40
        self._random: Words = np.zeros(1, np.int64)
        rng.start(self._random, _SEED, 0)
        self._credit = 0
        self._cost = _STEPS_A_CARD * (sum(hand.bit_count() for hand in start.hands) + 1)

    def step(self, budget: int) -> tuple[bool, int]:
        """Play as many games as about `budget` nodes are worth."""
        self._credit += budget  # what is too little for a game is kept: slices of any size play the same games
        games, self._credit = divmod(self._credit, self._cost)
        mcts_kernel.run_samples(
            self._deal, self._root, self._stack, self._tree, self._path, self._words, self._random, games
        )
        return False, budget

    def means(self) -> Means:
        found: Means = {}
        first = int(self._tree[FIRST])
        for child in range(first, first + max(0, int(self._tree[CHILDREN]))):
            at = child * TREE_WORDS
            visits = int(self._tree[at + VISITS])
            if visits:
                sums = self._tree[at + SUMS : at + SUMS + self.start.players]
                found[move_of(self.start, int(self._tree[at + MOVE]))] = tuple(float(s) / visits for s in sums)
        return found
