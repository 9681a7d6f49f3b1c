"""`athanor convert`: JSON to text and back, of positions, records and whole games."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from athanor import deal, parse
from solver.positions import position_data
from tests.cli.support import Run

VIEW = "kirin seat=2 hand=D6,S1,S4,BT,G2,G3,G4,G+ declared=B+ trick=0:D4,S3"


def test_a_position_there_and_back(athanor: Run, tmp_path: Path) -> None:
    """The text needs no quotes, and stands where a file may stand."""
    told = athanor("convert", *VIEW.split())
    assert (told.exit_code, json.loads(told.stdout)) == (0, position_data(parse(VIEW)))
    file = tmp_path / "view.json"
    file.write_text(told.stdout)
    assert athanor("convert", str(file)).stdout == f"{VIEW}\n"
    assert athanor("moves", VIEW).stdout == athanor("moves", str(file)).stdout


def test_records(athanor: Run) -> None:
    text = "aqua-regia round counts=0,3,1 round hands=Zn,Pb/-/Li"
    told = athanor("convert", text)
    assert json.loads(told.stdout)["rounds"][0] == {"counts": [0, 3, 1]}
    assert athanor("convert", told.stdout).stdout == f"{text}\n"
    assert athanor("score", text, "--json").stdout == athanor("score", told.stdout, "--json").stdout


GAMES = """\
; two games, the first of them begun only
[game kirin]
[seed 7]
[seat 2]
[seconds 0.3]
round
{moves}

[game alchemy]
[variant alternative]
[seed 3]
[seconds 1]
"""


def games() -> str:
    hand = deal("kirin", seed=7, variant="undeclared").hands[0]
    return GAMES.format(moves=hand[0])


def test_games_there_and_back(athanor: Run, tmp_path: Path) -> None:
    text, kept = tmp_path / "games.txt", tmp_path / "games.jsonl"
    text.write_text(games())
    told = athanor("convert", str(text))
    first, second = map(json.loads, told.stdout.splitlines())
    assert (first["seat"], len(first["moves"]), second["variant"]) == (2, 1, "alternative")
    kept.write_text(told.stdout)
    again = athanor("convert", str(kept)).stdout
    text.write_text(again)
    assert athanor("convert", str(text)).stdout == told.stdout


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("[game kirin]", "[seed 3]", "line 2: a game begins with its tag"),
        ("[seed 7]", "[seed 7]\n[seed 8]", "line 4: the tag seed appears twice"),
        ("[seed 7]", "[sede 7]", "the game at line 2"),
        ("round\n", "", "line 6: moves must come after a line that says round"),
        ("round\n", "round\nQ9\n", "moves[0][0]"),
        ("[game alchemy]", "[game chess]", "there is no game called 'chess'"),
    ],
)
def test_faults_of_games(athanor: Run, tmp_path: Path, old: str, new: str, words: str) -> None:
    text = tmp_path / "games.txt"
    text.write_text(games().replace(old, new))
    told = athanor("convert", str(text))
    assert told.exit_code == 2
    assert words in told.stderr


def test_a_text_that_is_wrong_tells_all(athanor: Run) -> None:
    told = athanor("convert", "kirin seat=9 hnad=D6 declared=ZZ leader=0")
    assert told.exit_code == 2
    assert [line.split(": ")[0] for line in told.stderr.removeprefix("Error: the text: ").splitlines()] == [
        "hnad", "direction", "seat", "declared",
    ]  # fmt: skip
