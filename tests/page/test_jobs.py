"""Every job of the page, done whole by the keyboard alone, as one who hears the page meets it.

After each key something has the focus, every card says its suit and its number, and what changed is announced.
"""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, Page, expect

import athanor
from athanor.sessions import Saved, Session, dumps
from tests.page.conftest import Visit
from tests.page.support import BAIT, ENDINGS, HURRY, OVER, asked, go, reach, walk

HAND = ["D2", "D4", "S3", "S5", "S-", "B2", "B4", "B6", "G+"]
FOCUS = "() => document.activeElement && document.activeElement !== document.body"
# The names that are spoken of cards on the table: those that a click takes, and those that only lie there.
CARDS = """[...document.querySelectorAll("main .card[aria-label]:not(.back, .empty)")]
  .filter((card) => card.checkVisibility()).map((card) => card.getAttribute("aria-label"))"""

# All that is announced from now on, and whether a sentence is among it; it and those before it are heard then.
LISTEN = """() => {
  const live = document.querySelector("[aria-live]");
  globalThis.said = [];
  new MutationObserver(() => said.push(live.textContent)).observe(live, {
    childList: true, characterData: true, subtree: true,
  });
}"""
HEARD = """(pattern) => {
  const at = said.findIndex((words) => new RegExp(pattern).test(words));
  if (at >= 0) said.splice(0, at + 1);
  return at >= 0;
}"""

ONE_STOP = """[...document.querySelectorAll('.cards, [role=radiogroup]')]
  .every((group) => group.querySelectorAll('button[tabindex="0"]').length <= 1)"""


class Keys:
    """A page in the hands of somebody who has a keyboard and hears what is said."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.panel = page.get_by_role("tabpanel")

    def press(self, *keys: str) -> None:
        for key in keys:
            self.page.keyboard.press(key)
            self.page.wait_for_function(FOCUS)

    def enter(self, wanted: Locator, key: str = "Tab") -> None:
        """Go to something and press Enter."""
        reach(self.page, wanted, key, most=120)
        self.press("Enter")

    def card(self, card: Locator) -> None:
        """Walk to a card among others, and take it."""
        walk(self.page, card)
        self.press("Enter")

    def choose(self, field: Locator, value: str) -> None:
        """Choose in a list by the arrow keys."""
        reach(self.page, field, most=120)
        self.press("Home")
        for _ in range(12):
            if field.input_value() == value:
                return
            self.press("ArrowDown")
        raise AssertionError(f"no {value}")

    def type(self, field: Locator, text: str) -> None:
        reach(self.page, field, most=120)
        self.page.keyboard.insert_text(text)

    def hears(self, pattern: str) -> None:
        """Wait for a sentence after those heard before: the next one, such as a hint, may follow at once."""
        self.page.wait_for_function(HEARD, arg=pattern)

    def reads(self, last: str, *wanted: str) -> None:
        """What a screen reader finds once a job is begun, whose `last` words are there; a group is one stop."""
        expect(self.page.get_by_role("heading", name="Which game do you play?")).to_have_count(0)
        expect(self.page.locator("main")).to_contain_text(last)
        expect(self.page.locator(":focus")).to_have_count(1)
        for _ in range(50):  # the deck may be on its way
            read = self.page.locator("main").aria_snapshot()
            missing = [one for one in wanted if one not in read]
            if not missing:
                break
            self.page.wait_for_timeout(100)
        assert missing == []
        assert self.page.evaluate(ONE_STOP)

    def cards_are_named(self, game: str) -> None:
        """Each card says its suit and its number, or its name where it has no number or no suit."""
        faces = athanor.cards(game)
        known = [
            (face.suit or "", face.name if not face.suit or face.rank in "+-T" else face.rank) for face in faces
        ]
        for _ in range(50):  # the deck may be on its way
            spoken = self.page.evaluate(CARDS)
            nameless = [said for said in spoken if not any(is_named(said, *names) for names in known)]
            if spoken and not nameless:
                return
            self.page.wait_for_timeout(100)
        raise AssertionError(f"not by their names: {nameless}")


def is_named(said: str, suit: str, word: str) -> bool:
    return suit in said and re.search(rf"\b{re.escape(word)}\b", said) is not None


def enter_a_hand(keys: Keys) -> None:
    page = keys.page
    keys.enter(page.get_by_role("radio", name="Kirin"))
    keys.enter(page.get_by_role("button", name="My hand"))
    cards = ('group "Azure Dragon"', 'button "Azure Dragon 1"')
    keys.reads("Your seat, the match", *cards, 'region "You: Hand"', 'button "Leader: You"')
    for code in HAND:
        keys.card(page.locator(f'.palette button[data-card="{code}"]'))
    keys.cards_are_named("kirin")
    expect(page.get_by_role("button", name="Ask for a hint")).to_be_focused()  # all cards are placed
    keys.press("Enter")
    keys.hears("^Hint: ")
    keys.cards_are_named("kirin")
    keys.enter(page.get_by_role("button", name="Set it aside"))
    keys.hears("Your turn|your turn")


def analyze(keys: Keys) -> None:
    page = keys.page
    keys.type(page.get_by_label("One line of text, or JSON"), ENDINGS["kirin"])
    keys.enter(page.get_by_role("button", name="Look at it"))
    expect(keys.panel.get_by_text("Searched to the end: these numbers are certain.")).to_be_visible()
    expect(keys.panel.get_by_role("columnheader").first).to_be_visible()
    keys.cards_are_named("kirin")
    keys.enter(page.get_by_role("button", name="Why not?").first)
    film = page.get_by_role("region", name="What follows, on the table")
    keys.enter(film.get_by_role("button", name="One move on"), "Shift+Tab")
    expect(film.get_by_role("status")).to_contain_text("2 of")
    keys.enter(film.get_by_role("button", name="Back to the position"))
    expect(film).to_have_count(0)


def play_a_match(keys: Keys) -> None:
    page = keys.page
    page.evaluate(HURRY)
    keys.enter(page.get_by_role("button", name=re.compile("^Play")))
    keys.reads("Begin", 'radiogroup "Game"', 'radiogroup "Opponents"', 'button "Begin"')
    keys.enter(page.get_by_role("radio", name="Kirin"))
    for name, key in (
        ("Master", "Tab"),
        ("Apprentice", "ArrowLeft"),
        ("3 rounds", "Tab"),
        ("one round", "ArrowRight"),
    ):
        keys.enter(page.get_by_role("radio", name=re.compile(f"^{name}")), key)
    keys.enter(page.get_by_role("button", name="Begin"))
    over = page.get_by_role("heading", name=OVER)
    turn = keys.panel.get_by_text("Your turn")
    hand = page.locator(".mine .hand .card")
    for left in range(9, 0, -1):
        expect(over.or_(turn)).to_be_visible()
        if over.is_visible():
            break
        if left == 9:
            keys.cards_are_named("kirin")
            keys.hears("[Yy]our turn")
        legal = hand.evaluate_all("(all) => all.findIndex((card) => card.classList.contains('legal'))")
        before = page.url
        keys.press(str(legal + 1))
        expect(page).not_to_have_url(before)
    expect(over).to_be_visible()


def try_a_hint(keys: Keys) -> None:
    keys.enter(keys.page.get_by_role("button", name="Try a hint"))
    keys.reads("Play it", 'group "Hand"', 'region "Hint"', 'button "Play it"')


def solve_a_puzzle(keys: Keys) -> None:
    page = keys.page
    keys.enter(page.get_by_role("button", name="Puzzle of the day"))
    keys.reads("Show the solution", "heading", 'button "Hint"', 'button "Show the solution"')
    go(page, asked(BAIT))
    keys.cards_are_named("kirin")
    keys.card(page.locator('.hand button.legal[data-card="B2"]'))
    keys.hears("White Tiger 2 is not it")
    expect(keys.panel.locator(".is-wrong")).to_contain_text("The best move: 4 points.")
    keys.card(page.locator('.hand button.legal[data-card="S5"]'))
    keys.hears("Correct: Vermilion Bird 5")
    before = page.url
    keys.enter(keys.panel.get_by_role("button", name="Next"))
    expect(page).not_to_have_url(before)
    expect(page.locator(".board .card.legal").first).to_be_visible()


def review_a_game(keys: Keys) -> None:
    page = keys.page
    table = Session(Saved(game="alchemy", seed=3, seconds=0.05, variant="alternative"), forced=False)
    while not table.over:
        table.play(table.round.moves()[0])
    keys.enter(page.get_by_role("button", name="Review a game"))
    keys.reads("Look at it", 'textbox "The game as text"', 'button "Look at it"')
    keys.type(page.get_by_role("textbox", name="The game as text"), dumps([table.saved]))
    keys.enter(page.get_by_role("button", name="Look at it"))
    expect(page.get_by_role("heading", name=f"You {'win' if table.won() else 'lose'}")).to_be_visible()
    keys.enter(page.get_by_role("button", name="Review"))
    keys.hears("^The review is ready: ")
    review = page.get_by_role("region", name="What the moves gave away")
    keys.enter(review.get_by_text("All moves and numbers"))
    keys.enter(review.get_by_role("button", name="Open it as the seat saw it").first)
    keys.enter(page.get_by_role("button", name="Analysis with all cards"))
    expect(page.get_by_role("tab", name="Analysis")).to_have_attribute("aria-selected", "true")
    keys.cards_are_named("alchemy")


def read_the_rules(keys: Keys) -> None:
    page = keys.page
    keys.enter(page.get_by_role("button", name="Rules"))
    keys.reads("The cards", 'combobox "Rules of"', 'heading "Kirin"')
    keys.choose(page.get_by_role("combobox", name="Rules of"), "aqua-regia")
    rules = page.get_by_role("article")
    expect(rules.get_by_role("heading", name="Aqua Regia")).to_be_visible()
    expect(rules.locator(".card")).to_have_count(16)
    expect(rules.get_by_text("A dealer who can't lead passes the deal to the left.")).to_be_visible()
    expect(rules.get_by_text("A dealer who can lead must.")).to_be_hidden()
    keys.enter(rules.get_by_text("2 rulings of ours").first)
    expect(rules.get_by_text("A dealer who can lead must.")).to_be_visible()
    keys.press("Shift+Tab", "?")
    expect(page.get_by_role("dialog")).to_contain_text("Take a move back")
    keys.press("Escape")


def join_late(keys: Keys) -> None:
    page = keys.page
    keys.enter(page.get_by_role("button", name="Mid-round"))
    keys.card(page.locator('.palette button[data-card="D2"]'))
    keys.card(page.locator('.palette button[data-card="S3"]'))
    keys.enter(page.get_by_role("button", name="Next: Set aside"))
    keys.card(page.locator('.palette button[data-card="D4"]'))
    keys.enter(page.get_by_role("radio", name="6 beats 1"))
    none = page.get_by_role("group", name="Across has no")
    keys.enter(none.get_by_role("button", name="Azure Dragon"))
    expect(none.get_by_role("button", name="Azure Dragon")).to_have_attribute("aria-pressed", "true")
    keys.enter(page.get_by_role("button", name="Ask for a hint"), "Shift+Tab")
    expect(page.get_by_role("button", name="Play it")).to_be_visible()
    keys.hears("^Hint: ")
    keys.cards_are_named("kirin")


Job = Callable[[Keys], None]
# Each job, and where it begins: mostly on the first page.
JOBS: dict[str, tuple[str, Job]] = {
    "enter a hand and get a hint": ("", enter_a_hand),
    "analyze": ("#~tab=setup", analyze),
    "play a match": ("", play_a_match),
    "try a hint": ("", try_a_hint),
    "solve a puzzle": ("", solve_a_puzzle),
    "review a game": ("", review_a_game),
    "read the rules": ("", read_the_rules),
    "join late": ("#~tab=setup", join_late),
}


@pytest.mark.parametrize("job", JOBS)
def test_a_job_is_done_by_the_keyboard_alone(visit: Visit, job: str) -> None:
    where, done = JOBS[job]
    keys = Keys(visit(where))
    expect(keys.page.locator("main button:visible").first).to_be_visible()
    keys.page.evaluate(LISTEN)
    keys.press("Tab")
    done(keys)
    keys.page.wait_for_function(FOCUS)
