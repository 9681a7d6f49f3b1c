"""What others did at a table that is followed: cards chosen from fixed places, and moves without a choice."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.page.conftest import Visit
from tests.page.support import at, go, phone
from tests.page.tables import KIRIN as ROW
from tests.page.tables import followed

KING = (
    "king seat=0 hand=F9,W3,W4,W9,W11,E3,E7,A1,A2,A4,A5,A8,A10,A11 pick=T1,T2,F1 removed=F5,E1,E6,A6,T5 leader=1"
)
KIRIN = "kirin seat=0 hand=D1,D3,D-,S1,S5,ST,B1,G2 declared=GT leader=1"
ACID = "aqua-regia players=3 seat=0 hand=Li,Ca,Na,Mg,Al,Zn,Fe,Ni,Sn,Pb turn=1"
# Without the lift of one that is chosen.
PLACES = """(cards) => cards.map((card) => {
  const { x, y, height } = card.closest(".palette").getBoundingClientRect();
  const { offsetLeft: left, offsetTop: top, offsetWidth: width } = card;
  return [card.dataset.card, x, y, height, left, top, width].join(" ");
})"""


def palette(page: Page) -> Locator:
    return page.locator(".observing .palette")


def places(page: Page) -> Any:
    return palette(page).locator("[data-card]").evaluate_all(PLACES)


def asked(page: Page, seat: str) -> None:
    expect(page.get_by_role("heading", name=f"What did {seat} do?")).to_be_visible()


def card(page: Page, code: str) -> Locator:
    return page.locator(f'.observing [data-card="{code}"]')


@pytest.mark.parametrize(
    ("line", "deeds", "played", "why"),
    [
        (KING, (("Left", "E8"), ("Right", "")), 50, ("E7", "it is in your hand")),
        (KIRIN, (("Left", "S4"), ("Across", "S6"), ("Right", "")), 36, ("S6", "where everybody sees it")),
        (ACID, (("Left", "K"), ("Right", "Played")), 16, ("Li", "not stronger")),
    ],
)
@pytest.mark.parametrize(("width", "height"), [(320, 568), (1280, 800)])
def test_the_cards_that_were_played_are_chosen_from_fixed_places(
    revisit: Visit, line: str, deeds: Any, played: int, why: tuple[str, str], width: int, height: int
) -> None:
    """From turn to turn, and while it is said why one of them can't be."""
    size = {"viewport": {"width": width, "height": height}}
    page = revisit(at(line, tab="hint"), **(phone(width, height) if width < height else size))
    before = None
    for seat, wanted in deeds:
        asked(page, seat)
        if wanted == "Played":
            page.get_by_role("button", name="Played").click()
        expect(palette(page).locator("[data-card]")).to_have_count(played)
        now = places(page)
        assert before in (None, now)
        before = now
        if wanted and wanted != "Played":
            card(page, wanted).click()
        if wanted == "K":  # one or two of them
            move = page.locator(".observing .chosen .move-button").first
            move.wait_for()
            assert places(page) == before
            move.click()
    code, reason = why
    grey = card(page, code)
    expect(grey).to_have_attribute("aria-disabled", "true")
    grey.dispatch_event("click")
    expect(page.locator(".observing .other")).to_contain_text(reason)
    if width > height:  # on the smallest phone there is no room for it without scrolling
        assert places(page) == before


def test_what_comes_under_a_finger_can_not_be_hit_at_once(revisit: Visit) -> None:
    page = revisit(at(KIRIN.replace("leader=1", "leader=0"), tab="hint"), **phone())
    guarded = """(moves) => new Promise((done) => new MutationObserver((_, all) => {
      const one = document.querySelector(".observing");
      if (!one) return;
      all.disconnect();
      const early = getComputedStyle(one).pointerEvents;
      Promise.all(one.getAnimations().map(({ finished }) => finished)).then((ended) =>
        done([early, getComputedStyle(one).pointerEvents, ended[0].effect.getTiming().duration]));
    }).observe(document.body, { childList: true, subtree: true }) ?? (location.hash += moves))"""
    assert page.evaluate(guarded, "&~moves=D1&~at=a1") == ["none", "auto", 350]


def test_what_can_only_be_taken_is_taken_and_undone_with_the_card_before(revisit: Visit) -> None:
    page = revisit(at(KING, tab="hint", moves="E8;E2", at="a2"))
    expect(page.locator(".answer")).to_be_visible()
    page.locator('.hand [data-card="E7"]').click()
    asked(page, "Left")  # who takes E2 and E7, since nobody else can be given a card
    expect(page).to_have_url(re.compile(r"E7_(\||%7C)_take"))
    page.get_by_role("button", name="Undo").first.click()
    expect(page.locator('.hand [data-card="E7"]')).to_be_visible()
    expect(page.locator(".answer")).to_be_visible()


def test_it_is_said_how_many_tricks_are_left(revisit: Visit) -> None:
    """Where there is little room, only that a trick is the last one."""
    page = revisit(followed(ROW, less=7))
    left = page.locator(".asides .left")
    expect(left).to_have_text("2 tricks to go")
    page.set_viewport_size({"width": 360, "height": 740})
    expect(left).to_have_count(0)
    go(page, followed(ROW, less=3))
    expect(left).to_have_text("The last trick")
