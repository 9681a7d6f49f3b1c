"""Words of reasons: moves that can't be told apart are named together."""

from __future__ import annotations

import numpy as np
import pytest

from solver.hints.causes import why
from solver.hints.ranking import CHANCE, POINTS
from tests.hints.paired_sums import sums_of

pytestmark = [pytest.mark.small, pytest.mark.plain]


def test_moves_that_cannot_be_told_apart() -> None:
    luck = np.random.default_rng(1).normal(size=(50, 1))
    two = sums_of(np.hstack([luck, luck * 0 + 0.01, luck * 0 - 1]))
    first = "S1 or D6" if luck.mean() < 0.01 else "D6 or S1"
    found = why(["D6", "S1", "B+"], two, (), POINTS)
    assert found.reason.startswith(f"{first}: too close to call (")
    assert found.sure == "close"


def test_of_many_equal_moves_the_rest_is_counted() -> None:
    moves = ["D6", "S1", "B+", "G2", "G3"]
    found = why(moves, sums_of(np.ones((9, 5))), (), CHANCE)
    assert found.reason == "With D6, S1 or 3 others, a win is almost certain."
    assert found.causes[0].moves == tuple(moves)
