"""Words of reasons: moves that can't be told apart are called equal."""

from __future__ import annotations

import numpy as np
import pytest

from solver.hints.ranking import alike
from tests.hints.paired_sums import sums_of

pytestmark = [pytest.mark.small, pytest.mark.plain]


def test_moves_that_cannot_be_told_apart() -> None:
    luck = np.random.default_rng(1).normal(size=(50, 1))
    two = sums_of(np.hstack([luck, luck * 0 + 0.01, luck * 0 - 1]))
    first = "S1 and D6" if luck.mean() < 0.01 else "D6 and S1"
    assert alike(["D6", "S1", "B+"], two, "0.00 points") == f"{first} are equal, as far as the sampled deals tell."
    assert alike(["D6", "S1", "B+"], two, "0.02 points", "games") == (
        f"{first} are equal, as far as the sampled games tell: the lead of {first[:2]}, 0.02 points, may be the "
        "luck of the draw."
    )


def test_of_many_equal_moves_the_rest_is_counted() -> None:
    same = sums_of(np.ones((9, 5)))
    moves = ["D6", "S1", "B+", "G2", "G3"]
    assert alike(moves, same, "0.00") == "D6, S1 and 3 others are equal, as far as the sampled deals tell."
    assert alike(moves[:3], sums_of(np.ones((9, 3))), "0%").startswith("D6, S1 and B+ are equal")
