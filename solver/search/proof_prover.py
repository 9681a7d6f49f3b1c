"""`Prover`: the arrays of a proof-number search, and the questions asked of it, for any game."""

from __future__ import annotations

import numpy as np

from solver.common.control import Control
from solver.kernels.arrays import Words
from solver.kernels.template import Kernels, Rules, Templates, instantiated
from solver.search import proof_search, proof_table
from solver.search.proof import GENERATION
from solver.search.threads import table_megabytes

_TEMPLATES: Templates = (
    (proof_table, ("slot_of", "find", "keep")),
    (proof_search, ("open_question", "expand", "advance")),
)


def build(game: str, rules: Rules) -> Kernels:
    """Instantiate every template with a game's rules (see `solver.search.proof`). Compiles nothing yet."""
    return instantiated(game, rules, _TEMPLATES)


class Prover:
    """One thread's search. The table stays from question to question; the generation keeps deals apart."""

    def __init__(self, kernels: Kernels, megabytes: int | None = None) -> None:
        self.kernels = kernels
        self.table = proof_table.empty_table(megabytes or table_megabytes())
        self.frames: Words = np.zeros(0, np.int64)
        self.children: Words = np.zeros(0, np.int64)
        self.control: Words = np.zeros(proof_search.CONTROL_WORDS, np.int64)
        self.deal: Words = np.zeros(1, np.int64)
        self._generation = 0

    def take(self, deal: Words, depth: int, moves: int) -> None:
        """Begin a new deal: lines of at most `depth` moves, at most `moves` of them at a node.

        The words of `deal` are the game's but for the generation, which is set here.
        """
        self._generation += 1
        if self._generation >= proof_table.GENERATIONS:
            self.table[:] = 0
            self._generation = 1
        self.deal = deal
        self.deal[GENERATION] = self._generation
        frame = proof_search.STATE + self.kernels.STATE_WORDS
        frames = (depth + 2) * frame + self.kernels.SCRATCH_WORDS
        children = (depth + 1) * moves * proof_search.CHILD
        if len(self.frames) < frames:
            self.frames = np.zeros(frames, np.int64)
        if len(self.children) < children:
            self.children = np.zeros(children, np.int64)

    def ask(
        self,
        root: Words,
        control: Control,
        *,
        nodes: int | None = None,
        until: float | None = None,
        stage: str = "",
    ) -> bool | None:
        """The answer to the question in a node; None when the limit came first.

        `nodes` and `until` limit this question alone.
        """
        self.kernels.open_question(self.deal, root, self.frames, self.control)
        if self.control[proof_search.RESULT] < 0 and not control.drive(
            self._step, node_share=nodes, until=until, stage=stage
        ):
            return None
        return bool(self.control[proof_search.RESULT])

    def _step(self, budget: int) -> tuple[bool, int]:
        before = int(self.control[proof_search.NODES])
        finished = self.kernels.advance(self.deal, self.frames, self.children, self.control, self.table, budget)
        return bool(finished), int(self.control[proof_search.NODES]) - before
