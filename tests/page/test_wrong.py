"""What the page got wrong once: each stays right."""

from __future__ import annotations

import json
import re

from playwright.sync_api import Page, expect

import athanor
from solver.positions import position_data, text_of
from tests.page.conftest import Visit
from tests.page.support import at, fill, filling, go
from tests.support import places

DUEL = "alchemy duel line=2,4,6,9,J,K hand=7 opponent_hand=5"
KING = [f"{suit}{rank}" for suit in "FWEA" for rank in range(1, 12)]


def draft(**position: object) -> str:
    return at("", tab="setup", draft=json.dumps(position))


def put(page: Page, *cards: str) -> None:
    for card in cards:
        page.locator(f'.palette [data-card="{card}"]').click()


def test_the_hint_of_a_duel_tells_points_and_no_chances(visit: Visit) -> None:
    in_match = f"{DUEL} totals=40,62"
    athanor.hint(athanor.parse(in_match), seconds=2)  # the first one loads for longer than the service may search
    page = visit(at(DUEL, tab="hint"))
    hint = page.get_by_role("region", name="Hint")
    hint.get_by_text("Why?").click()
    expect(hint.get_by_role("columnheader", name="Net points")).to_be_visible()
    expect(hint).not_to_contain_text("%")
    go(page, at(in_match, tab="hint"))
    cells = hint.locator(".why td.number")
    expect(cells.first).to_contain_text(re.compile(r"%.*in this exchange"))
    chances = [re.match(r"[\d.]+", text.strip()) for text in cells.all_inner_texts()]
    _, *others = [float(chance[0]) for chance in chances if chance]
    assert others == sorted(others, reverse=True)


def test_the_frame_stays_until_a_place_is_full_and_then_goes_on(revisit: Visit) -> None:
    hand = KING[:12]
    page = revisit(draft(game="king", stage="pick", seat=0, hand=hand, removed=[], leader=0, players=3))
    for card in KING[12:14]:
        put(page, card)
        filling(page, "You: Hand")
    put(page, KING[14])
    filling(page, "Removed")
    go(page, draft(game="alchemy", variant="solo", cap=6, line=["2", "3", "4"], hand="", discarded=[]))
    filling(page, "Line")
    put(page, "5", "6")
    filling(page, "Line")
    put(page, "7")
    filling(page, "Drawn card")


def test_a_pick_is_made_once_and_the_others_are_asked_for(revisit: Visit) -> None:
    position = {"game": "king", "stage": "pick", "seat": 0, "leader": 0, "players": 3}
    position |= {"hand": KING[:15], "removed": KING[15:20]}
    page = revisit(at(text_of(athanor.parse(position)), tab="hint"))
    page.get_by_role("button", name="Pick it").click()
    turned = page.get_by_role("region", name="What did Left pick?")
    expect(turned).to_be_visible()
    expect(page.get_by_role("button", name="Pick it")).to_have_count(0)
    expect(turned.locator(".row .card")).to_have_count(1)
    expect(page.locator(".hand .card")).to_have_count(14)  # the card that was picked is not held any more
    expect(page.get_by_role("alert")).to_have_count(0)  # a question is no fault
    expect(page.locator("div.middle")).to_contain_text("What did Left pick?")
    expect(page.get_by_text("to move")).to_have_count(0)
    turned.locator('[data-card="E1"]').click()
    expect(page.get_by_role("region", name="What did Right pick?")).to_be_visible()
    page.get_by_role("button", name="Undo").click()
    expect(turned.locator(".row .card")).to_have_count(1)
    page.get_by_role("button", name="Undo").click()
    expect(page.get_by_role("button", name="Pick it")).to_be_visible()


def test_seat_0_may_have_played_the_top_cards(visit: Visit) -> None:
    position = position_data(athanor.view(athanor.deal("aqua-regia", seed=3, players=3), 1))
    position |= {"table": ["Li"], "counts": [9, 10, 10], "turn": 1}
    page = visit(draft(**position))
    expect(page.get_by_role("status").first).to_have_text("Still missing: Played the top cards")
    page.locator(".tray").get_by_role("radio", name="Right").click()
    page.get_by_role("button", name="Ask for a hint").click()
    expect(page).to_have_url(re.compile("owner=0|history="))


def test_known_cards_that_are_pasted_are_analyzed(visit: Visit) -> None:
    page = visit("#~tab=setup", refused=True)
    text = (places.ROOT / "docs" / "examples" / "king.json").read_text(encoding="utf-8")
    page.get_by_label("One line of text, or JSON").fill(text)
    page.get_by_role("button", name="Look at it").click()
    expect(page.get_by_role("tab", name="Analysis")).to_have_attribute("aria-selected", "true")
    expect(page.get_by_role("alert")).to_have_count(0)
    page.get_by_role("tab", name="Hint").click()
    expect(page.get_by_role("tabpanel")).to_contain_text("Open Analysis")
    expect(page.get_by_role("alert")).to_have_count(0)


def test_the_focus_goes_on_and_nothing_is_refused_while_a_hand_is_clicked_together(visit: Visit) -> None:
    page = visit(at("kirin seat=0 hand=D2,S3,S5,S-,B2,B4,B6,G+ declared=D4 leader=0", tab="rules"))
    refused: list[str] = []
    page.on("response", lambda found: refused.append(found.url) if found.status >= 400 else None)
    expect(page.locator(".hand .card").first).to_be_visible()  # the deck is there, which cards are drawn from
    page.get_by_role("link", name="Athanor").click()
    page.get_by_role("button", name="My hand").click()
    expect(page.locator(".palette .card").first).to_be_focused()  # the button that had the focus is gone
    put(page, "D2", "D4", "S3", "S5", "S-", "B2", "B4", "B6", "G+")
    expect(page.get_by_role("button", name="Ask for a hint")).to_be_enabled()
    assert refused == []


def test_faults_name_places_as_people_do(revisit: Visit) -> None:
    position = position_data(athanor.view(athanor.deal("aqua-regia", seed=3, players=3), 1))
    page = revisit(draft(**(position | {"counts": [0, 10, 10]})))
    faults = page.get_by_role("alert").first
    expect(faults).not_to_be_empty()
    expect(faults).not_to_contain_text("counts[")


def test_the_trick_stays_chosen_while_its_cards_are_entered(revisit: Visit) -> None:
    position = {"game": "king", "seat": 0, "hand": KING[:5], "won": [[], [], []], "removed": [], "leader": 1}
    page = revisit(draft(**position, trick=[], history=[]))
    fill(page, "Trick")
    for card in KING[20:22]:
        put(page, card)
        filling(page, "Trick")


def test_a_hint_does_not_stay_beside_the_next_question(revisit: Visit) -> None:
    page = revisit(at("kirin seat=0 hand=D2,S3,S5,S-,B2,B4,B6,G+ declared=D4 leader=0", tab="hint"))
    page.get_by_role("button", name="Play it").click()
    expect(page.get_by_role("region", name="What did Left do?")).to_be_visible()
    expect(page.locator(".reason")).to_have_count(0)
    page.locator(".choices .suit-row .card").first.click()
    expect(page.get_by_role("region", name="What did Across do?")).to_be_visible()
    expect(page.locator(".reason")).to_have_count(0)


def test_keys_of_positions_are_not_shown(visit: Visit) -> None:
    hand = ["D2", "S3", "S4", "S5", "S6", "B1", "B2", "B3"]
    kirin = {"game": "kirin", "seat": 0, "hand": hand, "declared": "D2", "leader": 0, "trick": []}
    page = visit(draft(**kirin, history=[]))
    expect(page.get_by_role("alert").first).not_to_be_empty()
    expect(page.locator(".board")).not_to_contain_text("declared")
    go(page, draft(game="kirin", seat=0, hand=[], declared="", trick=[], history=[], gone=[]))
    for place, card in (("Hand", "D2"), ("Set aside", "D4"), ("Direction", "")):
        expect(page.get_by_role("status").first).to_have_text(f"Still missing: {place}")
        expect(page.get_by_role("button", name="Ask for a hint")).to_be_disabled()
        expect(page.get_by_role("alert")).to_have_count(0)
        put(page, *card.split())
        if place == "Hand":
            fill(page, "You: Set aside")
    go(page, draft(game="alchemy", variant="free", min_line=9, line=["2", "3"], hand="5"))
    expect(page.locator(".board")).to_contain_text("Fewest cards of the line 9")
    expect(page.locator(".board")).not_to_contain_text("min_line")


def test_quick_clicks_are_moves_one_after_another(revisit: Visit) -> None:
    page = revisit(at("kirin seat=2 hand=D6,S1,S4,BT,G2,G3,G4,G+ declared=D2 leader=0", tab="hint"))
    page.locator('.observing [data-card="D5"]').wait_for()
    page.evaluate(
        "() => ['D3', 'D5'].forEach((card) => document.querySelector(`.observing [data-card=${card}]`).click())"
    )
    expect(page.get_by_role("region", name="Hint")).to_be_visible()
    expect(page.locator(".trick .card").first).to_have_attribute("aria-label", "Azure Dragon 3")
    expect(page.locator(".trick .card")).to_have_count(2)
