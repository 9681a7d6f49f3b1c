"""`OutcomeProver`: a search for outcomes instantiated for a game, its arrays and the questions asked of it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from solver.kernels.words import Words
from solver.limits import Control
from solver.search.memory.tables import new_table
from solver.search.outcome import proof_number, table
from solver.search.outcome.rules import OutcomeRules
from solver.search.outcome.vocabulary import GENERATION, SPLIT, STORED, TABLE_WORDS


@dataclass(frozen=True)
class OutcomeSearch:
    """The kernels that `OutcomeProver` calls, and the rules that they were instantiated with.

    `outcome_search` makes it; the templates in `proof_number` say what each kernel does.
    """

    rules: OutcomeRules
    open_question: Callable[[Words, Words, Words, Words], None]
    advance: Callable[[Words, Words, Words, Words, Words, int], bool]


def outcome_search(rules: OutcomeRules) -> OutcomeSearch:
    """Instantiate the search with a game's rules. Compiles nothing yet.

    Raises ValueError when a search with other rules has the game's name already.
    """
    rules.enter()
    made = rules.instances()
    for template in (table.bucket_of, table.find, table.widen, table.keep):
        made.of(template)
    question = made.of(proof_number.open_question)
    made.of(proof_number.expand)
    return OutcomeSearch(rules, question, made.of(proof_number.advance))


class Deal(Protocol):
    """What a question is about: the deal's words, the most moves of a line, and the most moves of a node."""

    @property
    def words(self) -> Words: ...

    @property
    def depth(self) -> int: ...

    @property
    def moves(self) -> int: ...


class OutcomeProver:
    """Answers questions about any deals of a game; used by one analysis at a time.

    Every question names its deal. The table stays from question to question of a deal; a number for each deal
    keeps other deals' entries apart, and what a question takes does not depend on what was asked of other deals.
    """

    def __init__(self, search: OutcomeSearch, megabytes: int) -> None:
        """Of `megabytes`, the table takes the largest power of two of words that fits.

        It is smaller where memory is scarce. Raises MemoryError where there is none.
        """
        self.search = search
        self.table: Words = new_table(table.sizes(megabytes))
        self.frames: Words = np.zeros(0, np.int64)
        self.children: Words = np.zeros(0, np.int64)
        self.control: Words = np.zeros(proof_number.CONTROL_WORDS, np.int64)
        self.deal: Words = np.zeros(1, np.int64)
        self._generation = 0

    def take(self, deal: Deal) -> None:
        """Turn to a deal, unless the last question was about it. (Every question does so by itself.)"""
        if deal.words is self.deal:
            return
        self._generation += 1
        if self._generation >= table.GENERATIONS:
            self.table[:] = 0
            self._generation = 1
        self.deal = deal.words
        self.deal[GENERATION] = self._generation
        self.deal[TABLE_WORDS] = min(len(self.table), table.FIRST_WORDS)
        self.deal[SPLIT] = 0
        self.deal[STORED] = 0
        rules = self.search.rules
        frames = (deal.depth + 2) * (proof_number.STATE + rules.state_words) + rules.scratch_words
        children = (deal.depth + 1) * deal.moves * proof_number.CHILD
        if len(self.frames) < frames:
            self.frames = np.zeros(frames, np.int64)
        if len(self.children) < children:
            self.children = np.zeros(children, np.int64)

    def ask(
        self,
        deal: Deal,
        root: Words,
        control: Control,
        *,
        nodes: int | None = None,
        until: float | None = None,
        stage: str = "",
    ) -> bool | None:
        """The answer to the question in a node; None when the limit came first.

        `nodes` and `until` (a `time.monotonic` moment) limit this question alone.
        """
        self.take(deal)
        self.search.open_question(self.deal, root, self.frames, self.control)
        if self.control[proof_number.RESULT] < 0 and not control.drive(
            self._step, node_share=nodes, until=until, stage=stage
        ):
            return None
        return bool(self.control[proof_number.RESULT])

    def _step(self, budget: int) -> tuple[bool, int]:
        before = int(self.control[proof_number.NODES])
        finished = self.search.advance(self.deal, self.frames, self.children, self.control, self.table, budget)
        return bool(finished), int(self.control[proof_number.NODES]) - before
