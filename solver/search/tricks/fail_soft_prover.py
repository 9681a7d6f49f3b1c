"""`FailSoftProver`: the fail-soft search instantiated for a game, its arrays and the questions asked of it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from solver.kernels.words import Words
from solver.limits import Control
from solver.search.memory.tables import new_table
from solver.search.tricks import fail_soft, worth_table
from solver.search.tricks.fail_soft_vocabulary import MOST_WORTH
from solver.search.tricks.rules import FailSoftRules
from solver.search.tricks.words import FAIL_SOFT_WORDS, GENERATION

GENERATIONS = 1 << 22  # before the table must be cleared

# Works out the number for lack of which a game's rules are stalled (`fail_soft_vocabulary.stalled`), under a
# control; False when the control's limit came first.
Relief = Callable[[Control], bool]


@dataclass(frozen=True)
class FailSoftSearch:
    """The kernels that `FailSoftProver` calls, and the rules that they were instantiated with.

    `fail_soft_search` makes it; the templates in `fail_soft` say what each kernel does.
    """

    rules: FailSoftRules
    begin: Callable[[Words, Words, Words, int], None]
    run: Callable[[Words, Words, Words, Words, Words, int], bool]
    stalled: Callable[[Words], bool]


def fail_soft_search(rules: FailSoftRules) -> FailSoftSearch:
    """Instantiate the fail-soft search with a game's rules. Compiles nothing yet.

    Raises ValueError when a search with other rules has the game's name already.
    """
    rules.enter()
    made = rules.instances()
    begin = made.of(fail_soft.begin_soft)
    made.of(fail_soft.keep)
    return FailSoftSearch(rules, begin, made.of(fail_soft.run_soft), made.names["stalled"])


class FailSoftProver:
    """Answers questions about one score, of any deals of a game; used by one analysis at a time.

    Every question names its deal: the words of `deal` that are the search's own are set here. The table stays from
    question to question of a deal; a number for each deal keeps other deals' entries apart, and what a question
    takes does not depend on what was asked of other deals.
    """

    def __init__(self, search: FailSoftSearch, megabytes: int) -> None:
        """Of `megabytes`, the table takes the largest power of two of words that fits.

        It is smaller where memory is scarce. Raises MemoryError where there is none.
        """
        self.search = search
        rules = search.rules
        self.table: Words = new_table(worth_table.sizes(megabytes))
        self.stack: Words = np.zeros(
            rules.longest_line * fail_soft.width(rules.state_words, rules.most_moves), np.int64
        )
        self.control: Words = np.zeros(fail_soft.CONTROL_WORDS, np.int64)
        self.history: Words = np.zeros(fail_soft.HISTORY_WORDS, np.int64)
        self.deal: Words = np.zeros(FAIL_SOFT_WORDS, np.int64)
        self._generation = 0

    def take(self, deal: Words) -> None:
        """Turn to a deal, unless the last question was about it. (Every question does so by itself.)"""
        if deal is self.deal:
            return
        self._generation += 1
        if self._generation >= GENERATIONS:
            self.table[:] = 0
            self._generation = 1
        self.deal = deal
        self.deal[GENERATION] = self._generation
        self.history[:] = 0

    def ask(
        self,
        deal: Words,
        root: Words,
        need: int,
        control: Control,
        *,
        nodes: int | None = None,
        until: float | None = None,
        relief: Relief | None = None,
    ) -> int | None:
        """A bound of a node's worth: at least `need`, a lower one, else an upper one. None: the limit came first.

        `nodes` and `until` (a `time.monotonic` moment) limit this question alone. Rules that may be stalled need
        `relief`. Raises OverflowError when `need` is more than a worth may be.
        """
        if not 0 <= need <= MOST_WORTH:
            raise OverflowError(f"a worth is asked about from 0 to {MOST_WORTH}, not {need}")
        self.take(deal)
        self.search.begin(root, self.stack, self.control, need)
        last = None if nodes is None else control.nodes + nodes
        while control.drive(self._step, until=until, node_share=_left(control, last), stage="prove"):
            if self.control[fail_soft.DEPTH] == 0:
                return int(self.control[fail_soft.WORTH])
            assert relief is not None, "rules that may be stalled need relief"
            with control.part(until=until, nodes=_left(control, last)) as part:
                if not relief(part):
                    return None
        return None

    def _step(self, budget: int) -> tuple[bool, int]:
        before = int(self.control[fail_soft.NODES])
        finished = self.search.run(self.deal, self.stack, self.table, self.history, self.control, budget)
        ended = bool(finished) or bool(self.search.stalled(self.deal))
        return ended, int(self.control[fail_soft.NODES]) - before


def _left(control: Control, last: int | None) -> int | None:
    """The nodes until the control has counted `last`."""
    return None if last is None else max(0, last - control.nodes)
