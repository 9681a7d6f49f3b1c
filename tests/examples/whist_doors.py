"""Whist from outside through every public door: Python, HTTP, puzzle files, the terminal.

`tests.examples.test_whist` runs this in a process that has the package; pytest does not collect it by itself.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import platformdirs
import pytest
from click.testing import CliRunner
from flask.testing import FlaskClient

import athanor
from api.app import create_app
from api.cli.main import cli
from api.config import Config
from api.page.book import Solved, book
from puzzles.format import loads
from solver.positions import described, position_data
from tests.api.support import refused
from tests.tricks import test_as_played

ENDING: dict[str, Any] = {
    "game": "whist",
    "trump": "H",
    "leader": 0,
    "hands": [["SA", "S2"], ["SK", "H2"], ["S3", "H3"], ["SQ", "D2"]],
}
PUZZLE = """
[[puzzle]]
id = "cash"
title = "Cash the ace first"
ask = "best-move"
position = {{ game = "whist", trump = "H", leader = 0, hands = [["SA","S2"],["SK","H2"],["S3","H3"],["SQ","D2"]] }}
solution = {{ best = {best}, value = 2 }}
"""


@pytest.fixture(scope="module")
def client() -> FlaskClient:
    return create_app(Config(default_seconds=60, max_seconds=60, hint_seconds=0.2)).test_client()


def test_python() -> None:
    position = athanor.deal("whist", seed=3)
    answer = athanor.analyze(position, model="maxn")
    assert answer.exact
    assert isinstance(answer.value, tuple)
    assert sum(answer.value) == 16
    view = athanor.view(position, seat=0)
    hint = athanor.hint(view, seconds=0.2)
    assert sorted(entry.move for entry in hint.moves) == sorted(athanor.legal_moves(position))
    after = athanor.play(position, str(hint.best))
    assert after.trick == (hint.best,)
    assert athanor.parse(str(view)) == view
    assert "Trumps" in described(view)
    assert "<table" in view._repr_html_()


def test_http(client: FlaskClient) -> None:
    found = client.post("/v1/analyze", json={"position": ENDING, "player": 1})
    assert found.status_code == 200, found.text
    assert [(entry["move"], entry["value"]) for entry in found.get_json()["moves"]] == [("SA", 0), ("S2", 1)]
    view = position_data(athanor.view(athanor.deal("whist", seed=3), seat=0))
    found = client.post("/v1/hint", json={"position": view, "worlds": 100, "seed": 1})
    assert found.status_code == 200, found.text
    assert found.get_json()["worlds"] == 100
    wrong = ENDING | {"hands": [["SA", "S2"], ["SK", "H2"], ["S3", "H3"], ["SQ", "X2"]]}
    refused(client.post("/v1/analyze", json={"position": wrong}), 422, "illegal_card", "hands[3][1]")
    assert "whist" in client.get("/openapi.json").text


def test_puzzle_files() -> None:
    [right] = athanor.solve(PUZZLE.format(best='["SA"]'))
    [wrong] = athanor.solve(PUZZLE.format(best='["S2"]'))
    assert (right.status, wrong.status) == ("confirmed", "refuted")
    # Nobody knows what its cards look like, so a book tells its positions in words.
    [puzzle] = loads(PUZZLE.format(best='["SA"]')).puzzles
    (text,) = book([Solved("", puzzle, right)])
    assert "<th>Trumps</th>" in text


def test_the_terminal(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(platformdirs, "user_state_path", lambda *_, **__: tmp_path)
    options = ["play", "whist", "--seed", "3", "--rounds", "1", "--seconds", "0.05"]
    played = CliRunner().invoke(cli, options, input="hint\n" + "1\n" * 8)
    assert played.exit_code == 0, played.output
    assert "the trick goes to" in played.output
    assert "whist" in CliRunner().invoke(cli, ["rules", "whist"]).output.lower()


@pytest.mark.parametrize("told", [True, False])
def test_a_whist_round_goes_on_whatever_was_played(told: bool) -> None:
    test_as_played.test_a_round_goes_on_whatever_was_played("whist", 4, told)


def test_whist_hints_say_what_was_played_against_the_rules() -> None:
    test_as_played.test_hints_say_what_was_played_against_the_rules("whist", 4)


@pytest.mark.parametrize("told", [True, False])
def test_reviews_of_whist_judge_no_play_against_the_rules(told: bool) -> None:
    test_as_played.test_reviews_judge_no_play_against_the_rules("whist", 4, told)
