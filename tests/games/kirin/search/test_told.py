"""What an analysis tells of the moves while it runs: bounds that hold, with the points of the reading in force."""

from __future__ import annotations

from typing import Any, cast

import pytest

import athanor
from solver.limits import Progress
from solver.positions import position_data


@pytest.mark.parametrize("counts", [False, True])
def test_bounds_are_told_while_they_tighten(monkeypatch: pytest.MonkeyPatch, counts: bool) -> None:
    monkeypatch.setattr("solver.limits._PROGRESS_SECONDS", 0.0)
    monkeypatch.setattr("solver.limits._FIRST_PROGRESS_SECONDS", 0.0)
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


def test_bounds_of_everybody_are_told_while_they_tighten(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("solver.limits._PROGRESS_SECONDS", 0.0)
    monkeypatch.setattr("solver.limits._FIRST_PROGRESS_SECONDS", 0.0)
    seen: list[Progress] = []
    deal = position_data(athanor.deal("kirin", seed=2)) | {"rules": {"declared_counts": True}}
    found = athanor.analyze(deal, model="maxn", nodes=20_000, progress=seen.append)
    told: list[dict[str, Any]] = [{one.move: one.bounds for one in step.moves} for step in seen if step.moves]
    wide = told[0]
    for bounds in told[1:]:
        for move, (low, high) in bounds.items():
            assert all(before <= now for before, now in zip(wide[move][0], low, strict=True))
            assert all(before >= now for before, now in zip(wide[move][1], high, strict=True))
        wide = bounds
    assert wide != told[0]
    for one in found.moves:
        low, high = cast(Any, one.bounds)
        assert all(before <= now for before, now in zip(wide[one.move][0], low, strict=True))
        assert all(before >= now for before, now in zip(wide[one.move][1], high, strict=True))
