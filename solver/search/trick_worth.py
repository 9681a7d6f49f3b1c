"""`Worths`: the arrays of a fail-soft trick search and the questions asked of it, for any game with its rules."""

from __future__ import annotations

import numpy as np

from solver.common.control import Control
from solver.kernels.arrays import Words
from solver.kernels.template import Kernels, Rules, Templates, instantiated
from solver.search import trick_soft, wide_table
from solver.search.threads import table_megabytes
from solver.search.trick import GENERATION

_CARDS = 60  # more than any deck of a trick game
_FRAMES = 2 * _CARDS  # every card, and a choice after every trick
GENERATIONS = 1 << 22  # before the table must be cleared
_TEMPLATES: Templates = ((trick_soft, ("begin_soft", "keep", "run_soft")),)


def build(game: str, rules: Rules) -> Kernels:
    """Instantiate every template with a game's rules (see `solver.search.trick`). Compiles nothing yet."""
    return instantiated(game, rules, _TEMPLATES)


class Worths:
    """One thread's search. The table stays from question to question; the generation keeps deals apart."""

    def __init__(self, kernels: Kernels, megabytes: int | None = None) -> None:
        self.kernels = kernels
        self.table = wide_table.aligned_table(megabytes or table_megabytes())
        frame = trick_soft.width(kernels.STATE_WORDS, kernels.MOST_MOVES)
        self.stack: Words = np.zeros(_FRAMES * frame, np.int64)
        self.control: Words = np.zeros(trick_soft.CONTROL_WORDS, np.int64)
        self.history: Words = np.zeros(trick_soft.MOST_CONTEXTS * trick_soft.MOST_CODES, np.int64)
        self.deal: Words = np.zeros(1, np.int64)
        self._generation = 0

    def take(self, deal: Words) -> None:
        """Begin a new deal; its words are the game's but for the generation, which is set here."""
        self._generation += 1
        if self._generation >= GENERATIONS:
            self.table[:] = 0
            self._generation = 1
        self.deal = deal
        self.deal[GENERATION] = self._generation
        self.history[:] = 0

    def ask(
        self, root: Words, need: int, control: Control, *, nodes: int | None = None, until: float | None = None
    ) -> int | None:
        """A bound of a node's worth: at least `need`, a lower one, else an upper one. None: the limit came first.

        `nodes` and `until` (a `time.monotonic` moment) limit this question alone.
        """
        self.kernels.begin_soft(root, self.stack, self.control, need)
        if not control.drive(self._step, until=until, node_share=nodes, stage="prove"):
            return None
        return int(self.control[trick_soft.WORTH])

    def _step(self, budget: int) -> tuple[bool, int]:
        before = int(self.control[trick_soft.NODES])
        finished = self.kernels.run_soft(self.deal, self.stack, self.table, self.history, self.control, budget)
        return bool(finished), int(self.control[trick_soft.NODES]) - before
