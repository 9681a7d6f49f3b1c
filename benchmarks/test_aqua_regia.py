"""How fast Aqua Regia is solved: every move's value and the line, warm kernels, one thread.

The distribution that matters (median, 90th percentile, share left open) is printed by
``python -m benchmarks.aqua_deals``.
"""

from __future__ import annotations

import random
import time

import pytest
from pytest_benchmark.fixture import BenchmarkFixture

from solver.games.aqua_regia import analyze
from solver.games.aqua_regia.position import KnownPosition
from solver.limits import Control
from tests.games.aqua_regia.deals import ending
from tests.games.aqua_regia.random_positions import random_position
from tests.reference import aqua as reference

PAIRS = 15


@pytest.fixture(autouse=True, scope="module")
def _warm() -> None:
    analyze.warm()
    solve_all(deals(20, 2, 16), "paranoid")  # the table's memory, too


def deals(count: int, players: int, cards: int, stock: int = 0) -> list[KnownPosition]:
    rng = random.Random(cards)
    return [ending(rng, players, cards, stock) for _ in range(count)]


def solve_all(positions: list[KnownPosition], model: str) -> int:
    answers = [analyze.analyze(position, Control(), model=model) for position in positions]
    assert all(answer.exact for answer in answers)
    return sum(answer.nodes for answer in answers)


@pytest.mark.parametrize(("players", "cards", "stock"), [(2, 14, 0), (2, 10, 4), (3, 15, 0), (4, 16, 0)])
def test_endings_paranoid(benchmark: BenchmarkFixture, players: int, cards: int, stock: int) -> None:
    positions = deals(20, players, cards, stock)
    benchmark.extra_info["nodes"] = benchmark.pedantic(solve_all, (positions, "paranoid"), rounds=3)


@pytest.mark.parametrize("model", ["ally", "maxn"])
def test_endings_of_three(benchmark: BenchmarkFixture, model: str) -> None:
    benchmark.pedantic(solve_all, (deals(20, 3, 12), model), rounds=3)


def test_ratio_to_the_plain_reference(benchmark: BenchmarkFixture) -> None:
    """The same questions, side by side: the reference's time over the solver's, the median of some pairs."""
    rng = random.Random(1)
    ratios = []
    for _ in range(PAIRS):
        data = random_position(rng, players=2, cards=8, stock=0, climbing=False)
        data["discard"] = data["discard"][:8]
        table, now = reference.load(data)
        position = KnownPosition.model_validate(data)
        begin = time.thread_time()
        reference.values(table, now, "paranoid")
        middle = time.thread_time()
        analyze.analyze(position, Control())
        ratios.append((middle - begin) / (time.thread_time() - middle))
    ratio = sorted(ratios)[PAIRS // 2]
    benchmark.extra_info["ratio"] = ratio
    benchmark.pedantic(lambda: analyze.analyze(position, Control()), rounds=3)
    assert ratio > 3
