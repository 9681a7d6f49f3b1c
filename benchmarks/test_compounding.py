"""How fast the best compounding is found: sets of the house deck by the thousand, warm kernels."""

from __future__ import annotations

import pytest
from pytest_benchmark.fixture import BenchmarkFixture

from benchmarks.compounding import SETS, SIZES, constraint_solver, kernel, random_sets
from benchmarks.ratio import compare


@pytest.mark.parametrize("size", SIZES)
def test_best(benchmark: BenchmarkFixture, size: int) -> None:
    run = kernel(random_sets(size, SETS))
    run()
    benchmark.extra_info["sets"] = benchmark.pedantic(run, rounds=5)


@pytest.mark.parametrize("size", [25, 35])
def test_optimistic(benchmark: BenchmarkFixture, size: int) -> None:
    run = kernel(random_sets(size, SETS), exact=False)
    run()
    benchmark.extra_info["sets"] = benchmark.pedantic(run, rounds=5)


def test_constraint_solver(benchmark: BenchmarkFixture) -> None:
    run = constraint_solver(random_sets(25, 20))
    run()
    benchmark.pedantic(run, rounds=3)


def test_ratio_to_the_constraint_solver(benchmark: BenchmarkFixture) -> None:
    """The kernel is a search leaf's: thousands of times faster, side by side."""
    sets = random_sets(25, SETS)
    found = compare("compound, 25 cards", kernel(sets), constraint_solver(sets[:10]), scale=10 / SETS)
    benchmark.extra_info["ratio"] = found.ratio
    benchmark.pedantic(kernel(sets), rounds=3)
    assert found.ratio > 100
