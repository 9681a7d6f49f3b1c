"""How fast alchemy's searches are: ``pytest benchmarks --benchmark-only``."""

from __future__ import annotations

import pytest
from pytest_benchmark.fixture import BenchmarkFixture

from benchmarks import alchemy
from solver import registry
from solver.games.alchemy.matches import Enumeration
from solver.limits import Control, Limit

DEALS = 20_000
LINES = {
    6: ([1, 3, 5, 7, 9, 13], 10),
    20: ([1, 1, 2, 2, 3, 3, 4, 4, 5, 7, 8, 8, 9, 9, 9, 11, 11, 12, 12, 13], 6),
}


@pytest.mark.parametrize("variant", ["solo", "alternative"])
def test_deals_with_the_stock_known(benchmark: BenchmarkFixture, variant: str) -> None:
    solve, _ = alchemy.deals(variant, DEALS)
    nodes = benchmark(solve)
    seconds = benchmark.stats.stats.median if benchmark.stats else 0.0
    benchmark.extra_info["deals a second"] = round(DEALS / seconds) if seconds else None
    assert nodes > DEALS


@pytest.mark.parametrize("size", list(LINES))
def test_matches_of_a_line(benchmark: BenchmarkFixture, size: int) -> None:
    line, hand = LINES[size]
    enumerate_all, _ = alchemy.matches(line, hand)
    choices = benchmark(enumerate_all)
    assert choices == Enumeration(line, hand, 1).choices


@pytest.mark.parametrize("variant", ["solo", "alternative"])
def test_composition_dp(benchmark: BenchmarkFixture, variant: str) -> None:
    solve = alchemy.composition(variant)
    assert benchmark(solve) > 0


def test_expectimax_of_ten_unseen(benchmark: BenchmarkFixture) -> None:
    solve, _ = alchemy.expectimax(alchemy.TEN_UNSEEN)
    assert benchmark(solve) > 0


def test_duel_exchange(benchmark: BenchmarkFixture) -> None:
    solve, _ = alchemy.exchange()
    assert benchmark(solve) > 0


@pytest.mark.parametrize(("variant", "seconds"), [("solo", 0.2), ("alternative", 0.005)])
def test_hint_at_the_start(benchmark: BenchmarkFixture, variant: str, seconds: float) -> None:
    game = registry.game("alchemy")
    position = game.view(game.deal(1, variant=variant), 0)
    answer = benchmark(lambda: game.hint(position, Control(Limit(seconds=seconds))))
    assert answer.best
