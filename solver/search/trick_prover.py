"""`Prover`: the arrays of a trick search and the questions asked of it, for any game that brings its rules."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import numpy as np

from solver.common.control import Control
from solver.kernels.arrays import Words
from solver.kernels.template import Kernels, Rules, Templates, instantiated
from solver.search import trick_ab, trick_pn, trick_table, trick_values
from solver.search.threads import table_megabytes
from solver.search.trick import GAME_WORDS, GENERATION, NEED, SPLIT, STORED, TABLE_WORDS

_CARDS = 60  # more than any deck of a trick game: the deepest stack
_TEMPLATES: Templates = (
    (trick_table, ("bucket_of", "near_bucket", "key_word", "find", "put", "widen", "bounded", "remember")),
    (trick_ab, ("begin", "run")),
    (trick_pn, ("open_question", "expand", "keep_numbers", "advance")),
    (trick_values, ("begin_values", "values", "begin_line", "follow")),
)


def build(game: str, rules: Rules, own: Callable[[Rules], Rules]) -> Kernels:
    """Instantiate every template with a game's rules (see `solver.search.trick`). Compiles nothing yet.

    `own` makes the game's own templates, given the table's.
    """
    names = instantiated(game, rules, _TEMPLATES[:1]).rules
    return instantiated(game, {**names, **own(names)}, _TEMPLATES[1:])


@dataclass(frozen=True)
class Parts:
    """When which search does the work. The answer never depends on it."""

    small: int = 5  # tricks left from which on alpha-beta solves a boundary at once
    most_visits: int = 600_000  # of proof-number search, before alpha-beta takes the whole question
    first_nodes: int = 200  # of alpha-beta's first attempt at a question that it may begin anew
    more_percent: int = 50  # how much longer each further attempt is


class Prover:
    """One thread's search. The table stays from question to question; the generation keeps deals apart."""

    def __init__(self, kernels: Kernels, megabytes: int | None = None, *, parts: Parts | None = None) -> None:
        self.kernels = kernels
        size = (megabytes or table_megabytes()) << 20
        slots = 1 << (size // (8 * trick_table.ENTRY)).bit_length() - 1
        self.table = trick_table.aligned_table(slots)
        shape = (kernels.STATE_WORDS, kernels.MOST_MOVES)
        self.stack: Words = np.zeros(_CARDS * trick_pn.width(*shape), np.int64)
        self.control: Words = np.zeros(trick_pn.CONTROL_WORDS, np.int64)
        self.use(parts or Parts())
        self.inner: Words = np.zeros(_CARDS * trick_ab.width(*shape), np.int64)  # alpha-beta's
        self.below: Words = np.zeros(trick_ab.CONTROL_WORDS, np.int64)
        self.task: Words = np.zeros(trick_values.task_words(*shape, _CARDS), np.int64)
        self.deal: Words = np.zeros(GAME_WORDS, np.int64)
        self._generation = 0
        self._generations = trick_table.generations(kernels.POINT_BITS, kernels.KEY_BITS)

    def use(self, parts: Parts) -> None:
        """Set when which search does the work."""
        self.control[trick_pn.SIZE] = parts.small
        self.control[trick_pn.MOST_VISITS] = parts.most_visits
        self.control[trick_pn.FIRST_NODES] = parts.first_nodes
        self.control[trick_pn.MORE_PERCENT] = parts.more_percent

    def take(self, deal: Words) -> None:
        """Begin a new deal; its words are the game's but for the generation, which is set here."""
        self._generation += 1
        if self._generation >= self._generations:
            self.table[:] = 0
            self._generation = 1
        self.deal = deal
        self.deal[GENERATION] = self._generation
        self.deal[TABLE_WORDS] = min(len(self.table) - trick_table.NEAR_WORDS, trick_table.FIRST_WORDS)
        self.deal[SPLIT] = 0
        self.deal[STORED] = 0

    def ask(self, root: Words, need: int, control: Control, *, stage: str = "") -> bool | None:
        """Whether the player reaches `need` more points from a node; None when the limit came first."""
        root[NEED] = need
        self.kernels.open_question(self.deal, root, self.stack, self.control, self.inner, self.below)
        if not control.drive(self._step, stage=stage):
            return None
        return bool(self.control[trick_pn.RESULT])

    def values(self, root: Words, control: Control, *, stage: str = "") -> dict[int, tuple[int, int]]:
        """Bounds on the points of every move of a node, in canonical order: equal unless the limit came first.

        Points are counted from where `root[NEED]` was 0; it is minus those won since then.
        """
        self.kernels.begin_values(self.deal, root, self.task)
        control.drive(partial(self._task_step, self.kernels.values, root.copy()), stage=stage)
        count = int(self.task[trick_values.COUNT])
        bounds = trick_values.VALUES + self.kernels.MOST_MOVES
        moves = self.task[trick_values.VALUES : trick_values.VALUES + count].tolist()
        ends = self.task[bounds : bounds + 2 * count].tolist()
        return dict(zip(moves, zip(ends[::2], ends[1::2], strict=True), strict=True))

    def line(self, root: Words, points: int, control: Control, *, stage: str = "") -> list[int]:
        """A line of best play by both sides from a node worth `points`; shorter when the limit ends it."""
        self.kernels.begin_line(root, self.task, points)
        control.drive(partial(self._task_step, self.kernels.follow, root.copy()), stage=stage)
        line = trick_values.OPEN + self.kernels.MOST_MOVES + self.kernels.STATE_WORDS
        found: list[int] = self.task[line : line + int(self.task[trick_values.LENGTH])].tolist()
        return found

    def _step(self, budget: int) -> tuple[bool, int]:
        before = int(self.below[trick_ab.NODES])
        finished = self.kernels.advance(
            self.deal, self.stack, self.control, self.inner, self.below, self.table, budget
        )
        return bool(finished), int(self.below[trick_ab.NODES]) - before

    def _task_step(self, run: Callable[..., bool], root: Words, budget: int) -> tuple[bool, int]:
        before = int(self.below[trick_ab.NODES])
        finished = run(
            self.deal,
            root,
            self.task,
            self.stack,
            self.control,
            self.inner,
            self.below,
            self.table,
            budget,
        )
        return bool(finished), int(self.below[trick_ab.NODES]) - before
