"""The picture of how players learned."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from training.curves import lines_of, main


@pytest.mark.small
@pytest.mark.plain
def test_curves_are_drawn_of_the_games_that_have_one(tmp_path: Path) -> None:
    for game, row in (
        ("kirin", {"minutes": 1.5, "points": 3.1, "interval": 0.02}),
        (
            "aqua-regia",
            {"minutes": 0.7} | {f"{what} of {n}": 1 / n for what in ("won", "±") for n in (2, 3, 4, 5)},
        ),
    ):
        (tmp_path / game).mkdir()
        (tmp_path / game / "curve.jsonl").write_text(2 * (json.dumps(row) + "\n"), encoding="utf-8")
    (line,) = lines_of("kirin", tmp_path)
    assert line[1:4] == ([1.5, 1.5], [3.1, 3.1], [0.02, 0.02])
    assert [line.rule for line in lines_of("aqua-regia", tmp_path)] == [1 / 2, 1 / 3, 1 / 4, 1 / 5]
    picture = tmp_path / "curves.svg"
    assert CliRunner().invoke(main, [str(picture), "--runs", str(tmp_path)]).exit_code == 0
    assert picture.read_text(encoding="utf-8").count("<svg") == 1
    assert CliRunner().invoke(main, [str(picture), "--runs", str(tmp_path / "none")]).exit_code == 2
