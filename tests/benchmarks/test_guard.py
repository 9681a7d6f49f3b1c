"""The guard of speed: what it calls slower or faster, with made-up ratios, and its file."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks import guard
from benchmarks.guard import Accepted, complaint, outside, read_accepted, write_accepted

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
        ({"a": [2.0], "b": [0.1, 0.5]}, {}),  # faster once
        ({"a": [9.0, 8.0], "b": [0.5]}, {"a": [9.0, 8.0]}),
        ({"a": [3.1, 3.2], "b": [0.1, 0.2]}, {"a": [3.1, 3.2], "b": [0.1, 0.2]}),
    ],
)
def test_a_row_fails_when_it_leaves_its_spread_twice(
    ratios: dict[str, list[float]], failed: dict[str, list[float]]
) -> None:
    left = {name: list(found) for name, found in ratios.items()}
    assert outside(["a", "b"], ACCEPTED, lambda name: left[name].pop(0)) == failed
    assert not any(left.values())


def test_a_failure_says_where_to_look_and_how_to_renew_the_file() -> None:
    both = complaint({"a": [9.0, 8.0], "b": [0.1, 0.2]}, ACCEPTED)
    assert "slower than accepted, twice: a. " in both
    assert "faster than accepted, twice: b. " in both
    assert "their searches end too early" in both
    assert "--accept" in both
    assert "faster" not in complaint({"a": [9.0, 8.0]}, ACCEPTED)


def test_what_is_accepted_is_read_as_it_was_written(tmp_path: Path) -> None:
    write_accepted(ACCEPTED, tmp_path / "guard.toml")
    assert read_accepted(tmp_path / "guard.toml") == ACCEPTED


def test_every_row_has_an_accepted_ratio_and_no_other_has() -> None:
    assert list(read_accepted(guard.ACCEPTED)) == list(guard.ROWS)


def test_the_command_fails_by_its_status(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    from click.testing import CliRunner

    accepted = tmp_path / "guard.toml"
    monkeypatch.setattr(guard, "ROWS", {"yardstick": guard.ROWS["yardstick"]})
    monkeypatch.setattr(guard, "ACCEPTED", accepted)
    monkeypatch.setattr(guard, "_QUICK_PAIRS", 1)
    for ratio, verdict in ((1e-9, "slower"), (1e9, "faster")):
        write_accepted({"yardstick": Accepted(ratio, 1000.0)}, accepted)
        failed = CliRunner().invoke(guard.main, ["--quick"])
        assert failed.exit_code == 1
        assert f"{verdict} than accepted, twice: yardstick" in failed.output
    assert CliRunner().invoke(guard.main, ["--quick", "--accept"]).exit_code == 0
    assert CliRunner().invoke(guard.main, ["--quick"]).exit_code == 0
