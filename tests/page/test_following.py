"""Tables that are followed on the page: how their rounds end, the review, the next round, the match."""

from __future__ import annotations

import json
import re
from collections import Counter
from typing import Any
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Page, Route, expect

from athanor.sessions import Saved, Session
from tests.journeys.table import Row
from tests.page.conftest import Visit
from tests.page.support import PATIENCE, address, at, go, phone, violations
from tests.page.tables import KIRIN, followed

KING = Row("king")
REVIEW = "What the moves gave away"


def ways(page: Page) -> Any:
    return page.locator(".panel .steps-back").get_by_role("button")


def ranks(page: Page) -> Any:
    return page.locator(".ranks li")


def draft(page: Page) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(
        page.evaluate("() => decodeURIComponent(location.hash.match(/~draft=([^&]*)/)[1])")
    )
    return found


def test_what_the_others_set_aside_is_asked_for_and_the_points_go_on(visit: Visit) -> None:
    page = visit(followed(KIRIN, keys="rules=declared_counts"))
    expect(ways(page)).to_have_text(["Next round", "Review", "Undo", "Change cards"])
    expect(ranks(page)).to_have_text(["You2 points", "Leftnot known", "Acrossnot known", "Rightnot known"])
    asking = page.get_by_role("region", name="The others' cards at the end")
    expect(asking).to_contain_text("Which card had Left set aside?")
    assert not violations(page)
    asking.get_by_role("button", name="Azure Dragon").click()
    expect(asking).to_contain_text("Which card had Across set aside?")
    page.reload()
    expect(asking).to_contain_text("Which card had Across set aside?")
    asking.get_by_role("button").first.click()  # the last seat has what is left
    expect(page.get_by_role("region", name="What the others showed")).to_contain_text("Right:")
    expect(ranks(page).first).to_have_text(re.compile("3 points$"))
    expect(page.locator(".panel .result")).to_contain_text("In this round")
    page.reload()
    expect(ranks(page).first).to_have_text(re.compile("3 points$"))
    assert not violations(page)

    page.get_by_role("button", name="Next round").click()
    expect(page.locator(".placing")).to_be_visible()
    begun = draft(page)
    assert (begun["round"], sum(begun["totals"]), begun["leader"], begun["hand"]) == (2, 10, 1, [])
    assert begun["rules"] == {"declared_counts": True}
    page.get_by_role("button", name="Cancel").click()  # back to the round before
    expect(ranks(page).first).to_have_text(re.compile("3 points$"))
    page.get_by_role("button", name="Next round").click()
    expect(page.locator(".placing")).to_be_visible()
    page.reload()
    expect(page.locator(".placing")).to_be_visible()
    assert draft(page) == begun


def test_the_review_is_that_of_a_game_and_survives_a_reload(visit: Visit) -> None:
    page = visit(followed(KIRIN), **phone())
    page.get_by_role("button", name="Review").click()
    review = page.get_by_role("region", name=REVIEW)
    expect(review).to_be_visible()
    page.reload()
    expect(review).to_be_visible()
    review.locator("li button").first.click()
    place = page.get_by_role("region", name="A move of the review")
    expect(place.or_(page.locator(".look-head")).first).to_be_visible()
    expect(page.locator(".hand .card").first).to_be_visible()
    assert not violations(page)
    page.reload()
    expect(page.locator(".look-head")).to_be_visible()
    page.get_by_role("button", name="Back to the review").click()
    expect(review).to_be_visible()
    expect(page.get_by_role("button", name="Next round")).to_have_count(1)  # at the review's foot
    expect(ways(page)).to_have_text(["Review", "Undo", "Change cards"])


def test_a_match_ends_after_its_last_round(revisit: Visit) -> None:
    page = revisit(followed(KING, keys="round=3 totals=30,71,20"))
    expect(page.locator(".panel h3").first).to_have_text("Left wins")
    expect(ways(page)).to_have_text(["Review", "Undo", "Change cards"])
    expect(ranks(page)).to_have_text(["Left92 points", "You59 points", "Right37 points"])


def test_rounds_of_aqua_regia_are_counted(revisit: Visit) -> None:
    row = Row("aqua-regia", players=2)
    page = revisit(followed(row))
    page.get_by_role("button", name="Next round").click()
    expect(page.locator(".placing")).to_be_visible()
    before = page.evaluate("() => location.hash.match(/~before=([^&]*)/)[1]")
    go(page, followed(row, before=before))
    expect(ranks(page)).to_have_text(["You2 wins", "Opponent0 wins"])
    page.get_by_text("The others' cards at the end").click()
    expect(page.locator(".panel details .palette .card").first).to_be_visible()
    assert not violations(page)


def test_several_tables_are_kept_and_gone_back_to(visit: Visit) -> None:
    page = visit(followed(KIRIN, less=4))
    expect(page.locator(".steps-back")).to_be_visible()
    go(page, followed(KING))
    expect(ranks(page)).to_have_count(3)
    go(page, at("", tab="play"))
    expect(page.get_by_role("button", name=re.compile("^Go on: .*at your table"))).to_have_count(2)
    page.get_by_role("button", name=re.compile("^Go on: Kirin, at your table")).click()
    expect(page.locator(".board[data-game=kirin]")).to_be_visible()
    expect(page).to_have_url(re.compile("~at=a29"))


def test_every_call_is_made_again_while_the_service_is_busy(visit: Visit) -> None:
    """Whether the service says so or, after that, a proxy before it."""
    page = visit(refused=True)
    busy_answers = [
        (202, '{"error": {"code": "busy", "path": "", "message": "busy"}}'),
        (503, "<h1>Service Unavailable</h1>"),
    ]
    asked: Counter[str] = Counter()

    def busy(route: Route) -> None:
        path = urlsplit(route.request.url).path
        asked[path] += 1
        if asked[path] > len(busy_answers):
            route.continue_()
        else:
            status, body = busy_answers[asked[path] - 1]
            route.fulfill(status=status, body=body, headers={"Retry-After": "1"})

    page.route("**/v1/**", busy)
    go(page, followed(KIRIN))
    page.get_by_role("button", name="Review").click()
    expect(page.get_by_role("region", name=REVIEW)).to_be_visible()
    calls = ("/v1/check", "/v1/match/ended", "/v1/match/review")
    assert min(asked[path] for path in calls) > len(busy_answers)


@pytest.mark.parametrize(("kind", "players", "seed"), [("kirin", None, 5), ("aqua-regia", 2, 8)])
def test_a_review_begins_with_the_parts_that_add_up_to_the_score(
    revisit: Visit, kind: str, players: int | None, seed: int
) -> None:
    """What was expected, luck, what the others gave, and the own moves, in one bar: of points, and of chances.

    The round of chances is a short one, since each of its moves is judged.
    """
    table = Session(Saved(game=kind, players=players, seed=seed, seconds=0.05, rounds=1))
    while not table.over:
        table.play(table.round.moves()[0])
    page = revisit(address(table.saved))
    page.get_by_role("button", name="Review", exact=True).click()
    parts = page.get_by_role("region", name="Where the score comes from: You")
    shown = parts.get_by_role("definition").first
    expect(shown).to_be_visible(timeout=10 * PATIENCE)
    names = parts.locator(".key dt").all_text_contents()
    given = ["Others gave"] if "Others gave" in ", ".join(names) else []  # no part where it comes to 0
    # Those whose errors are larger than they are stand together, behind the others.
    parts_of = sorted(["Expected", "Luck and hidden cards", *given, "Own moves"])
    assert sorted(", ".join(names).split(", ")) == parts_of
    expect(parts.locator(".bar-of span")).to_have_count(len(names))
    texts = [*parts.locator(".number").all_text_contents(), re.sub(" points?$", "", shown.inner_text())]
    *terms, score = (float(re.sub("[%\\s]", "", text.replace("−", "-"))) for text in texts)
    assert sum(terms) == pytest.approx(score, abs=2 if kind == "aqua-regia" else 0.05)  # in whole percent
    assert all(text[0] in "+−0" for text in texts[1:-1])
