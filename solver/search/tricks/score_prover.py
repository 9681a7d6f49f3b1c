"""`ScoreProver`: the arrays of a score search, and the questions asked of it, for any game."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

import numpy as np

from solver.kernels.words import Words
from solver.limits import Control
from solver.search.memory.tables import new_table
from solver.search.tricks import alpha_beta, move_values, proof_number, score_table
from solver.search.tricks.score_search import ScoreSearch
from solver.search.tricks.words import GENERATION, NEED, SCORE_WORDS, SPLIT, STORED, TABLE_WORDS


@dataclass(frozen=True)
class Parts:
    """When which search does the work. The answer never depends on it."""

    small: int = 5  # tricks left from which on alpha-beta solves a boundary at once
    most_visits: int = 600_000  # of proof-number search, before alpha-beta takes the whole question
    first_nodes: int = 200  # of alpha-beta's first attempt at a question that it may begin anew
    more_percent: int = 50  # how much longer each further attempt is


class ScoreProver:
    """Answers questions about one score, of any deals of a game; used by one analysis at a time.

    Every question names its deal: the words of `deal` that are the search's own are set here. The table stays from
    question to question of a deal; a number for each deal keeps other deals' entries apart, and what a question
    takes does not depend on what was asked of other deals.
    """

    def __init__(self, search: ScoreSearch, megabytes: int, *, parts: Parts | None = None) -> None:
        """Of `megabytes`, the table takes the largest power of two of entries that fits.

        It is smaller where memory is scarce. Raises MemoryError where there is none.
        """
        self.search = search
        rules = search.rules
        self.table: Words = new_table(score_table.sizes(megabytes))
        shape = (rules.state_words, rules.most_moves)
        self.stack: Words = np.zeros(rules.longest_line * proof_number.width(*shape), np.int64)
        self.control: Words = np.zeros(proof_number.CONTROL_WORDS, np.int64)
        self.use(parts or Parts())
        self.inner: Words = np.zeros(rules.longest_line * alpha_beta.width(*shape), np.int64)
        self.below: Words = np.zeros(alpha_beta.CONTROL_WORDS, np.int64)
        self.task: Words = np.zeros(move_values.task_words(*shape, rules.longest_line), np.int64)
        self.deal: Words = np.zeros(SCORE_WORDS, np.int64)
        self._generation = 0
        self._generations = score_table.generations(rules.point_bits, rules.key_bits)

    def use(self, parts: Parts) -> None:
        """Set when which search does the work."""
        self.control[proof_number.SIZE] = parts.small
        self.control[proof_number.MOST_VISITS] = parts.most_visits
        self.control[proof_number.FIRST_NODES] = parts.first_nodes
        self.control[proof_number.MORE_PERCENT] = parts.more_percent

    def take(self, deal: Words) -> None:
        """Turn to a deal, unless the last question was about it. (Every question does so by itself.)"""
        if deal is self.deal:
            return
        self._generation += 1
        if self._generation >= self._generations:
            self.table[:] = 0
            self._generation = 1
        self.deal = deal
        self.deal[GENERATION] = self._generation
        self.deal[TABLE_WORDS] = min(len(self.table) - score_table.NEAR_WORDS, score_table.FIRST_WORDS)
        self.deal[SPLIT] = 0
        self.deal[STORED] = 0

    def ask(self, deal: Words, root: Words, need: int, control: Control, *, stage: str = "") -> bool | None:
        """Whether the player reaches `need` more points from a node; None when the limit came first.

        Raises OverflowError when a key or a question was wider than the game's rules say.
        """
        self.take(deal)
        root[NEED] = need
        self.search.open_question(deal, root, self.stack, self.control, self.inner, self.below)
        self.task[move_values.KIND] = move_values.QUESTION
        if not control.drive(partial(self._step, root), stage=stage):
            return None
        return bool(self.control[proof_number.RESULT])

    def values(self, deal: Words, root: Words, control: Control, *, stage: str = "") -> dict[int, tuple[int, int]]:
        """Bounds on the points of every move of a node, in canonical order: equal unless the limit came first.

        Points are counted from where `root[NEED]` was 0; it is minus those won since then. Raises OverflowError as
        `ask` does.
        """
        self.take(deal)
        self.search.begin_values(deal, root, self.task)
        control.drive(partial(self._step, root.copy()), stage=stage)
        return self.proved_values()

    def proved_values(self) -> dict[int, tuple[int, int]]:
        """What `values` has proved by now, while it runs or just after."""
        count = int(self.task[move_values.COUNT])
        bounds = move_values.VALUES + self.search.rules.most_moves
        moves = self.task[move_values.VALUES : move_values.VALUES + count].tolist()
        ends = self.task[bounds : bounds + 2 * count].tolist()
        return dict(zip(moves, zip(ends[::2], ends[1::2], strict=True), strict=True))

    def line(self, deal: Words, root: Words, points: int, control: Control, *, stage: str = "") -> list[int]:
        """A line of best play by both sides from a node worth `points`; shorter when the limit ends it.

        Raises OverflowError as `ask` does.
        """
        self.take(deal)
        self.search.begin_line(root, self.task, points)
        control.drive(partial(self._step, root.copy()), stage=stage)
        line = move_values.OPEN + self.search.rules.most_moves + self.search.rules.state_words
        found: list[int] = self.task[line : line + int(self.task[move_values.LENGTH])].tolist()
        return found

    def _step(self, root: Words, budget: int) -> tuple[bool, int]:
        before = int(self.below[alpha_beta.NODES])
        finished = self.search.pursue(
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
        self._check_widths()
        return bool(finished), int(self.below[alpha_beta.NODES]) - before

    def _check_widths(self) -> None:
        """Every bit that a key or a question has had is kept in a word each: none may be beyond its width."""
        rules = self.search.rules
        for word, bits, what in (
            (alpha_beta.KEYS, rules.key_bits, "key"),
            (alpha_beta.NEEDS, rules.point_bits, "question"),
        ):
            seen = int(self.below[word])
            if seen >> bits:
                self.below[word] = 0
                width = "64 bits" if seen < 0 else f"{seen.bit_length()} bits"
                raise OverflowError(f"{rules.game}: a {what} of the search takes {width}, its rules say {bits}")
