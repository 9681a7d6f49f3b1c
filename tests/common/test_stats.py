"""Wilson's interval: known values, its ends, and how often it holds the truth."""

from __future__ import annotations

from math import comb

import pytest

from solver.common import wilson


@pytest.mark.parametrize(
    ("successes", "trials", "low", "high"),
    # Newcombe (1998), table I, method 3.
    [(81, 263, 0.2553, 0.3662), (15, 148, 0.0624, 0.1605), (0, 20, 0.0, 0.1611), (1, 29, 0.0061, 0.1718)],
)
def test_published_intervals(successes: int, trials: int, low: float, high: float) -> None:
    assert wilson(successes, trials) == pytest.approx((low, high), abs=5e-5)


def test_ends() -> None:
    assert wilson(0, 0) == (0.0, 1.0)
    assert wilson(0, 7)[0] == 0.0
    assert wilson(7, 7)[1] == 1.0
    assert 0 < wilson(7, 7)[0] < 1
    low, high = wilson(3, 10)
    assert wilson(7, 10) == pytest.approx((1 - high, 1 - low))


@pytest.mark.parametrize("share", [0.5, 0.62, 0.9])
def test_it_holds_the_truth_about_as_often_as_it_says(share: float) -> None:
    trials = 200
    covered = sum(
        comb(trials, wins) * share**wins * (1 - share) ** (trials - wins)
        for wins in range(trials + 1)
        if wilson(wins, trials)[0] <= share <= wilson(wins, trials)[1]
    )
    assert 0.93 < covered < 0.97
