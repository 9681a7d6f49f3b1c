"""Means that lean to a prior: against Gaussian conditioning with a vague level, and against a known truth."""

from __future__ import annotations

from math import sqrt

import numpy as np
import pytest

from solver.hints.ranking import Leaned, Prior, Sums
from solver.kernels.words import Floats
from tests.hints.paired_sums import sums_of

VAGUE = 100.0  # of the level's variance, against scores from 0 to 1


def conditioned(sums: Sums, prior: Prior) -> tuple[Floats, Floats]:
    """The means and covariances of the scores, given the sampled means: joint normal, with almost any level."""
    size = len(prior.worth)
    noise = sums.covariance() + np.eye(size) * prior.in_worlds**2
    before = prior.error**2 * np.eye(size) + VAGUE
    gain = before @ np.linalg.inv(before + noise)
    expected = prior.worth + 0.5
    return expected + gain @ (sums.means[:, 0] - expected), before - gain @ before


def shows_more(sums: Sums, prior: Prior) -> bool:
    """Whether the prior is off by more than it says, by what the sampled means show."""
    size = len(prior.worth)
    noise = sums.covariance() + np.eye(size) * prior.in_worlds**2
    apart = np.eye(size) - 1 / size
    differences = apart @ (sums.means[:, 0] - prior.worth)
    return bool(differences @ differences - np.trace(apart @ noise) > (size - 1) * prior.told_error**2)


def wins(rng: np.random.Generator, chances: Floats, worlds: int) -> Floats:
    """Games won or lost, 1 or 0: a row a world, whose luck all moves share in part."""
    luck = 0.6 * rng.normal(size=(worlds, 1)) + 0.8 * rng.normal(size=(worlds, len(chances)))
    return np.asarray(luck < np.sqrt(8 / np.pi) * (chances - 0.5), np.float64)


@pytest.mark.small
def test_it_is_what_normal_scores_are_when_the_sampled_means_are_known() -> None:
    rng = np.random.default_rng(5)
    for _ in range(100):
        size, worlds = int(rng.integers(2, 9)), int(rng.integers(3, 200))
        sums = sums_of(wins(rng, rng.uniform(0.3, 0.7, size), worlds))
        in_worlds = float(rng.choice([0.0, 0.05]))
        error = float(rng.uniform(0.01, 0.3))
        prior = Prior(rng.normal(0, 0.1, size), error, error, in_worlds)
        leaned, (scores, covariance) = Leaned(sums, prior), conditioned(sums, prior)
        assert leaned.worlds == worlds
        assert leaned.means[:, 0] == pytest.approx(np.clip(scores, 0, 1), abs=3e-4)
        assert leaned.means[:, 1] == pytest.approx(sums.means[:, 1])
        if shows_more(sums, prior):
            assert leaned.difference(0, 1)[1] >= sqrt(covariance[0, 0] + covariance[1, 1] - 2 * covariance[0, 1])
            continue
        for one in range(size):
            assert leaned.stderr(one) == pytest.approx(sqrt(covariance[one, one]), rel=1e-3, abs=1e-5)
            gap, error = leaned.difference(one, 0)
            variance = covariance[one, one] + covariance[0, 0] - 2 * covariance[one, 0]
            assert gap == pytest.approx(leaned.means[one, 0] - leaned.means[0, 0])
            assert error == pytest.approx(sqrt(max(0.0, variance)), rel=1e-3, abs=1e-5)


def test_the_errors_told_hold() -> None:
    """Of moves as good as the prior says, give or take its error, 95% intervals hold the truth 95 times of 100."""
    rng = np.random.default_rng(6)
    held, closer = np.zeros(2), 0.0
    for _ in range(500):
        worth = rng.normal(0, 0.08, 4)
        truth = np.clip(0.5 + worth + rng.normal(0, 0.05, 4), 0.05, 0.95)
        scores = np.stack([rng.random(60) < chance for chance in truth], 1).astype(np.float64)
        sums = sums_of(scores)
        leaned = Leaned(sums, Prior(worth, 0.05, 0.05))
        held[0] += abs(leaned.means[0, 0] - truth[0]) < 1.96 * leaned.stderr(0)
        gap, error = leaned.difference(1, 2)
        held[1] += abs(gap - (truth[1] - truth[2])) < 1.96 * error
        closer += abs(gap - (truth[1] - truth[2])) - abs(sums.difference(1, 2)[0] - (truth[1] - truth[2]))
    assert (held > 0.92 * 500).all()
    assert (held < 0.99 * 500).all()
    assert closer < -10  # by more than 0.02 on average


def test_more_worlds_lean_less() -> None:
    scores = np.tile([[1.0, 0.0], [1.0, 1.0], [0.0, 0.0], [1.0, 0.0]], (500, 1))  # 0.75 and 0.25
    against = Prior(np.array([0.0, 0.3]), 0.05, 0.05)
    few, many = Leaned(sums_of(scores[:4]), against), Leaned(sums_of(scores), against)
    assert few.best() == 1
    assert many.best() == 0
    assert many.means[:, 0] == pytest.approx([0.75, 0.25], abs=0.12)


def test_where_no_error_is_known_the_order_is_the_prior_s() -> None:
    """One batch of a chain: nothing tells how far its mean is off."""
    sums = sums_of(np.array([[1.0, 0.0, 0.0]] * 5), chained=True)
    leaned = Leaned(sums, Prior(np.array([-0.1, 0.0, -0.2]), 0.02, 0.02))
    assert [int(place) for place in np.argsort(-leaned.means[:, 0])] == [1, 0, 2]
    assert 0.2 < leaned.stderr(0) < 0.6
    assert leaned.difference(1, 0)[1] < 0.03
