"""Glicko-2 ratings: M. E. Glickman, "Example of the Glicko-2 system" (2013). Steps are numbered as there."""

from __future__ import annotations

from collections.abc import Iterable
from math import exp, log, pi, sqrt
from typing import NamedTuple

SCALE = 173.7178  # points of a rating in one unit of the paper's scale
_CENTRE = 1500.0
_TAU = 0.5  # how much a volatility may change
_TOLERANCE = 1e-6
MOST_DEVIATION = 350.0  # of a player about whom nothing is known


class Rating(NamedTuple):
    """A rating in points, its deviation (standard error), and its volatility."""

    points: float = _CENTRE
    deviation: float = MOST_DEVIATION
    volatility: float = 0.06


def rested(rating: Rating, periods: int) -> Rating:
    """Return a rating after `periods` periods without a game. Only its deviation grows (step 6 of Glicko-2)."""
    phi = rating.deviation / SCALE
    grown = SCALE * sqrt(phi * phi + periods * rating.volatility**2)
    return rating._replace(deviation=min(MOST_DEVIATION, grown))


def rated(rating: Rating, games: Iterable[tuple[Rating, float]]) -> Rating:
    """Return a rating after a period of one or more games, each an opponent's rating and a score, 1 or 0."""
    mu, phi = (rating.points - _CENTRE) / SCALE, rating.deviation / SCALE
    information = surprise = 0.0
    for other, score in games:  # steps 3 and 4
        weight = 1 / sqrt(1 + 3 * (other.deviation / SCALE / pi) ** 2)
        expected = 1 / (1 + exp(-weight * (mu - (other.points - _CENTRE) / SCALE)))
        information += weight * weight * expected * (1 - expected)
        surprise += weight * (score - expected)
    volatility = _volatility(rating.volatility, phi, 1 / information, surprise / information)
    phi = 1 / sqrt(1 / (phi * phi + volatility**2) + information)  # steps 6 and 7
    return Rating(_CENTRE + SCALE * (mu + phi * phi * surprise), SCALE * phi, volatility)


def _volatility(before: float, phi: float, variance: float, change: float) -> float:
    """Return the new volatility (step 5 of Glicko-2), found by the Illinois variant of regula falsi."""
    start = log(before * before)

    def slope(x: float) -> float:
        grown = phi * phi + variance + exp(x)
        return exp(x) * (change * change - grown) / (2 * grown * grown) - (x - start) / (_TAU * _TAU)

    low = start
    if change * change > phi * phi + variance:
        high = log(change * change - phi * phi - variance)
    else:
        steps = 1
        while slope(start - steps * _TAU) < 0:
            steps += 1
        high = start - steps * _TAU
    at_low, at_high = slope(low), slope(high)
    while abs(high - low) > _TOLERANCE:
        middle = low + (low - high) * at_low / (at_high - at_low)
        at_middle = slope(middle)
        if at_middle * at_high <= 0:
            low, at_low = high, at_high
        else:
            at_low /= 2
        high, at_high = middle, at_middle
    return exp(low / 2)
