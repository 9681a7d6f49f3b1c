"""A first visit and how much it loads, the guided first minute, and finished tricks that are set up by hand."""

from __future__ import annotations

import json
import re

import pytest
from playwright.sync_api import Browser, expect

from tests.page.conftest import Visit
from tests.page.support import at, dealt, fill, violations


@pytest.mark.parametrize(
    ("fragment", "wanted"),
    [("", ".job.primary"), (at(dealt("kirin", seat=0), tab="hint"), ".best-so-far, .best-move")],
)
def test_a_first_visit_loads_less_than_150_kilobytes(
    browser: Browser, site: str, fragment: str, wanted: str
) -> None:
    with browser.new_context() as context:
        page = context.new_page()
        wire = context.new_cdp_session(page)
        loaded: list[float] = []
        wire.on("Network.loadingFinished", lambda done: loaded.append(done["encodedDataLength"]))
        wire.send("Network.enable")
        page.goto(site + fragment)
        expect(page.locator(wanted).first).to_be_visible()
        page.wait_for_load_state("networkidle")
    assert 50_000 < sum(loaded) < 150_000


def test_a_new_visitor_is_guided_to_the_second_move(visit: Visit) -> None:
    page = visit()
    page.get_by_role("button", name="Show me how").click()
    guide = page.get_by_role("region", name="First minute")
    expect(guide).to_contain_text("choose White Tiger 6")
    page.locator('.palette [data-card="B6"]').click()
    expect(guide).to_contain_text("Ask for the hint")
    assert violations(page) == []
    page.get_by_role("button", name="Ask for a hint").click()
    expect(guide).to_contain_text("3 of 6")
    page.get_by_role("button", name="Set it aside").click()
    expect(guide).to_contain_text("4 of 6")
    page.get_by_role("button", name="Play it").click()
    expect(guide).to_contain_text("Now choose what the next player")
    page.reload()
    expect(guide).to_contain_text("Now choose what the next player")
    page.locator(".choices .suit-row .card").first.click()
    guide.get_by_role("button", name="Done").click()
    expect(guide).to_have_count(0)
    expect(page.locator(".steps-at")).to_have_text("3 of 3")


def test_a_finished_trick_is_set_up_by_clicks(revisit: Visit) -> None:
    draft = {"game": "kirin", "seat": 0, "hand": ["D2", "S3", "S5", "S-", "B2", "B4", "B6"], "declared": "D4"}
    draft |= {"leader": 0, "trick": [], "history": []}
    page = revisit(f"#~tab=setup&~draft={json.dumps(draft)}")
    table, panel = page.locator(".editor"), page.get_by_role("tabpanel")
    table.get_by_text("What do you remember of earlier tricks?").click()
    table.get_by_role("button", name="Add a finished trick").click()
    table.get_by_label("Trick 1 was led by").select_option("1")
    for card in ("G4", "S1", "D5", "S6"):
        panel.locator(f'.palette [data-card="{card}"]').click()
    panel.get_by_role("button", name="Ask for a hint").click()
    expect(page).to_have_url(re.compile("history=1:G4,S1,D5,S6"))


def test_who_led_later_tricks_is_found_and_never_asked(revisit: Visit) -> None:
    draft = {"game": "kirin", "seat": 0, "hand": ["DT", "D+", "S3", "ST", "B2", "G1"], "declared": "S5"}
    page = revisit(f"#~tab=setup&~draft={json.dumps(draft | {'trick': [], 'history': [], 'gone': []})}")
    table, panel = page.locator(".editor"), page.get_by_role("tabpanel")
    fill(page, "Already played")
    panel.locator('.palette [data-card="G3"]').click()  # does not keep it out of its trick
    for place, cards in enumerate(("G3 B+ B- B4", "G- B6 B1 B5")):
        table.get_by_role("button", name="Add a finished trick").click()
        for card in cards.split():
            expect(panel.locator(".wrong, [role=alert]")).to_have_count(0)  # it is only not complete yet
            panel.locator(f'.palette [data-card="{card}"]').click()
        if place == 0:
            expect(table.locator(".slot-seat")).to_have_count(0)  # nobody has said who led
            table.get_by_label("Trick 1 was led by").select_option("0")
    expect(table.locator(".slot-seat")).to_have_text(
        ["You", "Left", "Across", "Right", "Right", "You", "Left", "Across"]
    )
    expect(table.get_by_label("Trick 2 was led by")).to_have_count(0)
    panel.get_by_role("button", name="Ask for a hint").click()
    expect(page).to_have_url(re.compile("history=0:G3,B\\+,B-,B4/3:G-,B6,B1,B5"))


def test_who_leads_is_forgotten_with_the_tricks_from_which_it_followed(revisit: Visit) -> None:
    draft = {"game": "kirin", "seat": 0, "hand": ["DT"], "declared": "S5", "trick": [], "gone": [], "leader": 3}
    draft |= {"history": [{"leader": 0, "cards": ["G3", "B+", "B-", "B4"]}]}
    page = revisit(f"#~tab=setup&~draft={json.dumps(draft)}")
    page.get_by_role("button", name="Drop trick 1").click()
    expect(page.get_by_role("button", name="Led by: You")).to_be_visible()
