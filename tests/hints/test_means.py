"""Means of moves over worlds: errors, leads, leaning to a prior, matches; against plain computations."""

from __future__ import annotations

from math import inf, sqrt

import numpy as np
import pytest
from scipy import special

from solver.hints.match import endings, judge_by_match, whole_rounds
from solver.hints.ranking import Leaned, Prior, Sums, lead, order, ranked, student
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


# ----------------------------------------------------------------------------------------------------
# Means that lean to a prior: against Gaussian conditioning with a vague level, and against a known truth.


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


def test_where_no_error_is_known_the_order_is_the_prior_s() -> None:
    """One batch of a chain: nothing tells how far its mean is off."""
    sums = sums_of(np.array([[1.0, 0.0, 0.0]] * 5), chained=True)
    leaned = Leaned(sums, Prior(np.array([-0.1, 0.0, -0.2]), 0.02, 0.02))
    assert [int(place) for place in np.argsort(-leaned.means[:, 0])] == [1, 0, 2]
    assert 0.2 < leaned.stderr(0) < 0.6
    assert leaned.difference(1, 0)[1] < 0.03


# ----------------------------------------------------------------------------------------------------
# The rounds that follow in a match: drawn from whole rounds, and counted into the chance to win or share it.


SCORES = 1


class Openings:
    """Two choices before a round: the second brings seat 0 more on average, though not in every world."""

    moves, statistics, chained = 2, SCORES + 3, False

    def __init__(self, number: int) -> None:
        self._number = number

    def play(self, first: int, results: Floats, weights: Floats) -> None:
        for world in range(len(results)):
            results[world, 0] = [3, 3, 0, 0]
            own = 2 if world == 0 else 4
            results[world, 1] = [own, own, self._number, world]


def test_whole_rounds_are_those_after_the_choice_that_brings_most_on_average() -> None:
    rounds = whole_rounds(lambda number, seed: Openings(number), SCORES, 3)
    worlds = int(rounds[:, 2].max()) + 1
    expected = [
        [2 if world == 0 else 4, number, world]
        for number in range(len(rounds) // worlds)
        for world in range(worlds)
    ]
    assert rounds.tolist() == expected


def test_endings_add_rounds_of_the_sample_turned_about_the_table() -> None:
    rounds = np.array([[5.0, 1.0, 0.0], [2.0, 2.0, 9.0]])
    turned = {(5, 1, 0), (0, 5, 1), (1, 0, 5), (2, 2, 9), (9, 2, 2), (2, 9, 2)}
    one, two = endings(rounds, 1), endings(rounds, 2)
    assert endings(rounds, 0) is None
    assert one is not None
    assert two is not None
    ways, counts = np.unique(one, axis=0, return_counts=True)
    assert {tuple(way) for way in ways.tolist()} == turned
    assert counts.min() / len(one) > 0.13  # each of the six has a sixth
    sums = {tuple(a + b for a, b in zip(x, y, strict=True)) for x in turned for y in turned}
    assert {tuple(way) for way in two.tolist()} == sums


def test_the_chance_counts_every_ending_of_a_world() -> None:
    drawn = np.random.default_rng(3)
    coming = drawn.integers(0, 12, (4096, 3)).astype(float)
    scores = drawn.integers(0, 12, (5, 2, 3))
    before, first = (4, 0, 2), 126  # the fifth world begins again at the first ending
    results = np.zeros((5, 2, SCORES + 4))
    results[..., SCORES : SCORES + 3] = scores
    results[..., 0] = scores[..., 1]
    judge_by_match(results, before, 1, SCORES, first=first, coming=coming)
    for world in range(5):
        at = (first + world) * 32 % len(coming)
        for move in range(2):
            wins = 0
            for ending in coming[at : at + 32]:
                totals = [sum(parts) for parts in zip(before, scores[world, move], ending, strict=True)]
                wins += totals[1] >= max(totals)
            assert results[world, move, 0] == wins / 32
            assert results[world, move, SCORES + 3] == scores[world, move, 1]
