"""What knowing is worth, where the truth is known."""

from __future__ import annotations

import numpy as np
import pytest

from solver.hints.causes import Noted
from solver.hints.unknown import worth_of_knowing


@pytest.mark.parametrize(("effect", "truth"), [(0.0, 0.0), (0.4, 0.05), (1.0, 0.2)])
def test_worth_of_knowing(effect: float, truth: float) -> None:
    """A fact is so in one world of four, and there the second move is `effect` better, and else 0.2 worse."""
    rng = np.random.default_rng(1)
    facts = rng.random((4000, 20)) < 0.25
    second = np.where(facts[:, 3], -0.2 + effect, -0.2)
    scores = np.stack([np.zeros(4000), second], axis=1) + rng.normal(size=(4000, 2))
    noted = Noted(scores[:, :, None], np.zeros((4000, 0), np.int64), np.repeat(np.arange(250), 16))
    worth = worth_of_knowing(noted, facts, 0)
    assert worth is not None
    mean, error = worth
    assert abs(mean - truth) < 1.96 * error + 0.01


def test_few_worlds_tell_nothing() -> None:
    noted = Noted(np.zeros((40, 2, 1)), np.zeros((40, 0), np.int64), np.arange(40) // 2)
    assert worth_of_knowing(noted, np.zeros((40, 3), np.bool_), 0) is None
    assert worth_of_knowing(None, np.zeros((40, 3), np.bool_), 0) is None
