"""Decks of the user's own: dropped on the page, chosen, and dealt from."""

from __future__ import annotations

import json
import re
import tomllib
from importlib import resources

from playwright.sync_api import expect

from tests.page.conftest import Visit
from tests.page.support import phone

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
    opened.get_by_text("These are Athanor’s cards. Use mine").tap()
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
