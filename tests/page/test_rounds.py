"""Moves made by clicking: to the end of a round in each game, back and forward, and after a reload."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import Page, expect

import athanor
from solver.positions import text_of
from tests.page.conftest import Visit
from tests.page.support import ENDINGS, at

CARD = ".board button.card.legal"
EARLIER = {"kirin": 4, "king": 4, "aqua-regia": 1, "alchemy": 0}  # moves that are made already
LISTED = ":is(.row.bare, .chosen) .move-button"


def click_a_move(page: Page, made: int) -> None:
    """Click a card of a move, and where it goes with several, or has no card, a move of the list."""
    line = page.get_by_role("textbox", name="Copy the position's line")
    before = line.input_value()
    done = page.locator(".steps-at", has_text=re.compile(f"^{made + 1} of {made + 1}"))
    listed = page.locator(LISTED).first
    card = page.locator(CARD).first
    if card.count():
        card.click()
        expect(done.or_(listed).first).to_be_visible()
    if not done.count():
        listed.click()
    expect(done).to_be_visible()
    expect(line).not_to_have_value(before)


@pytest.mark.parametrize("name", ENDINGS)
def test_a_round_is_played_to_its_end_by_clicks(revisit: Visit, name: str) -> None:
    position: Any = athanor.parse(ENDINGS[name])
    for _ in range(EARLIER[name]):
        position = athanor.play(position, athanor.legal_moves(position)[0])
    page = revisit(at(text_of(position), tab="tree"))
    over = page.locator(".board").get_by_text("The round is over")
    goes_on = page.locator(f"{CARD}, {LISTED}")
    for made in range(20):
        expect(over.or_(goes_on).first).to_be_visible()
        if over.is_visible():
            break
        click_a_move(page, made)
    expect(over).to_be_visible()
    if name != "kirin":  # an address is one of moves, whatever they are
        return
    page.reload()
    expect(over).to_be_visible()
    page.go_back()
    expect(goes_on.first).to_be_visible()
    expect(over).to_have_count(0)
    page.go_forward()
    expect(over).to_be_visible()


def test_moves_are_taken_back_and_made_again_with_keys(revisit: Visit) -> None:
    page = revisit(at(ENDINGS["kirin"], tab="tree"))
    expect(page.locator(CARD).first).to_be_visible()
    click_a_move(page, 0)
    page.locator("body").press("[")
    expect(page.locator(".steps-at")).to_have_text("0 of 1")
    page.locator("body").press("]")
    expect(page.locator(".steps-at")).to_have_text("1 of 1")
