"""How fast King × Alchemy's endgames are solved: values at the start of a trick, warm kernels, one thread.

The distribution that matters (median, 90th percentile, worst) is printed by ``python -m benchmarks.king_deals``.
"""

from __future__ import annotations

import random
import time

import pytest
from pytest_benchmark.fixture import BenchmarkFixture

from benchmarks.king_deals import measure
from solver.games.king import analyze
from solver.games.king.fast_rules import ALL_SWITCHES
from solver.games.king.rules import State
from solver.games.king.search import PROVERS
from solver.limits import Control
from solver.positions import position_data
from tests.games.king.rounds import position_of, round_at
from tests.reference import king as reference

PAIRS = 15
SIZES = [
    ("paranoid", 3, 6),
    ("paranoid", 4, 5),
    ("paranoid", 5, 5),
    ("ally", 3, 5),
    ("maxn", 3, 4),
    ("maxn", 4, 4),
    ("maxn", 5, 3),
]


@pytest.fixture(autouse=True, scope="module")
def _warm() -> None:
    analyze.warm()
    with PROVERS.lend() as prover:
        prover.table[:] = 0


def rounds(players: int, cards: int, count: int) -> list[State]:
    rng = random.Random(10 * players + cards)
    return [round_at(rng, players, cards) for _ in range(count)]


def solve_all(states: list[State], model: str) -> int:
    return sum(measure(state, model, ALL_SWITCHES, moves=False)[1] for state in states)


@pytest.mark.parametrize(("model", "players", "cards"), SIZES)
def test_values_at_the_start_of_a_trick(benchmark: BenchmarkFixture, model: str, players: int, cards: int) -> None:
    states = rounds(players, cards, 10)
    benchmark.extra_info["nodes"] = benchmark.pedantic(solve_all, (states, model), rounds=3)


def test_ratio_to_the_plain_reference(benchmark: BenchmarkFixture) -> None:
    """The same questions, side by side: the reference's time over the solver's, the median of some pairs."""
    ratios = []
    for state in rounds(3, 2, PAIRS):
        position = position_of(state)
        deck, now = reference.load(position_data(position))
        begin = time.thread_time()
        reference.values(deck, now, "paranoid")
        middle = time.thread_time()
        analyze.analyze(position, Control())
        ratios.append((middle - begin) / (time.thread_time() - middle))
    ratio = sorted(ratios)[PAIRS // 2]
    benchmark.extra_info["ratio"] = ratio
    benchmark.pedantic(lambda: analyze.analyze(position, Control()), rounds=3)
    assert ratio > 3
