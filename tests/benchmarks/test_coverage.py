"""The values that intervals are held against are corrected as the means of hints are."""

from __future__ import annotations

from dataclasses import replace

import pytest

from benchmarks.arena import CONTESTS
from benchmarks.coverage import choices, reference


def test_the_odds_of_the_reference_are_those_of_hints() -> None:
    contest = CONTESTS["aqua-regia-2"]()
    sampler, view = contest.hints["equal"], next(choices(contest, 3))
    plain = reference(replace(sampler, odds=None), view, 4, 5)
    halved = reference(replace(sampler, odds=lambda _view: 0.5), view, 4, 5)
    assert halved == pytest.approx({move: said / (2 - said) for move, said in plain.items()}, abs=1e-6)
    assert halved != plain
