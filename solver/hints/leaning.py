"""Means that lean to what was learned: a network knows about how moves compare before any world is played.

By the network the scores of moves differ as its `worth` says, give or take its error, while how good all of them
are together it does not know; and the worlds played say what each move scores, give or take their errors, which
moves share as far as the same worlds made them. What both say together is the best linear prediction (kriging with
an unknown mean: Cressie, Statistics for spatial data, 1993, section 3.2). Where few worlds were played the means
lean to the network, and the more there are the less.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from solver.hints.paired import Sums
from solver.kernels.arrays import Floats

_UNKNOWN = 0.25  # the largest variance of a score from 0 to 1, for means whose error is not known
_DIGITS = 9
MOST_MOVES = 128  # of which a prediction takes some 5 ms


class Prior(NamedTuple):
    """What each move is worth, from 0 to 1 as scores are, up to a number that all share; and the error of that.

    `in_worlds` is how far what the worlds say of a move is off besides, however many they are: a critic's error.
    """

    worth: Floats
    error: float
    in_worlds: float = 0.0


class Leaned(Sums):
    """Sums whose mean scores lean to a prior; the errors told are those of both together."""

    beside = " and the learned player"

    def __init__(self, sums: Sums, prior: Prior) -> None:
        moves, statistics = sums.means.shape
        super().__init__(moves, statistics)
        self.worlds = sums.worlds
        self._weight = 1.0
        self._totals = sums.means.copy()
        scores, self._covariance = _predicted(sums, prior)
        self._totals[:, 0] = np.round(np.clip(scores, 0.0, 1.0), _DIGITS)

    def stderr(self, move: int) -> float:
        """The standard error of a move's predicted score."""
        return _root(self._covariance[move, move])

    def difference(self, one: int, other: int) -> tuple[float, float]:
        """How much more `one` is predicted to score than `other`, and the standard error of that."""
        covariance = self._covariance
        variance = covariance[one, one] + covariance[other, other] - 2 * covariance[one, other]
        return float(self._totals[one, 0] - self._totals[other, 0]), _root(variance)


def _predicted(sums: Sums, prior: Prior) -> tuple[Floats, Floats]:
    """The predicted scores of the moves, and the covariances of their errors."""
    means = sums.means[:, 0]
    one, own = np.eye(len(means)), prior.error**2
    sampled = sums.covariance()
    if not np.isfinite(sampled).all():
        sampled = _UNKNOWN * one
    # What all worlds agree on may still be otherwise: Laplace's rule of succession has about this error then.
    sampled = sampled + one * (prior.in_worlds**2 + (sums.worlds + 2) ** -2)
    inverse = _inverse(own * one + sampled)
    rest = means - prior.worth
    sums_of_rows = inverse.sum(1)
    level = float((sums_of_rows * rest).sum() / sums_of_rows.sum())
    scores = prior.worth + level + own * (inverse * (rest - level)).sum(1)
    unexplained = 1.0 - own * sums_of_rows
    covariance = own * one - own**2 * inverse + np.outer(unexplained, unexplained) / sums_of_rows.sum()
    return scores, covariance


def _inverse(matrix: Floats) -> Floats:
    """The inverse of a symmetric positive definite matrix, by steps that every machine takes in the same order."""
    size = len(matrix)
    rows = np.concatenate([matrix, np.eye(size)], 1)
    for place in range(size):
        rows[place] /= rows[place, place]
        column = rows[:, place].copy()
        column[place] = 0.0
        rows -= column[:, None] * rows[place]
    return rows[:, size:]


def _root(variance: float) -> float:
    return float(round(max(0.0, float(variance)) ** 0.5, _DIGITS))
