"""What strangers may send to the page: decks, notes and addresses that try to be more than text."""

from __future__ import annotations

from urllib.parse import quote

from playwright.sync_api import expect

import athanor
from solver.common import Random
from solver.positions import text_of
from tests.page.conftest import Visit
from tests.page.support import ENDINGS, at, go
from tests.support.hard_decks import hard_deck

MARKUP = "<img src=x onerror=\"document.title='caught'\">"
NAMES = (MARKUP, "x" * 80, "&lt;script&gt;", "many words " * 7)


def test_names_of_a_strange_deck_are_text_and_stay_in_their_place(visit: Visit) -> None:
    deck = hard_deck(Random(1))
    for card, name in zip(deck["card"], NAMES, strict=False):
        card["name"] = name.strip()
    line = text_of(athanor.deal("king", seed=1, players=3, deck=deck))
    page = visit(at(line, tab="rules"), viewport={"width": 375, "height": 800})
    board = page.locator(".board")
    for name in NAMES:
        expect(board.get_by_label(name.strip()).first).to_be_attached()
    assert page.title().endswith("Athanor")
    assert page.locator("img").count() == 0
    assert page.evaluate("document.documentElement.scrollWidth") <= 375


def test_notes_in_an_address_are_text_and_one_that_means_nothing_is_told_so(visit: Visit) -> None:
    page = visit(at(ENDINGS["kirin"], tab="tree", moves=f'D1"{quote(MARKUP)}"', at="a1"), refused=True)
    expect(page.get_by_role("tabpanel")).to_be_visible()
    assert page.title().endswith("Athanor")
    assert page.locator("img").count() == 0
    go(page, f"#kirin&{quote(MARKUP)}&~tab={quote(MARKUP)}&~draft=%7B&~moves=((((;&~at=zz&~seat=99")
    expect(page.get_by_role("alert").first).not_to_be_empty()
    expect(page.get_by_role("tab", selected=True)).to_be_visible()
    assert page.locator("img").count() == 0
