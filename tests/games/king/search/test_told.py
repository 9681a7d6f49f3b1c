"""What an analysis under `maxn` tells of the moves while it runs."""

from __future__ import annotations

from typing import Any, cast

import pytest

import athanor
from solver.limits import Progress
from tests.page.support import ENDINGS


def test_moves_that_are_solved_are_told_before_all_are(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("solver.limits._PROGRESS_SECONDS", 0.0)
    monkeypatch.setattr("solver.limits._FIRST_PROGRESS_SECONDS", 0.0)
    monkeypatch.setattr("solver.limits._FIRST_SLICE", 5)
    seen: list[Progress] = []
    position = athanor.play(ENDINGS["king"], "take -")
    found = athanor.analyze(position, model="maxn", progress=seen.append)
    values = {one.move: one.bounds for one in found.moves}
    told = [step.moves or () for step in seen]
    assert any(0 < len(moves) < len(values) for moves in told)
    assert all(cast(Any, one.bounds) == values[one.move] for moves in told for one in moves)
