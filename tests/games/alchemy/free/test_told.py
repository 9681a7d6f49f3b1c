"""What the analysis of a puzzle tells while it runs: bounds of its one value, and the best match so far."""

from __future__ import annotations

import pytest

import athanor
from solver.games.alchemy import matches
from solver.games.alchemy.position import FreePosition
from solver.limits import Control, Limit, Progress
from solver.search import cpsat

RANKS = ["A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q"]
EAGER = {"_PROGRESS_SECONDS": 0.0, "_FIRST_PROGRESS_SECONDS": 0.0, "_FIRST_SLICE": 50}


@pytest.fixture(autouse=True)
def eager(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in EAGER.items():
        monkeypatch.setattr(f"solver.limits.{name}", value)


@pytest.mark.parametrize("cards", [None, 5])
def test_bounds_of_the_number_of_matches_close_in_on_it(cards: int | None) -> None:
    asked = {"cards": cards} if cards else {}
    position = FreePosition(game="alchemy", variant="free", min_line=1, line=tuple(RANKS), hand="2", **asked)
    seen: list[Progress] = []
    found = matches.all_matches(position, Control(Limit(nodes=1500), progress=seen.append))
    assert not found.exact
    told = [step.bounds for step in seen]
    bounds = [one for one in told if one is not None]
    whole = matches.all_matches(position, Control()).value
    assert len(bounds) == len(told) > 1
    assert all(low <= whole <= high for low, high in bounds)
    assert bounds == sorted(bounds, key=lambda one: one[1] - one[0], reverse=True)
    assert bounds[-1][1] - bounds[-1][0] < bounds[0][1] - bounds[0][0]


def test_the_best_match_so_far_is_told_with_bounds_of_the_best(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cpsat, "_POLL_SECONDS", 0.001)
    line = [*"22222333335555555666666668889999999AAAAAAAAAJJJJJJJJQQQQQQQQ"]
    position = {"game": "alchemy", "variant": "free", "min_line": 40, "line": line, "hand": "3"}
    seen: list[Progress] = []
    found = athanor.analyze({**position, "objective": "fewest-cards"}, progress=seen.append, seconds=20)
    assert found.exact
    told = [step for step in seen if step.bounds is not None]
    assert told
    assert all(step.bounds[0] <= found.value <= step.bounds[1] for step in told if step.bounds)
    assert any(step.best for step in told)
