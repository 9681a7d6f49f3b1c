"""Ranks moves by their mean scores in sampled worlds (deals), with standard errors, and makes hints of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from math import hypot, inf, isfinite, sqrt
from typing import Any, Literal, NamedTuple

import numpy as np

from solver.answer_tables import figures, percent
from solver.answers import Cause, Confidence, SampledHint, SampledMove
from solver.common import compared
from solver.kernels.words import Floats
from solver.language import say, say_many
from solver.limits import Control

# ----------------------------------------------------------------------------------------------------
# Means over weighted worlds, and the standard errors of means and of differences between moves.
#
# The moves are played in the same worlds, so a difference is estimated from the differences within worlds: shared
# noise cancels. With weights w the mean is the self-normalised sum(w x) / sum(w), and its variance, by the delta
# method, sum(w² (x - mean)²) / sum(w)² (Owen, Monte Carlo theory, methods and examples, 2013, equation 9.8).
#
# The errors are valid from the first worlds on: a mean ± 1.96 errors is a 95% interval. Two corrections widen it.
# The spread of a few worlds or chains is poorly known, so errors are scaled by Student's t. And a few worlds miss
# rare events, so errors grow as if one more world had been an outlier.


_DIGITS = 9  # decimals of a mean over all worlds: equal means summed in different orders stay equal
SURE = 1.96  # standard errors: a difference within them may be sampling noise
_FEW = {1: 12.706, 2: 4.303}  # 97.5% quantiles of Student's t
_TINY = 1e-12
_MARGIN = 1.1  # short chains are not quite mixed, and the best move was picked for its high mean
_LEAST_SPREAD = 1.0  # the least variance of an outlier: scores differ by points, or by a game
_LOW = 0.1  # the share of the results that are called low
_MOST_KEPT = 4000  # worlds, of which the results are kept


def student(freedom: float) -> float:
    """Return the 97.5% quantile of Student's t, divided by that of the normal distribution.

    Infinite below one degree of freedom. Accurate to 0.2% (Abramowitz and Stegun, Handbook of mathematical
    functions, 26.7.5).
    """
    whole = int(freedom)
    if whole < 1:
        return inf
    if whole in _FEW:
        return _FEW[whole] / SURE
    z = SURE
    terms = (
        (z**3 + z) / 4,
        (5 * z**5 + 16 * z**3 + 3 * z) / 96,
        (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384,
        (79 * z**9 + 776 * z**7 + 1482 * z**5 - 1920 * z**3 - 945 * z) / 92160,
    )
    return float(1 + sum(term / whole**power for power, term in enumerate(terms, 1)) / z)


class Sums:
    """Sums over the worlds played so far, from which all means and standard errors are computed."""

    def __init__(self, moves: int, statistics: int, batch: int = 1) -> None:
        self.worlds = 0
        self.batch = batch
        self._weight = 0.0
        self._squared = 0.0
        self._totals: Floats = np.zeros((moves, statistics))
        self._squares: Floats = np.zeros(moves)  # sum of w x²
        self._linear: Floats = np.zeros(moves)  # sum of w² x, of chains or of worlds
        self._products: Floats = np.zeros((moves, moves))  # sums of w² x x'
        self._kept: list[tuple[Floats, Floats]] = []  # results and weights of the first worlds, by batch

    def add(self, results: Floats, weights: Floats, *, chained: bool = False) -> None:
        """Add worlds: `results` is an array (worlds, moves, statistics), `weights` has a weight for each world.

        `chained` worlds, each made from the one before, carry less information: their mean counts as one world, so
        that errors come from differences between chains (batch means).
        """
        if self.worlds < _MOST_KEPT:
            self._kept.append((results, weights))
        self.worlds += len(weights)
        self._squares += weights @ results[:, :, 0] ** 2
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
        """The mean of each statistic of each move, an array (moves, statistics)."""
        return self._totals / self._weight

    def low(self, move: int, statistic: int = 0) -> float | None:
        """Return the mean of a statistic in the tenth of the worlds where it is lowest; None if there are few."""
        if sum(len(weights) for _, weights in self._kept) < 1 / _LOW:
            return None
        values = np.concatenate([results[:, move, statistic] for results, _ in self._kept])
        weights = np.concatenate([weights for _, weights in self._kept])
        order = np.argsort(values, kind="stable")
        shares = np.cumsum(weights[order]) / weights.sum()
        low = np.diff(np.minimum(shares, _LOW), prepend=0.0)
        return float(low @ values[order]) / _LOW

    def stderr(self, move: int) -> float:
        """Return the standard error of a move's mean score; infinite with fewer than two worlds."""
        mean = self._totals[move, 0] / self._weight
        spread = self._products[move, move] - 2 * mean * self._linear[move] + mean**2 * self._squared
        return self._error(spread, 1)

    def difference(self, one: int, other: int) -> tuple[float, float]:
        """Return how much more `one` scores than `other` in the same worlds, and its standard error."""
        gap = float(self._totals[one, 0] - self._totals[other, 0]) / self._weight
        squares = self._products[one, one] + self._products[other, other] - 2 * self._products[one, other]
        linear = self._linear[one] - self._linear[other]
        return gap, self._error(squares - 2 * gap * linear + gap**2 * self._squared, 2)

    def _error(self, spread: float, scores: int) -> float:
        """Return the standard error of a mean, from its sum of weighted squared deviations, `spread`.

        `scores` is how many mean scores are involved, each with its own outliers: 1, or 2 for a difference of two.
        """
        correction = self._correction()
        if correction == inf:
            return inf
        return sqrt((max(float(spread), 0.0) / self._weight**2 + scores * self._outlier()) * correction)

    def _correction(self) -> float:
        # Kish's effective sample size: the number of equal weights with as much information, minus one degree of
        # freedom.
        count = self._weight**2 / self._squared
        if count < 1.5:
            return inf
        return count / (count - 1) * (_MARGIN * student(max(1.0, count - 1))) ** 2

    def _outlier(self) -> float:
        """Return an addition to the variance of a mean, for outlying scores that the sample may have missed.

        It is what one more world with an outlying score would add.
        """
        means = self._totals[:, 0] / self._weight
        varied = float(np.mean(self._squares / self._weight - means**2))
        by_chains = self._products.diagonal() - 2 * means * self._linear + means**2 * self._squared
        count = self._weight**2 / self._squared  # of worlds or of chains, each of which stands for several worlds
        of_means = float(np.mean(by_chains)) / self._weight**2
        if of_means > _TINY:
            count = min(max(count, varied / of_means), self.worlds)
        return max(_LEAST_SPREAD, varied) / count**2

    def best(self) -> int:
        """Return the index of the move with the highest mean score; the first such move if several tie."""
        return int(np.argmax(np.round(self._totals[:, 0] / self._weight, _DIGITS)))


class Whole(Sums):
    """Mean scores over all possible worlds, so that there is no sampling error."""

    def __init__(self, worlds: int, means: Floats) -> None:
        super().__init__(*means.shape)
        self.worlds = worlds
        self._weight = 1.0
        self._totals = np.round(means, _DIGITS)

    def stderr(self, move: int) -> float:
        return 0.0

    def difference(self, one: int, other: int) -> tuple[float, float]:
        return float(self._totals[one, 0] - self._totals[other, 0]), 0.0


def order(sums: Sums, moves: int) -> list[int]:
    """Return the indices of the moves by mean score, best first; moves that tie stay in the given order."""
    means = sums.means[:, 0]
    return sorted(range(moves), key=lambda move: -round(float(means[move]), _DIGITS))


def _known(error: float) -> float | None:
    """Return the standard error; None if it is infinite, that is, unknown."""
    return error if isfinite(error) else None


def ranked(
    sums: Sums,
    texts: Sequence[str],
    method: str,
    points: int | None = None,
    ranking: Sequence[int] | None = None,
    model_error: float | None = None,
) -> tuple[SampledMove, ...]:
    """Return the moves of an answer, best first. `texts` are the moves in canonical order.

    `points` is the index of the statistic with the round's points, if the first statistic is the chance to win the
    match. `ranking` has the indices of the moves, best first; by default, they are ranked by mean score.
    `model_error` is the error of the means that is not due to sampling; None if unknown.
    """
    if ranking is None:
        ranking = order(sums, len(texts))
    sampled = []
    for move in ranking:
        beside = {} if points is None else {"points": round(float(sums.means[move, points]), _DIGITS)}
        behind, error = (0.0, 0.0) if move == ranking[0] else sums.difference(ranking[0], move)
        stderr = _known(sums.stderr(move))
        if model_error is not None and stderr is not None:
            beside["total_error"] = round(hypot(stderr, model_error), _DIGITS)
        low = sums.low(move, points or 0)
        if low is not None:
            beside["worst_tenth"] = round(low, _DIGITS)
        sampled.append(
            SampledMove(
                move=texts[move],
                mean=round(float(sums.means[move, 0]), _DIGITS),
                stderr=stderr,
                gap=max(0.0, round(behind, _DIGITS)),
                gap_stderr=_known(error),
                worlds=sums.worlds,
                method=method,
                **beside,
            )
        )
    return tuple(sampled)


class Why(NamedTuple):
    """The reason why a move is best, as fields of an answer."""

    sure: Confidence | None
    causes: tuple[Cause, ...]
    reason: str


def answer(
    game: str,
    seat: int,
    moves: tuple[SampledMove, ...],
    why: Why,
    *,
    method: str,
    worlds: int,
    seed: int,
    control: Control,
    **further: Any,
) -> SampledHint:
    """Make a hint from the ranked `moves`. It is marked as exact only if there are no moves.

    `further` are further fields of the hint.
    """
    return SampledHint(
        game=game,
        kind="sampled",
        to_move=seat,
        exact=not moves,
        best=moves[0].move if moves else None,
        moves=moves,
        **why._asdict(),
        method=method,
        worlds=worlds,
        seed=seed,
        nodes=control.nodes,
        seconds=control.seconds,
        **further,
    )


@dataclass(frozen=True, slots=True)
class Margin:
    """The best move's margin over its rival: the indices of both, the `gap` of the means, and its standard error.

    `mean` is the best move's mean score. `worse` has the indices of all moves that are clearly worse than the best
    one. `texts` are the moves that the indices refer to. A gap below `least` is as good as none.
    """

    best: int
    second: int
    gap: float
    error: float
    mean: float = 0.0
    worse: tuple[int, ...] = ()
    texts: Sequence[str] = ()
    least: float = 0.0

    @property
    def clear(self) -> bool:
        """Whether the margin is significant (its 95% interval is above zero), and more than next to nothing."""
        return self.gap > SURE * self.error and self.gap >= self.least


def lead(
    moves: Sequence[SampledMove], texts: Sequence[str], unit: Unit, compare: str | None = None
) -> Margin | None:
    """Return the margin of the best move over the move `compare`, or else over the next best.

    Returns None if there is only one move. `moves` are those of the answer, best first, and `texts` the same moves
    in canonical order, to which the indices refer.
    """
    if len(moves) < 2:
        return None
    numbers = [texts.index(move.move) for move in moves]
    margins = [
        replace(_margin(moves[0], move, unit), best=numbers[0], second=number)
        for number, move in zip(numbers, moves, strict=True)
    ]
    worse = tuple(margin.second for margin in margins[1:] if confidence_of(margin, unit) == "clear")
    rival = compared([move.move for move in moves], compare)
    return replace(margins[rival], worse=worse, texts=texts)


def _margin(best: SampledMove, move: SampledMove, unit: Unit) -> Margin:
    """Return how far a move is behind the best one; the standard error is infinite if it is unknown."""
    error = inf if move.gap_stderr is None else move.gap_stderr
    return Margin(0, 1, move.gap, error, best.mean, least=unit.least)


def level_with(moves: Sequence[SampledMove], unit: Unit) -> list[SampledMove]:
    """Return the best move and all moves whose difference from it may be sampling noise or is tiny, best first."""
    return [moves[0], *(move for move in moves[1:] if not _margin(moves[0], move, unit).clear)]


class Shifted(Sums):
    """Sums whose mean scores are chances, with the odds multiplied by a factor; 0 and 1 stay as they are.

    The factor corrects a measured bias (``python -m benchmarks.chances``). Standard errors are multiplied by the
    slope of the correction at the mean.
    """

    def __init__(self, sums: Sums, odds: float) -> None:
        moves, statistics = sums.means.shape
        super().__init__(moves, statistics)
        self.worlds, self._kept = sums.worlds, sums._kept
        self._weight = 1.0
        self._totals = sums.means.copy()
        said = self._totals[:, 0]
        rest = 1.0 - said + odds * said
        self._totals[:, 0] = np.round(odds * said / rest, _DIGITS)
        self._slopes = odds / rest**2
        self._sums = sums

    def stderr(self, move: int) -> float:
        return float(self._slopes[move]) * self._sums.stderr(move)

    def difference(self, one: int, other: int) -> tuple[float, float]:
        slope = sqrt(self._slopes[one] * self._slopes[other])
        return float(self._totals[one, 0] - self._totals[other, 0]), slope * self._sums.difference(one, other)[1]


# ----------------------------------------------------------------------------------------------------
# The model error: how far hints' means are off because of their assumed players, sampling error aside.
#
# A hint finishes its worlds with modelled players, who differ from the real ones, and with a seat that asks for no
# further hints. So its means have an error that more worlds do not reduce. It was measured: rounds of a player who
# follows hints were played against others of several kinds, and predictions were compared with scores (``python -m
# benchmarks.calibration``). A game keeps the results in a table by the number of cards in the hand.


def error_of(measured: Mapping[int, float], cards: int) -> float:
    """Return the measured error for this many cards in the hand, or for the nearest number that was measured."""
    return measured[min(measured, key=lambda some: (abs(some - cards), some))]


# ----------------------------------------------------------------------------------------------------
# How sure a hint is, and how amounts and chances are written, with sensible digits.
#
# A reason is for anybody who wonders about a seat's move, not only for that seat, so it never says "you".


class Unit(NamedTuple):
    """A unit of scores.

    `one` and `many` are templates for amounts in the singular and plural, and `enough` is the least margin that
    matters. If scores are chances to win, `chance` says of what: games, or a solitaire's deals.
    """

    one: str
    many: str
    enough: float
    chance: Literal["", "games", "deals", "matches"] = ""

    @property
    def least(self) -> float:
        """The least margin that is not next to nothing, as in a review."""
        return self.enough / 4


_LITTLE = 0.02  # of the best mean: a smaller margin matters little, in any unit
POINTS = Unit("{amount} point", "{amount} points", 0.2)
CHANCE = Unit("{amount}", "{amount}", 0.02, chance="games")


def confidence_of(ahead: Margin | None, unit: Unit) -> Confidence:
    """Return how surely and how far the best move is ahead; `ahead` is None if there is only one move."""
    if ahead is None:
        return "only"
    if not ahead.clear:
        return "close"
    return "clear" if ahead.gap >= max(unit.enough, _LITTLE * ahead.mean) else "slight"


def in_unit(amount: str, unit: Unit) -> str:
    """Format an amount with its unit, as in "1 point" or "0.3 points"."""
    return say_many(unit.one, unit.many, 1 if amount == "1" else 2, amount=amount)


def against(one: float, other: float, unit: Unit) -> tuple[str, str]:
    """Format two mean scores, with enough digits to tell them apart but at most two decimals."""
    first, second = (percent(one), percent(other)) if unit.chance else figures(one, other)
    if first == second and unit.chance:
        first, second = (f"{text}%" for text in figures(100 * one, 100 * other))
    return in_unit(first, unit), in_unit(second, unit)


def span(values: Sequence[float], unit: Unit) -> str:
    """Format some mean scores as one amount if they hardly differ, else as a range."""
    low, high = ((percent(value) if unit.chance else figures(value)[0]) for value in (min(values), max(values)))
    if max(values) - min(values) >= unit.enough:
        return say("{low} to {high}", low=low, high=in_unit(high, unit))
    if high in (say("over 99.9%"), say("under 0.1%")):
        return high
    return say("about {amount}", amount=in_unit(high.removesuffix(".0"), unit))
