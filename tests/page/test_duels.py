"""A duel at a real table: who was first, and hints that look beyond one exchange."""

from __future__ import annotations

import json
import re

from playwright.sync_api import Page, expect

from tests.page.conftest import Visit
from tests.page.support import at, by_nodes, go

PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True}
DUEL = "alchemy duel totals=0,0 line=4,8,9,5,9,3 hand=10 opponent_hand=J"


def take(page: Page, *cards: str, left: str = "") -> None:
    """Put cards to the right of the equals sign, and one to the left, and make the match."""
    for card in cards:
        page.locator(f".zone-line .card.legal[aria-pressed=false][data-card='{card}']").first.tap()
    if left:
        page.locator(f".zone-line .card[aria-pressed=true][data-card='{left}']").tap()
    page.get_by_role("button", name="Make the match").tap()


def test_the_opponent_of_a_duel_may_be_first_and_then_the_rest_is_the_players_to_decide(visit: Visit) -> None:
    page = visit(**PHONE)
    asked = by_nodes(page, 200)
    go(page, at(DUEL, tab="hint"))
    hint = page.get_by_role("region", name="Hint", exact=True)
    expect(hint).to_be_visible()
    page.get_by_role("button", name="Opponent was first").tap()
    expect(page.get_by_role("heading", name="What did Opponent do?")).to_be_in_viewport()
    expect(hint).to_have_count(0)
    expect(page.locator(".zone-line .best")).to_have_count(0)  # the player's match is not to be entered
    page.get_by_role("button", name="Undo").tap()
    expect(hint).to_be_visible()
    page.get_by_role("button", name="Opponent was first").tap()
    take(page, "8", "3")  # J=3+8
    expect(hint).to_be_visible()
    expect(page.locator(".zone-line .card")).to_have_count(4)
    expect(page.get_by_role("region", name="Opponent", exact=True)).to_contain_text(re.compile(r"this round\s*3"))
    expect(page.get_by_role("button", name="Opponent was first")).to_have_count(0)
    assert "grabbed=1:J=3+8" in asked[-1]["position"]
    page.get_by_role("button", name="Undo").tap()
    expect(page.locator(".zone-line .card")).to_have_count(6)
    page.get_by_role("button", name="Opponent was first").tap()
    page.get_by_text("Something else was played").click()
    page.get_by_label("Or type the move").fill("J=8+3")
    page.get_by_label("Or type the move").press("Enter")
    expect(page.locator(".zone-line .card")).to_have_count(4)
    take(page, "9", "5", "4", left="4")  # 10+4=5+9
    expect(page.locator(".observing h2")).to_contain_text("turned up")


def test_hints_for_a_duel_that_is_set_up_play_for_the_race(visit: Visit) -> None:
    page = visit()
    asked = by_nodes(page, 200)
    draft = {"game": "alchemy", "variant": "duel", "totals": [0, 0], "line": [*"4A958", "10"], "hand": "7"}
    rest = {"opponent_hand": "3", "table_jokers": 0, "pile": [], "opponent_pile": []}
    go(page, at("", tab="setup", draft=json.dumps(draft | rest)))
    page.get_by_role("button", name="Ask for a hint").click()
    page.get_by_text("Why?").click()
    expect(page.get_by_text(re.compile("Estimated from"))).to_be_visible()
    assert "totals=0,0" in asked[-1]["position"]
    go(page, at("alchemy duel line=4,A,9,5,8,10 hand=7 opponent_hand=3", tab="hint"))
    expect(page.get_by_text("Exact for this exchange")).to_be_visible()
    expect(page.get_by_text("Proved, not an estimate")).to_have_count(0)
