"""Puzzles of the collection and of one's own file, answered in the browser: wrong first, then right, and kept."""

from __future__ import annotations

from playwright.sync_api import expect

from tests.api.support import FILE
from tests.page.conftest import Visit


def test_a_puzzle_of_a_dropped_file_is_solved_by_clicking(visit: Visit) -> None:
    page = visit("#~tab=puzzles")
    panel = page.get_by_role("tabpanel")
    expect(panel.get_by_role("button", name="easy").first).to_be_visible()
    file = panel.locator('input[type="file"]')
    file.set_input_files(
        {
            "name": "own.toml",
            "mimeType": "application/toml",
            "buffer": FILE.replace("First", "Mine alone").encode(),
        }
    )
    item = panel.get_by_role("button", name="Mine alone")
    expect(item.or_(panel.get_by_role("heading", name="Mine alone"))).to_be_visible()
    if item.is_visible():
        item.click()
    panel.get_by_role("button", name="It can be won").click()
    expect(panel.get_by_text("✓")).to_have_count(0)
    panel.get_by_role("button", name="It cannot").click()
    expect(panel.locator(".is-right")).to_contain_text("✓")


def test_a_best_move_of_the_collection_is_found_by_clicking_cards(visit: Visit) -> None:
    page = visit("#~tab=puzzles")
    panel = page.get_by_role("tabpanel")
    panel.get_by_label("Game").select_option("kirin")
    panel.get_by_role("button", name="Bait for the Bird").click()
    page.locator('.board button.legal[data-card="B2"]').click()
    expect(panel).to_contain_text("Try again")
    page.locator('.board button.legal[data-card="S5"]').click()
    expect(panel.locator(".is-right")).to_contain_text("Right")
    page.reload()
    panel.get_by_role("button", name="All puzzles").click()
    expect(panel.get_by_role("status")).to_contain_text("1 of ")
