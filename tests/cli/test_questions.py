"""`athanor analyze` and `athanor hint`: what they print for a person and as JSON."""

from __future__ import annotations

import json
from pathlib import Path

from puzzles.check_proof import check
from tests.cli.support import DUEL, FREE, LONG, WON, Run


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
    result = athanor("hint", "-", "--seconds", "2", stdin=view)
    assert (result.exit_code, result.stderr) == (0, "")
    for text in ("Unseen", "Why", "wins", "6=2+4"):
        assert text in result.stdout
    every = athanor("hint", "-", "--full", "--seconds", "2", stdin=view).stdout
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
