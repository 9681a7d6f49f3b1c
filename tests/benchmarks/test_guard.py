"""The guard of speed: what it calls slower, with made-up ratios, and its file."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks import guard
from benchmarks.guard import Accepted, read_accepted, slower, write_accepted

ACCEPTED = {"a": Accepted(2.0, 1.5), "b": Accepted(0.5, 1.1)}


@pytest.mark.parametrize(
    ("ratio", "verdict"), [(2.0, ""), (3.0, ""), (3.01, "slower"), (1.34, ""), (1.33, "faster"), (0.1, "faster")]
)
def test_a_ratio_outside_its_spread_is_slower_or_faster(ratio: float, verdict: str) -> None:
    assert ACCEPTED["a"].judge(ratio) == verdict


@pytest.mark.parametrize(
    ("ratios", "failed"),
    [
        ({"a": [2.0], "b": [0.5]}, {}),
        ({"a": [9.0, 2.0], "b": [0.5]}, {}),  # slower once
        ({"a": [9.0, 8.0], "b": [0.1]}, {"a": [9.0, 8.0]}),
        ({"a": [3.1, 3.2], "b": [0.56, 0.57]}, {"a": [3.1, 3.2], "b": [0.56, 0.57]}),
    ],
)
def test_a_row_fails_when_it_is_slower_twice(
    ratios: dict[str, list[float]], failed: dict[str, list[float]]
) -> None:
    left = {name: list(found) for name, found in ratios.items()}
    assert slower(["a", "b"], ACCEPTED, lambda name: left[name].pop(0)) == failed
    assert not any(left.values())


def test_what_is_accepted_is_read_as_it_was_written(tmp_path: Path) -> None:
    write_accepted(ACCEPTED, tmp_path / "guard.toml")
    assert read_accepted(tmp_path / "guard.toml") == ACCEPTED


def test_every_row_has_an_accepted_ratio_and_no_other_has() -> None:
    assert list(read_accepted(guard.ACCEPTED)) == list(guard.ROWS)
    assert any(row.quick for row in guard.ROWS.values())


def test_the_command_fails_by_its_status(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    from click.testing import CliRunner

    write_accepted({"yardstick": Accepted(1e-9, 1000.0)}, tmp_path / "guard.toml")
    monkeypatch.setattr(guard, "ROWS", {"yardstick": guard.ROWS["yardstick"]})
    monkeypatch.setattr(guard, "ACCEPTED", tmp_path / "guard.toml")
    failed = CliRunner().invoke(guard.main, ["--quick"])
    assert failed.exit_code == 1
    assert "slower than accepted, twice: yardstick" in failed.output
    assert CliRunner().invoke(guard.main, ["--quick", "--accept"]).exit_code == 0
    assert CliRunner().invoke(guard.main, ["--quick"]).exit_code == 0
