"""A round at a real table, entered on the page by clicks."""

from __future__ import annotations

import re

from playwright.sync_api import Locator, Page, TimeoutError, expect

from tests.journeys.people import Person
from tests.journeys.real_tables import TURNED, seen_at
from tests.journeys.table import WAYS_ON, Row
from tests.page.support import at

LAST = 3  # events of a round that are entered by clicks, or fewer
MOST_CLICKS = 40
WHILE = 5_000  # milliseconds
NOW = "() => location.href + document.querySelector('.observing')?.innerHTML"


def tail(row: Row, lines: list[str]) -> int:
    """Where the last events begin that are entered by clicks: after an exchange, and not amid cards turned up."""
    whole = [at for at, text in enumerate(lines) if row.game != "alchemy" or not TURNED.fullmatch(text)]
    exchanges = [at + 1 for at, text in enumerate(lines) if ">" in text]
    return max([*exchanges, whole[-LAST]])


def begun(person: Person, row: Row) -> tuple[str, list[str]]:
    """The address of a round that is followed, before its last events, and these."""
    dealt = person.gets("deal", *row.options, "--seat", 0, "--text") if row.record else ""
    start, lines = seen_at(row, dealt)
    entered = tail(row, lines)
    line = " ".join([row.game, *start])
    if entered:
        line = person.gets("after", line, *lines[:entered], "--text")
    return at(line.strip(), tab="hint"), lines[entered:]


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
        text = left[0] if left else ""
        moves = seen.locator(".chosen .move-button")  # of the card that was chosen, which lies there still
        card = seen.locator(f'.card[data-card="{text}"]:not([aria-disabled], .given *)')
        others = seen.locator("button:enabled:not(.quiet, [aria-disabled], .given *)")
        named = next(filter(Locator.count, (moves, card)), others).first
        before = page.evaluate(NOW)
        choice = named if seen.is_visible() else own
        page.mouse.move(0, 0)  # a card below the pointer is raised
        try:
            choice.click(timeout=WHILE)
        except TimeoutError:
            continue  # what was to be chosen has changed meanwhile: look again
        left = left[1:]
        page.wait_for_function(f"(before) => ({NOW})() !== before", arg=before)
    raise AssertionError("the round does not end")


def go_on(page: Page, row: Row) -> None:
    """From the end of a round to its score, its review and the next round, with what is agreed on at the table."""
    panel = page.get_by_role("tabpanel")
    expect(panel.locator(".steps-back").get_by_role("button")).to_have_text(WAYS_ON)
    expect(panel.locator("[role=status] .reason").first).to_be_visible()  # how it ended, in a sentence
    panel.get_by_role("button", name="Review").click()
    expect(panel.get_by_role("region", name="What the moves gave away")).to_be_visible()
    panel.get_by_role("button", name="Next round").click()
    expect(page.locator(".placing")).to_be_visible()
    [kept] = page.evaluate("() => Object.values(JSON.parse(localStorage['athanor.tables']))")
    assert (kept["game"], kept["round"]) == (row.game, 1)


def anyway(page: Page, move: str, why: str) -> None:
    """Type a move that is refused, with the reason, and say that it was made all the same."""
    entry = page.get_by_label("Or type the move").first
    expect(entry).to_be_attached()
    if not entry.is_visible():
        page.get_by_text("Something else was played").click()
    entry.fill(move)
    page.get_by_role("button", name="Make it").first.click()
    expect(page.locator("main").get_by_text(why).first).to_be_visible()
    page.get_by_role("button", name="It was played anyway").first.click()
