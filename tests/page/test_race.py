"""A duel as a race against the clock, which stands still unless a test moves it on."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta

from playwright.sync_api import Page, expect

from athanor.sessions import Saved, Session
from tests.page.conftest import Visit
from tests.page.support import address, go, violations

RACE = Saved(game="alchemy", variant="duel", seed=5, seconds=0.05, race=True)  # line 2 4 5 10 J J, hands 4 and 8
DAY = datetime(2030, 1, 1, tzinfo=UTC)
DRAWN = 500  # milliseconds in which the page draws what has come


def begin(visit: Visit, saved: Saved, race: str) -> Page:
    """A race whose cards are still to be turned up, while the clock stands still."""
    page = visit("", timezone_id="Etc/UTC")  # no other test's window: its clock stays as it is
    page.clock.install(time=DAY)
    go(page, address(saved).replace("race%3DTrue", f"race%3D{race}"))
    expect(page.get_by_role("button", name="Turn the cards up")).to_be_visible()
    page.clock.pause_at(DAY + timedelta(hours=1))
    return page


def take(page: Page, *cards: str) -> None:
    for card in cards:
        page.locator(f".zone-line .card.legal[aria-pressed=false][data-card='{card}']").first.click()
        page.clock.run_for(DRAWN)
    page.get_by_role("button", name=re.compile("^Take")).click()
    page.clock.run_for(DRAWN)


def test_who_is_quicker_takes_and_the_other_has_the_rest_of_the_cards(visit: Visit) -> None:
    page = begin(visit, RACE, "fast")
    clock, hand = page.get_by_role("timer"), page.locator(".hand .card")
    expect(hand).to_have_count(0)
    page.keyboard.press("f")
    page.clock.run_for(DRAWN)
    expect(clock).to_contain_text("20 s")
    expect(hand).to_have_count(1)
    session = Session(RACE, forced=False)
    find = session.round.find(1, session.hint_seed)
    assert find
    page.clock.run_for(round(500 * find.seconds) - 2 * DRAWN)  # twice as fast as at an even pace
    expect(page.locator(".log")).not_to_contain_text("Geber")
    page.clock.run_for(2 * DRAWN)
    expect(page.locator(".log")).to_contain_text("Geber")
    page.clock.run_for(DRAWN)
    expect(clock).to_contain_text(re.compile("(20|19) s"))
    page.clock.run_for(20_000)  # and no match
    expect(page.get_by_role("button", name="Turn the cards up")).to_be_visible()
    page.clock.run_for(DRAWN)
    page.get_by_role("button", name="Undo").click()
    expect(clock).to_be_visible()  # the other has still grabbed
    page.reload()
    expect(page.get_by_role("button", name="No match")).to_be_visible()


def test_a_wrong_match_costs_the_card_of_either_player_at_one_screen(visit: Visit) -> None:
    page = begin(visit, RACE, "two")
    page.get_by_role("button", name="Turn the cards up").click()
    page.clock.run_for(DRAWN)
    expect(page.locator(".zone-line .card.legal")).to_have_count(0)  # until somebody has a match
    page.get_by_role("button", name="Geber: match!").click()
    page.clock.run_for(DRAWN)
    expect(page.get_by_role("timer")).to_contain_text("5 s")
    take(page, "J", "J")
    expect(page.locator(".race-found .reason")).to_contain_text("Geber: no match. The cards go back")
    page.clock.run_for(DRAWN)
    expect(page.get_by_role("timer")).to_contain_text(re.compile("(20|19) s"))
    take(page, "10", "2", "4")  # 4+2+4=10
    expect(page.get_by_role("button", name="Turn the cards up")).to_be_visible()
    expect(page.locator(".log")).to_contain_text(re.compile("Geber.*no match"))
    page.get_by_role("button", name="Turn the cards up").click()
    page.clock.run_for(DRAWN)
    page.clock.run_for(20_000)  # neither has a match
    expect(page.get_by_role("heading", name="Exchange 2")).to_be_visible()


def test_a_race_is_chosen_where_a_duel_begins(visit: Visit) -> None:
    page = visit("#~tab=play")
    page.get_by_role("radio", name="Alchemy", exact=True).click()
    page.get_by_role("radio", name="Duel").click()
    page.get_by_role("radio", name="a race, slow opponent").click()
    expect(page.get_by_role("radio", name="Grand Master")).to_have_count(0)
    page.get_by_role("button", name="Begin").click()
    expect(page.get_by_role("button", name="Turn the cards up")).to_be_visible()
    assert "race=slow" in page.url
    page.get_by_role("button", name="Turn the cards up").click()
    expect(page.locator(".race-found button").first).to_be_visible()
    assert not violations(page)  # whatever the clock has done meanwhile
