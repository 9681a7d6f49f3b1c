"""The table in use: cards found by letters and numbers, sums, films, and a hint on paper."""

from __future__ import annotations

import re

from playwright.sync_api import expect

from solver.positions import text_of
from tests.page.conftest import Visit
from tests.page.support import BAIT, ENDINGS, HURRY, at, collected, go

VIEW = "kirin seat=0 hand=D2,S3,S5,S-,B2,B4,B6,G+ declared=D4 leader=0"


def test_cards_are_found_by_letters_and_played_by_numbers(revisit: Visit) -> None:
    page = revisit(at(VIEW, tab="hint"))
    expect(page.get_by_role("button", name="Play it")).to_be_visible()
    page.keyboard.press("Shift+S")
    focused = page.locator(":focus")
    expect(focused).to_have_attribute("aria-label", re.compile(r"^Vermilion Bird 3.*, 2 of 8$"))
    page.keyboard.press("s")
    expect(focused).to_have_attribute("aria-label", re.compile("^Vermilion Bird 5"))
    page.keyboard.press("g")
    expect(focused).to_have_attribute("aria-label", re.compile("^Black Tortoise ascending kirin.*, 8 of 8$"))
    page.keyboard.press("1")
    expect(page.locator(".hand .card")).to_have_count(7)
    expect(page.locator(".trick .card")).to_have_attribute("aria-label", "Azure Dragon 2")
    expect(page.locator(":focus")).to_have_count(1)
    draft = '{"game": "kirin", "seat": 0, "hand": [], "leader": 0}'
    go(page, at("", tab="setup", draft=draft))
    expect(page.get_by_role("region", name="Cards to put into place")).to_be_visible()
    page.locator("body").press("Shift+S")
    for key in ("4", "T", "-"):
        page.keyboard.press(key)
        expect(page).to_have_url(re.compile(f"S{key}"))
        expect(page.locator(":focus")).to_have_attribute("data-card", f"S{key}")


def test_a_sum_is_worked_out_on_the_table_and_one_of_too_few_cards_is_no_match(revisit: Visit) -> None:
    page = revisit(at("alchemy solo line=4,7,K,2,9,A hand=6 stock=5,Q,3,8", tab="tree"))
    sums = page.get_by_role("region", name="Your sum")
    expect(sums).not_to_contain_text("≠")  # nothing is wrong before a card is chosen
    for card in ("9", "4", "7"):
        page.locator(f'.zone-line [data-card="{card}"]').click()
    expect(sums).to_contain_text("6 ≠ 20")
    sums.get_by_role("button", name="7, right of the equals sign").click()
    expect(sums).to_contain_text("13 = 13")
    before = page.url
    sums.get_by_role("button", name="Make the match").click()
    expect(page).not_to_have_url(before)
    expect(page.locator(".steps-at")).to_have_text("1 of 1")
    go(page, at("alchemy solo line=6,7,K,2,4,A hand=6 stock=5,Q,3,8", tab="tree"))
    page.locator('.zone-line [data-card="6"]').click()  # an equal sum, of too few cards
    expect(sums).to_contain_text("a match here uses at least 3")
    expect(sums.get_by_role("button", name="Make the match")).to_have_count(0)


def test_why_not_is_shown_on_the_table_which_is_then_as_it_was(revisit: Visit) -> None:
    page = revisit(at(ENDINGS["kirin"], tab="analysis"))
    before = page.url
    page.get_by_role("button", name="Why not?").first.click()
    film = page.get_by_role("region", name="What follows, on the table")
    expect(film).to_contain_text("1 of 8")  # nothing moves by itself for those who want no motion
    hand = page.locator(".mine .hand .card")
    count = hand.count() + 1
    film.get_by_role("button", name="One move back").click()
    expect(film).to_contain_text("From here")
    expect(hand).to_have_count(count)
    film.get_by_role("button", name="Back to the position").click()
    expect(hand).to_have_count(count)
    assert page.url == before
    expect(page.locator(":focus")).to_have_count(1)


def test_a_film_covers_nothing_and_leaves_with_its_tab(revisit: Visit) -> None:
    page = revisit(at(ENDINGS["kirin"], tab="analysis"))
    why = page.get_by_role("button", name="Why not?").first
    why.click()
    film = page.get_by_role("region", name="What follows, on the table")
    expect(film).to_be_visible()
    assert why.evaluate("""(button) => {
      const { x, y, width, height } = button.getBoundingClientRect();
      return button.contains(document.elementFromPoint(x + width / 2, y + height / 2));
    }""")
    expect(page.locator(".board").get_by_role("region", name="What follows, on the table")).to_be_visible()
    page.get_by_role("tab", name="Moves tried").click()
    expect(film).to_have_count(0)
    expect(page.locator(".hand .card.legal")).to_have_count(2)


def test_a_film_runs_by_itself(visit: Visit) -> None:
    page = visit(at(ENDINGS["kirin"], tab="analysis"), reduced_motion="no-preference")
    page.get_by_role("button", name="Play it through").click()
    film = page.get_by_role("region", name="What follows, on the table")
    expect(film).to_contain_text("2 of 8")
    film.get_by_role("button", name="Pause").click()
    expect(film.get_by_role("button", name="Play on")).to_be_visible()
    page.evaluate(HURRY)
    go(page, at(text_of(collected()[BAIT].position), tab="analysis", model="paranoid"))
    page.locator("tr", has=page.get_by_label("White Tiger 2")).get_by_role("button", name="Why not?").click()
    expect(film.get_by_role("button", name="Play on")).to_be_visible()
    expect(film).to_contain_text("8 of 12")  # the end of the trick that is spoken of
    expect(film).to_contain_text(re.compile("You won it.*This trick then brings you nothing", re.S))
    film.get_by_role("button", name="One move on").click()
    expect(film).to_contain_text("9 of 12")
    expect(film).not_to_contain_text("trick then")


def test_a_printed_hint_has_its_table(visit: Visit) -> None:
    page = visit(at(VIEW, tab="hint"))
    play = page.get_by_role("button", name="Play it")
    expect(play).to_be_visible()
    page.evaluate("() => { window.print = () => { document.title = 'printed'; }; }")
    page.get_by_label("Menu").first.click()
    page.get_by_role("button", name="Print").click()
    expect(page).to_have_title("printed")
    page.emulate_media(media="print")
    expect(page.get_by_role("heading", name="Athanor")).to_be_visible()
    expect(page.get_by_text("Why?")).to_be_hidden()
    expect(page.locator(".hand .card").first).to_be_visible()
    expect(page.locator(".reason")).to_be_visible()
    expect(page.get_by_role("tab", name="Hint")).to_be_hidden()
    expect(play).to_be_hidden()
