"""From a deal to a book of puzzles: every game, by what is typed in a terminal."""

from __future__ import annotations

import tomllib
from itertools import cycle

import pytest

from solver.language import LANGUAGES
from tests.journeys.people import Person
from tests.journeys.table import GAMES, REFUSED, ROWS, Row

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
