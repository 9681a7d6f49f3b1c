"""Means over weighted worlds, and the standard errors of means and of differences between moves.

The moves are played in the same worlds, so a difference is estimated by the worlds' own differences: what they
share cancels. With weights w the mean is the self-normalised sum(w x) / sum(w), and its variance, by the delta
method, sum(w² (x - mean)²) / sum(w)² (Owen, Monte Carlo theory, methods and examples, 2013, equation 9.8).
"""

from __future__ import annotations

from math import inf, sqrt

import numpy as np

from solver.kernels.arrays import Floats

_DIGITS = 9  # of a mean over all worlds: equal ones, summed in different orders, are equal


class Sums:
    """What is kept of the worlds played: sums, of which every mean and standard error follows."""

    sample = ""  # what the worlds are called in reasons, if not the sampled ones
    beside = ""  # what else tells of the moves, in reasons

    def __init__(self, moves: int, statistics: int) -> None:
        self.worlds = 0
        self._weight = 0.0
        self._squared = 0.0
        self._totals: Floats = np.zeros((moves, statistics))
        self._linear: Floats = np.zeros(moves)  # sum of w² x
        self._products: Floats = np.zeros((moves, moves))  # sums of w² x x'

    def add(self, results: Floats, weights: Floats, *, chained: bool = False) -> None:
        """Count worlds: `results` by world, move and statistic, and one weight a world.

        Worlds that are `chained`, each made from the one before, tell less than as many that are not: their mean
        counts as one world, so that the errors come from what chains differ by (batch means).
        """
        self.worlds += len(weights)
        if chained:
            results = np.tensordot(weights, results, 1)[None] / weights.sum()
            weights = weights.sum(keepdims=True)
        squares = weights**2
        scores = results[:, :, 0]
        self._weight += float(weights.sum())
        self._squared += float(squares.sum())
        self._totals += np.tensordot(weights, results, 1)
        self._linear += squares @ scores
        self._products += (scores * squares[:, None]).T @ scores

    @property
    def means(self) -> Floats:
        """The mean of each statistic of each move."""
        return self._totals / self._weight

    def stderr(self, move: int) -> float:
        """The standard error of a move's mean score; infinite while fewer than two worlds count."""
        mean = self._totals[move, 0] / self._weight
        spread = self._products[move, move] - 2 * mean * self._linear[move] + mean**2 * self._squared
        return self._error(spread)

    def difference(self, one: int, other: int) -> tuple[float, float]:
        """How much more `one` scores than `other` in the same worlds, and the standard error of that."""
        gap = float(self._totals[one, 0] - self._totals[other, 0]) / self._weight
        squares = self._products[one, one] + self._products[other, other] - 2 * self._products[one, other]
        linear = self._linear[one] - self._linear[other]
        return gap, self._error(squares - 2 * gap * linear + gap**2 * self._squared)

    def covariance(self) -> Floats:
        """The covariances of the errors of the mean scores; infinite while fewer than two worlds count."""
        correction = self._correction()
        if correction == inf:
            return np.full_like(self._products, inf)
        means = self._totals[:, 0] / self._weight
        crossed = np.outer(means, self._linear)
        spread = self._products - crossed - crossed.T + np.outer(means, means) * self._squared
        return np.asarray(spread * correction / self._weight**2)

    def _error(self, spread: float) -> float:
        correction = self._correction()
        if correction == inf:
            return inf
        return sqrt(max(float(spread), 0.0) * correction) / self._weight

    def _correction(self) -> float:
        # As many values of equal weight tell as much (Kish's effective sample size); all but one of them are free.
        count = self._weight**2 / self._squared
        if count < 1.5:
            return inf
        return count / (count - 1)

    def best(self) -> int:
        """The move with the highest mean score; the first of equals."""
        return int(np.argmax(np.round(self._totals[:, 0] / self._weight, _DIGITS)))


class Whole(Sums):
    """Means over all worlds that there are, weighted: nothing is left to the luck of the draw."""

    sample = "deals that are left"

    def __init__(self, worlds: int, means: Floats) -> None:
        super().__init__(*means.shape)
        self.worlds = worlds
        self._weight = 1.0
        self._totals = np.round(means, _DIGITS)

    def stderr(self, move: int) -> float:
        """None: the mean is not estimated."""
        return 0.0

    def difference(self, one: int, other: int) -> tuple[float, float]:
        """How much more `one` scores than `other`, without an error."""
        return float(self._totals[one, 0] - self._totals[other, 0]), 0.0
