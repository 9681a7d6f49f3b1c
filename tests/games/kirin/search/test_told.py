"""What an analysis tells of the moves while it runs: bounds that hold, with the points of the reading in force."""

from __future__ import annotations

import pytest

import athanor
from solver.common.control import Progress
from solver.positions import position_data


@pytest.mark.parametrize("counts", [False, True])
def test_bounds_are_told_while_they_tighten(monkeypatch: pytest.MonkeyPatch, counts: bool) -> None:
    monkeypatch.setattr("solver.common.control._PROGRESS_SECONDS", 0.0)
    monkeypatch.setattr("solver.common.control._FIRST_PROGRESS_SECONDS", 0.0)
    seen: list[Progress] = []
    deal = position_data(athanor.deal("kirin", seed=2)) | {"rules": {"declared_counts": counts}}
    found = athanor.analyze(deal, nodes=3_000, progress=seen.append)
    told = [{one.move: one.bounds for one in step.moves} for step in seen if step.moves]
    assert told
    for bounds in told:
        for move in found.moves:
            low, high = move.bounds
            assert isinstance(low, int)
            assert isinstance(high, int)
            least, most = bounds[move.move]
            assert int(counts) <= least <= low <= high <= most
    assert told[-1] == {move.move: move.bounds for move in found.moves}
