"""Decks of the user's own: dropped on the page, chosen, and dealt from."""

from __future__ import annotations

import json
import re
import tomllib
from importlib import resources

import pytest
from playwright.sync_api import Locator, Page, expect

from solver import decks
from solver.games.king.deck import Deck
from solver.games.king.deck import house as house_deck
from solver.language import speaking, titled
from tests.page.conftest import Visit
from tests.page.support import TITLES, at, go, phone, violations
from tests.page.tables import MIDDLES

LONGEST = 4000  # letters of an address that is shared

DROP = """([name, text]) => {
  const data = new DataTransfer();
  data.items.add(new File([text], name));
  document.body.dispatchEvent(new DragEvent("drop", { dataTransfer: data, bubbles: true, cancelable: true }));
}"""


def test_a_deck_that_is_dropped_is_refused_in_words_or_dealt_from(visit: Visit) -> None:
    house = resources.files("solver.games.aqua_regia") / "decks" / "aqua-regia-house.toml"
    page = visit("#~tab=rules", refused=True)
    panel = page.get_by_role("tabpanel")
    for ending in ("toml", "json"):
        title = f"ours in {ending}"  # that the last one was chosen stays there until the next one is
        good = re.sub(
            r'^(name|title) = ".*"', rf'\1 = "{title}"', house.read_text(encoding="utf-8"), count=2, flags=re.M
        )
        if ending == "json":
            good = json.dumps(tomllib.loads(good))
        page.evaluate(DROP, ["ours.toml", 'name = "ours"\n[[metal]]\nsymbol = "Li"\n'])
        expect(panel.get_by_role("alert").first).not_to_be_empty()
        page.evaluate(DROP, [f"ours.{ending}", good])
        expect(panel.get_by_role("status")).to_have_text(f"The deck “{title}” for Aqua Regia is chosen below.")
        panel.get_by_role("button", name="Deal", exact=True).click()
        expect(page.locator(".board .hand .card").first).to_be_visible()  # who is to move depends on the deal
        assert "deck=" in page.url


def test_a_hand_is_entered_with_ones_own_cards(visit: Visit) -> None:
    """That the usual ones are Athanor's is said beside them; one's own are pasted, and all faults are listed."""
    house = (resources.files("solver.games.king") / "decks" / "king-house.toml").read_text(encoding="utf-8")
    text = re.sub(r'^(name|title) = ".*"', r'\1 = "ours"', house, count=2, flags=re.M)
    page = visit("", refused=True, **phone())
    page.get_by_role("radio", name="King").tap()
    page.get_by_role("button", name="My hand").tap()
    line = page.locator(".leading .whose")
    expect(line).to_have_text(re.compile("^Athanor’s cards. +Use mine$"))
    page.locator('.palette [data-card="F1"]').tap()
    line.get_by_role("button").tap()
    opened = page.locator(":popover-open")
    entry = opened.get_by_label("Or paste a table with a line for each card")
    for wrong in (text.replace("vp = 3\n", "vp = -3\n"), text):
        entry.fill(wrong)
        opened.get_by_role("button", name="Look at it").tap()
        if wrong != text:
            expect(opened.get_by_role("listitem").nth(1)).to_contain_text("card F2: 0 to 999 is expected, not -3")
    expect(opened.get_by_role("alert")).to_have_count(0)
    page.keyboard.press("Escape")
    expect(line).to_contain_text("Your own cards")
    expect(page.locator(".tray .card[data-card=F1]")).to_have_count(1)
    assert "%22name%22:%22ours%22" in page.url


@pytest.mark.parametrize(("lang", "start"), [("en", "My hand"), ("ja", "自分の手札")])
def test_whose_cards_they_are_is_said_on_the_narrowest_phones(revisit: Visit, lang: str, start: str) -> None:
    page = revisit("", **phone(), locale=lang)
    with speaking(lang):
        page.get_by_role("radio", name=titled(TITLES["king"])).tap()
    page.get_by_role("button", name=start).tap()
    line = page.locator(".leading")
    for width in (320, 360, 389):
        page.set_viewport_size({"width": width, "height": 568})
        expect(line.locator(".whose > span")).to_contain_text("Athanor")
        for part in line.locator("span, button").all():
            expect(part).to_be_in_viewport(ratio=1)
        assert line.evaluate("(found) => found.clientHeight") < 30  # one line, and nothing beyond it
        assert line.evaluate("(found) => found.scrollWidth <= found.clientWidth")


def test_changed_cards_are_marked_and_ones_own_are_reached_from_the_menu_and_the_rules(visit: Visit) -> None:
    page = visit()
    page.get_by_label("Menu").first.click()
    page.get_by_role("button", name=f"Your own cards: {TITLES['king']}").click()
    cards = page.get_by_role("dialog")
    state = cards.get_by_role("status").first
    expect(cards.locator(".deck-cards svg rect").first).to_be_attached()
    cards.get_by_label("provides").fill("Amber")  # which recipes list: a card of that name goes on to have it
    expect(cards.get_by_label("name", exact=True)).to_have_value("Amber")
    expect(state).to_contain_text("Its name follows: Amber.")
    expect(state).to_contain_text("1 changed from Athanor’s cards.")
    expect(cards.locator('[data-card="F1"]')).to_have_accessible_name(re.compile("changed"))
    cards.get_by_role("button", name="Done").click()
    expect(page.get_by_text(f"The deck “My cards” for {TITLES['king']} is chosen below.")).to_be_visible()
    expect(page.locator(".deck-choice")).to_have_count(1)  # for a hand and for a deal
    go(page, at(MIDDLES["king"], tab="rules"))
    page.get_by_role("button", name=f"Your own cards: {TITLES['king']}").click()
    expect(state).to_contain_text("1 changed from Athanor’s cards.")  # those that were set last


PASTE = """(text) => {
  const clipboardData = new DataTransfer();
  clipboardData.setData("text/plain", text);
  const how = { clipboardData, bubbles: true, cancelable: true };
  document.activeElement.dispatchEvent(new ClipboardEvent("paste", how));
}"""


def editor(page: Page, title: str) -> Locator:
    """Open the editor of a game's own cards, from the form of a new position."""
    page.get_by_role("radio", name=title, exact=True).click()
    choice = page.locator(".deck-choice").first
    if choice.get_attribute("open") is None:
        choice.locator("summary").click()
    choice.get_by_role("button", name=re.compile("card by card|1枚ずつ")).click()
    found = page.get_by_role("dialog")
    expect(found.locator(".deck-cards svg rect").first).to_be_attached()
    return found


def test_ones_own_cards_are_set_by_keys_and_every_fault_is_beside_its_card(revisit: Visit) -> None:
    page = revisit("#~tab=setup", permissions=["clipboard-read", "clipboard-write"])
    cards = editor(page, TITLES["king"])
    state, title = cards.get_by_role("status").first, cards.locator("h3")
    expect(cards.locator('[data-card="F1"]')).to_be_focused()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("7")
    number = cards.get_by_label("number", exact=True)
    expect(number).to_have_value("7")
    expect(state).to_contain_text("2 cards are not right yet.")
    of_changed = "the number 7 is taken by F7"
    expect(number).to_have_accessible_description(re.compile(of_changed))
    fault = "the number 7 is taken by F2"
    expect(cards.locator('[data-card="F7"]')).to_have_accessible_name(re.compile(fault))
    expect(cards.get_by_role("button", name="Save as CSV")).to_be_disabled()
    cards.get_by_role("button", name="Show it").click()
    expect(number).to_have_accessible_description(re.compile(fault))
    page.keyboard.press("Escape")  # what is unfinished is kept
    expect(cards).to_have_count(0)
    assert "own" not in page.evaluate("Object.keys(localStorage).join()")
    cards = editor(page, TITLES["king"])
    expect(state).to_contain_text("2 cards are not right yet.")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    page.keyboard.type("2")
    page.keyboard.press("Enter")  # the same of the next card
    expect(title).to_contain_text("Fire 3, Calcination")
    expect(state).to_contain_text("All 50 cards are right, and kept in this browser.")
    cards.get_by_label("points", exact=True).focus()
    page.evaluate(PASTE, "9\tQuartz\n8\n")  # points, and what the card provides
    expect(state).to_contain_text("2 cards were pasted.")
    expect(cards.get_by_label("provides")).to_have_value("Quartz")
    cards.get_by_label("needs").select_option("Quartz")
    expect(cards.get_by_role("button", name="Take out Quartz")).to_be_visible()
    cards.get_by_label("Name", exact=True).fill("Ours")
    share = cards.get_by_role("button", name="Share")
    for kind in ("CSV", "TOML"):
        with page.expect_download() as saving:
            cards.get_by_role("button", name=f"Save as {kind}").click()
        assert saving.value.suggested_filename == f"Ours.{kind.lower()}"
        _, deck, _ = decks.read(saving.value.path().read_bytes(), "Ours")
        assert isinstance(deck, Deck)
        assert deck.name == "Ours"
        wanted = house_deck().cards
        changed = [card for card, before in zip(deck.cards, wanted, strict=True) if card != before]
        assert [(card.code, card.vp, card.provides) for card in changed] == [
            ("F3", 9, "Quartz"), ("F4", 8, "Saltpetre"),
        ]  # fmt: skip
        assert changed[0].recipe is not None
        assert changed[0].recipe.needs == ("Iron", "Vitriol", "Quartz")
    share.click()
    expect(cards.get_by_text("Copied.")).to_be_visible()
    address = page.evaluate("navigator.clipboard.readText()")
    assert len(address) < LONGEST
    for _ in ("the name", "what it needs", "what was pasted"):
        cards.get_by_role("button", name="Undo").click()
    expect(cards.get_by_label("provides")).to_have_value("Calcination")
    cards.get_by_role("button", name="Done").click()
    expect(page.locator(".deck-choice").first).to_have_attribute("open", "")
    page.get_by_role("button", name="Deal", exact=True).click()
    expect(page.locator(".board .hand .card").first).to_be_visible()
    # What was shared has all, and so has a table with such cards, whose address would be too long.
    page.goto(address)
    expect(page.get_by_text("The deck “Ours” for King × Alchemy is chosen below.")).to_be_visible()
    page.get_by_role("button", name="Deal", exact=True).click()
    expect(page.locator(".board .hand .card").first).to_be_visible()
    assert len(page.url) > 2 * LONGEST
    page.get_by_role("button", name="Share").click()
    expect(page.locator("label.said")).to_have_text("Copied.")
    address, shown = page.evaluate("navigator.clipboard.readText()"), page.url
    assert len(address) < LONGEST
    go(page, "")
    page.goto(address)
    expect(page).to_have_url(re.compile(re.escape(shown)))


@pytest.mark.parametrize("name", ["king", "aqua-regia"])
def test_ones_own_cards_are_set_by_taps_on_a_phone(revisit: Visit, name: str) -> None:
    page = revisit("#~tab=setup", **phone(), locale="ja-JP")
    with speaking("ja"):
        cards = editor(page, titled(TITLES[name]))
    page.locator(".deck-cards .card").nth(4).tap()
    for width, height in ((320, 568), (360, 740), (740, 360)):
        page.set_viewport_size({"width": width, "height": height})
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        assert cards.evaluate("(found) => found.scrollWidth <= found.clientWidth")
        for part in (".deck-cards", ".deck-card"):
            assert cards.locator(part).evaluate("(found) => found.clientHeight") >= 110
        widths = cards.locator(".cell input").evaluate_all("(all) => all.map((one) => one.clientWidth)")
        assert min(widths) >= 40  # what it says is seen
    page.set_viewport_size({"width": 360, "height": 740})
    less, more = (cards.get_by_role("button", name=re.compile(words)).first for words in ("1減らす", "1増やす"))
    cell = cards.locator(".cell-number input").first
    before = int(cell.input_value())
    more.tap()
    expect(cell).to_have_value(str(before + 1))
    less.tap()
    cards.get_by_role("button", name="次のカード").tap()
    expect(cards.locator(".deck-cards .card").nth(5)).to_have_attribute("aria-pressed", "true")
    assert violations(page) == []
    page.emulate_media(color_scheme="dark")
    assert violations(page, "color-contrast") == []
    cards.get_by_role("button", name="完了").tap()
    expect(cards).to_have_count(0)
