"""How fast the searches are, kernels warm, one thread: ``pytest benchmarks --benchmark-only``.

``python -m benchmarks.kernels`` compares the same kernels with slower methods, and ``python -m benchmarks.deals``
prints the distributions that matter (median, 90th percentile, worst, share left open).
"""

from __future__ import annotations

import random
import time
from typing import Any

import pytest
from pytest_benchmark.fixture import BenchmarkFixture

from benchmarks import kernels
from solver import registry
from solver.limits import Control, Limit
from tests.games.aqua_regia.deals import ending
from tests.games.king.rounds import position_of, round_at
from tests.games.kirin.deals import full_deal


@pytest.fixture(autouse=True, scope="module")
def _warm() -> None:
    """Compile the kernels and allocate the tables' memory before anything is timed."""
    for name in ("alchemy", "kirin", "king", "aqua-regia"):
        registry.game(name).warm()
    for name, players, cards in (("kirin", 4, 8), ("king", 3, 6), ("aqua-regia", 2, 16)):
        _solve(name, _positions(name, players, cards, 4), "paranoid")


def _positions(game: str, players: int, cards: int, count: int, stock: int = 0) -> list[Any]:
    """Random positions. `cards` is the number of cards in each hand, but in Aqua Regia in all hands together."""
    rng = random.Random(10 * players + cards)
    if game == "kirin":
        return [full_deal(rng, cards) for _ in range(count)]
    if game == "king":
        return [position_of(round_at(rng, players, cards)) for _ in range(count)]
    return [ending(rng, players, cards, stock) for _ in range(count)]


def _solve(game: str, positions: list[Any], model: str) -> int:
    """Analyze all positions; returns the number of nodes."""
    answers = [registry.game(game).analyze(position, Control(), model=model) for position in positions]
    assert all(answer.exact for answer in answers)
    return sum(answer.nodes for answer in answers)


@pytest.mark.parametrize("row", kernels.ROWS)
def test_kernels(benchmark: BenchmarkFixture, row: str) -> None:
    """Time every kernel; it must be more than twice as fast as the slower method, where there is one."""
    compared = kernels.ROWS[row]()
    benchmark.extra_info["nodes"] = benchmark(compared.kernel)
    if compared.reference is not None and benchmark.stats is not None:
        begin = time.perf_counter()
        compared.reference()
        ratio = (time.perf_counter() - begin) / compared.share / benchmark.stats.stats.median
        benchmark.extra_info["ratio"] = round(ratio)
        assert ratio > 2


@pytest.mark.parametrize(
    ("game", "model", "players", "cards", "stock", "count"),
    [
        ("kirin", "paranoid", 4, 8, 0, 20),
        ("kirin", "ally", 4, 8, 0, 20),
        ("kirin", "paranoid", 4, 6, 0, 50),
        ("kirin", "maxn", 4, 5, 0, 5),
        ("king", "paranoid", 3, 6, 0, 10),
        ("king", "paranoid", 4, 5, 0, 10),
        ("king", "paranoid", 5, 5, 0, 10),
        ("king", "ally", 3, 5, 0, 10),
        ("king", "maxn", 3, 4, 0, 10),
        ("king", "maxn", 4, 4, 0, 10),
        ("king", "maxn", 5, 3, 0, 10),
        ("aqua-regia", "paranoid", 2, 14, 0, 20),
        ("aqua-regia", "paranoid", 2, 10, 4, 20),
        ("aqua-regia", "paranoid", 3, 15, 0, 20),
        ("aqua-regia", "paranoid", 4, 16, 0, 20),
        ("aqua-regia", "ally", 3, 12, 0, 20),
        ("aqua-regia", "maxn", 3, 12, 0, 20),
    ],
)
def test_analyses(
    benchmark: BenchmarkFixture, game: str, model: str, players: int, cards: int, stock: int, count: int
) -> None:
    """Time analyses of random positions: the value of every move, and a line of best play."""
    positions = _positions(game, players, cards, count, stock)
    benchmark.extra_info["nodes"] = benchmark.pedantic(_solve, (game, positions, model), rounds=3)


@pytest.mark.parametrize(("variant", "seconds"), [("solo", 0.2), ("alternative", 0.005)])
def test_hint_at_the_start(benchmark: BenchmarkFixture, variant: str, seconds: float) -> None:
    game = registry.game("alchemy")
    position = game.view(game.deal(1, variant=variant), 0)
    answer = benchmark(lambda: game.hint(position, Control(Limit(seconds=seconds))))
    assert answer.best
