"""Monte-Carlo tree search with all cards known: which move looks best if nothing is proved.

Upper confidence bounds on trees (UCT: Kocsis and Szepesvári, "Bandit based Monte-Carlo planning", ECML 2006) for
any number of seats: every seat maximizes its own objective (`wanted`). Beyond the tree, the game's `rollout`
chooses the moves.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from solver.kernels import rng
from solver.kernels.rng import below
from solver.kernels.words import Words
from solver.search.memory import new_table
from solver.search.rules import Rules

# ----------------------------------------------------------------------------------------------------
# What a game provides for the Monte-Carlo tree search, written as kernels over a block of words.
#
# A position is a block of `STATE_WORDS` int64 words in the array `work`, at an offset `at`; the `SCRATCH_WORDS`
# words after it may be overwritten. `deal` is an int64 array of the game's constants: it includes what `reward`
# counts and what each seat wants under the model of play. Every game must end.
#
# The functions document what a game's own kernels must do; `wanted` and `rollout` have defaults. A game passes its
# own in a record, `TreeRules`.


STATE_WORDS = 1  # words of a position
SCRATCH_WORDS = 0  # words after it that a rule may write
EXPLORATION = 0.7  # how strongly rarely tried moves are favoured, in units of the spread of rewards
RIPE = 1  # visits of a node before it gets children
FIRST_AT_RANDOM = False  # whether the first untried move is chosen at random or in order


def moves(deal: Words, work: Words, at: int, codes: Words) -> int:
    """Write the legal moves to `codes`, and return their number."""
    raise NotImplementedError


def play(deal: Words, work: Words, at: int, to: int, move: int) -> None:
    """Write the position after `move` to `work` at `to`."""
    raise NotImplementedError


def seat_to_move(deal: Words, work: Words, at: int) -> int:
    """Return the seat whose turn it is."""
    raise NotImplementedError


def result(deal: Words, work: Words, at: int) -> int:
    """Return -1 while the game is open, else its result, as any nonnegative number that `reward` understands.

    The function may return the result before all moves are made, once no move can change it.
    """
    raise NotImplementedError


def reward(deal: Words, work: Words, at: int, ended: int, seat: int) -> int:
    """Return a seat's reward for a game whose `result` is `ended`."""
    raise NotImplementedError


def wanted(deal: Words, tree: Words, sums: int, visits: int, seat: int) -> float:
    """Return the quantity that a seat maximizes, as an average over a node's `visits` visits.

    `tree[sums + s]` is the sum of the rewards of seat s over these visits. The default returns the seat's own mean
    reward.
    """
    return float(tree[sums + seat] / visits)


def rollout(deal: Words, work: Words, at: int, spare: int, codes: Words, count: int, random: Words) -> int:
    """Return the move to play in a position outside the tree: one of the `count` moves in `codes`.

    `work` has room for another position at `spare`. By default, all moves are equally likely.
    """
    return int(codes[below(random, count)])


# ------------------------------------------------------------------------------------------------ the templates

# Words of a tree node: its first child, how many children (0: none yet), the move that leads to it, how many games
# went through it, and each seat's sum of rewards in them.
FIRST, CHILDREN, MOVE, VISITS, SUMS = range(5)
# Words of the control array: the seats, tree nodes in use, games and moves played so far, the limits on both (the
# first one reached ends it), the highest and the lowest reward so far.
PLAYERS, USED, GAMES, PLAYS, MOST_GAMES, MOST_PLAYS, HIGHEST, LOWEST, CONTROL_WORDS = range(9)
FAR = 1 << 40  # beyond any reward


# Templates from here on.


def grow(tree: Words, control: Words, at: int, codes: Words, count: int) -> bool:
    """Give a node a child for each of the `count` moves in `codes`. Returns False if the tree is full."""
    words = SUMS + control[PLAYERS]
    first = control[USED] * words
    if first + count * words > len(tree):
        return False
    tree[at + FIRST] = first
    tree[at + CHILDREN] = count
    for index in range(count):
        child = first + index * words
        for word in range(words):
            tree[child + word] = 0
        tree[child + MOVE] = codes[index]
    control[USED] += count
    return True


def choose(deal: Words, tree: Words, at: int, seats: int, seat: int, spread: float, random: Words) -> int:
    """Return the offset in `tree` of the child to visit next of the node at offset `at`.

    A child that was never visited comes first; if there is none, the one with the highest upper confidence bound
    for `seat`, the seat to move. `spread` is the range of the rewards so far.
    """
    words = SUMS + seats
    first = tree[at + FIRST]
    count = tree[at + CHILDREN]
    start = below(random, count) if FIRST_AT_RANDOM else 0
    best = -1e30
    chosen = first
    width = EXPLORATION * spread * math.sqrt(math.log(tree[at + VISITS] + 1.0))
    for step in range(count):
        index = start + step
        child = first + (index - count if index >= count else index) * words
        visits = tree[child + VISITS]
        if visits == 0:
            return int(child)
        bound = wanted(deal, tree, child + SUMS, visits, seat) + width / math.sqrt(visits)
        if bound > best:
            best = bound
            chosen = child
    return int(chosen)


def play_games(
    deal: Words, tree: Words, control: Words, random: Words, work: Words, codes: Words, path: Words
) -> None:
    """Play games from the root until one of the limits in `control`, on games and on moves, is reached.

    The root must already have children. The last game is played to its end, so the limit on moves may be exceeded.
    `tree` holds nodes of SUMS + seats words, the root first; `random` is the one-word state of a random stream.
    `work` has room for two positions with their scratch words, followed by the root position. `codes` needs room
    for all moves of a position, and `path` for one word more than the longest game has moves.
    """
    after = STATE_WORDS + SCRATCH_WORDS
    root = 2 * after
    most_games = control[MOST_GAMES]
    most_plays = control[MOST_PLAYS]
    plays = control[PLAYS]
    while control[GAMES] < most_games and plays < most_plays:
        for word in range(STATE_WORDS):
            work[word] = work[root + word]
        at = 0
        length = 1
        path[0] = 0
        growing = True
        spread = float(max(1, control[HIGHEST] - control[LOWEST]))
        ended = -1
        while ended < 0:
            if growing and tree[at + CHILDREN] == 0:
                growing = tree[at + VISITS] >= RIPE and grow(tree, control, at, codes, moves(deal, work, 0, codes))
            if growing:
                at = choose(deal, tree, at, control[PLAYERS], seat_to_move(deal, work, 0), spread, random)
                move = tree[at + MOVE]
                path[length] = at
                length += 1
            else:
                count = moves(deal, work, 0, codes)
                move = rollout(deal, work, 0, after, codes, count, random)
            play(deal, work, 0, after, move)
            for word in range(STATE_WORDS):
                work[word] = work[after + word]
            plays += 1
            ended = result(deal, work, 0)
        for seat in range(control[PLAYERS]):
            got = reward(deal, work, 0, ended, seat)
            control[HIGHEST] = max(control[HIGHEST], got)
            control[LOWEST] = min(control[LOWEST], got)
            for step in range(length):
                tree[path[step] + SUMS + seat] += got
        for step in range(length):
            tree[path[step] + VISITS] += 1
        control[GAMES] += 1
    control[PLAYS] = plays


# ----------------------------------------------------------------------------------------------------
# The record of a game's rules for the Monte-Carlo tree search, and the search made from it.


@dataclass(frozen=True, kw_only=True)
class TreeRules(Rules):
    """The rules that the tree search needs. The functions and constants of the same names above document them."""

    state_words: int
    moves: Callable[[Words, Words, int, Words], int]
    play: Callable[[Words, Words, int, int, int], None]
    seat_to_move: Callable[[Words, Words, int], int]
    result: Callable[[Words, Words, int], int]
    reward: Callable[[Words, Words, int, int, int], int]
    wanted: Callable[[Words, Words, int, int, int], float] = wanted
    rollout: Callable[[Words, Words, int, int, Words, int, Words], int] = rollout
    scratch_words: int = SCRATCH_WORDS
    exploration: float = EXPLORATION
    ripe: int = RIPE
    first_at_random: bool = FIRST_AT_RANDOM

    def _check_number(self, name: str, value: object) -> None:
        if name != "first_at_random" and (name, value) != ("scratch_words", 0):
            super()._check_number(name, value)


class TreeKernels(NamedTuple):
    """The tree search for one game: its kernels and its rules."""

    rules: TreeRules
    grow: Callable[[Words, Words, int, Words, int], bool]
    play_games: Callable[[Words, Words, Words, Words, Words, Words, Words], None]


def kernels_of(rules: TreeRules) -> TreeKernels:
    """Instantiate the search with a game's rules. Compiles nothing yet."""
    rules.enter()
    instances = rules.instances()
    growing = instances.of(grow)
    instances.of(choose)
    return TreeKernels(rules, growing, instances.of(play_games))


_SEED = 1  # the same question gives the same games
_ENDLESS = 1 << 62
_HALVINGS = 7  # a tree has its full size, or a half, … or a 64th of it if memory is scarce


class Tried(NamedTuple):
    """The results of games that began with a move: the number of games, and each seat's sum of rewards."""

    games: int
    totals: tuple[int, ...]

    def mean(self, seat: int) -> float:
        return self.totals[seat] / self.games


class Bounds(NamedTuple):
    """Upper limits on the number of `nodes` in the tree, `moves` in a position, and `plays` in a game."""

    nodes: int
    moves: int
    plays: int


class Tree:
    """A tree search from one position.

    `root` is the position (`STATE_WORDS` words) of an unfinished game of `seats` seats; `moves` are the
    candidates, by default all legal moves. For a limit in nodes, every game counts as `game_nodes` nodes or, by
    default, every move as one node. The tree is smaller if memory is scarce. Raises MemoryError if not even the
    smallest fits.
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
        self._node_words = SUMS + seats
        after = rules.state_words + rules.scratch_words
        self._tree: Words = new_table([(bounds.nodes >> part) * self._node_words for part in range(_HALVINGS)])
        self._control: Words = np.zeros(CONTROL_WORDS, np.int64)
        self._random: Words = np.zeros(1, np.int64)
        self._work: Words = np.concatenate((np.zeros(2 * after, np.int64), root))
        self._codes: Words = np.zeros(bounds.moves, np.int64)
        self._path: Words = np.zeros(bounds.plays + 1, np.int64)
        rng.start_stream(self._random, _SEED, 0)
        control = self._control
        control[PLAYERS] = seats
        control[USED] = 1
        control[MOST_GAMES] = control[MOST_PLAYS] = _ENDLESS
        control[HIGHEST] = -FAR
        control[LOWEST] = FAR
        if moves is None:
            self._work[: rules.state_words] = root
            count = rules.moves(deal, self._work, 0, self._codes)
        else:
            count = len(moves)
            self._codes[:count] = moves
        kernels.grow(self._tree, control, 0, self._codes, count)

    def step(self, budget: int) -> tuple[bool, int]:
        """Play as many games as fit in about `budget` nodes, as a step for `Control.drive`.

        Returns False, since the search never finishes by itself, and the number of nodes to count.
        """
        control = self._control
        if self._game_nodes is not None:
            # A remainder too small for a game is carried over, so slices of any size play the same games.
            games, self._credit = divmod(self._credit + budget, self._game_nodes)
            control[MOST_GAMES] = control[GAMES] + games
            self._play()
            return False, budget
        before = int(control[PLAYS])
        control[MOST_PLAYS] = before + budget
        self._play()
        return False, int(control[PLAYS]) - before

    def _play(self) -> None:
        self._kernels.play_games(
            self._deal, self._tree, self._control, self._random, self._work, self._codes, self._path
        )

    def tried(self) -> dict[int, Tried]:
        """Return the results of each move's games; moves that no game began with are left out."""
        tree = self._tree
        first = int(tree[FIRST])
        by_move = {}
        for child in range(int(tree[CHILDREN])):
            node = tree[first + child * self._node_words :][: self._node_words]
            games = int(node[VISITS])
            if games:
                totals = node[SUMS:][: self._seats]
                by_move[int(node[MOVE])] = Tried(games, tuple(map(int, totals)))
        return by_move
