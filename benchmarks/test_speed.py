"""How fast the searches are, kernels warm, one thread: ``pytest benchmarks --benchmark-only``.

The distributions that matter (median, 90th percentile, worst, share left open) are printed by
``python -m benchmarks.deals``.
"""

from __future__ import annotations

import random
from typing import Any

import pytest
from pytest_benchmark.fixture import BenchmarkFixture

from benchmarks import kernels
from benchmarks.deals import king_value
from solver import registry
from solver.games.alchemy.matches import Enumeration
from solver.games.aqua_regia import analyze as aqua_regia_analyze
from solver.games.aqua_regia.position import KnownPosition as AquaPosition
from solver.games.king import analyze as king_analyze
from solver.games.king.rules import State
from solver.games.king.search import PROVERS
from solver.games.kirin import analyze
from solver.games.kirin.position import KnownPosition as KirinPosition
from solver.limits import Control, Limit
from tests.games.aqua_regia.deals import ending
from tests.games.king.rounds import round_at
from tests.games.kirin.deals import full_deal


@pytest.fixture(autouse=True, scope="module")
def _warm() -> None:
    """Compile the kernels and allocate the tables' memory before anything is timed."""
    registry.game("alchemy").warm()
    for searches in (analyze, king_analyze, aqua_regia_analyze):
        searches.warm()
    _solve(analyze, _rounds_of_kirin(4, 8), "paranoid")
    _solve(aqua_regia_analyze, _endings(20, 2, 16), "paranoid")
    with PROVERS.lend() as prover:
        prover.table[:] = 0


def _solve(searches: Any, positions: list[Any], model: str) -> int:
    """Analyze all positions; returns the number of nodes."""
    answers = [searches.analyze(position, Control(), model=model) for position in positions]
    assert all(answer.exact for answer in answers)
    return sum(answer.nodes for answer in answers)


# Alchemy

DEALS = 20_000
LINES = {
    6: ([1, 3, 5, 7, 9, 13], 10),
    20: ([1, 1, 2, 2, 3, 3, 4, 4, 5, 7, 8, 8, 9, 9, 9, 11, 11, 12, 12, 13], 6),
}


@pytest.mark.parametrize("variant", ["solo", "alternative"])
def test_deals_with_the_stock_known(benchmark: BenchmarkFixture, variant: str) -> None:
    solve, _ = kernels.deals(variant, DEALS)
    nodes = benchmark(solve)
    seconds = benchmark.stats.stats.median if benchmark.stats else 0.0
    benchmark.extra_info["deals a second"] = round(DEALS / seconds) if seconds else None
    assert nodes > DEALS


@pytest.mark.parametrize("size", list(LINES))
def test_matches_of_a_line(benchmark: BenchmarkFixture, size: int) -> None:
    line, hand = LINES[size]
    enumerate_all, _ = kernels.matches(line, hand)
    choices = benchmark(enumerate_all)
    assert choices == Enumeration(line, hand, 1).choices


@pytest.mark.parametrize("variant", ["solo", "alternative"])
def test_composition_dp(benchmark: BenchmarkFixture, variant: str) -> None:
    assert benchmark(kernels.composition(variant)) > 0


def test_expectimax_of_ten_unseen(benchmark: BenchmarkFixture) -> None:
    solve, _ = kernels.expectimax(kernels.TEN_UNSEEN)
    assert benchmark(solve) > 0


def test_duel_exchange(benchmark: BenchmarkFixture) -> None:
    solve, _ = kernels.exchange()
    assert benchmark(solve) > 0


@pytest.mark.parametrize(("variant", "seconds"), [("solo", 0.2), ("alternative", 0.005)])
def test_hint_at_the_start(benchmark: BenchmarkFixture, variant: str, seconds: float) -> None:
    game = registry.game("alchemy")
    position = game.view(game.deal(1, variant=variant), 0)
    answer = benchmark(lambda: game.hint(position, Control(Limit(seconds=seconds))))
    assert answer.best


# Kirin


def _rounds_of_kirin(count: int, cards: int) -> list[KirinPosition]:
    rng = random.Random(cards)
    return [full_deal(rng, cards) for _ in range(count)]


@pytest.mark.parametrize("model", ["paranoid", "ally"])
def test_whole_rounds_of_kirin(benchmark: BenchmarkFixture, model: str) -> None:
    positions = _rounds_of_kirin(20, 8)
    benchmark.extra_info["nodes"] = benchmark.pedantic(_solve, (analyze, positions, model), rounds=3)


def test_six_cards_of_kirin_paranoid(benchmark: BenchmarkFixture) -> None:
    benchmark.pedantic(_solve, (analyze, _rounds_of_kirin(50, 6), "paranoid"), rounds=3)


def test_five_cards_of_kirin_maxn(benchmark: BenchmarkFixture) -> None:
    benchmark.pedantic(_solve, (analyze, _rounds_of_kirin(5, 5), "maxn"), rounds=3)


# King × Alchemy


def _rounds_of_king(players: int, cards: int, count: int) -> list[State]:
    rng = random.Random(10 * players + cards)
    return [round_at(rng, players, cards) for _ in range(count)]


def _values(states: list[State], model: str) -> int:
    return sum(king_value(state, model)[1] for state in states)


@pytest.mark.parametrize(
    ("model", "players", "cards"),
    [
        ("paranoid", 3, 6),
        ("paranoid", 4, 5),
        ("paranoid", 5, 5),
        ("ally", 3, 5),
        ("maxn", 3, 4),
        ("maxn", 4, 4),
        ("maxn", 5, 3),
    ],
)
def test_king_at_the_start_of_a_trick(benchmark: BenchmarkFixture, model: str, players: int, cards: int) -> None:
    states = _rounds_of_king(players, cards, 10)
    benchmark.extra_info["nodes"] = benchmark.pedantic(_values, (states, model), rounds=3)


@pytest.mark.parametrize("size", kernels.SIZES)
def test_best_compounding(benchmark: BenchmarkFixture, size: int) -> None:
    run = kernels.compoundings(kernels.random_sets(size, kernels.SETS))
    run()
    benchmark.extra_info["sets"] = benchmark.pedantic(run, rounds=5)


@pytest.mark.parametrize("size", [25, 35])
def test_optimistic_compounding(benchmark: BenchmarkFixture, size: int) -> None:
    run = kernels.compoundings(kernels.random_sets(size, kernels.SETS), exact=False)
    run()
    benchmark.extra_info["sets"] = benchmark.pedantic(run, rounds=5)


def test_constraint_solver(benchmark: BenchmarkFixture) -> None:
    run = kernels.constraint_solver(kernels.random_sets(25, 20))
    run()
    benchmark.pedantic(run, rounds=3)


def test_compounding_against_the_constraint_solver(benchmark: BenchmarkFixture) -> None:
    """The kernel, which is used at the leaves of searches, is thousands of times faster."""
    quick, solver, share = kernels.comparison(25)
    found = kernels.compare("compound, 25 cards", quick, solver, scale=share)
    benchmark.extra_info["ratio"] = found.ratio
    benchmark.pedantic(quick, rounds=3)
    assert found.ratio > 100


# Aqua Regia


def _endings(count: int, players: int, cards: int, stock: int = 0) -> list[AquaPosition]:
    rng = random.Random(cards)
    return [ending(rng, players, cards, stock) for _ in range(count)]


@pytest.mark.parametrize(("players", "cards", "stock"), [(2, 14, 0), (2, 10, 4), (3, 15, 0), (4, 16, 0)])
def test_endings_of_aqua_regia(benchmark: BenchmarkFixture, players: int, cards: int, stock: int) -> None:
    positions = _endings(20, players, cards, stock)
    benchmark.extra_info["nodes"] = benchmark.pedantic(
        _solve, (aqua_regia_analyze, positions, "paranoid"), rounds=3
    )


@pytest.mark.parametrize("model", ["ally", "maxn"])
def test_endings_of_three(benchmark: BenchmarkFixture, model: str) -> None:
    benchmark.pedantic(_solve, (aqua_regia_analyze, _endings(20, 3, 12), model), rounds=3)


# All three


@pytest.mark.parametrize(("game", "players", "cards"), [("kirin", 4, 3), ("king", 4, 3), ("aqua-regia", 2, 8)])
def test_against_the_plain_reference(benchmark: BenchmarkFixture, game: str, players: int, cards: int) -> None:
    quick, slow = kernels.ending(game, players, cards, "paranoid")
    found = kernels.compare(game, quick, slow)
    benchmark.extra_info["ratio"] = found.ratio
    benchmark.pedantic(quick, rounds=3)
    assert found.ratio > 10
