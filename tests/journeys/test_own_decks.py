"""From the table of a printed deck to a hint, a game, the page and a book: every game that has such decks."""

from __future__ import annotations

import re
import tomllib
from itertools import cycle

import pytest
from playwright.sync_api import expect

from solver import registry
from solver.decks import kind_of
from solver.language import LANGUAGES
from tests.journeys.people import Person
from tests.journeys.table import GAMES, ROWS
from tests.page.conftest import Visit
from tests.page.support import at
from tests.support.deck_tables import table

pytestmark = pytest.mark.slow

languages = cycle(LANGUAGES)  # of printed books, which take long


def printed(game: str) -> str:
    """A deck as a table: the house deck, of another game where this one has none, with names of its own."""
    games = [registry.game(name) for name in (game, *registry.names()) if name in registry.names()]
    kind = next(kind for one in games if (kind := kind_of(one)) is not None)
    return table([row | {"name": f"{row['name']} of ours"} for row in kind.house.rows()])


@pytest.mark.parametrize("game", GAMES)
def test_from_a_table_to_a_book(person: Person, visit: Visit, game: str) -> None:
    row = next(row for row in ROWS if row.game == game)
    person.keeps("ours.csv", printed(game))
    deal = ["deal", *row.options, "--deck", "./ours.csv", "--text"]
    dealt = person.wants("own decks", game, *deal)
    if dealt is None:
        return
    person.gets("decks", "import", "ours.csv")
    assert "of ours" in person.gets("decks", "ours")
    person.keeps("view.txt", person.gets(*deal, "--seat", 0))
    assert "Best" in person.gets("hint", "view.txt", "--worlds", "20", "--seed", 1)
    play = ["play", *row.options, "--deck", "ours", "--rounds", 1, "--others", "beginner", "--save", "game.json"]
    person.gets(*play, lines=300 * "1\n")
    review = ["review", "game.json", "--nodes", row.nodes, "--seed", 1, "--seat", 0, "--puzzles", "own.toml"]
    person.gets(*review)
    assert len(tomllib.loads((person.folder / "own.toml").read_text(encoding="utf-8"))["puzzle"]) == 1
    assert "of ours" in person.prints("own.toml", next(languages))

    page = visit(at((person.folder / "view.txt").read_text(encoding="utf-8").strip(), tab="hint"))
    expect(page.get_by_role("region", name="Hint").or_(page.locator(".observing")).first).to_be_visible()
    expect(page.locator(".hand .card").first).to_have_attribute("aria-label", re.compile("of ours"))


@pytest.mark.parametrize("game", GAMES)
def test_puzzles_are_made_for_it(person: Person, game: str) -> None:
    person.keeps("ours.csv", printed(game))
    asked = ["generate", game, "--deck", "./ours.csv", "--seed", 3, "--count", 1, "--jobs", 1, "--out", "new.toml"]
    if person.wants("own decks", game, *asked) is None:
        return
    assert "1 confirmed" in person.gets("solve", "new.toml", "--html", "book.html")
    assert "of ours" in (person.folder / "book.html").read_text(encoding="utf-8")
