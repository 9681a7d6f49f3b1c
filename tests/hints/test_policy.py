"""From values to choices: softmax probabilities, draws by them and by noise, and choices partly at random."""

from __future__ import annotations

from math import exp

import numpy as np
import pytest

from solver.hints.policy import draw, gumbel, mixed, to_chances
from solver.kernels.rng import start

VALUES = np.array([0.5, -1.0, 2.0, 0.0])
SHARES = np.exp(VALUES) / np.exp(VALUES).sum()
DRAWS = 4000


@pytest.mark.small
def test_chances_are_a_softmax_of_the_first_values() -> None:
    out = np.array([*VALUES, 700.0])
    to_chances(4, out)
    assert out[:4] == pytest.approx(SHARES)
    assert out[4] == 700.0
    large = np.array([1000.0, 999.0])
    to_chances(2, large)
    assert large[1] / large[0] == pytest.approx(exp(-1))


@pytest.mark.covered
@pytest.mark.small
def test_draws_come_in_these_shares() -> None:
    random, by_chances, by_noise = np.zeros(1, np.int64), np.zeros(4), np.zeros(4)
    start(random, 2, 0)
    for _ in range(DRAWS):
        by_chances[draw(4, SHARES, random)] += 1
        by_noise[np.argmax([value + gumbel(random) for value in VALUES])] += 1
    for counts in (by_chances, by_noise):
        chi_square = ((counts - DRAWS * SHARES) ** 2 / (DRAWS * SHARES)).sum()
        assert chi_square < 3 + 5 * 6**0.5


@pytest.mark.small
def test_a_share_of_choices_is_made_at_random() -> None:
    assert mixed(1.0, 4.0, 5, 0.1) == pytest.approx(0.9 / 4 + 0.1 / 5)
    assert sum(mixed(share, 1.0, 4, 0.3) for share in SHARES) == pytest.approx(1)
