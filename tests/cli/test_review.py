"""`athanor review`, and `review` in play."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from api.cli.main import cli
from tests.cli.support import SOLO_DEAL, Run


@pytest.fixture
def game(play: Run, tmp_path: Path) -> Path:
    """A solitaire that is over."""
    path = tmp_path / "game.json"
    play(*SOLO_DEAL, "--save", path, lines="1\n" * 60)
    return path


def test_a_kept_game_as_a_table_as_json_and_as_a_picture(athanor: Run, game: Path, tmp_path: Path) -> None:
    picture = tmp_path / "review.png"
    result = athanor("review", game, "--nodes", "500", "--json", "--plot", picture)
    assert result.exit_code == 0, result.output
    found = json.loads(result.stdout)
    assert found["complete"] is True
    assert picture.read_bytes().startswith(b"\x89PNG")
    text = athanor("review", game, "--nodes", "500").stdout
    for move in found["moves"]:
        assert move["move"] in text
    written = athanor("review", "-", "--nodes", "500", "--json", stdin=athanor("convert", game).stdout)
    assert json.loads(written.stdout) == found


def test_what_cannot_be_reviewed(athanor: Run, play: Run, game: Path, tmp_path: Path) -> None:
    begun = tmp_path / "begun.json"
    play(*SOLO_DEAL, "--save", begun, lines="1\n")
    for args, message in (
        ([begun], "no round of this game is over"),
        ([game, "--round", "2"], "no finished round 2"),
        ([game, "--seat", "1"], "no seat 1"),
        ([game, "--model", "ally"], "no model of alchemy"),
        ([game, "--plot", "x.gif"], "ends in .png or .svg"),
        ([tmp_path / "none"], "cannot read"),
    ):
        result = athanor("review", *args)
        assert result.exit_code == 2
        assert message in result.stderr


def test_in_play_when_the_game_is_over(play: Run, game: Path, tmp_path: Path) -> None:
    args = ["alchemy", "--resume", game, "--seconds", "0.05"]
    result = play(*args, lines="review\nreview 2\nreview x\nundo\nquit\n")
    assert "lost" in result.stdout
    assert "Round 2 is not over yet." in result.stdout
    assert "review takes a number" in result.stdout
    assert "Back to your last decision." in result.stdout
    assert "Go on with: " in result.stdout
    again = play(*args, lines="review\nundo\n1\n")
    assert "is over" not in again.stdout.split("Back to")[0]


def test_in_play_before_a_round_is_over(play: Run) -> None:
    assert "Round 1 is not over yet." in play(*SOLO_DEAL, lines="review\n").stdout


def test_the_table_fits_eighty_columns(game: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    result = CliRunner().invoke(cli, ["review", str(game), "--nodes", "500"])
    assert max(map(len, result.stdout.splitlines())) <= 80
