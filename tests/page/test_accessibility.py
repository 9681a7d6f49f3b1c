"""What axe-core finds wrong on the tabs, in light and dark: nothing. And what the keyboard meets there."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from tests.page.conftest import Visit
from tests.page.support import ENDINGS, at, reach, violations

VIEW = "kirin seat=0 hand=D2,S3,S5,S-,B2,B4,B6,G+ declared=D4 leader=0"
DRAFT = '{"game":"kirin","seat":0,"hand":["D2","D2","S3"],"declared":"","leader":0,"trick":[],"history":[]}'
PLACES = {
    "welcome": "",
    "position": "#~tab=setup",
    "draft": f"#~tab=setup&~draft={DRAFT}",
    "hint": at(VIEW, tab="hint"),
    "analysis": at(ENDINGS["king"], tab="analysis"),
    "tree": at(ENDINGS["kirin"], tab="tree", moves="D1", at="a1"),
    "rules": at(VIEW, tab="rules"),
    "play": "#~tab=play",
    "puzzles": "#~tab=puzzles",
    "aqua-regia": at(ENDINGS["aqua-regia"], tab="analysis"),
    "alchemy": at(ENDINGS["alchemy"], tab="analysis"),
}
DARK = ("draft", "hint", "tree", "rules")  # between them they have the colours of all


def settled(page: Page) -> None:
    """Wait until the cards are drawn, and until nothing is searched for any more."""
    expect(page.locator(".card svg").locator("visible=true").first).to_be_visible()
    expect(page.get_by_role("progressbar")).to_have_count(0)


@pytest.mark.parametrize("name", PLACES)
def test_axe_finds_nothing(revisit: Visit, name: str) -> None:
    page = revisit(PLACES[name])
    page.emulate_media(color_scheme="light")
    if name in ("position", "rules", "play", "puzzles"):
        expect(page.get_by_role("tabpanel")).not_to_be_empty()
    else:
        settled(page)
    assert violations(page) == []
    if name in DARK:
        page.emulate_media(color_scheme="dark")
        assert violations(page, "color-contrast") == []


@pytest.mark.parametrize(
    ("name", "trick"),
    [
        ("king", "Trick: Water 4, Tin, Fire 6, Fermentation, Fire 10, Gold"),
        ("alchemy", "Line: 4, 7, King, 2, 9, Ace"),
    ],
)
def test_the_table_is_announced_by_the_names_of_its_cards(revisit: Visit, name: str, trick: str) -> None:
    page = revisit(at(ENDINGS[name], tab="rules"))
    expect(page.locator("[aria-live]")).to_have_text(re.compile(trick))


def test_the_keyboard_finds_the_content_the_tabs_and_its_keys_and_the_focus_is_seen(visit: Visit) -> None:
    page = visit(at(VIEW, tab="hint"))
    expect(page.get_by_role("tabpanel")).to_be_visible()
    page.keyboard.press("Tab")
    expect(page.get_by_role("link", name="Skip to the content")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.get_by_role("tabpanel")).to_be_focused()
    assert page.url.endswith("~tab=hint")
    settled(page)
    for wanted in (page.locator(".board button.card").first, page.get_by_role("tab", name="Hint")):
        reach(page, wanted)
        style = "(found) => [getComputedStyle(found).outlineStyle, getComputedStyle(found).outlineWidth]"
        kind, width = wanted.evaluate(style)
        assert kind == "solid"
        assert float(width.removesuffix("px")) >= 2
    page.keyboard.press("ArrowRight")
    expect(page.get_by_role("tab", name="Hint")).to_have_attribute("aria-selected", "false")
    expect(page.get_by_role("tab", selected=True)).to_be_focused()
    page.keyboard.press("?")
    dialog = page.get_by_role("dialog")
    expect(dialog).to_contain_text("Take a move back")
    assert violations(page) == []
    page.keyboard.press("Escape")
    expect(dialog).to_be_hidden()
