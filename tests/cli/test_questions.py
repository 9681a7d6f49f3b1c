"""`athanor analyze`, `hint`, `moves`, `after`, `view` and `convert`, for a person and as JSON."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from athanor import deal, parse
from puzzles.check_proof import check
from solver.positions import position_data
from tests.cli.conftest import DUEL, FREE, LONG, WON, Run


def test_analyze_from_a_file_and_from_stdin(athanor: Run, tmp_path: Path) -> None:
    path = tmp_path / "position.json"
    path.write_text(json.dumps(DUEL))
    for result in (athanor("analyze", "--json", path), athanor("analyze", "--json", "-", stdin=DUEL)):
        assert (result.exit_code, result.stderr) == (0, "")
        answer = json.loads(result.stdout)
        assert (answer["value"], answer["best"], answer["exact"]) == (7, "A+2+3+Q=5+K", True)


def test_analyze_for_a_person(athanor: Run) -> None:
    result = athanor("analyze", "-", stdin=DUEL)
    assert result.exit_code == 0
    for text in (
        "Alchemy, duel",
        "J 2 5 K 3 Q",
        "Value  7",
        "A+2+3+Q=5+K  none",
        "denies",
        "If opponent first  value 8, best 8+2+5+Q=3+J+K",
    ):
        assert text in result.stdout
    rows = [line for line in result.stdout.splitlines() if " A+K=2+Q " in line]
    assert [row.split() for row in rows] == [["9", "A+K=2+Q", "2", "5", "3", "no"]]


def test_analyze_tells_of_a_limit(athanor: Run) -> None:
    result = athanor("analyze", "-", "--nodes", "1", stdin=LONG)
    assert result.exit_code == 0
    assert "lost … won, not proved further" in result.stdout
    assert "the limit ended the search" in result.stdout
    answer = json.loads(athanor("analyze", "-", "--nodes", "1", "--json", stdin=LONG).stdout)
    assert (answer["exact"], answer["value"], answer["bounds"]) == (False, None, ["lost", "won"])


def test_a_hint_for_a_person(athanor: Run) -> None:
    view = {key: value for key, value in WON.items() if key != "stock"} | {"unseen": WON["stock"]}
    result = athanor("hint", "-", "--nodes", "1000000", stdin=view)
    assert (result.exit_code, result.stderr) == (0, "")
    for text in ("Unseen", "Why", "wins", "6=2+4"):
        assert text in result.stdout
    every = athanor("hint", "-", "--full", "--nodes", "1000000", stdin=view).stdout
    assert "win probability" in every
    assert "exact (" in every
    answer = json.loads(athanor("hint", "-", "--json", "--seed", "3", stdin=view).stdout)
    assert answer["moves"][0]["exact"]
    assert answer["reason"]


def test_an_optimum_and_the_lack_of_one(athanor: Run) -> None:
    found = athanor("analyze", "-", stdin=FREE | {"objective": "most-cards"})
    assert "4+A=2+3" in found.stdout
    found = athanor("analyze", "-", stdin=FREE | {"objective": "most-cards", "hand": "K"})
    assert (found.exit_code, "no move" in found.stdout) == (0, True)


def test_the_first_ten_of_many_moves(athanor: Run) -> None:
    line = ["A", "2", "3", "4", "5", "6", "7", "8", "9"]
    position = FREE | {"line": line}
    count = json.loads(athanor("analyze", "-", "--json", stdin=position).stdout)["value"]
    assert count > 10
    some = athanor("analyze", "-", stdin=position).stdout
    every = athanor("analyze", "-", "--full", stdin=position).stdout
    assert f"… and {count - 10} more (--full shows all)" in some
    assert any(line.split()[:1] == [str(count)] for line in every.splitlines())


def test_a_certificate_is_written_beside_the_answer(athanor: Run, tmp_path: Path) -> None:
    path = tmp_path / "proof.json"
    position = "alchemy alternative cap=4 line=2,9,5,4 hand=7 stock=10,6,8,A,3,10,9,6"
    result = athanor("analyze", position, "--proof", path)
    assert (result.exit_code, result.stderr) == (0, "")
    assert check(json.loads(path.read_text()))
    path.unlink()
    cards = "king cards=F3,F6,F8,W3,W5,E3,E8,A1"
    assert athanor("compound", cards, "--proof", path).exit_code == 0
    assert check(json.loads(path.read_text()))
    path.unlink()
    for asked, reason in (
        (("compound", cards, "--must", "F8"), "of all cards"),
        (
            (
                "analyze",
                "kirin direction=ascending hands=D1/D2/D3/D4 declared=B1,B2,B3,B4 leader=0",
                "--model",
                "maxn",
            ),
            "paranoid",
        ),
    ):
        result = athanor(*asked, "--proof", path)
        assert result.exit_code == 1
        assert "no certificate: " in result.stderr
        assert reason in result.stderr
        assert not path.exists()
    assert athanor("analyze", position, "--proof", tmp_path / "no" / "proof.json").exit_code == 2


def test_a_position_is_played_on_and_seen(athanor: Run) -> None:
    deal = athanor("deal", "kirin", "--seed", "3").stdout
    first = json.loads(athanor("moves", "-", "--json", stdin=deal).stdout)
    assert first["to_move"] == 0
    later = athanor("after", "-", first["legal_moves"][0], stdin=deal)
    assert json.loads(later.stdout)["trick"] == first["legal_moves"][:1]
    seen = athanor("view", "-", "--seat", "2", stdin=later.stdout)
    told = athanor("moves", "-", stdin=seen.stdout).stdout.splitlines()
    assert told[0] == "What seat 1 could do:"
    assert len(told) > 9
    legal = athanor("moves", "-", stdin=deal).stdout.splitlines()
    assert legal[0] == "Seat 0 is to move. Its moves:"
    assert [line.strip() for line in legal[1:]] == first["legal_moves"]


def test_wrong_moves_are_refused(athanor: Run) -> None:
    found = athanor("after", "-", "9+9=2", stdin=json.dumps(WON))
    assert found.exit_code == 2
    assert "moves[0]" in found.stderr
    found = athanor("after", "-", "1:none", "none", stdin=json.dumps(DUEL))
    assert found.exit_code == 2
    assert "Which card do you draw?" in found.stderr


def test_a_line_before_moves_needs_no_quotes(athanor: Run) -> None:
    line = "alchemy duel line=2,4,5,10,J,J hand=4 opponent_hand=8"
    for words in (line.split(), [line]):
        found = athanor("after", *words, "1:J+8=4+5+10", "--text")
        assert found.stdout == f"{line} grabbed=1:8+J=4+5+10\n"
    both = athanor("moves", line).stdout.splitlines()
    assert both[0] == "Seat 0 is to move. Its moves:"
    assert "Before that, there could be:" in both
    assert "  1:8+2=10" in both
    assert "Missing argument" in athanor("after", *line.split()).stderr


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
        ("round\n", "round\nQ9\n", "round 1, move 1"),
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
        "hnad", "seat", "declared",
    ]  # fmt: skip
