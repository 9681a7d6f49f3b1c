"""Decks of the user's own: dropped on the page, chosen, and dealt from."""

from __future__ import annotations

import json
import re
import tomllib
from importlib import resources

from playwright.sync_api import expect

from tests.page.conftest import Visit

DROP = """([name, text]) => {
  const data = new DataTransfer();
  data.items.add(new File([text], name));
  document.body.dispatchEvent(new DragEvent("drop", { dataTransfer: data, bubbles: true, cancelable: true }));
}"""


def test_a_deck_that_is_dropped_is_refused_in_words_or_dealt_from(visit: Visit) -> None:
    house = resources.files("solver.games.aqua_regia") / "decks" / "aqua-regia-house.toml"
    text = re.sub(r'^(name|title) = ".*"', r'\1 = "ours"', house.read_text(encoding="utf-8"), count=2, flags=re.M)
    page = visit("#~tab=rules", refused=True)
    panel = page.get_by_role("tabpanel")
    for good, ending in ((text, "toml"), (json.dumps(tomllib.loads(text)), "json")):
        page.evaluate(DROP, ["ours.toml", 'name = "ours"\n[[metal]]\nsymbol = "Li"\n'])
        expect(panel.get_by_role("alert").first).not_to_be_empty()
        page.evaluate(DROP, [f"ours.{ending}", good])
        expect(panel.get_by_role("status")).to_have_text("The deck “ours” for Aqua Regia is chosen below.")
        panel.get_by_role("button", name="Deal", exact=True).click()
        expect(page.locator(".board .hand .card").first).to_be_visible()  # who is to move depends on the deal
        assert "deck=" in page.url
