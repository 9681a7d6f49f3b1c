"""The page, with one service for all: rounds and matches at real tables, own decks, games of other packages."""

from __future__ import annotations

import json
import re
import tomllib
from base64 import urlsafe_b64decode
from itertools import cycle
from typing import Any

import pytest
from playwright.sync_api import Page, expect

import athanor
from athanor.sessions import Saved, Session
from solver import registry
from solver.decks import kind_of
from solver.language import LANGUAGES
from tests.journeys.clicking import anyway, begun, follow, go_on
from tests.journeys.people import Person
from tests.journeys.table import GAMES, MATCHES, ROWS, Row
from tests.page.conftest import Visit
from tests.page.support import HURRY, OVER, at, bring, dealt, go, phone
from tests.support.deck_tables import table
from tests.support.guests import EXAMPLES
from tests.support.places import ROOT

pytestmark = pytest.mark.slow

# In a window those of which no match is entered whole there, nor played; on a phone all are followed, where the
# service is deployed (`test_deployed.py`).
ENTERED = {row.game for row in MATCHES} | {*EXAMPLES}
IN_WINDOWS = [row for row in ROWS if row.game not in ENTERED and row.variant in ("", "duel")]


@pytest.mark.parametrize("row", IN_WINDOWS, ids=str)
def test_from_a_hand_to_the_end_of_its_round(visit: Visit, person: Person, row: Row) -> None:
    table, events = begun(person, row)
    page = visit(table)
    follow(page, events)
    go_on(page, row)


def test_a_card_of_an_outside_game_that_contradicts_an_earlier_play(visit: Visit) -> None:
    """Seat 1 did not follow clubs in the fourth trick, and plays one in the fifth."""
    start = "whist trump=C seat=0 hand=C3,C7,CQ,D7,H5,S6,ST,SA leader=0"
    plays = ["C3", "CT", "CA", "C5", "D5", "DJ", "D7", "D4", "DQ", "C7", "D9", "D6", "CQ", "S3", "C2", "C9", "H5"]
    page = visit(at(start, tab="hint", moves=";".join(plays), at="a17"))
    anyway(page, "CK", "in trick 4, but played")
    expect(page.get_by_role("heading", name="What did Across do?")).to_be_visible()
    expect(page.get_by_text("Which cards did they take?")).to_have_count(0)
    expect(page).to_have_url(re.compile("CK_anyway"))
    go(page, at(start, tab="hint", moves=";".join(plays[:6]), at="a6"))
    anyway(page, "C7", "you must follow with")
    expect(page.get_by_role("heading", name="What did Left do?")).to_be_visible()
    expect(page).to_have_url(re.compile("C7_anyway"))


def test_what_the_browser_kept_of_another_version_does_no_harm(visit: Visit) -> None:
    page = visit(at(dealt("kirin", seat=0), tab="hint"))
    expect(page.get_by_role("region", name="Hint")).to_be_visible()
    page.evaluate("() => { for (const key of Object.keys(localStorage)) localStorage[key] = '{\"old\":[1]}'; }")
    page.reload()
    expect(page.get_by_role("region", name="Hint")).to_be_visible()
    expect(page.locator(".hand .card").first).to_be_visible()


# Clicks on any of what others may have done, and on what the hint says at the own turns, until the round is over.
# What is clicked is seen and enabled. Returns the number of clicks.
WALK = """async (most) => {
  const place = () => location.href + document.querySelector(".observing")?.innerHTML;
  const named = (button) => button.checkVisibility() && !button.disabled && !/^Think/.test(button.textContent);
  const until = async (wanted) => {
    for (let waited = 0; waited < 2000; waited++) {
      const found = !document.querySelector("[aria-busy=true]") && wanted();
      if (found) return found;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    throw new Error(`nothing to click: ${document.body.innerText}`);
  };
  const choice = () => {
    if (document.querySelector(".panel .ranks li")) return [];
    const seen = document.querySelector(".observing");
    const own = document.querySelector(".panel [aria-label=Hint]");
    const usual = seen ? "button:not(.quiet, [aria-disabled], .given *)" : "button";
    const moves = [...(seen?.querySelectorAll(".chosen .move-button") ?? [])]; // of a card that was chosen
    const all = moves.length ? moves : ((seen ?? own)?.querySelectorAll(usual) ?? []);
    const buttons = [...all].filter(named);
    return buttons.length ? [buttons[seen ? (clicks * 7) % buttons.length : 0]] : null;
  };
  let clicks = 0;
  for (; clicks < most; clicks++) {
    const [button] = await until(choice);
    if (!button) return clicks;
    const before = place();
    button.click();
    await until(() => place() !== before);
  }
  throw new Error("the round does not end");
}"""
MOST_CLICKS = 150


def hidden(page: Page, key: str) -> Any:
    """What the address keeps in a key, such as the rounds before this one."""
    text = page.evaluate("(key) => location.hash.match(`~${key}=([^&]*)`)?.[1] ?? ''", key)
    return json.loads(urlsafe_b64decode(text + "=" * (-len(text) % 4)))


def totals(page: Page) -> dict[str, int]:
    """The standings that are shown; each seat's points are known."""
    ranks = page.locator(".ranks li")
    expect(ranks.filter(has_text="not known")).to_have_count(0)
    expect(ranks.first).to_have_text(re.compile(r"\d+ points?$"))
    found = [re.fullmatch(r"(\D+)(\d+) points?\s*", text) for text in ranks.all_text_contents()]
    return {one[1].strip(): int(one[2]) for one in found if one}


def place_hand(page: Page, hand: str) -> None:
    palette = page.get_by_role("region", name="Cards to put into place")
    for card in hand.split():
        palette.locator(f'button[data-card="{card}"]').click()
    page.locator(".placing .primary:not(.unready)").click()


@pytest.mark.parametrize("row", MATCHES, ids=str)
def test_three_rounds_entered_card_by_card(visit: Visit, row: Row) -> None:
    """The points go on from round to round, and are those of what was entered."""
    seats = row.players
    hands = [dealt(row.game, seed, seat=0, players=seats, variant=row.variant) for seed in (1, 2, 3)]
    page = visit(at(hands[0], tab="hint"))
    panel = page.get_by_role("tabpanel")
    before: dict[str, int] = {}
    for number in (1, 2, 3):
        page.evaluate(WALK, MOST_CLICKS)
        for seat in ("Left", "Across") if row.game == "kirin" else ():  # the last one has what is left
            asked = panel.get_by_role("region", name="The others' cards at the end")
            expect(asked).to_contain_text(f"Which card had {seat} set aside?")
            asked.get_by_role("button").first.click()
        now = totals(page)
        assert len(now) == seats
        assert all(now[seat] >= points for seat, points in before.items())
        if number == 2:
            panel.get_by_role("button", name="Review").click()
            expect(panel.get_by_role("region", name="What the moves gave away")).to_be_visible()
        if number == 3:
            break
        panel.get_by_role("button", name="Next round").click()
        expect(page.locator(".placing")).to_be_visible()
        rounds = hidden(page, "before")
        session = Session(Saved(game=row.game, seed=0, seconds=1, **rounds))
        assert sorted(now.values()) == sorted(map(sum, zip(*map(session.points, range(number)), strict=True)))
        view: Any = athanor.parse(hands[number])
        place_hand(page, " ".join(view.hand))
        before = now
    expect(panel.get_by_role("heading", name=OVER)).to_be_visible()
    expect(panel.get_by_role("button", name="Next round")).to_have_count(0)


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


SETS = {"whist": "C3 C7 CQ D7 H5 S6 ST SA", "hearts": "C2 C3 C7 CQ D7 DK H5 H9 HA S4 S6 ST SA"}
BROUGHT = {  # sentences that a package brings, and the page's where it brings none
    "whist": "Say which suit is trumps and who leads, then choose your cards. You play with the seat across.",
    "hearts": "ルールとリードする人を選び、配られたカードを選びます。",
}
FELT = {"whist": "#4a1c28", "hearts": "#16402f"}  # its own style, and the page's
OWN = {"whist": ("Trumps", "♥ Hearts"), "hearts": ("Shooting the moon", "no")}
# A key that stands where its sentence is missing, such as "col.move".
KEYS = re.compile(r"\b[a-z]+(?:\.[a-z-]+)+\b")
SAID = """() => document.body.innerText + [...document.querySelectorAll("[aria-label], [title]")]
  .map((one) => ` ${one.ariaLabel} ${one.title}`)"""


def says_all(page: Page) -> None:
    """No key of a sentence stands for it, and nothing is waited for."""
    assert KEYS.findall(page.evaluate(SAID)) == []
    expect(page.get_by_text("One moment …")).to_have_count(0)


def brought(name: str, locale: str, text: str) -> str:
    """What an example's package says in a language; English is what it has no other words for."""
    path = ROOT / "examples" / name / name / f"words.{locale}.toml"
    words: dict[str, str] = tomllib.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
    return words.get(text, text)


@pytest.mark.parametrize(("name", "locale"), [*zip(EXAMPLES, reversed(LANGUAGES), strict=True)])
def test_a_hand_is_set_up_card_by_card(visit: Visit, name: str, locale: str) -> None:
    """With the rules in force, which only the game's package knows, on a phone."""
    page = visit("", **phone(), locale=locale)
    page.get_by_role("radio", name=brought(name, locale, name.capitalize())).tap()
    says_all(page)
    page.locator(".job.primary").tap()
    expect(page.locator(".editor .how")).to_have_text(BROUGHT[name])
    felt = page.locator(".felt").evaluate("(felt) => getComputedStyle(felt).getPropertyValue('--felt')")
    assert felt == FELT[name]
    key, value = OWN[name]
    title = brought(name, locale, key)
    page.get_by_role("button", name=title).tap()
    page.locator(".tray .chip").filter(has_text=value if locale == "en" or "♥" in value else "いいえ").tap()
    says_all(page)
    page.locator(".spot-hand").tap()
    for card in SETS[name].split():
        page.locator(f'.palette [data-card="{card}"]').tap()
    page.locator(".placing .primary:not(.unready)").tap()
    expect(page.locator(".answer .primary")).to_be_visible()
    expect(page.locator(".in-force")).to_contain_text(title)
    expect(page.locator(".hand .card")).to_have_count(len(SETS[name].split()))
    assert page.evaluate("location.hash").count(f"{'trump=H' if name == 'whist' else 'moon=no'}") == 1
    says_all(page)


@pytest.mark.parametrize("name", EXAMPLES)
def test_a_game_is_played_to_its_review_and_its_puzzle(visit: Visit, name: str) -> None:
    page = visit(at("", tab="play"))
    page.evaluate(HURRY)
    page.get_by_role("radio", name=name.capitalize()).click()
    length, others = (page.get_by_role("radiogroup", name=name) for name in ("Length", "Opponents"))
    expect(length).to_contain_text("4 rounds")
    expect(others.get_by_role("radio")).to_have_count(2)  # its hints know one strength
    length.get_by_role("radio", name="one round").click()
    page.get_by_label("Pace").select_option("0")
    says_all(page)
    page.get_by_role("button", name="Begin").click()
    over = page.get_by_role("heading", name=OVER)
    legal = page.locator(".hand .card.legal").first
    while True:
        expect(over.or_(legal).first).to_be_visible()
        if over.is_visible():
            break
        before = page.url
        legal.click()
        page.wait_for_function("(before) => location.href !== before", arg=before)
    says_all(page)
    page.get_by_role("button", name="Review", exact=True).click()
    review = page.get_by_role("region", name="What the moves gave away")
    expect(review).to_be_visible()
    page.get_by_text("All moves and numbers").click()
    expect(review.locator("table.moves tbody tr").first).to_be_visible()
    says_all(page)


def test_a_puzzle_and_an_analysis_of_an_outside_game(visit: Visit, person: Person) -> None:
    position = "whist trump=S hands=CA,D3/C5,SK/C2,DK/D4,H9 leader=0"
    book = "".join(
        f'[[puzzle]]\nid = "{player}"\ntitle = "The ace"\nask = "best-move"\nmodel = "paranoid"\n'
        f'player = {player}\nposition = "{position}"\n'
        for player in range(3)
    )
    page = visit(at("", tab="puzzles"))
    bring(page.get_by_role("tabpanel"), person.keeps("own.toml", book))
    page.get_by_role("button", name=re.compile("No. 2 .*Whist")).click()
    expect(page.get_by_text("Your side plays against that of Left")).to_be_visible()
    page.get_by_role("button", name="Next").click()
    expect(page.get_by_text("Your partner helps you, and the other side plays against you.")).to_be_visible()
    page.get_by_role("button", name="Show the solution").click()
    expect(page.get_by_role("tabpanel")).to_contain_text("Solution:")
    says_all(page)
    go(page, at(position, tab="analysis"))
    expect(page.locator("table.moves tbody tr")).to_have_count(2)
    says_all(page)
