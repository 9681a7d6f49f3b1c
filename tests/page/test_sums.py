"""Sum puzzles of any size in the browser: what is proved meanwhile, and the first of many matches."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from tests.page.conftest import Visit
from tests.page.support import at, dealt, go

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
    panel.get_by_role("button", name=re.compile("60 of [0-9,]+ are shown")).click()
    expect(rows).to_have_count(120)
    go(page, at(NONE, tab="analysis"))
    expect(panel.get_by_text("There is no such match.")).to_be_visible()


def test_why_an_equal_card_is_no_match_is_said(revisit: Visit) -> None:
    page = revisit(at("alchemy solo line=2,3,8,10 hand=8 cap=4", tab="hint"))
    expect(page.get_by_text("No match can be made")).to_be_visible()
    expect(page.get_by_text("8=8 uses 1 of the line's cards; a match here uses at least 3")).to_be_visible()
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


def test_an_analysis_values_discards_on_their_cards_and_lights_one_match(revisit: Visit) -> None:
    page = revisit(at("alchemy solo line=2,3,8,10 hand=8 stock=5,Q,3,8,9,4", tab="analysis"))
    line = page.locator(".board .zone-line .card")
    expect(line.locator(".card-mark")).to_have_text(
        ["lost, one left", "lost, 5 left", "lost, one left", "lost, 5 left"]
    )
    go(page, at("alchemy duel line=2,4,5,10,J,J hand=4 opponent_hand=8", tab="analysis"))
    expect(page.locator("table.moves tr.is-best")).to_have_count(2)
    expect(page.locator(".board .zone-line .card.best")).to_have_count(5)  # of the first one


def test_an_exchange_in_which_one_player_has_moved_leads_to_the_hint(revisit: Visit) -> None:
    duel = "alchemy duel line=A,4,8,10,J,Q hand=6 opponent_hand=Q pile=2,4,4,5,10,J grabbed="
    page = revisit(at(f"{duel}1:Q=A+J", tab="analysis"))
    expect(page.get_by_text("One player has already moved in this exchange")).to_be_visible()
    page.get_by_role("button", name="Ask for a hint").click()
    expect(page.get_by_role("tabpanel").get_by_role("button", name="Make it")).to_be_visible()
    go(page, at(f"{duel}0:6+4=10", tab="hint"))
    expect(page.get_by_role("heading", name="What did Opponent do?")).to_be_visible()
    expect(page.locator(".sums output")).to_have_text("12 = ?")  # with the opponent's card


def test_a_card_of_a_duel_looked_at_closer_says_what_it_counts_and_scores(revisit: Visit) -> None:
    page = revisit(at("alchemy duel line=2,4,6,9,J,K hand=7 opponent_hand=5", tab="hint"))
    page.locator(".zone-line").get_by_role("button", name="King").hover()
    expect(page.locator(".closer p")).to_have_text(["2 points.", "Counts 13."])
    expect(page.locator(".mine .hand").get_by_role("button")).to_have_count(0)  # it is part of every match


def test_how_sure_the_hint_of_a_solitaire_is_is_said_of_level_moves_too(revisit: Visit) -> None:
    page = revisit(at("alchemy solo line=2,3,8,10 hand=8 cap=4", tab="hint"))
    expect(page.locator(".answer .sure")).to_contain_text("Too close to call")


@pytest.mark.parametrize(("width", "height"), [(320, 568), (740, 360)])
def test_the_last_column_of_a_duels_moves_is_in_sight(revisit: Visit, width: int, height: int) -> None:
    small = {"viewport": {"width": width, "height": height}, "has_touch": True, "is_mobile": True}
    page = revisit(at(dealt("alchemy", variant="duel"), tab="analysis"), **small)
    expect(page.get_by_role("columnheader", name="Reply")).to_be_attached()
    wide, room = page.locator(".scroll").evaluate("(one) => [one.scrollWidth, one.clientWidth]")
    assert wide <= room


def test_a_sum_of_seven_cards_is_a_line_of_the_best_moves(revisit: Visit) -> None:
    page = revisit(at("alchemy solo line=A,A,2,2,3,6 hand=9 unseen=4,5,8,10", tab="hint"))
    sums = page.locator(".three .move", has=page.locator(".term:nth-child(7)"))
    expect(sums.first).to_be_visible()
    heights = "(all) => all.map((one) => one.offsetHeight - one.querySelector('.card').offsetHeight)"
    assert all(more < 4 for more in sums.evaluate_all(heights))


def test_what_the_opponent_of_a_duel_did_is_asked_once(revisit: Visit) -> None:
    page = revisit(at("alchemy duel line=2,4,6,8,10,Q hand=K opponent_hand=9 grabbed=0:none", tab="hint"))
    panel = page.get_by_role("tabpanel")
    expect(panel.get_by_text("Opponent can make no match, and discards the card drawn.")).to_be_visible()
    expect(page.get_by_role("button", name="no match")).to_have_count(1)
    go(page, at("alchemy duel line=2,3,4,5,9,7 hand=5 opponent_hand=8 grabbed=0:none", tab="hint"))
    for card in ("3", "5"):
        page.locator(f'.zone-line .legal[data-card="{card}"]').click()
    panel.get_by_role("button", name="Make the match").click()
    expect(panel.get_by_text("Which is card 5 of 6 in the line?").first).to_be_visible()


def test_no_card_is_drawn_of_an_empty_stock(revisit: Visit) -> None:
    page = revisit(at("alchemy solo line=A,2,4,7,9,K hand=6 stock=3", tab="hint"))
    expect(page.get_by_role("img", name="1 card in the stock")).to_be_visible()
    go(page, at("alchemy solo line=A,2,4,7,9,K hand=6 stock=-", tab="hint"))
    expect(page.get_by_text("0 cards in the stock")).to_be_visible()
    expect(page.locator(".felt .card.back")).to_have_count(0)


def test_no_question_has_one_answer(revisit: Visit) -> None:
    page = revisit(at("alchemy solo line=2,4,7,9,K hand=6 stock=-", tab="hint"))
    page.locator('.zone-line .legal[data-card="2"]').click()
    expect(page.locator(".chosen")).to_contain_text("1 card chosen. Which move?")
    page.locator(".chosen").get_by_role("button", name="Put back").click()
    page.locator('.zone-line .legal[data-card="7"]').click()
    expect(page.locator(".chosen .move-button")).to_have_count(1)
    expect(page.locator(".chosen")).to_contain_text("Only one move has it:")


def test_what_a_solitaire_discards_lies_there_no_more_while_cards_are_turned_up(revisit: Visit) -> None:
    page = revisit(at("alchemy solo line=2,3,8,10 hand=8 cap=4", tab="hint"))
    line = page.locator(".board .zone-line .card")
    line.and_(page.locator('[data-card="3"]')).click()
    expect(page.get_by_text("Which card do you draw?").first).to_be_visible()
    expect(line).to_have_count(3)
    expect(page.locator('.board .zone-line [data-card="3"]')).to_have_count(0)
    expect(page.get_by_role("region", name="Drawn card")).to_have_count(0)
