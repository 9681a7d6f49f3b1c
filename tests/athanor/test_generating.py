"""`athanor.generate`: as many puzzles as are wanted, the same however often it was stopped."""

from __future__ import annotations

import threading
from pathlib import Path
from typing import Any

import pytest

import athanor
from athanor.jobs import questions as units
from athanor.jobs.workers import Here
from puzzles.format import load
from puzzles.generate import Made
from solver.errors import PuzzleError, RequestError


@pytest.fixture(autouse=True)
def _quickly_made(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every third deal has no puzzle, and deal 4 repeats deal 3's."""

    def make(order: Any, number: int, cancel: Any = None) -> Made | None:
        if number % 3 == 2:
            return None
        line = f"alchemy duel line=2,3,4,6,10,K hand={2 + number % 8} opponent_hand=3"
        puzzle = {"ask": "value", "grade": "easy", "measured": {}, "position": line, "solution": {"value": 1}}
        return Made(puzzle, f"deal {3 if number == 4 else number}")

    monkeypatch.setattr(units, "make", make)
    monkeypatch.setattr(Here, "seconds", 0.0)  # a unit at a time, as if each took long


def test_as_many_as_are_wanted(tmp_path: Path) -> None:
    out = tmp_path / "new.toml"
    told: list[tuple[int, int]] = []
    found = athanor.generate(
        "alchemy", out, count=4, seed=7, ask="value", deals=20, progress=lambda *told_: told.append(told_)
    )
    assert found == (True, 4, 7, 1, ())
    assert [puzzle.id for puzzle in load(out).puzzles] == [f"alchemy-value-7-{deal}" for deal in (0, 1, 3, 6)]
    assert [path.name for path in tmp_path.iterdir()] == ["new.toml"]
    assert told[-1][0] == 4


def test_it_goes_on_where_it_was_stopped(tmp_path: Path) -> None:
    whole, stopped = tmp_path / "whole.toml", tmp_path / "stopped.toml"
    athanor.generate("alchemy", whole, count=6, ask="value", deals=20)
    cancel = threading.Event()

    def soon(puzzles: int, deals: int) -> None:
        if deals >= 3:
            cancel.set()

    found = athanor.generate("alchemy", stopped, count=6, ask="value", deals=20, cancel=cancel, progress=soon)
    assert not found.complete
    assert not stopped.exists()
    assert (tmp_path / "stopped.toml.unfinished").exists()
    deals: list[int] = []
    again = athanor.generate(
        "alchemy", stopped, count=6, ask="value", deals=20, progress=lambda _, done: deals.append(done)
    )
    assert again.complete
    assert deals[0] >= 3  # what was done is not done again
    assert stopped.read_text() == whole.read_text()


def test_none_like_those_that_there_are(tmp_path: Path) -> None:
    first, second = tmp_path / "first.toml", tmp_path / "second.toml"
    athanor.generate("alchemy", first, count=2, ask="value", deals=10)
    found = athanor.generate("alchemy", second, count=100, ask="value", deals=10)
    assert (found.puzzles, found.deals) == (6, 10)
    with pytest.raises(PuzzleError, match="cannot read"):
        athanor.generate("alchemy", second, ask="value", unlike=[tmp_path / "missing.toml"])


def test_where_nothing_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(units, "make", lambda *_: None)
    with pytest.raises(PuzzleError, match="none of 3 deals made such a puzzle"):
        athanor.generate("alchemy", tmp_path / "new.toml", ask="value", deals=3)
    assert not list(tmp_path.iterdir())
    with pytest.raises(RequestError, match="no task"):
        athanor.generate("alchemy", tmp_path / "new.toml", ask="compound")
