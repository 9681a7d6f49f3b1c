"""`athanor review`, and `review` in play."""

from __future__ import annotations

import json
import re
from itertools import pairwise
from pathlib import Path

import pytest
from click.testing import CliRunner

import athanor
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
    new = tmp_path / "new.json"
    play(*SOLO_DEAL, "--save", new, lines="quit\n")
    for args, message in (
        ([new], "no move of this game was made yet"),
        ([game, "--round", "2"], "no round 2; 1 round was begun"),
        ([game, "--seat", "1"], "no seat 1"),
        ([game, "--model", "ally"], "not a model of alchemy"),
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
    assert "Continue with: " in result.stdout
    again = play(*args, lines="review\nundo\n1\n")
    assert "is over" not in again.stdout.split("Back to")[0]


def test_in_play_before_a_round_is_over(play: Run) -> None:
    assert "Round 1 is not over yet." in play(*SOLO_DEAL, lines="review\n").stdout


def test_the_table_fits_eighty_columns(game: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    result = CliRunner().invoke(cli, ["review", str(game), "--nodes", "500"])
    assert max(map(len, result.stdout.splitlines())) <= 80


KIRIN = "docs/examples/kirin-game.txt"


def test_a_report_that_needs_no_server(athanor: Run, tmp_path: Path) -> None:
    target = tmp_path / "report.html"
    result = athanor("review", KIRIN, "--nodes", "500", "--html", target, "--json")
    assert result.exit_code == 0, result.output
    page = target.read_text(encoding="utf-8")
    assert "<svg" in page
    assert not re.search(r"(src|href)=", page)
    sizes = [float(size) for size in re.findall(r'data-size="([0-9.]+)"', page)]
    assert len(sizes) >= 3
    assert sizes == sorted(sizes, reverse=True)
    assert '<b class="card best">' in page


def test_a_report_of_a_strange_name_is_escaped() -> None:
    from api.page.report import _drawn

    assert "<script" not in _drawn("<script>alert(1)</script> D6", {"D6"})


def test_cards_of_a_japanese_row_are_drawn() -> None:
    from api.page.report import _drawn

    assert _drawn("席3 A1、席0 A9。", {"A1", "A9"}).count("<b ") == 2


def test_the_graph_of_one_seat_ends_with_what_the_others_gave() -> None:
    from api.page.report import report

    found = athanor.review(Path("docs/examples/table.txt").read_text(encoding="utf-8"), nodes=200)
    (seat,), last = found.seats, found.moves[-1]
    assert seat.result != last.after  # after the last decision others gave or took something
    picture = report(found).split("<svg")[1].split("</svg>")[0]
    lines = re.findall(r'<line class="(\w+)"', picture)
    assert lines[-1] == "others"
    places = [float(place) for place in re.findall(r'<text x="([0-9.]+)" y="196"', picture)]
    assert all(other - place >= 22 for place, other in pairwise(places))


def test_puzzles_of_the_mistakes_are_solved_again(athanor: Run, tmp_path: Path) -> None:
    target = tmp_path / "mistakes.toml"
    result = athanor("review", KIRIN, "--nodes", "2000", "--seat", "0", "--puzzles", target)
    assert result.exit_code == 0, result.output
    assert "1 puzzle" in result.stderr or "puzzles" in result.stderr
    assert athanor("solve", target).exit_code == 0


def test_any_model_reviews_a_round_whose_cards_are_set_aside_at_once(athanor: Run) -> None:
    result = athanor("review", KIRIN, "--nodes", "200", "--model", "maxn", "--json")
    assert result.exit_code == 0, result.output
    moves = json.loads(result.stdout)["moves"]
    assert moves[0]["true_bounds"] is None
    assert moves[0]["true_lost"] is not None
    assert all(move["true_bounds"] is not None for move in moves[4:])


def test_a_round_half_written_down(athanor: Run, tmp_path: Path) -> None:
    half = tmp_path / "half.txt"
    half.write_text("".join(Path(KIRIN).read_text().splitlines(keepends=True)[:24]), encoding="utf-8")
    result = athanor("review", half, "--nodes", "200", "--json")
    assert result.exit_code == 0, result.output
    found = json.loads(result.stdout)
    assert found["moves"]
    assert not any(seat["finished"] for seat in found["seats"] if seat["decisions"])
    assert "expected so far" in athanor("review", half, "--nodes", "200").stdout
