"""Sum puzzles of any size in the browser: what is proved meanwhile, and the first of many matches."""

from __future__ import annotations

import re

from playwright.sync_api import expect

from tests.page.conftest import Visit
from tests.page.support import at, go

# Its best match has 59 or 60 cards, or so much is proved within some seconds.
HARD = (
    "alchemy free min_line=57 hand=J objective=most-cards line=10,10,10,10,2,3,3,3,3,3,3,4,4,4,5,5,5,5,6,6,"
    "6,6,6,7,7,7,8,8,8,8,8,8,9,9,9,9,9,9,9,A,J,J,J,J,J,J,J,J,J,K,K,K,K,Q,Q,Q,Q,Q,Q,Q"
)
NONE = "alchemy free min_line=1 hand=A line=3"
MANY = "alchemy free min_line=1 hand=2 line=A,A,2,2,3,3,4,4,5,5,6,6,7,7"


def test_bounds_of_the_best_match_are_shown_while_it_is_searched(revisit: Visit) -> None:
    page = revisit(at(HARD, tab="setup"))
    expect(page.locator(".board .zone-line .card, .board .card")).not_to_have_count(0)
    page.get_by_role("tab", name="Analysis").click()
    page.get_by_label("Search up to").select_option("27")
    panel = page.get_by_role("tabpanel")
    expect(panel.get_by_text(re.compile(r"from 5\d to 6\d"))).to_be_visible()
    expect(panel.locator("dl.worth .card")).not_to_have_count(0)
    panel.get_by_role("button", name="Stop").click()
    expect(panel.get_by_text(re.compile(r"from 5\d to 6\d"))).to_be_visible()


def test_of_many_matches_the_first_are_drawn_and_more_on_demand_and_none_is_said(revisit: Visit) -> None:
    page = revisit(at(MANY, tab="analysis"))
    panel = page.get_by_role("tabpanel")
    expect(panel.get_by_text("exactly 1,055")).to_be_visible()
    rows = panel.locator("table.moves tbody tr")
    expect(rows).to_have_count(60)
    expect(page.locator(".card svg:empty")).to_have_count(0, timeout=2000)  # of hundreds, none waits for others
    panel.get_by_role("button", name="60 of 1,055 are shown").click()
    expect(rows).to_have_count(120)
    go(page, at(NONE, tab="analysis"))
    expect(panel.get_by_text("There is no such match.")).to_be_visible()


def test_why_an_equal_card_is_no_match_is_said(revisit: Visit) -> None:
    page = revisit(at("alchemy solo line=2,3,8,10 hand=8 cap=4", tab="hint"))
    expect(page.get_by_text("No match can be made")).to_be_visible()
    expect(page.get_by_text("'8=8' uses 1 of the line's cards; a match here uses at least 3")).to_be_visible()
    go(page, at("alchemy solo line=2,3,10,10 hand=8 cap=4", tab="hint"))
    expect(page.locator(".board .zone-line").get_by_role("button", name="8")).to_have_count(0)
    expect(page.get_by_text("No match can be made")).to_be_visible()
    expect(page.get_by_text("uses 1 of the line's cards")).to_have_count(0)


def test_the_end_of_an_exchange_is_shown_without_the_cards_that_are_turned_up(revisit: Visit) -> None:
    page = revisit(at("alchemy duel line=2,3,6,K,10,4 hand=5 opponent_hand=3", tab="analysis"))
    moves = page.locator("ol.line li")
    expect(moves).to_have_count(2)  # my match, and the opponent who makes none: each in a row
    page.get_by_role("button", name="Play it through").click()
    for shown in ("1 of 2", "2 of 2"):
        expect(page.locator(".film")).to_contain_text(shown)
        page.locator(".film").get_by_text("›").click(force=True)
