"""The chance to win after each move of a solitaire whose stock is hidden: exact, or a sampled estimate.

1. *Expectimax* where few cards are unseen: exact.
2. Otherwise *composition DP* from the unseen cards gives each move a value, and a policy with which games are
   played out on the same sampled stocks after every move (common random numbers, luck taken off: `rollouts`).
   How far apart two moves are is judged by both, each weighted by its error.
3. The policy grows stale as cards are drawn, so it wins less often than best play. For the best move some games
   are played with the DP solved anew on the way and the last cards exact: they set the level of all estimates.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache

import numpy as np
from numpy.typing import NDArray

from solver.common.control import Control
from solver.games.alchemy.cards.rules import SOLITAIRE, Turn, Variant, solitaire_moves
from solver.games.alchemy.cards.text import Move
from solver.games.alchemy.fast_rules.lines import lines
from solver.games.alchemy.hidden_stock import estimates, orders
from solver.games.alchemy.hidden_stock.composition import SHORTEST, Composition, outcomes
from solver.games.alchemy.hidden_stock.expectimax import Expectimax

_EXACT_PRODUCT = 1 << 17  # of the unseen counts plus one: beyond it expectimax is not tried
_EXACT_PRODUCT_A_SECOND = 2e5  # about what is solved in a second
_EXACT_NODES = 40_000_000  # where no limit is given
_EXACT_SHARE = 0.5  # of the time left
_TABLE_SHARE = 0.6
_OUTCOMES_A_SECOND = 2e9  # more than any machine does: a DP that can't be done in time is not begun
WORLDS = 4000


@dataclass(slots=True)
class Candidate:
    """A move, what it leaves (`cap`, `line` by number), and what is known of it."""

    move: Move
    cap: int
    line: int
    probability: float = 0.0
    stderr: float = 0.0
    exact: bool = False
    clairvoyant: float | None = None
    decided: bool = field(init=False)  # lost at once: nothing to search

    def __post_init__(self) -> None:
        self.decided = self.cap < SHORTEST
        if self.decided:
            self.exact, self.clairvoyant = True, 0.0


@dataclass(frozen=True, slots=True)
class Judgement:
    """All moves, best first, and how they were judged."""

    candidates: list[Candidate]
    method: str
    worlds: int


def counts_of(ranks: Sequence[int], size: int) -> list[int]:
    """Ranks from 1 as counts a rank."""
    return [ranks.count(rank) for rank in range(1, size + 1)]


@cache
def static_table(variant: str) -> Composition:
    """The DP of a full deck: a policy for when there is no time to solve the position's own."""
    rules = SOLITAIRE[variant]
    table = Composition(variant, rules.cap, [4] * rules.ranks, [0] * rules.ranks)
    while not table.step(1 << 40)[0]:
        pass
    return table


class HiddenStock:
    """The judgement of one position. `unseen` are the stock's ranks in any order, not empty."""

    def __init__(self, variant: Variant, turn: Turn, unseen: Sequence[int], control: Control, seed: int) -> None:
        assert turn.hand is not None
        self.variant = variant
        self.turn = turn
        self.unseen = sorted(unseen)
        self.control = control
        self.seed = seed
        self.tables = lines(variant.name)
        self.counts = counts_of(self.unseen, variant.ranks)
        self.product = int(np.prod(np.array(self.counts) + 1.0))
        self.candidates = list(self._candidates())
        self.open = [c for c in self.candidates if not c.decided]

    def _candidates(self) -> Iterator[Candidate]:
        assert self.turn.hand is not None
        for move in solitaire_moves(self.variant, self.turn.line, self.turn.hand):
            rest = list(self.turn.line)
            for rank in move.used:
                rest.remove(rank)
            yield Candidate(move, self.turn.cap - (move.kind == "discard"), self.tables.number(tuple(rest)))

    def judge(self, worlds: int | None) -> Judgement:
        """Every move's chance to win; `worlds` is how many stocks to sample at most where it is not exact."""
        method, sampled = "rules", 0
        if self.open and self._exact():
            method = "expectimax"
        elif self.open:
            table = self._table()
            name = "static table" if table is static_table(self.variant.name) else "composition DP"
            method = f"{name}, sampled games"
            sampled = estimates.sample(self, table, worlds or WORLDS)
        if self.open:
            orders.clairvoyant(self)
        # Rounding keeps equal chances, summed in different orders, in canonical order.
        ordered = sorted(self.candidates, key=lambda c: -round(c.probability, 12))
        return Judgement(ordered, method, sampled)

    def part(self, share: float) -> float | None:
        """The moment until which a share of the time left lasts."""
        left = self.control.seconds_left()
        return None if left is None else time.monotonic() + share * left

    def _exact(self) -> bool:
        left = self.control.seconds_left()
        most = _EXACT_PRODUCT if left is None else min(_EXACT_PRODUCT, left * _EXACT_PRODUCT_A_SECOND)
        if self.product > most:
            return False
        search = Expectimax(self.variant.name, self.counts)
        until = self.part(_EXACT_SHARE)
        limit = self.control.nodes_left()
        share = _EXACT_NODES if limit is None else limit // 2
        if until is not None and limit is None:
            share = 1 << 62
        begin = self.control.nodes
        for candidate in self.open:
            search.enter(candidate.cap, candidate.line)
            left = share - (self.control.nodes - begin)
            try:
                if not self.control.drive(search.step, until=until, node_share=left, stage="expectimax"):
                    return False
            except MemoryError:
                return False
            candidate.probability = search.value
        for candidate in self.open:
            candidate.exact = True
        return True

    def _table(self) -> Composition:
        left = self.control.seconds_left()
        work = outcomes(self.variant.name, self.turn.cap, len(self.unseen))
        nodes = self.control.nodes_left()
        hopeless = left is not None and work > _OUTCOMES_A_SECOND * left
        if hopeless or (nodes is not None and work > _TABLE_SHARE * nodes):
            return static_table(self.variant.name)
        table = Composition(
            self.variant.name, self.turn.cap, self.counts, counts_of(self.turn.line, self.variant.ranks)
        )
        solved = self.control.drive(table.step, until=self.part(_TABLE_SHARE), stage="composition DP")
        return table if solved else static_table(self.variant.name)

    def arrays(self) -> tuple[NDArray[np.int8], NDArray[np.int64], NDArray[np.int64]]:
        """The stock's cards from 0, and the caps and lines that the open moves leave."""
        cards = np.array(self.unseen, np.int8) - 1
        caps = np.array([c.cap for c in self.open], np.int64)
        return cards, caps, np.array([c.line for c in self.open], np.int64)

    def turn_tables(
        self,
    ) -> tuple[int, NDArray[np.int8], NDArray[np.int16], NDArray[np.int32], NDArray[np.int16]]:
        t = self.tables
        return t.ranks, t.size, t.insert, t.start, t.outcome
