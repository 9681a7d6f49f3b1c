"""`Prover`: the arrays of a proof-number search, and the questions asked of it, for any game."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from solver.search import proof_search, proof_table
from solver.search.drive import Control
from solver.search.proof import GENERATION, Words
from solver.search.template import instantiate
from solver.search.trick_prover import Kernels, table_megabytes

_TEMPLATES: tuple[tuple[Any, tuple[str, ...]], ...] = (
    (proof_table, ("slot_of", "find", "keep")),
    (proof_search, ("open_question", "expand", "advance")),
)


def build(game: str, rules: Mapping[str, Any]) -> Kernels:
    """Instantiate every template with a game's rules (see `solver.search.proof`). Compiles nothing yet."""
    names = dict(rules)
    for module, templates in _TEMPLATES:
        for name in templates:
            names[name] = instantiate(getattr(module, name), dict(names), game)
    return Kernels(game, names)


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


_local = threading.local()


def of_this_thread(name: str, make: Callable[[], Prover]) -> Prover:
    """The prover that this thread uses for a game, made on first use and again when the table's size changes."""
    kept: dict[str, tuple[int, Prover]] = _local.__dict__.setdefault("provers", {})
    size = table_megabytes()
    if name not in kept or kept[name][0] != size:
        kept.pop(name, None)
        kept[name] = (size, make())
    return kept[name][1]
