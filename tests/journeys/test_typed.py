"""What is typed in a terminal: from a deal to a book, from a hand to a review, from a file to certificates."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
import tomllib
from itertools import cycle
from pathlib import Path

import pytest

from puzzles import check_proof
from solver.language import LANGUAGES
from tests.journeys.people import Person
from tests.journeys.real_tables import TURNED, missed_at, seen_at
from tests.journeys.table import GAMES, MISSING, QUESTIONS, REFUSED, ROWS, Row

pytestmark = pytest.mark.slow

languages = cycle(LANGUAGES)  # of printed books, which take long
FIRST_MOVES = 300 * "1\n"  # more than any round has; after the end, a line leaves


@pytest.mark.parametrize("row", ROWS, ids=str)
def test_from_a_deal_to_a_book_of_ones_own_mistakes(person: Person, row: Row) -> None:
    person.keeps("deal.txt", person.gets("deal", *row.options, "--text"))
    person.keeps("view.txt", person.gets("view", "deal.txt", "--text"))
    hint = person.gets("hint", "view.txt", "--worlds", "20", "--seed", "1")
    assert "Best" in hint

    if row.begun:
        tags = [f"[game {row.game}]", f"[seed {row.seed}]", "[rounds 1]", "[seconds 0.05]", "round"]
        person.keeps("game.json", "\n".join([*tags, *row.record.split()[: row.begun]]))
        play = ["play", "--resume", "game.json"]
    else:
        play = ["play", *row.options, "--rounds", "1", "--seconds", "0.05", "--save", "game.json"]
    by_beginners = ["play", *row.options, "--rounds", "1", "--others", "beginner", "--save", "game.json"]
    if person.wants("beginners", row, *by_beginners, lines=f"hint\n{FIRST_MOVES}") is None:
        person.gets(*play, lines=f"hint\n{FIRST_MOVES}")

    person.keeps("game.txt", person.gets("convert", "game.json"))
    assert row.game in person.gets("score", "game.txt")
    wanted = ["--nodes", row.nodes, "--seed", "1", "--seat", "0", "--html", "report.html", "--puzzles", "own.toml"]
    review = person.wants("puzzles of mistakes", row, "review", "game.txt", *wanted)
    assert "<svg" in (person.folder / "report.html").read_text(encoding="utf-8")
    if review is None:
        return

    puzzles = tomllib.loads((person.folder / "own.toml").read_text(encoding="utf-8"))["puzzle"]
    answers = "".join(f"{puzzle['solution']['best'][0]}\n" for puzzle in puzzles)
    assert len(puzzles) == 1
    assert "1 of 1 puzzle solved" in person.gets("train", "own.toml", lines=answers)
    lang = next(languages)
    book = person.prints("own.toml", lang)
    assert lang != "en" or puzzles[0]["title"] in book


def test_the_table_names_no_row_that_is_not_walked() -> None:
    """A refusal of a row that is walked, and does not happen any more, fails there."""
    walked = {*map(str, ROWS), *GAMES}
    assert not [name for refused in REFUSED.values() for name in refused if name not in walked]


@pytest.mark.parametrize("row", ROWS, ids=str)
def test_from_a_hand_to_a_review(person: Person, row: Row) -> None:
    """The companion is left in the middle and goes on; there a move is made against the rules, or told to be."""
    dealt = person.gets("deal", *row.options, "--seat", 0, "--text") if row.record else ""
    start, lines = seen_at(row, dealt)
    half = len(lines) // 2
    told = [at for at, line in enumerate(lines) if not line.startswith("draws") and not TURNED.fullmatch(line)]
    against = next(at for at in told if at >= half)
    lines[against] += " anyway"
    begun = ["watch", row.game, *start, "--seconds", "0.05", "--save", "table.json"]
    first = person.gets(*begun, lines="\n".join([*lines[:half], "quit", ""]))
    assert "athanor watch --resume table.json" in first
    assert "Best" in first
    rest = person.gets("watch", "--resume", "table.json", lines="\n".join([*lines[half:], "", ""]))
    assert "Round 1 is over." in rest
    assert "help lists the commands" not in first + rest  # nothing was refused
    scored = person.wants("score of a real table", row, "score", "table.json")
    assert scored is None or row.game in scored
    assert "Played against the rules or earlier plays:" in rest
    review = json.loads(person.gets("review", "table.json", "--nodes", row.nodes, "--json"))
    assert review["complete"]
    assert review["moves"]
    assert review["notes"]


@pytest.mark.parametrize("row", MISSING, ids=str)
def test_from_a_missed_card_to_a_review(person: Person, row: Row) -> None:
    """The companion asks what can be seen of it, goes on with half a memory, and reviews what it knows."""
    start, lines = missed_at(row)
    begun = ["watch", row.game, *start, "--seconds", "0.05", "--save", "table.json"]
    told = person.gets(*begun, lines="\n".join([*lines, "", ""]))
    assert "Round 1 is over." in told
    assert "help lists the commands" not in told  # nothing was refused
    person.wants("score of a real table", row.game, "score", "table.json")
    review = json.loads(person.gets("review", "table.json", "--nodes", row.nodes, "--json"))
    assert review["moves"]


CHECKER = Path(check_proof.__file__)


def spoiled(value: re.Match[str]) -> str:
    """Another value than the true one."""
    return "value = " + {'"won"': '"lost"', '"lost"': '"won"'}.get(value[1], "99")


@pytest.mark.parametrize(("game", "ask"), QUESTIONS)
def test_from_a_file_to_a_certificate(person: Person, game: str, ask: str) -> None:
    """A file with a puzzle, and the same puzzle with a wrong value: both certificates prove the true one."""
    question = ["--ask", ask] if ask else []
    person.gets("generate", game, *question, "--out", "new.toml", "--count", 1, "--jobs", 1, "--nodes", 20_000)
    new = (person.folder / "new.toml").read_text(encoding="utf-8")
    wrong = re.sub(r'value = (-?\d+|"\w+")(, winnable = \w+)?', spoiled, new.replace('id = "', 'id = "wrong-'))
    person.keeps("file.toml", f"{new}\n{wrong}")
    solved = person.types("solve", "file.toml", "--proofs", "proofs", "--jobs", 1, code=1)
    assert "1 confirmed, 1 refuted" in solved.stdout.replace(" and", ",")

    refusal = REFUSED["certificate"].get(f"{game} {ask}".strip())
    certificates = sorted((person.folder / "proofs").iterdir())
    if refusal is not None:
        assert refusal in solved.stderr
        assert not certificates
        return
    # Who checks them has the checker alone, and a Python without anything else.
    checker = person.folder / "checker"
    checker.mkdir()
    shutil.copy(CHECKER, checker)
    shutil.copytree(CHECKER.with_name("plain"), checker / "plain")
    command = [sys.executable, "-I", "-S", *map(str, [checker / CHECKER.name, *certificates])]
    checked = subprocess.run(command, capture_output=True, text=True, check=True, cwd=person.folder)
    assert len(certificates) == len(re.findall(r": proved \(\d+ nodes\)", checked.stdout)) == 2
