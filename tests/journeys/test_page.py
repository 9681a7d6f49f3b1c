"""From a hand to the end of its round in the browser: every game, in a window and on a phone."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from tests.journeys.clicking import anyway, begun, follow
from tests.journeys.people import Person
from tests.journeys.table import MATCHES, ROWS, WAYS_ON, Row
from tests.page.conftest import Visit
from tests.page.support import at, dealt, go, phone

pytestmark = pytest.mark.slow


# On a phone the games whose rounds are entered whole in a window, and one more; on a phone all are followed to the
# end where the service is deployed.
WHOLE = {row.game for row in MATCHES}
WALKED = [(row, phone() if row.game in WHOLE else {}) for row in ROWS] + [(ROWS[0], phone())]


def _named(part: object) -> str:
    return str(part) if isinstance(part, Row) else "phone" if part else "window"


@pytest.mark.parametrize(("row", "how"), WALKED, ids=_named)
def test_from_a_hand_to_the_end_of_its_round(
    visit: Visit, person: Person, row: Row, how: dict[str, object]
) -> None:
    """From there to the score, the review and the next round, with what is agreed on at the table."""
    table, events = begun(person, row)
    page = visit(table, **how)
    follow(page, events)
    panel = page.get_by_role("tabpanel")
    buttons = panel.locator(".steps-back").get_by_role("button")
    expect(buttons).to_have_text(WAYS_ON)
    expect(panel.locator("[role=status] .reason").first).to_be_visible()  # how it ended, in a sentence
    panel.get_by_role("button", name="Review").click()
    expect(panel.get_by_role("region", name="What the moves gave away")).to_be_visible()
    panel.get_by_role("button", name="Next round").click()
    expect(page.locator(".placing")).to_be_visible()
    [kept] = page.evaluate("() => Object.values(JSON.parse(localStorage['athanor.tables']))")
    assert (kept["game"], kept["round"]) == (row.game, 1)


def test_a_card_of_an_outside_game_that_contradicts_an_earlier_play(visit: Visit) -> None:
    """Seat 1 did not follow clubs in the fourth trick, and plays one in the fifth."""
    start = "whist trump=C seat=0 hand=C3,C7,CQ,D7,H5,S6,ST,SA leader=0"
    plays = ["C3", "CT", "CA", "C5", "D5", "DJ", "D7", "D4", "DQ", "C7", "D9", "D6", "CQ", "S3", "C2", "C9", "H5"]
    page = visit(at(start, tab="hint", moves=";".join(plays), at="a17"))
    anyway(page, "CK", "Left did not follow CQ in trick 4, but played S3")
    expect(page.get_by_role("heading", name="What did Across do?")).to_be_visible()
    expect(page.get_by_text("Which cards did they take?")).to_have_count(0)
    expect(page).to_have_url(re.compile("CK_anyway"))
    go(page, at(start, tab="hint", moves=";".join(plays[:6]), at="a6"))
    anyway(page, "C7", "you must follow with")
    expect(page.get_by_role("heading", name="What did Left do?")).to_be_visible()
    expect(page).to_have_url(re.compile("C7_anyway"))


def test_what_the_browser_kept_of_another_version_does_no_harm(visit: Visit) -> None:
    page = visit(at(dealt("kirin", seat=0), tab="hint"))
    expect(page.get_by_role("region", name="Hint")).to_be_visible()
    page.evaluate("() => { for (const key of Object.keys(localStorage)) localStorage[key] = '{\"old\":[1]}'; }")
    page.reload()
    expect(page.get_by_role("region", name="Hint")).to_be_visible()
    expect(page.locator(".hand .card").first).to_be_visible()
