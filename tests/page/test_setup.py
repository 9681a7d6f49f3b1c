"""Positions set up in the browser: by mouse and by keyboard in each game, as text, and from a file."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from playwright.sync_api import FilePayload, Locator, Page, expect

import athanor
from solver.positions import position_data
from tests.page.conftest import Visit
from tests.page.support import ENDINGS, TITLES, at, begun, dealt, fill, filling, go, place, reach, walk
from tests.support import places
from tests.support.games import AGAINST_OTHERS, check_rows

# What a player sees who has just been dealt a hand: cards by their place, in the order of the page.
SEEN = {
    "kirin": {"hand": "D2 D4 S3 S5 S- B2 B4 B6 G+"},
    "king": {"hand": "F3 F4 F6 W1 W8 W9 E2 E3 A2 A3 A10 T1", "removed": "W10 W11"},
    "aqua-regia": {"hand": "Li K Ca Na Na Mg Al Zn Fe Fe"},
    "alchemy": {"line": "2 4 7 9 J K", "hand": "6"},
}
check_rows(SEEN)

# Views after finished tricks, and another card that could be in the hand.
PLAYED = {
    "kirin": ("kirin seat=0 hand=D2,S3,S5,B4,B6,G+ declared=D4 history=0:B2,DT,S+,D6/1:S4,D-,D5,S-", "D3"),
    "king": (
        "king seat=0 hand=F3,F4,F6,W1,W8,E3,A2,A3,T1 pick=W9,W2,E8,E4 removed=W10,W11 "
        "history=0:E2,E9,E10,T4:take:E2:give:E10/3:A4,A10,E7,A9:take:E7,A9:give:A4",
        "F5",
    ),
    "aqua-regia": (
        "aqua-regia players=4 seat=0 hand=K,Ca,Fe,Fe,Pb "
        "history=0:Na/1:pass/2:pass/3:pass/0:Mg,Mg/1:pass:K:Na/2:pass:Li:K/3:pass/0:Zn,Zn",
        "Sn",
    ),
}
check_rows(PLAYED, AGAINST_OTHERS)

# Requests wait for a moment.
SLOWLY = """() => {
  window.quickly ??= window.fetch;
  window.fetch = async (...asked) => {
    await new Promise((done) => setTimeout(done, 300));
    return window.quickly(...asked);
  };
}"""


@pytest.mark.parametrize("name", ["king", "aqua-regia"])
def test_a_hand_is_clicked_together(revisit: Visit, name: str) -> None:
    """`test_layout` does it in Kirin, and below the keyboard in Alchemy."""
    page = begun(revisit, name)
    use = page.get_by_role("button", name="Ask for a hint")
    expect(use).to_be_disabled()
    place(page, SEEN[name], Locator.click)
    use.click()
    is_used(page, name)


def test_an_analysis_begins_with_the_cards_of_all_seats(revisit: Visit) -> None:
    page = revisit()
    page.get_by_role("radio", name="Kirin").click()
    analysis, known = page.get_by_role("tab", name="Analysis"), page.get_by_role("radio", name="All cards")
    page.get_by_role("button", name="Analyze with all cards known").click()
    expect(known).to_be_checked()
    expect(analysis).to_have_attribute("aria-selected", "true")
    page.go_back()
    page.get_by_role("button", name="My hand").click()
    place(page, {"hand": "D1 D2"}, Locator.click)
    analysis.click()
    expect(known).to_be_checked()
    expect(analysis).to_have_attribute("aria-selected", "true")
    filling(page, "Left: Hand")  # the own cards stay
    for name, title in (("alchemy", "Solitaire, stock known"), ("king", "All cards")):
        page.get_by_role("link", name="Athanor").click()
        page.get_by_role("radio", name=TITLES[name], exact=True).click()
        page.get_by_role("button", name="Analyze with all cards known").click()
        expect(page.get_by_role("radio", name=title)).to_be_checked()


def test_a_hint_that_is_not_possible_yet_says_what_it_needs(revisit: Visit) -> None:
    page = begun(revisit, "king")
    place(page, {"hand": SEEN["king"]["hand"]}, Locator.click)
    expect(page.locator(".tray")).to_contain_text("2 cards removed face up")
    page.locator(".placing .primary", has_text="Ask for a hint").dispatch_event("click")
    expect(page.locator(".placing .primary")).to_have_text("Removed: 2 to go")


def test_who_leads_is_said_above_the_button_and_changed_there(revisit: Visit) -> None:
    page = begun(revisit, "kirin")
    *most, last = SEEN["kirin"]["hand"].split()
    place(page, {"hand": " ".join(most)}, Locator.click)
    expect(page.get_by_role("button", name="That's all I hold")).to_be_visible()
    place(page, {"hand": last}, Locator.click)
    leads = page.locator(".leading")
    expect(leads).to_contain_text("You lead.")
    leads.get_by_role("button", name="Change").click()
    expect(page.get_by_role("heading", name="Who leads?")).to_be_visible()
    page.locator(".tray").get_by_role("radio", name="Across").click()
    expect(leads).to_contain_text("Across leads.")
    page.get_by_role("button", name="Ask for a hint").click()  # which card to set aside
    expect(page).to_have_url(re.compile("leader=2"))
    expect(page.get_by_role("button", name="Set it aside")).to_be_visible()


def test_the_button_says_that_another_seat_is_next(revisit: Visit) -> None:
    page = begun(revisit, "aqua-regia")
    place(page, SEEN["aqua-regia"], Locator.click)
    page.locator(".leading").get_by_role("button", name="Change").click()
    page.locator(".tray").get_by_role("radio", name="Across").click()
    page.get_by_role("button", name="Go on: Across is next").click()
    expect(page.get_by_role("heading", name="What did Across do?")).to_be_visible()


def test_a_hand_that_was_left_is_gone_on_with(revisit: Visit) -> None:
    page = begun(revisit, "kirin")
    place(page, {"hand": "D2 D4"}, Locator.click)
    page.get_by_role("link", name="Athanor").click()
    page.get_by_role("button", name="Follow my round Go on").click()
    expect(page.locator(".tray button.card")).to_have_count(2)
    page.get_by_role("button", name="Cancel").click()
    page.get_by_role("link", name="Athanor").click()
    expect(page.get_by_role("button", name="Follow my round At a real table")).to_be_visible()
    page.get_by_role("button", name="Mid-round").click()
    place(page, {"hand": "D2"}, Locator.click)
    page.get_by_role("link", name="Athanor").click()
    expect(page.get_by_role("button", name="Follow my round At a real table")).to_be_visible()
    page.get_by_role("button", name="Mid-round Go on").click()
    page.get_by_role("button", name="Start anew").click()
    expect(page).not_to_have_url(re.compile("D2"))
    page.get_by_role("button", name="Undo").click()
    expect(page).to_have_url(re.compile("D2"))
    page.get_by_role("button", name="Cancel").click()


def is_used(page: Page, name: str) -> None:
    """The cards are on the table, each in its place, and a hint is asked for."""
    expect(page.get_by_role("tab", name="Hint")).to_have_attribute("aria-selected", "true")
    assert "~draft" not in page.url
    for path, cards in SEEN[name].items():
        assert f"&{path}={cards.replace(' ', ',')}&" in page.url


def test_places_are_filled_one_after_another_with_the_keyboard(revisit: Visit) -> None:
    """`test_jobs` does it in Kirin, where one place is all."""
    page = begun(revisit, "alchemy")

    def press(card: Locator) -> None:
        walk(page, card)
        page.keyboard.press("Enter")

    place(page, SEEN["alchemy"], press)
    reach(page, page.get_by_role("button", name="Ask for a hint"), "Shift+Tab")
    page.keyboard.press("Enter")
    is_used(page, "alchemy")


def test_what_is_impossible_is_told_next_to_the_card_and_taken_back(revisit: Visit) -> None:
    position = position_data(athanor.parse(dealt("kirin", seat=0)))
    position["hand"] = [*position["hand"][:-1], "D2"]
    page = revisit(f"#~tab=setup&~draft={json.dumps(position)}")
    hand = page.get_by_role("region", name="Hand")
    expect(hand.get_by_role("alert").first).to_have_text("D2 is in Hand already")
    hand.get_by_role("button", name=re.compile("Take back")).last.click()
    expect(hand.get_by_role("alert")).to_have_count(0)
    page.reload()
    expect(hand.get_by_role("button", name=re.compile("Take back"))).to_have_count(7)
    place(page, {"hand": "D3"}, Locator.click)
    expect(hand.get_by_role("button", name=re.compile("Take back"))).to_have_count(8)


@pytest.mark.parametrize("name", PLAYED)
def test_changed_cards_are_as_many_as_the_finished_tricks_leave(revisit: Visit, name: str) -> None:
    line, other = PLAYED[name]
    page = revisit(at(line, tab="hint"))
    page.get_by_role("button", name="Change cards").click()
    page.locator(".tray button.card").first.click()
    page.locator(".placing .primary").dispatch_event("click")
    expect(page.locator(".placing .primary")).to_have_text("Hand: one to go")
    expect(page.get_by_role("button", name="That's all I hold")).to_have_count(0)
    page.locator(f'.palette [data-card="{other}"]').click()
    expect(page.locator(".elsewhere")).to_have_count(0)  # nothing that follows from the tricks is asked for
    page.locator(".placing .primary:not(.unready)").click()
    expect(page).to_have_url(re.compile(f"hand=[^&]*{other}[^&]*&.*history="))


@pytest.mark.parametrize(
    ("where", "old", "new", "wanted"),
    [
        ("You: Hand", "S5", "S6", r"&hand=D1,D3,D-,S1,S6,ST,B1,G2&declared=GT&leader=0&~.*moves=D1;D5;D6;DT;S4"),
        ("Trick", "S4", "S2", r"&hand=D1,D3,D-,S1,S5,ST,B1,G2&declared=GT&leader=0&~.*moves=D1;D5;D6;DT;S2"),
    ],
)
def test_the_steps_to_earlier_moves_stay_when_a_card_is_corrected(
    revisit: Visit, where: str, old: str, new: str, wanted: str
) -> None:
    hand = "kirin seat=0 hand=D1,D3,D-,S1,S5,ST,B1,G2 declared=GT leader=0"
    page = revisit(at(hand, tab="hint", moves="D1;D5;D6;DT;S4", at="a5"))
    expect(page.locator(".board-foot")).to_contain_text("5 of 5")
    page.get_by_role("button", name="Change cards").click()
    fill(page, where)
    page.locator(f'.tray [data-card="{old}"]').click()
    page.locator(f'.palette [data-card="{new}"]').click()
    page.get_by_role("button", name="Ask for a hint").click()
    expect(page).to_have_url(re.compile(wanted))
    expect(page.locator(".board-foot")).to_contain_text("5 of 5")


def test_what_is_wrong_elsewhere_stands_beside_the_button_and_leads_there(revisit: Visit) -> None:
    line, _ = PLAYED["kirin"]
    position = position_data(athanor.parse(line)) | {"won": [[], ["D1"], [], []]}
    page = revisit(f"#~tab=setup&~draft={json.dumps(position)}", viewport={"width": 360, "height": 740})
    wrong = page.locator(".elsewhere").get_by_role("button")
    expect(wrong).to_have_text("Left: Won: according to the history, Left has not won D1")
    expect(wrong).to_be_in_viewport(ratio=1)
    wrong.click()
    expect(page.locator(".tray")).to_have_attribute("aria-label", "Left: Won")
    expect(page.locator(".tray").get_by_role("alert")).to_contain_text("Left has not won D1")


def test_a_position_is_pasted_as_a_line_and_as_json_and_comes_in_a_file(revisit: Visit) -> None:
    line = dealt("kirin", 3, seat=2)
    page = revisit()
    page.get_by_role("button", name="Paste or set up a position").click()
    shared = page.evaluate("location.origin") + "/p/" + line.replace(" ", "&") + "#~tab=setup"
    for text in (line, json.dumps(position_data(athanor.parse(line))), shared):
        page.get_by_label("One line of text, or JSON").fill(text)
        page.get_by_role("button", name="Look at it").click()
        expect(page).to_have_url(re.compile(re.escape(at(line))))
        expect(page.locator(".board .seats")).to_contain_text("Left")
        expect(page.get_by_role("tab", name="Hint")).to_have_attribute("aria-selected", "true")
        page.get_by_role("tab", name="Set up").click()
    line = dealt("aqua-regia", 3, seat=1)
    content: FilePayload = {"name": "table.txt", "mimeType": "text/plain", "buffer": line.encode()}
    page.get_by_label("Or a file").set_input_files(content)
    expect(page).to_have_url(re.compile(re.escape(at(line))))


def test_one_who_joins_late_tells_what_is_remembered(revisit: Visit) -> None:
    page = revisit("#~tab=setup")
    page.get_by_role("radio", name="Kirin").click()
    page.get_by_role("button", name="Mid-round").click()
    expect(page.get_by_role("alert")).to_have_count(0)  # nothing is wrong before it is
    palette = page.get_by_role("region", name="Cards to put into place")
    for card in ("D2", "S3", "B2"):
        palette.locator(f'button[data-card="{card}"]').click()
    page.get_by_role("button", name="Next: Set aside").click()
    expect(page.get_by_role("heading", name="Which card did you set aside?")).to_be_visible()
    before = palette.bounding_box()
    palette.locator('button[data-card="D4"]').click()
    aside = page.locator(".spot-single .card-word")  # drawn, and not a code
    expect(aside).to_have_attribute("aria-label", "Azure Dragon 4")
    page.locator(".spot-hand").click()
    expect(page.locator(".tray h2 .hinted")).to_have_text("5 tricks are over")  # of eight cards
    page.get_by_role("button", name="Next: Direction").click()
    order = page.locator(".tray").get_by_role("radiogroup", name="Direction")  # asked for by itself
    order.get_by_role("radio", name="1 beats 6").wait_for()
    now = palette.bounding_box()
    assert before
    assert now
    assert abs(now["y"] - before["y"]) < 1  # nothing moves
    order.get_by_role("radio", name="1 beats 6").click()
    page.get_by_role("button", name="Direction: descending").click()
    order.get_by_role("radio", name="6 beats 1").click()
    none = page.get_by_role("group", name="Across has no")  # open at a desk
    for suit in ("Azure Dragon", "Black Tortoise"):
        none.get_by_role("button", name=suit).click()
        expect(none.get_by_role("button", name=suit)).to_have_attribute("aria-pressed", "true")
    page.wait_for_load_state("networkidle")
    page.evaluate(SLOWLY)
    none.get_by_role("button", name="Black Tortoise").click()  # a hint at once is not about the draft before
    expect(none.get_by_role("button", name="Black Tortoise")).to_have_attribute("aria-pressed", "false")
    expect(page.get_by_role("alert")).to_have_count(0)
    expect(page.get_by_text("Trick 6: ready for a hint.")).to_be_visible()
    page.get_by_role("button", name="Ask for a hint").click()
    expect(page).to_have_url(re.compile(r"&voids=2:D&"))
    page.evaluate("() => { window.fetch = window.quickly; }")
    expect(page.locator(".mine .note")).to_have_text(re.compile("Azure Dragon: \\? collected"))
    expect(page.get_by_role("button", name="Play it")).to_be_visible()
    page.get_by_role("button", name="Change cards").click()
    page.get_by_role("button", name="Cancel").click()
    expect(page).to_have_url(re.compile(r"&voids=2:D&.*~tab=hint"))
    page.get_by_role("button", name="Change cards").click()  # with all that was told
    expect(page.get_by_role("button", name="Direction: ascending")).to_be_visible()
    page.locator('.tray [data-card="B2"]').click()
    palette.locator('button[data-card="B3"]').click()
    page.get_by_role("button", name="Ask for a hint").click()
    expect(page).to_have_url(re.compile(r"hand=D2,S3,B3&.*&voids=2:D&"))


def test_a_round_that_has_begun_is_entered_from_the_first_page(revisit: Visit) -> None:
    page = revisit()
    page.get_by_role("radio", name=TITLES["king"], exact=True).click()
    page.get_by_role("button", name="My hand").click()
    palette = page.get_by_role("region", name="Cards to put into place")
    palette.locator('button[data-card="F3"]').click()
    page.get_by_role("radio", name="Mid-round").click()  # the hand stays
    page.get_by_role("radio", name="5", exact=True).click()
    expect(
        page.locator(".editor").get_by_role("region", name="Right", exact=True).get_by_role("button")
    ).to_be_visible()
    fill(page, "Trick")
    for card in ("A3", "A4"):
        palette.locator(f'button[data-card="{card}"]').click()
    trick = page.get_by_role("region", name="Trick")
    expect(trick.locator(".slot-seat")).to_have_text(["Far right", "Right"])  # so it is the player's turn
    expect(page.get_by_role("button", name="Led by: Far right")).to_be_visible()
    page.get_by_role("tab", name="Hint").click()  # as good as the button
    expect(page).to_have_url(re.compile("hand=F3&.*leader=3"))
    expect(page.get_by_role("button", name="Play it")).to_be_visible()


def test_alchemy_asks_first_what_is_played(revisit: Visit) -> None:
    page = begun(revisit, "alchemy")
    expect(page.get_by_role("radio", name="Solitaire", exact=True)).to_be_checked()
    page.get_by_role("radio", name="Duel").click()
    expect(page.get_by_role("button", name="Opponent: Drawn card")).to_be_visible()


def test_hands_that_are_entered_one_by_one_are_not_wrong(revisit: Visit) -> None:
    page = revisit()
    page.get_by_role("radio", name="Kirin").click()
    page.get_by_role("button", name="My hand").click()
    page.get_by_role("radio", name="All cards").click()
    for card in ("D1", "D2"):
        page.locator(f'.palette [data-card="{card}"]').click()
    expect(page.get_by_role("status").first).to_have_text("Still missing: Left: Hand")
    page.get_by_role("button", name="Next: Left: Hand").click()
    expect(page.get_by_role("button", name="Analyze")).to_be_disabled()
    for card in ("S1", "S2"):
        page.locator(f'.palette [data-card="{card}"]').click()
    filling(page, "Across: Hand")  # this one has as many cards as the first
    page.get_by_role("button", name="Undo").click()
    filling(page, "Left: Hand")
    expect(page.get_by_role("alert")).to_have_count(0)


def test_a_tab_about_a_position_says_that_there_is_none(revisit: Visit) -> None:
    page = revisit("#~tab=rules")
    page.get_by_role("tab", name="Hint").click()
    expect(page.get_by_role("tabpanel")).to_contain_text("There is no position yet")
    page.get_by_role("button", name="All cards").click()
    expect(page.locator(".editor")).to_be_visible()
    page.get_by_role("tab", name="Set up").click()  # leaves what is set up
    page.get_by_role("button", name="Deal", exact=True).click()
    expect(page.get_by_role("button", name="Play it")).to_be_visible()


def test_the_plain_address_is_the_first_page_and_goes_on_from_there(visit: Visit, site: str) -> None:
    page = visit()
    page.get_by_role("button", name="Try a hint").click()
    expect(page.get_by_role("button", name="Play it")).to_be_visible()
    last = page.url
    page.get_by_role("tab", name="Rules").click()  # a look at them is not where one was
    page.goto("about:blank")
    page.goto(site)
    page.get_by_role("button", name="Back to your table").click()
    expect(page).to_have_url(last)
    page.get_by_role("link", name="Athanor").click()
    page.get_by_role("radio", name="Alchemy", exact=True).click()
    expect(page.get_by_role("button", name="Back to your table")).to_have_count(0)
    page.get_by_role("button", name="Try a hint").click()
    expect(page.locator(".answer .primary")).to_be_visible()
    page.get_by_role("link", name="Athanor").click()
    page.get_by_role("radio", name="Kirin").click()
    go(page, "#~tab=hint")  # a tab without a position is not where one was
    go(page, at(dealt("kirin", 5, seat=0), tab="hint", puzzle="kirin-0001"))  # nor is a puzzle
    expect(page.get_by_text("A puzzle is open.")).to_be_visible()
    page.get_by_role("link", name="Athanor").click()
    page.get_by_role("button", name="Back to your table").click()
    expect(page).to_have_url(last)


def test_a_duel_is_entered_for_a_hint_and_corrected(revisit: Visit) -> None:
    page = revisit()
    page.get_by_role("radio", name="Alchemy", exact=True).click()
    page.get_by_role("button", name="Duel").click()
    expect(page.get_by_role("radio", name="Duel")).to_be_checked()
    draft = {"game": "alchemy", "variant": "duel", "line": ["2", "4", "6", "9", "J"]}
    go(page, at("", tab="setup", draft=json.dumps({**draft, "hand": "", "opponent_hand": ""})))
    tray = page.locator(".tray")
    expect(tray).to_contain_text("5/6")
    page.locator('.palette [data-card="Q"]').click()
    expect(tray).to_contain_text("Drawn card")
    page.get_by_role("button", name="Undo").click()
    expect(tray).to_contain_text("5/6")  # the place from which it was taken back
    draft = {**draft, "line": ["2", "4", "6", "9", "J", "K"]}
    go(page, at("", tab="setup", draft=json.dumps({**draft, "hand": "7", "opponent_hand": "5"})))
    page.get_by_role("button", name="Ask for a hint").click()
    expect(page.get_by_role("button", name="Make it")).to_be_visible()
    page.get_by_role("button", name="Change cards").click()
    expect(page.get_by_role("radio", name="Duel")).to_be_checked()


def test_jokers_of_a_duel_are_said_to_be_set_aside_and_what_they_ask(revisit: Visit) -> None:
    draft = {"game": "alchemy", "variant": "duel", "line": ["2", "3", "4"], "table_jokers": 0}
    left = {"hand": "", "opponent_hand": "", "pile": [], "opponent_pile": []}
    page = revisit(at("", tab="setup", draft=json.dumps(draft | left)))
    joker = page.locator('.palette [data-card="X"]')
    expect(page.locator('.palette [data-card="K"]')).to_be_visible()
    expect(joker).to_have_count(0)  # the deck has none, unless the players agree on it
    late = {"totals": [80, 0], "rules": {"house_joker": True, "two_jokers": True}}
    go(page, at("", tab="setup", draft=json.dumps(draft | left | late)))
    expect(joker).to_contain_text("×3")
    joker.click()
    joker.click()
    tray = page.locator(".tray")
    expect(
        tray.get_by_text("2 Jokers are set aside: now the cards that replace them in the line.")
    ).to_be_visible()
    expect(joker).to_contain_text("×1")
    joker.click()
    expect(joker).to_have_attribute("aria-disabled", "true")
    tray.get_by_role("button", name="Take one back").click()
    tray.get_by_role("button", name="Take one back").click()
    expect(tray.get_by_text("1 Joker is set aside")).to_be_visible()
    duel = "alchemy duel line=2,3,4,5,9,7 opponent_hand=8 table_jokers=1 hand="
    go(page, at(f"{duel}5", tab="hint"))
    board = page.locator(".board")
    expect(
        board.get_by_text("at least five cards with the drawn one, and takes the Joker too: 10 points")
    ).to_be_visible()
    expect(board.get_by_role("region", name="Jokers set aside").get_by_role("img", name="Joker")).to_have_count(1)
    go(page, at(f"{duel}X", tab="hint"))
    expect(board.get_by_text("You, with a Joker: at least 5 cards of the line.")).to_be_visible()


def test_t_chooses_the_trump_of_a_row_without_shift(revisit: Visit) -> None:
    page = begun(revisit, "kirin")
    walk(page, page.locator('.palette button[data-card="S2"]'))
    page.keyboard.press("t")
    expect(page.locator('.tray [data-card="ST"]')).to_be_visible()
    page.keyboard.press("Shift+T")  # takes it back
    expect(page.locator('.tray [data-card="ST"]')).to_have_count(0)


def test_the_small_links_of_the_first_page_keep_their_places(revisit: Visit) -> None:
    page = revisit()
    page.get_by_role("radio", name="Kirin").click()
    expect(page.get_by_role("button", name="Show me how")).to_be_visible()
    links = [page.get_by_role("button", name=name) for name in ("All puzzles", "Try a hint")]
    before = [link.bounding_box() for link in links]
    page.get_by_role("radio", name="King × Alchemy").click()
    expect(page.get_by_role("button", name="Show me how")).to_have_count(0)
    assert [link.bounding_box() for link in links] == before
    links[0].click()
    expect(page.get_by_role("tab", name="Puzzles")).to_have_attribute("aria-selected", "true")


def test_an_address_of_a_game_alone_and_of_nothing(revisit: Visit) -> None:
    page = revisit(at(ENDINGS["kirin"], tab="analysis"))
    expect(page.locator(".board[data-game=kirin] .hand .card").first).to_be_visible()
    go(page, "#nonsense")
    expect(page.get_by_text("This address is not that of a position.")).to_be_visible()
    expect(page.locator(".board")).to_have_count(0)  # the position of before has nothing to do with it
    page.get_by_role("link", name="To the first page").click()
    expect(page.get_by_role("heading", name="Which game do you play?")).to_be_visible()
    go(page, "#aqua-regia")
    expect(page.get_by_role("radio", name=TITLES["aqua-regia"], exact=True)).to_be_checked()


def test_a_hint_goes_by_the_strength_of_the_others(revisit: Visit) -> None:
    page = revisit(at(dealt("kirin", seat=0), tab="hint"))
    page.get_by_text("Settings").click()
    with page.expect_request(lambda request: '"others":"club"' in (request.post_data or "")) as asked:
        page.get_by_label("The others").select_option("club")
    assert asked.value.url.endswith("/v1/hint")
    expect(page.get_by_role("button", name="Play it")).to_be_visible()


def test_a_text_that_is_no_position_is_refused_in_words(visit: Visit) -> None:
    page = visit("#~tab=setup", refused=True)
    told = {
        "kirin hand=X9 leader=0": "X9",
        "king players=9 seat=0 hand=F1 stage=pick leader=0": "king is for 3 to 5 players",
        "hello": "This is not a position",
        '{"game":"king"': "This JSON breaks off",
    }
    for text, words in told.items():
        page.get_by_label("One line of text, or JSON").fill(text)
        page.get_by_role("button", name="Look at it").click()
        expect(page.get_by_role("tabpanel").get_by_role("alert")).to_contain_text(words)
    puzzle = (places.ROOT / "docs" / "examples" / "deny.toml").read_text(encoding="utf-8")
    page.get_by_label("One line of text, or JSON").fill(puzzle)
    page.get_by_role("button", name="Look at it").click()
    expect(page.get_by_role("tab", name="Puzzles")).to_have_attribute("aria-selected", "true")


def test_a_deal_by_its_seed_is_the_same_as_everywhere(revisit: Visit) -> None:
    page = revisit("#~tab=setup")
    page.get_by_role("radio", name="Kirin").click()
    page.get_by_label("Seed").fill("7")
    page.get_by_role("button", name="Deal", exact=True).click()
    expect(page).to_have_url(re.compile(re.escape(at(dealt("kirin", 7, seat=0)))))


def test_the_cards_to_choose_from_stay_where_they_are_when_all_is_entered(revisit: Visit) -> None:
    page = revisit("#~tab=setup", viewport={"width": 360, "height": 740})
    page.get_by_role("radio", name="King").click()
    page.get_by_role("button", name="Mid-round").click()
    card = page.locator('.palette [data-card="W5"]')
    expect(card).to_be_visible()
    expect(page.get_by_text("You lead.")).to_be_visible()
    before = card.bounding_box()
    page.locator('.palette [data-card="F3"]').click()
    expect(page.get_by_role("button", name="Ask for a hint")).to_have_attribute("aria-disabled", "false")
    assert card.bounding_box() == before


@pytest.mark.parametrize(
    ("draft", "places"),
    [
        ({"game": "king", "leader": 0, "trick": [], "removed": [], "hands": [[], [], []], "won": [[], [], []]}, 3),
        (
            {"game": "alchemy", "variant": "solo", "cap": 6, "line": [], "hand": "", "stock": [], "discarded": []},
            1,
        ),
    ],
)
def test_all_cards_may_be_dealt_instead(revisit: Visit, draft: dict[str, Any], places: int) -> None:
    page = revisit(at("", tab="setup", draft=json.dumps(draft)))
    page.get_by_role("button", name="Deal at random").click()
    expect(page.get_by_role("tab", name="Analysis")).to_have_attribute("aria-selected", "true")
    expect(page.locator(".seat, .mine, .stock-order")).to_have_count(places)
