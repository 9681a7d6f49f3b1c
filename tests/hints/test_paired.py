"""Means, standard errors and the loop over worlds, against plain computations and tables whose truth is known."""

from __future__ import annotations

from math import inf, sqrt

import numpy as np
import pytest

from solver.hints.ranking import lead, order, ranked
from solver.hints.sampled import separated, simulate
from solver.kernels.words import Floats
from solver.limits import Control, Limit
from tests.hints.paired_sums import sums_of
from tests.support.timing import LATE


def test_equal_weights_give_the_usual_errors() -> None:
    scores = np.random.default_rng(1).normal(size=(40, 3)) + np.arange(3)
    sums = sums_of(scores)
    assert sums.worlds == 40
    assert sums.means[:, 0] == pytest.approx(scores.mean(axis=0))
    assert sums.means[:, 1] == pytest.approx((scores**2).mean(axis=0))
    for one in range(3):
        assert sums.stderr(one) == pytest.approx(scores[:, one].std(ddof=1) / sqrt(40))
        for other in range(3):
            differences = scores[:, one] - scores[:, other]
            gap, error = sums.difference(one, other)
            assert gap == pytest.approx(differences.mean())
            assert error == pytest.approx(differences.std(ddof=1) / sqrt(40), abs=1e-7)


def test_weights_count_and_errors_hold() -> None:
    """The 95% intervals of weighted means and differences hold the truth about 95 times of 100."""
    rng = np.random.default_rng(2)
    held = np.zeros(2)
    for _ in range(400):
        luck = rng.normal(size=200)
        weights = np.exp(rng.normal(size=200) * 0.7)
        scores = np.stack([luck + 1, 0.8 * luck + rng.normal(size=200) * 0.3], axis=1)
        sums = sums_of(scores, weights)
        held[0] += abs(sums.means[0, 0] - 1) < 1.96 * sums.stderr(0)
        gap, error = sums.difference(0, 1)
        held[1] += abs(gap - 1) < 1.96 * error
    assert (held > 0.91 * 400).all()
    assert (held < 0.985 * 400).all()


def test_chained_worlds_count_by_batches() -> None:
    """Worlds that repeat within a batch tell no more than one of them."""
    rng = np.random.default_rng(3)
    chains = rng.normal(size=(30, 2))
    scores = np.repeat(chains, 7, axis=0)
    sums = sums_of(scores, chained=True, batch=7)
    assert sums.worlds == 210
    assert sums.stderr(0) == pytest.approx(chains[:, 0].std(ddof=1) / sqrt(30))
    assert sums_of(scores, batch=7).stderr(0) < 0.5 * sums.stderr(0)


def test_one_world_has_no_error() -> None:
    sums = sums_of(np.array([[1.0, 2.0]]))
    assert sums.stderr(0) == inf
    moves = ranked(sums, ["a", "b"], "test")
    assert [(move.move, move.mean, move.stderr, move.behind_stderr) for move in moves] == [
        ("b", 2.0, None, 0.0),
        ("a", 1.0, None, None),
    ]
    assert not separated(sums, 2)


def test_equals_are_in_the_order_given() -> None:
    sums = sums_of(np.array([[1.0, 3.0, 3.0], [2.0, 1.0, 1.0], [2.0, 1.0, 1.0]]))
    assert order(sums, 3) == [0, 1, 2]
    found = lead(sums, 3)
    assert found is not None
    assert (found.best, found.second, found.gap) == (0, 1, 0.0)
    assert not found.clear
    assert lead(sums, 1) is None


class Noisy:
    """Moves worth 0, 0.1, 0.2, …, with luck that they share and some of their own."""

    statistics = 1
    chained = False

    def __init__(self, moves: int, noise: float) -> None:
        self.moves = moves
        self.noise = noise

    def play(self, first: int, results: Floats, weights: Floats) -> None:
        for world in range(len(weights)):
            rng = np.random.default_rng(first + world)
            shared = 100 + rng.normal() * 5
            results[world, :, 0] = shared + 0.1 * np.arange(self.moves) + rng.normal(size=self.moves) * self.noise


@pytest.mark.parametrize("threads", [1, 2, 4])
def test_a_clear_best_ends_the_search(threads: int) -> None:
    clear = simulate(Noisy(3, 0.0), Control(Limit(nodes=9_000)), threads=threads)
    close = simulate(Noisy(3, 3.0), Control(Limit(nodes=9_000)), threads=threads)
    assert clear.best() == 2
    assert close.worlds == 3_000
    assert clear.worlds < 1_000
    assert clear.worlds == simulate(Noisy(3, 0.0), Control(Limit(nodes=9_000)), threads=1).worlds
    assert close.means == pytest.approx(
        simulate(Noisy(3, 3.0), Control(Limit(nodes=9_000)), threads=1).means, abs=0
    )


def test_limits_are_kept() -> None:
    control = Control(Limit(nodes=100))
    assert simulate(Noisy(3, 1.0), control).worlds == 33
    assert control.nodes == 99
    assert simulate(Noisy(3, 1.0), Control(Limit(nodes=1))).worlds == 1
    control = Control(Limit(seconds=0.1))
    simulate(Noisy(3, 3.0), control)
    assert control.seconds < 0.1 + LATE
