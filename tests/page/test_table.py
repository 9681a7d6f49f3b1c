"""What happens at real tables, told to the page."""

from __future__ import annotations

from playwright.sync_api import Locator, expect

from tests.page.conftest import Visit
from tests.page.test_setup import begun, place


def test_a_first_player_who_cannot_lead(revisit: Visit) -> None:
    page = begun(revisit, "aqua-regia")
    place(page, {"hand": "Ni Sn Pb Pb Cu Hg Ag Ag Pt Au"}, Locator.click)
    page.get_by_role("button", name="Go on: Left is next").click()
    board = page.locator(".board")
    expect(
        board.get_by_text("Nothing in the hand can be led in water, so the deal passes to the left.")
    ).to_be_visible()
    expect(page.get_by_role("heading", name="What did Left do?")).to_be_visible()
    expect(page.get_by_text("The round is over")).to_have_count(0)
    page.get_by_role("button", name="can't lead").click()
    expect(page.get_by_role("heading", name="What did Across do?")).to_be_visible()
    page.locator('.palette [data-card="Mg"]').click()
    expect(page.get_by_role("heading", name="What did Right do?")).to_be_visible()
    expect(board.get_by_text("can be led in")).to_have_count(0)
