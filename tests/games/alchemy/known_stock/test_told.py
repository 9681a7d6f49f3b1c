"""What the analysis of a solitaire tells while it runs."""

from __future__ import annotations

import pytest

import athanor
from solver.limits import Progress


def test_moves_that_are_solved_are_told_before_all_are(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("solver.limits._PROGRESS_SECONDS", 0.0)
    monkeypatch.setattr("solver.limits._FIRST_PROGRESS_SECONDS", 0.0)
    monkeypatch.setattr("solver.limits._FIRST_SLICE", 3)
    seen: list[Progress] = []
    found = athanor.analyze(athanor.deal("alchemy", seed=146, variant="solo"), progress=seen.append)
    values = {one.move: one.bounds for one in found.moves}
    told = [{one.move: one.bounds for one in step.moves or ()} for step in seen]
    assert all(bounds in (("lost", "won"), values[move]) for moves in told for move, bounds in moves.items())
    solved = [sum(bounds != ("lost", "won") for bounds in moves.values()) for moves in told]
    assert solved == sorted(solved)
    assert any(0 < number < len(values) for number in solved)
