"""What happens at real tables, told to the page."""

from __future__ import annotations

from playwright.sync_api import Locator, expect

from tests.page.conftest import Visit
from tests.page.support import at, begun, fill, go, place


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


# Fire is led, nobody follows, and a trump wins.
UNFOLLOWED = (
    "king players=3 seat=0 leader=0 hand=F1,F2,F3,F4,W1,W2,W3,W4,E1,E2,E3,E4,A1 pick=A2,W9,W10 "
    "removed=F7,F8,F9,F10,W11 trick=F11,T5,T1"
)


def test_the_ruling_on_kings_bottom_is_named_where_it_comes_up(revisit: Visit) -> None:
    page = revisit(at(UNFOLLOWED, tab="hint"))
    note = page.locator(".board").get_by_text("Nobody followed the lead suit, so the leader is the bottom")
    expect(note).to_be_visible()
    expect(note).to_contain_text("no_bottom_when_trumped")
    go(page, at(UNFOLLOWED + " rules=no_bottom_when_trumped", tab="hint"))
    expect(note).to_have_count(0)
    go(page, at(UNFOLLOWED, tab="rules"))
    ruling = page.get_by_role("article").get_by_text(
        "when a trump wins and nobody followed, the leader is the bottom"
    )
    expect(ruling.locator("xpath=ancestor::li")).to_contain_text(
        "Some tables read it otherwise and have no bottom"
    )
    for start in ("#~tab=play", "#~tab=setup"):
        go(page, start)
        panel = page.get_by_role("tabpanel")
        panel.get_by_role("radio", name="King").click()
        option = panel.get_by_label("if nobody followed and a trump wins").first
        expect(option).to_be_visible()
    option.check()
    panel.get_by_role("button", name="My hand").click()
    expect(page.locator(".board")).to_contain_text("there is no bottom")


def test_sizes_that_follow_are_neither_asked_for_nor_contradicted(revisit: Visit) -> None:
    page = revisit("#~tab=setup")
    page.get_by_role("radio", name="Aqua Regia").click()
    page.get_by_role("button", name="Mid-round").click()
    palette = page.get_by_role("region", name="Cards to put into place")
    for card in ["Ni", "Sn", "Pb", "Cu", "Hg"]:
        palette.locator(f'button[data-card="{card}"]').click()
    fill(page, "Discard pile")
    for card in ["Li", "Li", "Li", "K", "K", "K", "Ca", "Ca", "Na", "Mg", "Mg", "Al"]:
        palette.locator(f'button[data-card="{card}"]').click()
    expect(page.get_by_role("alert")).to_have_count(0)
    page.get_by_role("tab", name="Hint").click()
    board = page.locator(".board")
    expect(
        board.get_by_text("17 cards in the stock")
    ).to_be_visible()  # 64 cards without the hand, the pile, and three hands of ten
    page.get_by_role("button", name="Change cards").click()
    fill(page, "Discard pile")
    for card in ["Zn", "Zn", "Fe"]:
        palette.locator(f'button[data-card="{card}"]').click()
    expect(page.get_by_role("alert")).to_have_count(0)
    page.get_by_role("tab", name="Hint").click()
    expect(board.get_by_text("14 cards in the stock")).to_be_visible()
