"""Rounds among hints are kept; weights are fitted so that choices that were seen are likely."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from solver.answers import AnyPosition
from solver.games.kirin import GAME
from solver.games.kirin.position import Round
from training.fitting import Choices, fitted, likely
from training.rounds import kept, to_end


@pytest.mark.small
def test_fitted_weights_make_choices_likelier_by_the_slopes_that_are_told() -> None:
    random = np.random.default_rng(1)
    counts = random.integers(2, 5, 40)
    features = random.normal(size=(40, 4, 3)).astype(np.float32)
    choices = Choices(
        features, counts, np.array([features[row, :count, 0].argmax() for row, count in enumerate(counts)])
    )
    weights, share = np.array([0.3, -0.2, 0.1]), 0.2
    mean, slopes = likely(choices, weights, share)
    for index, slope in enumerate(slopes):
        step = 1e-3 * np.eye(3)[index]
        more, less = (likely(choices, weights + way * step, share)[0] for way in (1, -1))
        assert (more - less) / 2e-3 == pytest.approx(slope, abs=1e-4)
    assert likely(choices, fitted([choices], weights, share), share)[0] > mean + 0.3


# ----------------------------------------------------------------------------------------------------
# Rounds among hints are kept, and a run goes on where another ended.


def test_rounds_are_kept_and_a_run_goes_on(tmp_path: Path) -> None:
    played = []

    def play(number: int) -> AnyPosition:
        played.append(number)
        return to_end(GAME, GAME.deal(3, number=number), GAME.hint, 4, 1000 * number)

    path = tmp_path / "some" / "rounds.jsonl"
    some, more = list(kept(path, 1, play)), list(kept(path, 2, play))
    assert played == [0, 1]
    assert more[0] == some[0] != more[1]
    assert all(isinstance(position, Round) and position.state.over for position in more)
