"""A duel at a real table: who was first, and hints that look beyond one exchange."""

from __future__ import annotations

import json
import re

import pytest
from playwright.sync_api import expect

from tests.page.conftest import Visit
from tests.page.support import PATIENCE, Held, at, by_nodes, go, phone
from tests.page.tables import DUEL, take

PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True}


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
    expect(page.get_by_text("44 cards in the stock")).to_be_visible()
    take(page, "8", "3")  # J=3+8
    expect(hint).to_be_visible()
    expect(page.locator(".zone-line .card")).to_have_count(4)
    expect(page.get_by_role("region", name="Opponent", exact=True)).to_contain_text("3 points this round")
    expect(page.get_by_role("button", name="Opponent was first")).to_have_count(0)
    assert "grabbed=1:J=3+8" in asked[-1]["position"]
    page.get_by_role("button", name="Undo").tap()
    expect(page.locator(".zone-line .card")).to_have_count(6)
    page.get_by_role("button", name="Opponent was first").tap()
    page.get_by_text("Something else was played").click()
    page.get_by_label("Or type the move").fill("J=8+3")
    page.get_by_label("Or type the move").press("Enter")
    expect(page.locator(".zone-line .card")).to_have_count(4)
    page.get_by_role("button", name="Show more of the open tab").tap()
    page.get_by_role("button", name="Show only the table").tap()
    expect(page.locator(".panel-side.down")).to_be_visible()
    take(page, "9", "5", "4", left="4")  # 10+4=5+9
    question = page.locator(".observing h2")
    expect(question).to_have_text("Which is card 2 of 6 in the line?")
    expect(question).to_be_in_viewport()  # a question brings its sheet up
    expect(page.locator(".zone-line .card")).to_have_count(1)  # what was taken lies there no more
    own = page.get_by_role("region", name="You", exact=True)
    expect(own).to_contain_text("4 points this round")  # at once
    expect(page.get_by_role("button", name="No match")).to_have_count(0)

    places, given = page.locator(".given .slot"), page.locator(".given [data-card]")
    expect(places).to_have_count(7)
    expect(page.locator(".given .slot-seat:not(:empty)")).to_have_text(["Line", "You", "Opponent"])
    first = page.locator(".palette .card").first
    before = first.bounding_box()
    for card in "22367":
        page.locator(f".palette [data-card='{card}']").tap()
    expect(question).to_have_text("Which card do you draw?")
    page.reload()  # what was told is kept
    expect(question).to_have_text("Which card do you draw?")
    expect(given).to_have_count(5)
    given.nth(1).tap()
    expect(question).to_have_text("Which card instead of 2?")
    page.locator(".palette [data-card='K']").tap()
    expect(given.nth(1)).to_have_attribute("data-card", "K")  # and the others stay
    expect(question).to_have_text("Which card do you draw?")
    assert first.bounding_box() == before
    for card in ("8", "9"):
        page.locator(f".palette [data-card='{card}']").tap()
    expect(hint).to_be_visible()
    expect(page.locator(".zone-line .card")).to_have_count(6)
    for left in (6, 5):  # the last card was wrong, and the one before it: the others stay
        page.get_by_role("button", name="Undo").tap()
        expect(given).to_have_count(left)
        expect(question).to_be_visible()
    expect(given.nth(1)).to_have_attribute("data-card", "K")
    expect(question).to_have_text("Which card do you draw?")
    for card in ("10", "9"):
        page.locator(f".palette [data-card='{card}']").tap()
    expect(hint).to_be_visible()
    expect(page.locator(".hand").get_by_role("img", name=re.compile("^10"))).to_be_visible()


@pytest.mark.parametrize("size", [(320, 568), (390, 844)])
def test_why_leaves_the_cards_of_the_match_in_sight(visit: Visit, size: tuple[int, int]) -> None:
    page = visit(at(DUEL, tab="hint"), **phone(*size))
    page.get_by_text("Why?").click()
    expect(page.locator(".panel-side.full")).to_be_visible()
    for card in [*page.locator(".zone-line .card").all(), page.locator(".hand .card")]:
        expect(card).to_be_in_viewport(ratio=0.9)


def test_the_points_of_both_are_those_of_the_round_before_and_are_called_the_same(visit: Visit) -> None:
    page = visit(at("alchemy duel totals=3,5 line=4,8,9,5,9,3 hand=10 opponent_hand=J unseen=2,7", tab="hint"))
    you, other = page.locator(".board .mine"), page.get_by_role("region", name="Opponent", exact=True)
    page.get_by_role("button", name="Opponent was first").click()
    take(page, "8", "3")  # J=3+8
    expect(other).to_contain_text(re.compile(r"5 points before this round\s*Won\s*3\s*3 points this round"))
    take(page, "9", "5", "4", left="4")  # 10+4=5+9
    expect(page.locator(".given .slot-seat:not(:empty)")).to_have_text(["Line"])  # no more are left
    expect(page.locator(".given .slot")).to_have_count(2)
    page.locator(".palette [data-card='2']").click()  # the only card left, 7, follows by itself
    expect(page.locator(".ranks li")).to_have_text(["Opponent8 points", "You7 points"])
    expect(page.locator(".result .reason")).to_contain_text("10+4=5+9 brings you 4 points")
    page.get_by_role("button", name="Next round").click()
    expect(page.locator(".editor")).to_be_visible()
    expect(you).to_contain_text("7 points")
    expect(other).to_contain_text("8 points")


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


def test_the_moves_of_a_review_have_the_numbers_of_the_steps(visit: Visit) -> None:
    page = visit(at("alchemy duel totals=3,5 line=4,8,9,5,9,3 hand=10 opponent_hand=J unseen=2,7", tab="hint"))
    page.get_by_role("button", name="No match").click()
    page.locator(".panel").get_by_role("button", name="No match").click()
    page.locator(".palette [data-card='2']").click()  # and 7, the only one left, by itself
    take(page, "3", "5", left="3")  # 2+3=5, after which 7 makes no match: that is a step by itself
    expect(page.locator(".steps-at")).to_have_text("4 of 4")
    page.get_by_role("button", name="Review").click()
    review = page.get_by_role("region", name="What the moves gave away")
    expect(review.locator(".figures dt").first).to_have_text("Lead", timeout=10 * PATIENCE)
    expect(review.locator(".moves .at")).to_have_text(["1", "3"])
    made = review.locator(".swap figure").first
    expect(made.locator(":scope > :first-child")).to_have_text("Chosen")  # a heading, not the next one's
    review.get_by_role("button", name="Move 1").first.click()
    expect(page.locator(".steps-at")).to_have_text("0 of 4")


def test_where_no_match_is_left_the_new_cards_are_asked_for_at_once(visit: Visit) -> None:
    page = visit(**PHONE)
    by_nodes(page, 200)
    go(page, at("alchemy duel totals=0,0 line=2,3,J,J,Q,Q hand=5 opponent_hand=4", tab="hint"))
    held = Held(page, "**/v1/check", lambda request: '"none"' in (request.post_data or ""))
    with page.expect_request(
        lambda request: request.url.endswith("/check") and '"none"' in (request.post_data or "")
    ):
        take(page, "2", "3")  # 5=2+3
    expect(page.locator(".observing")).to_have_count(0)  # nothing is asked before the new cards are
    held.let_go()
    question = page.locator(".observing h2")
    expect(question).to_have_text("Which is card 5 of 6 in the line?")
    expect(page.get_by_text("Opponent can make no match, and discards the card drawn.")).to_be_visible()
    page.locator(".observing").get_by_role("button", name="Undo").tap()  # also of what was done by itself
    expect(page.locator(".zone-line .card")).to_have_count(6)
    expect(question).to_have_count(0)


def test_a_card_that_was_turned_up_is_corrected_where_others_are_alike_and_the_round_stays(visit: Visit) -> None:
    made = "10+3=4+9;none_|_2_|_7_|_5_|_5_|_6;none;none_|_4_|_Q"
    duel = "alchemy duel totals=0,0 line=4,8,9,5,9,3 hand=10 opponent_hand=J"
    page = visit(at(duel, moves=made, at="a4", tab="hint"))
    expect(page.locator(".steps-at")).to_have_text("4 of 4")
    page.get_by_role("button", name="Change cards").click()
    page.get_by_role("button", name="Line: ").click()
    page.locator('.tray [data-card="5"]').last.click()
    page.locator('.palette [data-card="K"]').click()
    page.get_by_role("button", name="Ask for a hint").click()
    expect(page.locator(".steps-at")).to_have_text("4 of 4")
    expect(page.locator(".zone-line")).to_contain_text("K")
    expect(page.get_by_role("region", name="You", exact=True)).to_contain_text("4 points this round")
