"""The page on phones, in light and dark, and for those who want no motion."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import expect

from tests.page.conftest import Visit
from tests.page.support import ENDINGS, at, dealt

TABS = ("setup", "hint", "analysis", "tree", "rules")


@pytest.mark.parametrize("width", [320, 375])
@pytest.mark.parametrize("name", ["king", "aqua-regia"])
def test_nothing_is_wider_than_a_phone(visit: Visit, width: int, name: str) -> None:
    page = visit(at(dealt(name, seat=0)), viewport={"width": width, "height": 700}, has_touch=True, is_mobile=True)
    for tab in TABS:
        page.locator(f"#tab-{tab}").click()
        expect(page.locator(f"#tab-{tab}")).to_have_attribute("aria-selected", "true")
        expect(page.get_by_role("tabpanel").locator("*").first).to_be_visible()
        assert page.evaluate("document.documentElement.scrollWidth") <= width, tab


def test_the_visitor_chooses_between_light_and_dark(visit: Visit) -> None:
    page = visit("", color_scheme="dark")
    paper = "getComputedStyle(document.documentElement).backgroundColor"
    expect(page.get_by_role("heading", name="What shall I play?")).to_be_visible()
    dark = page.evaluate(paper)
    page.get_by_label("Light or dark").select_option("light")
    light = page.evaluate(paper)
    assert light != dark
    page.reload()
    expect(page.get_by_label("Light or dark")).to_have_value("light")
    assert page.evaluate(paper) == light


@pytest.mark.parametrize("motion", ["reduce", "no-preference"])
def test_nothing_moves_for_those_who_want_no_motion(visit: Visit, motion: Any) -> None:
    page = visit(at(ENDINGS["kirin"], tab="tree"), reduced_motion=motion)
    card = page.locator(".board button.card").first
    moves = card.evaluate("(found) => parseFloat(getComputedStyle(found).transitionDuration) > 0.01")
    assert moves is (motion == "no-preference")
