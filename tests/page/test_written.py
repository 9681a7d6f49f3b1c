"""Games that were written down at a real table, in the browser: opened, stepped through, asked about, reviewed."""

from __future__ import annotations

import re

from playwright.sync_api import expect

from tests.page.conftest import Visit
from tests.support import places

TABLE = places.ROOT / "docs" / "examples" / "table.txt"


def test_a_game_of_a_real_table_is_stepped_through_and_reviewed(visit: Visit) -> None:
    page = visit("#~tab=setup")
    page.locator("input[type=file][multiple]").set_input_files(TABLE)
    steps = page.get_by_text("0 of 32")
    expect(steps).to_be_visible()
    page.get_by_role("button", name="Forward").click()
    expect(page.get_by_text("1 of 32")).to_be_visible()
    expect(page.locator(".observing")).to_have_count(0)  # what was played is known
    game = page.get_by_role("region", name="A game from a real table")
    game.get_by_role("button", name="Review its finished rounds").click()
    rows = game.locator("table.moves tbody tr:not(.trick-head)")
    game.get_by_text("All moves and numbers").click()
    expect(rows).to_have_count(4)
    expect(game.locator(".graph figcaption")).to_have_text("Expected score, move by move, as the cards lay")
    account = game.locator("table.account")
    names = ("result", "expected", "luck", "others", "moves")
    parts = [account.locator(f".part-{name} td").inner_text() for name in names]
    score, *others = (round(100 * float(part.split()[0].replace("\u2212", "-"))) for part in parts)
    assert score == sum(others) == 200
    shown = game.get_by_role("table", name="What the moves cost").locator("td").all_inner_texts()
    *costs, cost = (round(100 * float(text.replace("\u2212", "-"))) for text in shown)
    assert cost == sum(costs) == -others[-1]
    falls = game.locator("svg.walk .mistake").evaluate_all(
        "(all) => all.map((one) => one.y2.baseVal.value - one.y1.baseVal.value)"
    )
    assert min(falls) >= 0  # whatever the hidden cards made of a move
    labels = game.locator("svg.walk text").all_text_contents()
    assert [text.strip() for text in labels][-8:] == ["Trick", "1", "2", "3", "4", "5", "6", "End"]
    expect(game.locator(".worst").first).to_contain_text("Better")
    mistakes = game.locator(".worst li", has_text="gave away")
    worst = [text.split(":")[0] for text in mistakes.locator("button").all_text_contents()]
    for line in mistakes.all_text_contents():
        assert re.match(r"\s*✗ (mistake|bad move)", line)
    rows.nth(1).get_by_role("button", name=re.compile("^You:")).click()
    expect(page.get_by_text("7 of 32")).to_be_visible()
    move = page.get_by_role("region", name="A move of the review")
    expect(move.locator(".move .card").first).to_be_visible()
    expect(page.locator(".hand .card", has_text="✗ Chosen")).to_have_count(1)
    expect(page.locator(".hand .card.best", has_text="Better")).to_have_count(1)
    desk = page.viewport_size
    assert desk
    page.set_viewport_size({"width": 320, "height": 568})
    marks = page.locator(".hand .card-mark")
    assert marks.evaluate_all("(marks) => marks.every((mark) => mark.scrollWidth <= mark.clientWidth)")
    page.set_viewport_size(desk)
    played, best, lost = (float(text.split()[0]) for text in move.locator("dd > .number").all_inner_texts())
    assert round(best - played, 2) == lost
    title = move.get_by_role("heading").inner_text()
    later = worst[worst.index(title) + 1 :]
    for wanted in later:
        move.get_by_role("button", name="Next mistake").click()
        expect(move.get_by_role("heading")).to_have_text(wanted)
    expect(move).to_contain_text("That was the last mistake.")
    move.get_by_role("button", name="Back to the first mistake").click()
    expect(move.get_by_role("heading")).to_have_text(worst[0])
    for _ in [*later, worst[0]]:
        page.go_back()
    expect(move.get_by_role("heading")).to_have_text(title)
    move.get_by_role("button", name="Next move").click()
    expect(move.get_by_role("heading")).not_to_have_text(title)
    move.get_by_role("button", name="Previous move").click()
    expect(move.get_by_role("heading")).to_have_text(title)
    move.get_by_role("button", name="Back to the review").click()
    expect(rows).to_have_count(4)
    game.locator("svg.walk").click(position={"x": 32, "y": 20})
    expect(move.get_by_role("button", name="Previous move")).to_be_disabled()
    page.evaluate("location.hash = ''")
    page.get_by_role("button", name="Review a game").click()  # the review is there still, and the table is not
    expect(page.get_by_role("button", name="Review an example")).to_be_visible()


def test_who_has_no_game_yet_is_shown_a_review(visit: Visit) -> None:
    page = visit()
    page.get_by_role("button", name="Review a game").click()
    page.get_by_role("button", name="Review an example").click()
    expect(page.get_by_text("0 of 32")).to_be_visible()
    expect(page.get_by_role("progressbar")).to_be_visible()


def test_a_review_of_a_real_tables_game_is_shared(visit: Visit) -> None:
    page = visit()
    page.get_by_role("button", name="Review a game").click()
    page.get_by_role("button", name="Review an example").click()
    expect(page.locator("svg.walk")).to_be_visible()
    page.evaluate("() => { navigator.share = ({ url }) => { globalThis.sent = url; return Promise.resolve(); }; }")
    page.get_by_role("button", name="Share").click()
    page.wait_for_function("() => globalThis.sent")
    other = visit()
    other.goto(page.evaluate("sent"))
    expect(other.get_by_text("0 of 32")).to_be_visible()
    expect(other.locator("svg.walk")).to_be_visible()
    assert "reviewed" not in other.url


def test_before_kings_pick_the_removed_cards_say_how_many_play(visit: Visit) -> None:
    page = visit("#king seat=1 hand=F7,F9,F10,W3,W5,W7,E5,E7,A3,A6,A8,T2 removed=F5,A2 leader=0&~tab=hint")
    expect(page.get_by_text("Across", exact=True)).to_be_visible()
    expect(page.get_by_text("Far left", exact=True)).to_have_count(0)


def test_what_cannot_be_read_says_in_which_line(visit: Visit) -> None:
    page = visit("#~tab=setup", refused=True)
    page.get_by_role("textbox", name=re.compile("line of text|JSON", re.IGNORECASE)).fill("[game kirin]\nD6")
    page.get_by_role("button", name="Look at it").click()
    expect(page.get_by_text("line 2: moves must come after a line")).to_be_visible()


def test_of_moves_that_another_browser_saw_nothing_is_told(visit: Visit) -> None:
    page = visit("#~tab=play&~game=kirin,seed=3,seconds=0.05,seat=3,rounds=1&~made=RDE&~dealt=1")
    expect(page.get_by_role("button", name="Undo")).to_be_visible()
    expect(page.get_by_text("No move has been made yet.")).to_have_count(0)
