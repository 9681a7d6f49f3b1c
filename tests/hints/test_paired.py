"""Means, standard errors and the loop over worlds, against plain computations and tables whose truth is known."""

from __future__ import annotations

from math import inf, sqrt

import numpy as np
import pytest
from scipy import special

from solver.hints.ranking import lead, order, ranked, student
from solver.hints.sampled import separated, simulate
from solver.kernels.words import Floats
from solver.limits import Control, Limit
from tests.hints.paired_sums import sums_of
from tests.support.timing import LATE


def told(scores: Floats, outlier: float) -> float:
    """The error told of the mean of independent scores, with the variance of one outlier more."""
    count = len(scores)
    spread = scores.std() ** 2 / count + outlier / count**2
    return 1.1 * sqrt(spread * count / (count - 1)) * student(count - 1)


def test_equal_weights_give_the_usual_errors() -> None:
    scores = np.random.default_rng(1).normal(size=(40, 3)) * 3 + np.arange(3)
    sums = sums_of(scores)
    assert sums.worlds == 40
    assert sums.means[:, 0] == pytest.approx(scores.mean(axis=0))
    assert sums.means[:, 1] == pytest.approx((scores**2).mean(axis=0))
    outlier = scores.var(axis=0).mean()
    for one in range(3):
        assert sums.stderr(one) == pytest.approx(told(scores[:, one], outlier))
        for other in range(3):
            differences = scores[:, one] - scores[:, other]
            gap, error = sums.difference(one, other)
            assert gap == pytest.approx(differences.mean())
            assert error == pytest.approx(told(differences, 2 * outlier))


def test_student() -> None:
    for freedom in (*range(1, 40), 100, 1000):
        assert student(freedom) == pytest.approx(special.stdtrit(freedom, 0.975) / 1.96, rel=2e-3)
    assert student(0.9) == inf


@pytest.mark.parametrize("worlds", [25, 50, 100, 300])
def test_few_worlds_of_chains_tell_errors_that_hold(worlds: int) -> None:
    """Points of moves of which some are as good in most worlds; each world of a chain resembles the one before."""
    rng = np.random.default_rng(worlds)
    truth, held, asked = np.array([2.0, 2.0, 1.7, 1.97]), np.zeros(2), np.zeros(2)
    for _ in range(300):
        batch = max(1, worlds // 16)
        luck = np.empty(worlds)
        for world in range(worlds):
            fresh = rng.normal()
            luck[world] = fresh if world % batch == 0 else 0.9 * luck[world - 1] + sqrt(1 - 0.9**2) * fresh
        shared = np.clip(np.round(2 + 1.2 * luck), -9, 9)
        scores = np.stack(
            [shared, shared, shared - (rng.random(worlds) < 0.3), shared - (rng.random(worlds) < 0.03)], 1
        )
        sums = sums_of(scores, chained=True, batch=batch)
        best = sums.best()
        for move in range(4):
            held[0] += abs(sums.means[move, 0] - truth[move]) <= 1.96 * sums.stderr(move)
            gap, error = sums.difference(best, move)
            held[1] += move != best and abs(gap - (truth[best] - truth[move])) <= 1.96 * error
            asked += 1, move != best
    assert (held >= 0.93 * asked).all()


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
    assert sums.stderr(0) == pytest.approx(told(chains[:, 0], max(1.0, chains.var(axis=0).mean())))
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
    found = lead(sums, ["a", "b", "c"])
    assert found is not None
    assert (found.best, found.second, found.gap) == (0, 1, 0.0)
    assert not found.clear
    assert lead(sums, ["a"]) is None


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
