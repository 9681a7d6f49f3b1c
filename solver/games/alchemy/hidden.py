"""The chance to win after each move of a solitaire whose stock is hidden: exact, or a sampled estimate.

1. *Expectimax* where few cards are unseen: exact.
2. Otherwise *composition DP* from the unseen cards gives a policy, and each move is judged by games played out
   with it on the same sampled stocks (common random numbers, luck taken off: `rollouts`). That orders the moves
   well, but the policy grows stale as cards are drawn, so it wins a little less often than best play.
3. So for the best move some worlds are played with the DP solved anew on the way and the last cards exact. The
   mean difference lifts the estimates.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from math import comb, sqrt

import numpy as np
from numpy.typing import NDArray

from solver.games.alchemy import rollouts
from solver.games.alchemy.clairvoyant import NODES, Search
from solver.games.alchemy.composition import SHORTEST, Composition, outcomes
from solver.games.alchemy.expectimax import Expectimax
from solver.games.alchemy.lines import lines
from solver.games.alchemy.moves import Move
from solver.games.alchemy.rules import SOLITAIRE, Turn, Variant, solitaire_moves
from solver.search.drive import Control

_EXACT_PRODUCT = 1 << 17  # of the unseen counts plus one: beyond it expectimax is not tried
_EXACT_NODES = 40_000_000  # where no limit is given
_EXACT_SHARE = 0.5  # of the time left
_TABLE_SHARE = 0.6
_LEVEL_SHARE = 0.8
_OUTCOMES_A_SECOND = 2e9  # more than any machine does: a DP that can't be done in time is not begun
WORLDS = 4000
_CHUNK = 250
_CLAIRVOYANT_WORLDS = 1000
_ALL_ORDERS = 5040  # up to so many stock orders all are looked at
_TABLE_ERROR = 0.02  # the DP's own value: measured root mean square error 0.015 where the truth is known
_STDERR = 0.002
_SEPARATION = 4.0  # standard errors of the paired difference that end the sampling early
_FRESH_WORLDS = 400  # with the DP solved anew
_FRESH_LEAST = 40
_FRESH_STDERR = 0.0015
_FRESH_SECONDS = 0.05  # with less time left it is not begun
_FRESH_FEW = 600  # unseen counts product from which expectimax finishes a world: under a millisecond
_FRESH_POWER = 0.7  # the DP is solved anew when the product falls to this power of itself
_CHEAP_TABLE = 3_000_000  # outcomes looked at in a DP that can be solved anew for each world


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


def _counts(ranks: Sequence[int], size: int) -> list[int]:
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
        self.counts = _counts(self.unseen, variant.ranks)
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
            sampled = self._sample(table, worlds or WORLDS)
        if self.open:
            self._clairvoyant()
        # Rounding keeps equal chances, summed in different orders, in canonical order.
        ordered = sorted(self.candidates, key=lambda c: -round(c.probability, 12))
        return Judgement(ordered, method, sampled)

    def _part(self, share: float) -> float | None:
        """The moment until which a share of the time left lasts."""
        left = self.control.seconds_left()
        return None if left is None else time.monotonic() + share * left

    def _exact(self) -> bool:
        if self.product > _EXACT_PRODUCT:
            return False
        search = Expectimax(self.variant.name, self.counts)
        until = self._part(_EXACT_SHARE)
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
        if left is not None and work > _OUTCOMES_A_SECOND * left:
            return static_table(self.variant.name)
        table = Composition(
            self.variant.name, self.turn.cap, self.counts, _counts(self.turn.line, self.variant.ranks)
        )
        solved = self.control.drive(table.step, until=self._part(_TABLE_SHARE), stage="composition DP")
        return table if solved else static_table(self.variant.name)

    def _arrays(self) -> tuple[NDArray[np.int8], NDArray[np.int64], NDArray[np.int64]]:
        """The stock's cards from 0, and the caps and lines that the open moves leave."""
        cards = np.array(self.unseen, np.int8) - 1
        caps = np.array([c.cap for c in self.open], np.int64)
        return cards, caps, np.array([c.line for c in self.open], np.int64)

    def _turn_tables(
        self,
    ) -> tuple[int, NDArray[np.int8], NDArray[np.int16], NDArray[np.int32], NDArray[np.int16]]:
        t = self.tables
        return t.ranks, t.size, t.insert, t.start, t.outcome

    def _sample(self, table: Composition, most: int) -> int:
        """Estimate the open moves from sampled games; how many stocks were sampled."""
        cards, caps, left = self._arrays()
        results = np.zeros((most, len(self.open)))
        done = 0

        def step(budget: int) -> tuple[bool, int]:
            nonlocal done
            cost = len(cards) * len(self.open)  # a node is a card drawn in one game
            # Looking at the separation only at whole chunks makes the answer independent of the slices.
            count = max(1, min(budget // cost, _CHUNK - done % _CHUNK, most - done))
            worlds = rollouts.deal_worlds(cards, self.seed, done, count)
            rollouts.play_worlds(
                *self._turn_tables(), table.plan.base, table.values, worlds, caps, left,
                results[done : done + count],
            )  # fmt: skip
            done += count
            separated = done % _CHUNK == 0 and _separated(results[:done])
            return done == most or separated, count * cost

        row = table.values[len(cards)]
        for candidate in self.open:
            candidate.probability = float(row[table.plan.base[candidate.cap] + candidate.line])
            candidate.stderr = _TABLE_ERROR
        self.control.drive(step, stage="sampled games", done=lambda: done / most)
        if done == 0:
            return 0
        means = results[:done].mean(axis=0)
        top = int(np.argmax(means))
        level, error = self._level(table, self.open[top], done)
        if error is None:
            level, error = float(means[top]), _stderr(results[:done, top])
        lift = level - float(means[top])
        room = max(means[top] * (1 - means[top]), 1e-9)
        for index, candidate in enumerate(self.open):
            mean = float(np.clip(means[index], 0, 1))
            # Near 0 and 1 better play has little to win.
            lifted = mean + lift * min(1.0, mean * (1 - mean) / room)
            apart = _stderr(results[:done, index] - results[:done, top])
            candidate.probability = float(np.clip(lifted, 0, 1))
            candidate.stderr = sqrt(error**2 + apart**2)
        return done

    def _level(self, table: Composition, best: Candidate, most: int) -> tuple[float, float | None]:
        """The best move's chance to win by play that solves the DP anew, and its error; None where too slow."""
        left = self.control.seconds_left()
        if int(table.control[3]) > _CHEAP_TABLE or (left is not None and left < _FRESH_SECONDS):
            return 0.0, None
        values: list[float] = []
        cards, _, _ = self._arrays()

        def step(_budget: int) -> tuple[bool, int]:
            world = rollouts.deal_worlds(cards, self.seed, len(values), 1)[0]
            value, nodes = self._fresh_game(table, world, best)
            values.append(value)
            enough = len(values) >= _FRESH_LEAST and _stderr(np.array(values)) < _FRESH_STDERR
            return enough or len(values) == min(most, _FRESH_WORLDS), nodes

        # Some time is kept for the clairvoyant's share.
        self.control.drive(
            step,
            until=self._part(_LEVEL_SHARE),
            stage="games with the DP solved anew",
            done=lambda: len(values) / _FRESH_WORLDS,
        )
        if len(values) < _FRESH_LEAST:
            return 0.0, None
        return float(np.mean(values)), _stderr(np.array(values))

    def _fresh_game(self, table: Composition, stock: NDArray[np.int8], candidate: Candidate) -> tuple[float, int]:
        """One game after a move, the luck taken off, and the nodes that it took."""
        unseen = np.array(self.counts, np.int64)
        state = np.array([candidate.cap, candidate.line, len(stock), 0], np.int64)
        luck = 0.0
        nodes = 0
        product = self.product
        while True:
            few = max(_FRESH_FEW, int(product**_FRESH_POWER))
            luck += rollouts.play_on(
                *self._turn_tables(), table.plan.base, table.values, stock, unseen, state, few
            )  # fmt: skip
            cap, line, left, won = state.tolist()
            if left == 0:
                return won - luck, nodes
            product = int(np.prod(unseen + 1))
            if product <= _FRESH_FEW:
                search = Expectimax(self.variant.name, unseen.tolist())
                search.enter(cap, line)
                finished = False
                while not finished:
                    finished, spent = search.step(1 << 30)
                    nodes += spent
                return search.value - luck, nodes
            digits = self.tables.digits[line]
            table = Composition(
                self.variant.name,
                cap,
                unseen.tolist(),
                _counts((digits[digits >= 0] + 1).tolist(), self.variant.ranks),
            )
            nodes += table.step(1 << 40)[1]

    def _clairvoyant(self) -> None:
        """The share of stock orders that are won after each open move by a player who sees them."""
        cards, caps, left = self._arrays()
        orders = _orders(self.counts)
        every = np.array(list(_permutations(self.counts)), np.int8) if orders <= _ALL_ORDERS else None
        most = _CLAIRVOYANT_WORLDS if every is None else len(every)
        search = Search(self.tables)
        wins = np.zeros(len(self.open), np.int64)
        done = 0

        def step(budget: int) -> tuple[bool, int]:
            nonlocal done
            before = int(search.control[NODES])
            count = max(1, min(budget // (10 * len(self.open)), most - done))
            if every is None:
                worlds = rollouts.deal_worlds(cards, self.seed, done, count)
            else:
                worlds = every[done : done + count]
            rollouts.clairvoyant_wins(
                *self._turn_tables(), worlds, caps, left, search.stack, search.memo, search.control, wins
            )  # fmt: skip
            done += count
            return done == most, max(1, int(search.control[NODES]) - before)

        self.control.drive(step, stage="clairvoyant")
        for candidate, won in zip(self.open, wins.tolist(), strict=True):
            if done and (every is None or done == most):
                share = won / done
                # Whoever sees the stock wins at least as often: a sample may say less by chance.
                candidate.clairvoyant = max(share, candidate.probability) if candidate.exact else share


def _stderr(sample: NDArray[np.float64]) -> float:
    return float(sample.std(ddof=1) / sqrt(len(sample))) if len(sample) > 1 else 1.0


def _separated(results: NDArray[np.float64]) -> bool:
    """Whether the best column is known well, and its lead over each other one is beyond doubt."""
    means = results.mean(axis=0)
    top = int(np.argmax(means))
    if _stderr(results[:, top]) > _STDERR:
        return False
    others = [index for index in range(len(means)) if index != top]
    return all(
        means[top] - means[other] > _SEPARATION * _stderr(results[:, top] - results[:, other]) for other in others
    )


def _orders(counts: Sequence[int]) -> int:
    """How many distinct orders a multiset has."""
    total, orders = 0, 1
    for count in counts:
        total += count
        orders *= comb(total, count)
    return orders


def _permutations(counts: Sequence[int]) -> Iterator[tuple[int, ...]]:
    """Every distinct order of a multiset of rank indices."""
    left = list(counts)

    def extend(prefix: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
        if not any(left):
            yield prefix
        for rank, count in enumerate(left):
            if count:
                left[rank] -= 1
                yield from extend((*prefix, rank))
                left[rank] += 1

    return extend(())
