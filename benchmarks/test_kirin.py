"""How fast Kirin is solved: every move's value and the line, warm kernels, one thread but for maxn.

The distribution that matters (median, 90th percentile, worst) is printed by ``python -m benchmarks.kirin_deals``.
"""

from __future__ import annotations

import random
import time

import pytest
from pytest_benchmark.fixture import BenchmarkFixture

from solver.games.kirin import analyze
from solver.games.kirin.position import KnownPosition
from solver.limits import Control
from tests.games.kirin.deals import full_deal, letters, position_of, random_state
from tests.reference import kirin as reference

PAIRS = 15


@pytest.fixture(autouse=True, scope="module")
def _warm() -> None:
    analyze.warm()
    solve_all(deals(4, 8), "paranoid")  # the table's memory, too


def deals(count: int, cards: int) -> list[KnownPosition]:
    rng = random.Random(cards)
    return [full_deal(rng, cards) for _ in range(count)]


def solve_all(positions: list[KnownPosition], model: str) -> int:
    answers = [analyze.analyze(position, Control(), model=model) for position in positions]
    assert all(answer.exact for answer in answers)
    return sum(answer.nodes for answer in answers)


@pytest.mark.parametrize("model", ["paranoid", "ally"])
def test_whole_rounds(benchmark: BenchmarkFixture, model: str) -> None:
    positions = deals(20, 8)
    benchmark.extra_info["nodes"] = benchmark.pedantic(solve_all, (positions, model), rounds=3)


def test_six_cards_paranoid(benchmark: BenchmarkFixture) -> None:
    benchmark.pedantic(solve_all, (deals(50, 6), "paranoid"), rounds=3)


def test_five_cards_maxn(benchmark: BenchmarkFixture) -> None:
    benchmark.pedantic(solve_all, (deals(5, 5), "maxn"), rounds=3)


def test_ratio_to_the_plain_reference(benchmark: BenchmarkFixture) -> None:
    """The same questions, side by side: the reference's time over the solver's, the median of some pairs."""
    rng = random.Random(1)
    ratios = []
    for _ in range(PAIRS):
        now, declared = random_state(rng, 3, played=0)
        position = position_of(now, declared)
        begin = time.thread_time()
        reference.values(now, letters(declared), "paranoid")
        middle = time.thread_time()
        analyze.analyze(position, Control())
        ratios.append((middle - begin) / (time.thread_time() - middle))
        reference._one_player.cache_clear()
    ratio = sorted(ratios)[PAIRS // 2]
    benchmark.extra_info["ratio"] = ratio
    benchmark.pedantic(lambda: analyze.analyze(position, Control()), rounds=3)
    assert ratio > 10
