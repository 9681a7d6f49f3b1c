"""From a hand to the end of its round in the browser: every game, in a window and on a phone."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from tests.journeys.people import Person
from tests.journeys.real_tables import TURNED, seen_at
from tests.journeys.table import LESS, ROWS, WAYS_ON, Row
from tests.page.conftest import Visit
from tests.page.support import at, dealt, phone

pytestmark = pytest.mark.slow

LAST = 3  # events of a round that are entered by clicks, or fewer
MOST_CLICKS = 40
NOW = "() => location.href + document.querySelector('.observing')?.innerHTML"


def tail(row: Row, lines: list[str]) -> int:
    """Where the last events begin that are entered by clicks: after an exchange, and not amid cards turned up."""
    whole = [at for at, text in enumerate(lines) if row.game != "alchemy" or not TURNED.fullmatch(text)]
    exchanges = [at + 1 for at, text in enumerate(lines) if ">" in text]
    return max([*exchanges, whole[-LAST]])


def follow(page: Page, events: list[str]) -> None:
    """Enter by clicks what happened, and do what the hint says at the own turns, until the round is over."""
    over = page.get_by_text(re.compile("^(The round|Round 1) is over")).first
    seen = page.locator(".observing")
    own = page.get_by_role("region", name="Hint").get_by_role("button").filter(has_not_text="Think").first
    left = [*events]
    for _ in range(MOST_CLICKS):
        expect(over.or_(seen).or_(own).first).to_be_visible()
        expect(page.locator("[aria-busy=true]")).to_have_count(0)
        expect(page.get_by_text("Far right")).to_have_count(0)  # nobody sits there once it is known how many play
        if over.is_visible():
            return
        text = left.pop(0) if left else ""
        card = seen.locator(f'.card[data-card="{text}"]').first
        named = card if card.count() else seen.locator("button:enabled:not(.quiet)").first
        before = page.evaluate(NOW)
        choice = named if seen.is_visible() else own
        page.mouse.move(0, 0)  # a card below the pointer is raised
        choice.click()
        page.wait_for_function(f"(before) => ({NOW})() !== before", arg=before)
    raise AssertionError("the round does not end")


@pytest.mark.parametrize("how", [{}, phone()], ids=["window", "phone"])
@pytest.mark.parametrize("row", ROWS, ids=str)
def test_from_a_hand_to_the_end_of_its_round(
    visit: Visit, person: Person, row: Row, how: dict[str, object]
) -> None:
    """From there to the score, the review and the next round, with what is agreed on at the table."""
    dealt = person.gets("deal", *row.options, "--seat", 0, "--text") if row.record else ""
    start, lines = seen_at(row, dealt)
    begun = tail(row, lines)
    line = " ".join([row.game, *start])
    if begun:
        line = person.gets("after", line, *lines[:begun], "--text")
    page = visit(at(line.strip(), tab="hint"), **how)
    follow(page, lines[begun:])
    panel = page.get_by_role("tabpanel")
    buttons = panel.locator(".steps-back").get_by_role("button")
    expect(buttons).to_have_text([text for text in WAYS_ON if text not in LESS.get(row.game, ())])
    expect(panel.locator("[role=status] .reason").first).to_be_visible()  # how it ended, in a sentence
    panel.get_by_role("button", name="Review").click()
    expect(panel.get_by_role("region", name="What the moves gave away")).to_be_visible()
    if row.game not in LESS:
        panel.get_by_role("button", name="Next round").click()
        expect(page.locator(".placing")).to_be_visible()
        [kept] = page.evaluate("() => Object.values(JSON.parse(localStorage['athanor.tables']))")
        assert (kept["game"], kept["round"]) == (row.game, 1)


def test_what_the_browser_kept_of_another_version_does_no_harm(visit: Visit) -> None:
    page = visit(at(dealt("kirin", seat=0), tab="hint"))
    expect(page.get_by_role("region", name="Hint")).to_be_visible()
    page.evaluate("() => { for (const key of Object.keys(localStorage)) localStorage[key] = '{\"old\":[1]}'; }")
    page.reload()
    expect(page.get_by_role("region", name="Hint")).to_be_visible()
    expect(page.locator(".hand .card").first).to_be_visible()
