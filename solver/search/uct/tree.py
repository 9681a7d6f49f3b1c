"""Games played out from a position, and the tree of their first moves."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from solver.kernels import rng
from solver.kernels.words import Words
from solver.limits import Control
from solver.search.memory.tables import new_table
from solver.search.uct import tree_search
from solver.search.uct.rules import TreeKernels

_SEED = 1  # the same question gets the same games
_ENDLESS = 1 << 62
_HALVINGS = 7  # a tree has its full size, or a half, … or a 64th of it where memory is scarce


class Tried(NamedTuple):
    """The games that began with a move: how many, and each seat's sum of rewards."""

    games: int
    totals: tuple[int, ...]

    def mean(self, seat: int) -> float:
        """A seat's mean reward."""
        return self.totals[seat] / self.games


class Bounds(NamedTuple):
    """What a tree and a game are at most: `nodes` of the tree, `moves` of a position, `plays` of a game."""

    nodes: int
    moves: int
    plays: int


class Tree:
    """The search from one position.

    `root` is the position (`STATE_WORDS` words) of an open game of `seats` seats; `moves` are those to choose
    from, by default all legal ones. With `game_nodes` a game counts for so many nodes of a limit; without it each
    play counts for one. The tree is smaller where memory is scarce; raises MemoryError where there is none.
    """

    def __init__(
        self,
        kernels: TreeKernels,
        deal: Words,
        root: Words,
        moves: Sequence[int] | None = None,
        *,
        seats: int,
        bounds: Bounds,
        game_nodes: int | None = None,
    ) -> None:
        rules = kernels.rules
        self._kernels = kernels
        self._deal = deal
        self._seats = seats
        self._game_nodes = game_nodes
        self._credit = 0
        self._node_words = tree_search.SUMS + seats
        after = rules.state_words + rules.scratch_words
        self._tree: Words = new_table([(bounds.nodes >> part) * self._node_words for part in range(_HALVINGS)])
        self._control: Words = np.zeros(tree_search.CONTROL_WORDS, np.int64)
        self._random: Words = np.zeros(1, np.int64)
        self._work: Words = np.concatenate((np.zeros(2 * after, np.int64), root))
        self._codes: Words = np.zeros(bounds.moves, np.int64)
        self._path: Words = np.zeros(bounds.plays + 1, np.int64)
        rng.start(self._random, _SEED, 0)
        control = self._control
        control[tree_search.PLAYERS] = seats
        control[tree_search.USED] = 1
        control[tree_search.MOST_GAMES] = control[tree_search.MOST_PLAYS] = _ENDLESS
        control[tree_search.HIGHEST] = -tree_search.FAR
        control[tree_search.LOWEST] = tree_search.FAR
        if moves is None:
            self._work[: rules.state_words] = root
            count = rules.moves(deal, self._work, 0, self._codes)
        else:
            count = len(moves)
            self._codes[:count] = moves
        kernels.grow(self._tree, control, 0, self._codes, count)

    def run(self, control: Control, stage: str) -> None:
        """Play games until the limit."""
        control.drive(self.step, stage=stage)

    def step(self, budget: int) -> tuple[bool, int]:
        """Play as many games as about `budget` nodes are worth; never finished. See `solver.limits`."""
        control = self._control
        if self._game_nodes is not None:
            # What is too little for a game is kept: slices of any size play the same games.
            games, self._credit = divmod(self._credit + budget, self._game_nodes)
            control[tree_search.MOST_GAMES] = control[tree_search.GAMES] + games
            self._play()
            return False, budget
        before = int(control[tree_search.PLAYS])
        control[tree_search.MOST_PLAYS] = before + budget
        self._play()
        return False, int(control[tree_search.PLAYS]) - before

    def _play(self) -> None:
        self._kernels.play_games(
            self._deal, self._tree, self._control, self._random, self._work, self._codes, self._path
        )

    def tried(self) -> dict[int, Tried]:
        """By move: what its games gave. A move that no game began with is left out."""
        tree = self._tree
        first = int(tree[tree_search.FIRST])
        found = {}
        for child in range(int(tree[tree_search.CHILDREN])):
            node = tree[first + child * self._node_words :][: self._node_words]
            games = int(node[tree_search.VISITS])
            if games:
                totals = node[tree_search.SUMS :][: self._seats]
                found[int(node[tree_search.MOVE])] = Tried(games, tuple(map(int, totals)))
        return found
