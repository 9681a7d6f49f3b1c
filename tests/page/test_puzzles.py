"""Puzzles of the collection and of one's own file, answered in the browser: wrong first, then right, and kept."""

from __future__ import annotations

import json
import re
from datetime import date, timedelta
from itertools import combinations
from pathlib import Path
from typing import Any
from zlib import crc32

import pytest
from playwright.sync_api import Locator, Page, Route, expect

from puzzles import training
from puzzles.rating import Rating
from solver.positions import text_of
from solver.reviewing import ReviewedMove, SeatReview
from tests.api.support import FILE
from tests.page.conftest import Visit
from tests.page.support import BAIT, Held, asked, at, bring, collected, dealt, go, phone
from tests.support import places

# Lets the service take its time with each position.
SLOW_CHECKS = """() => {
  const { fetch } = window;
  window.fetch = async (...asked) => {
    if (String(asked[0]).includes("v1/check")) await new Promise((done) => setTimeout(done, 500));
    return fetch(...asked);
  };
}"""


def test_a_puzzle_of_a_dropped_file_is_solved_by_clicking(visit: Visit) -> None:
    page = visit("#~tab=puzzles", refused=True)
    panel = page.get_by_role("tabpanel")
    expect(panel.get_by_role("button", name="easy").first).to_be_visible()
    text = FILE.replace("First", "Mine alone")
    bring(panel, {"name": "own.toml", "mimeType": "application/toml", "buffer": text.encode()})
    item = panel.get_by_role("button", name=re.compile("No. 1 .*Alchemy"))
    expect(item).to_be_visible()
    expect(panel).not_to_contain_text("Mine alone")  # a title may give the answer away
    item.click()
    expect(panel.get_by_role("heading", name="No. 1")).to_be_visible()
    expect(page.locator(".choices")).to_be_empty()  # no card is to be chosen
    panel.get_by_role("button", name="Yes").click()
    expect(panel.locator(".is-wrong")).to_contain_text("Solution: No")
    expect(panel.get_by_role("heading", name="Mine alone")).to_be_visible()


def test_a_compounding_says_which_cards_recipes_use(visit: Visit) -> None:
    page = visit("#~tab=puzzles")
    panel = page.get_by_role("tabpanel")
    position = '{ game = "king", deck = "house", cards = ["F3", "F6", "F8", "W3", "W5", "E3", "E8", "A1"] }'
    text = f'[[puzzle]]\nid = "a"\ntitle = "A"\nask = "compound"\nmust = ["F6"]\nposition = {position}\n'
    bring(panel, {"name": "own.toml", "mimeType": "application/toml", "buffer": text.encode()})
    panel.get_by_role("button", name=re.compile("No. 1 ")).click()
    expect(panel).to_contain_text("Recipes use F6.")
    panel.get_by_label("Answer").fill("16")
    panel.get_by_role("button", name="Check").click()
    expect(panel.locator(".is-right")).to_contain_text("Correct")


def test_who_goes_out_first_is_answered_by_choosing(visit: Visit) -> None:
    def as_value(route: Route) -> None:
        found = route.fetch().json()
        (one,) = found["puzzles"]
        one |= {"ask": "value", "solution": {"value": one["solution"]["value"]}}
        route.fulfill(json=found)

    page = visit()
    page.route("**/v1/puzzles?solutions=true&id=*", as_value)
    go(page, asked("aqua-regia-best-move-133-49"))
    panel = page.get_by_role("tabpanel")
    expect(panel).to_contain_text("Can you be sure to go out first")
    panel.get_by_role("button", name="No", exact=True).click()
    expect(panel.locator(".is-wrong")).to_contain_text("No is not it. Solution: Yes")  # there is no third answer
    expect(panel.locator(".is-wrong .line")).to_be_visible()
    page.evaluate(SLOW_CHECKS)
    page.evaluate("(next) => { location.hash = next; }", asked("aqua-regia-0030"))
    expect(panel).to_contain_text("Who goes out first")
    seats = panel.get_by_role("button", name=re.compile("^(You|Left|Right)$"))
    assert seats.all_text_contents() == ["Right", "You", "Left"]  # at once: they have no other names before
    panel.get_by_role("button", name="You", exact=True).click()
    expect(panel.locator(".is-right")).to_contain_text("Correct: You.")


def test_a_verdict_is_on_as_many_cards_as_the_move_has_and_a_shown_answer_is_none_given(revisit: Visit) -> None:
    page = revisit(asked("aqua-regia-0003"))
    panel = page.get_by_role("tabpanel")
    cost = panel.get_by_text("After a hint, solving it counts half in your rating")
    expect(cost).to_be_visible()
    panel.get_by_role("button", name="Show the solution").click()
    expect(page.locator(".hand .card-mark")).to_have_text(["answer"])  # Mg alone: with all three, one may lose
    expect(cost).to_have_count(0)
    page.locator(".hand .card").first.click()
    page.locator(".mine").get_by_role("button", name="Play 2").click()
    expect(page.locator(".hand .card-mark")).to_have_text(["✗ wrong", "✗ wrong"])


LISTED = "#~tab=puzzles"


def card(page: Page, code: str) -> Locator:
    return page.locator(f'.board button.legal[data-card="{code}"]')


def test_a_card_chosen_before_the_scripts_of_puzzles_are_there_is_an_answer(visit: Visit) -> None:
    page = visit()
    scripts = Held(page, "**/later.*.js")
    go(page, asked(BAIT))
    card(page, "B2").click()
    expect(page.get_by_role("tab", name="Puzzles")).to_have_attribute("aria-selected", "true")
    assert "moves=" not in page.url
    scripts.let_go()
    expect(page.locator(".board .remark.bad")).to_contain_text("B2 is not it")
    assert "moves=" not in page.url


def test_a_wrong_move_is_refuted_a_right_one_explained_and_what_was_failed_comes_back(visit: Visit) -> None:
    page = visit(LISTED)
    panel = page.get_by_role("tabpanel")
    panel.get_by_label("Game").select_option("kirin")
    ids = [one.id for one in training.collection() if one.game.name == "kirin"]
    item = panel.get_by_role("button", name=f"No. {ids.index(BAIT) + 1} easy")  # the title would be a hint
    item.click()
    card(page, "B2").click()
    expect(page.locator(".board .remark.bad")).to_contain_text("B2 is not it")
    wrong = panel.locator(".is-wrong")
    expect(wrong).to_contain_text("Try again")
    expect(wrong.locator(".counted")).to_have_text(re.compile(r"^−\d+ Kirin 1,350 → [\d,]+ Only the first"))
    mark = page.locator(".hand .card-mark")
    expect(mark).to_have_text("✗ wrong")
    colour = "(mark) => getComputedStyle(mark).backgroundColor"
    bad = mark.evaluate(colour)
    expect(wrong).to_contain_text("B2: 0 points. The best move: 4 points.")
    expect(wrong).to_contain_text("The next trick then brings you nothing.")  # why, without the best move
    expect(wrong.locator(".move-list .card")).to_have_count(12)  # the answer, and the cards that are left
    for far in (3, 5):  # the line is played on the table, each time from the puzzle on
        wrong.locator(".move-button").nth(far).click()
        expect(page.locator(".steps-at")).to_have_text(re.compile(f"^{far + 1} of "))
    expect(card(page, "S5")).to_have_count(0)
    panel.get_by_role("button", name="Back to the puzzle").click()
    card(page, "S5").click()
    expect(mark).to_have_text("✓ correct")
    assert mark.evaluate(colour) != bad
    right = panel.locator(".is-right")
    expect(right).to_contain_text("Correct")
    expect(panel.get_by_role("heading", name="Bait")).to_be_visible()
    expect(right).to_contain_text("S5: 4 points. B2, the next best: 0 points.")
    panel.get_by_role("button", name="All puzzles").scroll_into_view_if_needed()
    expect(panel.get_by_role("button", name="Next")).to_be_in_viewport()
    expect(page.locator(".board .remark.good")).to_be_visible()
    card(page, "B2").click()  # what is clicked now is no answer any more
    expect(panel.locator(".verdict strong")).to_have_text("B2 is not it.")
    expect(panel.locator(".verdict")).to_contain_text("B2: 0 points. The best move: 4 points.")
    expect(panel.get_by_role("heading", name="Bait")).to_be_visible()
    page.reload()  # as after a change of the language
    expect(panel.locator(".is-right")).to_contain_text("S5: 4 points. B2, the next best: 0 points.")
    panel.get_by_role("button", name="All puzzles").click()
    expect(panel.get_by_role("status").first).to_contain_text("0 of ")  # the first answer counts
    expect(item.get_by_label("failed; it will return")).to_be_visible()
    panel.get_by_label("Only missed ones").check()
    expect(panel.locator(".puzzle-item")).to_have_count(1)
    expect(panel.locator(".standing")).to_contain_text("in a row: 0")


def test_a_trump_that_was_led_is_named_by_its_suit(visit: Visit) -> None:
    page = visit(asked("king-0030"), locale="ja")
    expect(page.locator(".in-force")).to_contain_text("リードスートは切り札")
    expect(page.locator('.board [aria-label="切り札 5、大導師"]').first).to_be_visible()


def test_of_hidden_hands_the_deals_are_counted_and_one_is_drawn(visit: Visit) -> None:
    page = visit(asked("hidden-0001"), locale="ja")
    panel = page.get_by_role("tabpanel")
    card(page, "BT").click()
    expect(panel.locator(".is-wrong")).to_contain_text(re.compile(r"\d+通りの配り方のうち"))
    deal = panel.locator(".is-wrong .box")
    deal.get_by_text("その配りの一つ").click()
    expect(deal.locator(".zone .card").nth(9)).to_be_visible()  # the hands of all seats
    expect(deal.locator(".line li").first).to_have_text(re.compile("右の人.*あなた.*取りました$", re.S))
    deal.get_by_role("button", name="卓上で再生").click()
    expect(page.locator(".board .seat:not(.mine) .card").first).to_be_visible()  # there too
    page.get_by_role("button", name="元の局面に戻る").click()
    card(page, "B+").click()
    expect(panel.locator(".is-right")).to_contain_text("正解")


def test_an_answer_counts_though_another_follows_before_it_is_checked(visit: Visit) -> None:
    page = visit()
    page.evaluate(SLOW_CHECKS.replace("v1/check", "v1/puzzles/answer"))
    page.evaluate("(next) => { location.hash = next; }", asked("hidden-0001"))
    card(page, "BT").click()
    expect(page.get_by_role("tabpanel")).to_contain_text("Checking")
    card(page, "B+").click()
    expect(page.get_by_role("tabpanel").locator(".is-wrong")).to_contain_text("is not it")
    expect(page.locator(".standing")).to_contain_text("in a row: 0")


def test_a_solution_of_no_worth_has_no_brackets(visit: Visit) -> None:
    def worthless(route: Route) -> None:
        found = route.fetch().json()
        del found["puzzles"][0]["solution"]["value"]
        route.fulfill(json=found)

    page = visit()
    page.route("**/v1/puzzles?solutions=true&id=*", worthless)
    go(page, asked(BAIT))
    page.get_by_role("button", name="Show the solution").click()
    expect(page.locator(".verdict strong")).to_have_text("Solution: S5")


def test_what_the_next_puzzle_waits_for_is_seen(visit: Visit) -> None:
    page = visit(asked("king-best-move-142-68"), reduced_motion="no-preference")
    expect(page.locator(".trick .card").first).to_be_visible()
    puzzles, check = Held(page, "**/v1/puzzles?solutions=true&limit=1000"), Held(page, "**/v1/check")
    page.get_by_role("button", name="Next").click()
    expect(page.get_by_role("button", name="One moment …")).to_be_disabled()
    puzzles.let_go()
    expect(page.locator('.board[aria-busy="true"] .trick .card').first).to_be_visible()
    page.wait_for_timeout(100)
    check.let_go()
    expect(page.locator('.board[aria-busy="false"]')).to_be_visible()
    assert page.locator(".trick.over").count() == 0


def test_an_answer_that_is_too_early_is_no_move(visit: Visit) -> None:
    page = visit()
    held = Held(page, "**/v1/puzzles?solutions=true&id=*")
    go(page, asked(BAIT))
    card(page, "B2").click()
    held.let_go()
    expect(page.get_by_role("heading", name="Kirin easy")).to_be_visible()
    expect(page.get_by_text("is not it. Try again.").first).to_be_visible()  # which moves cards
    assert "~moves" not in page.url
    card(page, "S5").click()
    expect(page.locator(".is-right")).to_contain_text("Correct")


def test_a_wrong_value_does_not_show_the_right_one_and_the_solution_is_a_line_to_play(revisit: Visit) -> None:
    page = revisit(asked("kirin-value-123-80"))  # worth 4
    panel = page.get_by_role("tabpanel")
    panel.get_by_role("button", name="Check").click()
    expect(panel.locator(".verdict")).to_contain_text("Write your answer first.")
    panel.get_by_label("Your answer").fill("3 4")
    panel.get_by_role("button", name="Check").click()
    expect(panel.locator(".verdict")).to_contain_text("Type a number.")  # and nothing was refused
    panel.get_by_label("Your answer").fill("5")
    panel.get_by_role("button", name="Check").click()
    expect(panel.locator(".is-wrong strong")).to_have_text("✗ 5 is too high. Try again.")
    panel.get_by_role("button", name="Show the solution").click()
    expect(panel.locator(".verdict strong")).to_have_text("Solution: 4")
    expect(panel.locator(".verdict .move-list .card")).to_have_count(13)
    panel.locator(".verdict .move-button").first.click()
    panel.get_by_role("button", name="Back to the puzzle").click()
    go(page, asked("kirin-value-123-53"))
    panel.get_by_label("Your answer").fill("３")
    panel.get_by_role("button", name="Check").click()
    expect(panel.locator(".is-right .move-list .card").first).to_be_visible()


def test_points_of_another_seat_are_said_to_be_its_and_are_what_the_analysis_is_of(revisit: Visit) -> None:
    one = training.by_id()["king-best-move-143-43"]
    assert one.solution is not None
    assert (one.model, one.player, one.solution.value) == ("paranoid", 1, 84)
    page = revisit(asked(one.id))
    panel = page.get_by_role("tabpanel")
    panel.get_by_role("button", name="Hint", exact=True).click()
    expect(panel).to_contain_text("With best play, Left has 84 points at the end.")
    panel.get_by_role("button", name="Show the solution").click()
    panel.get_by_role("button", name="Why? Look at every move").click()
    expect(panel.get_by_label("The others")).to_have_value("paranoid")
    expect(panel.get_by_label("Seen from")).to_have_value("1")
    expect(page.get_by_role("region", name="Left", exact=True)).to_have_attribute("data-seat", "1")
    expect(panel.locator(".moves")).to_contain_text("84")
    expect(panel.locator(".level")).to_have_count(0)


def test_to_decline_a_match_is_named_in_words(revisit: Visit) -> None:
    page = revisit(asked("alchemy-0021"))
    page.get_by_role("button", name="no match").click()
    expect(page.locator(".verdict strong")).to_have_text("✗ No match is not it. Try again.")
    expect(page.locator(".verdict > p").first).to_have_text(re.compile(r"^No match: \d"))


def test_the_table_shows_the_answer_in_place_of_the_sum(revisit: Visit) -> None:
    page = revisit(asked("alchemy-0021"))
    page.locator(".zone-line button.card").first.click()
    sums = page.get_by_role("region", name="Your sum")
    expect(sums).to_contain_text("≠")
    page.get_by_role("button", name="Show the solution").click()
    expect(sums.locator(".move .card")).to_have_count(6)
    expect(sums).to_contain_text("answer")
    expect(page.locator(".board").get_by_role("button", name="no match")).to_have_count(0)
    page.locator(".zone-line button.card").first.click()  # another sum can be tried still
    expect(sums).to_contain_text("≠")


def test_a_hint_halves_what_solving_counts_also_after_a_while(visit: Visit) -> None:
    page = visit(asked(BAIT))
    panel = page.get_by_role("tabpanel")
    expect(panel.get_by_text("After a hint, solving it counts half in your rating")).to_be_visible()
    panel.get_by_role("button", name="Hint").click()
    expect(panel.get_by_text("You have read its hint")).to_be_visible()
    page.reload()
    expect(panel.get_by_text("You have read its hint")).to_be_visible()
    card(page, "S5").click()
    expect(panel.locator(".is-right")).to_contain_text("Correct")
    rating = f"{rated(game='kirin', helped=True).points:,.0f} ±"
    expect(panel.locator(".standing")).to_contain_text(rating)
    expect(panel.locator(".standing")).to_contain_text("in a row: 0 (record: 0)")
    panel.get_by_role("button", name="All puzzles").click()
    expect(panel.locator(".standing")).to_contain_text(f"Your rating: Kirin {rating}")
    panel.get_by_label("Game").select_option("king")
    expect(panel.locator(".standing")).to_contain_text("King × Alchemy: no rating yet, so it begins with")
    expect(panel.get_by_role("button", name="Next for you")).to_contain_text("easy")


def rated(game: str, *, helped: bool) -> Rating:
    """The rating after BAIT was solved."""
    one = training.by_id()[BAIT]
    attempt = training.Attempt(
        at="2026-01-01T00:00:00.000Z", puzzle=BAIT, grade=one.grade, rating=one.rating, right=True, helped=helped
    )
    return training.standing([attempt]).rating_in(game)


def test_two_windows_lose_nothing(visit: Visit) -> None:
    one = visit(asked(BAIT))
    expect(card(one, "S5")).to_be_visible()
    other = one.context.new_page()
    other.goto(one.url.split("#")[0] + asked("kirin-0002"))
    expect(card(other, "S5")).to_be_visible()
    card(one, "S5").click()
    card(other, "S5").click()
    for page in (one, other):
        expect(page.locator(".standing")).to_contain_text("in a row: 2 (record: 2)")
    other.reload()
    expect(other.locator(".standing")).to_contain_text("in a row: 2 (record: 2)")
    other.goto(one.url.split("#")[0])
    other.goto(one.url.split("#")[0] + asked("kirin-0002"))
    card(other, "B2").click()  # a mistake when it is looked at again
    expect(other.locator(".is-wrong")).to_be_visible()
    card(other, "S5").click()
    expect(other.locator(".standing")).to_contain_text("in a row: 2 (record: 2)")


def test_a_record_goes_to_the_terminal_and_back(visit: Visit, tmp_path: Path) -> None:
    page = visit(asked(BAIT))
    card(page, "S5").click()
    panel = page.get_by_role("tabpanel")
    asked_once = panel.get_by_text("Was this a good puzzle?")
    expect(asked_once).to_be_visible()
    panel.get_by_role("button", name="Yes", exact=True).click()
    expect(asked_once).to_have_count(0)
    panel.get_by_role("button", name="All puzzles").click()
    with page.expect_download() as download:
        panel.get_by_role("button", name="Save my votes").click()
    votes = training.read_record(Path(download.value.path()).read_bytes())
    assert (votes.attempts, [(one.puzzle, one.good) for one in votes.votes]) == ((), [(BAIT, True)])
    with page.expect_download() as download:
        panel.get_by_role("button", name="Save my record to a file").click()
    record = training.read_record(Path(download.value.path()).read_bytes())
    assert record.votes == votes.votes
    [mine] = record.attempts
    assert (mine.puzzle, mine.grade, mine.right, mine.game) == (BAIT, "easy", True, "kirin")
    terminal = training.Store(tmp_path / "train.sqlite")
    terminal.add([mine, training.Attempt(at="2026-01-01T00:00:00.000Z", puzzle="kirin-0002", right=False)])
    bad = training.Vote(at="2026-01-01T00:00:00.000Z", puzzle="kirin-0002", good=False)
    terminal.add((), [*votes.votes, bad])
    file = tmp_path / "athanor-train.json"
    file.write_text(training.exported(terminal.record()))
    take = panel.get_by_label("Add a record from a file")
    take.set_input_files(file)
    expect(panel.get_by_text("1 of 2 answers are new. 1 of 2 votes are new.")).to_be_visible()
    expect(panel.get_by_role("status").first).to_contain_text("due now")
    expect(panel.get_by_role("button", name="Next for you")).to_contain_text("You missed it: once more")
    standing = terminal.standing()
    expect(panel.locator(".standing")).to_contain_text(f"{standing.rating_in('kirin').points:,.0f} ±")
    file.write_text('{"saved": "athanor train", "attempts": [{}]}')
    take.set_input_files(file)
    expect(panel.get_by_text("This file is not a training record.")).to_be_visible()


def test_votes_of_others_change_the_list(visit: Visit, tmp_path: Path) -> None:
    page = visit(asked(BAIT))
    panel = page.get_by_role("tabpanel")
    panel.get_by_role("button", name="All puzzles").click()
    first = training.matching(game="kirin")[0].id
    moments = [f"2026-01-0{day}T00:00:00.000Z" for day in range(1, 9)]
    votes = tuple(training.Vote(at=at, puzzle=first, good=False) for at in moments)
    found = training.standing((), votes)
    file = tmp_path / "athanor-votes.json"
    file.write_text(training.exported(training.Record(attempts=(), votes=votes)))
    numbers = {one.id: number for number, one in enumerate(training.matching(game="kirin"), 1)}
    names = panel.locator(".puzzle-item > span:not([class]):not([role])")
    expect(names.first).to_have_text(re.compile(r"\b1$"))
    panel.get_by_label("Add a record from a file").set_input_files(file)
    listed = [numbers[one.id] for one in training.matching(game="kirin", standing=found)]
    expect(names.first).to_have_text(re.compile(rf"\b{listed[0]}$"))
    place = listed.index(1)
    assert place > 0
    expect(names.nth(place)).to_have_text(re.compile(r"\b1$"))


def test_the_puzzle_of_the_day_is_that_of_the_terminal_and_the_same_everywhere(visit: Visit) -> None:
    page = visit(viewport={"width": 360, "height": 740})
    panel = page.get_by_role("tabpanel")
    today = [date.today(), date.today() - timedelta(days=1)]  # midnight may pass
    ids = "|".join(training.daily(training.chosen(), day).id for day in today)
    page.get_by_role("radio", name="Alchemy", exact=True).click()
    for game in ("king", ""):
        page.get_by_role("button", name="Puzzle of the day").click()
        expect(page).to_have_url(re.compile(f"puzzle=({ids})(&|$)"))
        expect(panel.get_by_text("Puzzle of the day, ")).to_be_in_viewport()
        panel.get_by_role("button", name="Show the solution").click()
        expect(panel.get_by_role("heading", name=re.compile("^Puzzle of the day, .*: "))).to_be_visible()
        panel.get_by_role("button", name="All puzzles").click()
        panel.get_by_label("Game").select_option(game)
    expect(panel.get_by_role("button", name="Puzzle of the day")).not_to_contain_text("✓")  # it was shown


def test_that_the_puzzle_of_the_day_is_solved_is_remembered(visit: Visit) -> None:
    page = visit()
    today = page.evaluate("() => new Intl.DateTimeFormat('sv').format(new Date())")
    yesterday = (date.fromisoformat(today) - timedelta(days=1)).isoformat()
    page.evaluate("(days) => localStorage.setItem('athanor.puzzles.days', JSON.stringify(days))", [yesterday])
    page.reload()
    daily = page.get_by_role("button", name="Puzzle of the day")
    expect(daily).to_contain_text("Solved 1 day in a row")
    go(page, asked(BAIT) + f"&~day={today}")
    card(page, "S5").click()
    expect(page.locator(".is-right")).to_contain_text("Correct")
    expect(page.locator(".puzzle-head")).to_contain_text("✓ solved")
    page.get_by_role("tabpanel").get_by_role("button", name="All puzzles").click()
    expect(daily).to_contain_text("✓")
    expect(page.get_by_text("Solved 2 days in a row")).to_be_visible()


def test_a_shared_puzzle_needs_no_list(visit: Visit) -> None:
    page = visit()
    sent: list[str] = []
    page.on("request", lambda request: sent.append(request.url))
    go(page, asked(BAIT))
    page.reload()
    expect(page.get_by_role("heading", name="Kirin easy")).to_be_visible()
    card(page, "S5").click()
    expect(page.locator(".is-right")).to_contain_text("the next best")
    assert {url.split("/v1/")[1] for url in sent if "/v1/puzzles" in url} == {
        f"puzzles?solutions=true&id={BAIT}",
        "puzzles/answer",
    }


def test_a_puzzle_is_shown_by_its_name_alone_and_its_solver_is_you(visit: Visit) -> None:
    page = visit(f"#~tab=puzzles&~puzzle={BAIT}")
    expect(card(page, "S5")).to_be_visible()
    expect(page.locator("[aria-live]")).to_have_text("It is your turn.")


def test_the_card_to_set_aside_is_asked_for(revisit: Visit) -> None:
    page = revisit(asked("kirin-0038"))
    expect(page.locator("div.middle")).to_contain_text("Your turn: set one card aside.")
    expect(page.locator("[aria-live]")).to_have_text("Your turn: set one card aside.")


@pytest.mark.parametrize(
    ("name", "note"),
    [
        ("kirin-0038", "Which card do you set aside?"),
        ("king-0018", "You have won the trick and take cards of it; all others play against Left"),
    ],
)
def test_a_note_names_seats_as_the_table_does(revisit: Visit, name: str, note: str) -> None:
    page = revisit(at(dealt("kirin", seat=0), tab="hint"))
    expect(page.get_by_role("button", name="Play it")).to_be_visible()
    go(page, asked(name))
    expect(page.get_by_role("region", name="Left", exact=True)).to_be_visible()
    page.get_by_role("button", name="Hint", exact=True).click()
    expect(page.get_by_role("tabpanel")).to_contain_text(note)


def test_a_note_is_shown_with_the_solution(revisit: Visit) -> None:
    page = revisit(asked("kirin-0014"))
    panel, note = page.get_by_role("tabpanel"), "lowest number now and the highest in the other order"
    expect(panel.get_by_role("button", name="Show the solution")).to_be_enabled()
    expect(panel).not_to_contain_text(note)
    panel.get_by_role("button", name="Show the solution").click()
    expect(panel).to_contain_text(note)


def test_the_best_match_of_a_duel_is_asked_for_with_what_it_is_best_at(revisit: Visit) -> None:
    page = revisit(asked("alchemy-best-move-302-84"))
    expect(page.get_by_role("tabpanel")).to_contain_text("Which match puts you furthest ahead")


def test_who_looks_a_rule_up_keeps_their_seat(revisit: Visit) -> None:
    page = revisit(asked("king-0039"))
    seat = page.get_by_label("You", exact=True).first
    expect(seat).to_have_attribute("data-seat", "3")
    page.get_by_role("tab", name="Rules").click()
    expect(page.get_by_role("tabpanel").get_by_role("heading").first).to_be_visible()
    expect(seat).to_have_attribute("data-seat", "3")


def test_a_set_of_cards_has_no_turn(revisit: Visit) -> None:
    page = revisit("#~tab=puzzles&~puzzle=king-0001")
    expect(page.locator("div.middle")).to_have_text("These cards are won. What can be made of them?")
    expect(page.get_by_text("to move")).to_have_count(0)


def test_a_set_is_worked_out_from_the_screen_and_its_solution_adds_up(revisit: Visit) -> None:
    page = revisit(asked("king-compound-145-429"), viewport={"width": 360, "height": 740})
    panel = page.get_by_role("tabpanel")
    cards = page.locator(".hand .card")
    expect(cards).to_have_count(19)
    edges = cards.evaluate_all("(all) => all.map((one) => one.getBoundingClientRect().toJSON())")
    for one, other in combinations(edges, 2):  # side by side, or one below the other
        assert one["right"] <= other["left"] or other["right"] <= one["left"] or one["bottom"] <= other["top"]
    expect(cards.first.locator(".foot")).to_be_visible()
    recipes = panel.locator(".recipes li")
    expect(recipes).to_have_count(10)
    expect(recipes.filter(has_text="Pewter +5")).to_have_text(re.compile(r"\(W9\) ← Tin: E8, Lead: W10"))
    expect(recipes.filter(has_text="Vermilion +6")).to_contain_text("Cinnabar: –")
    answer = panel.get_by_label("Your answer")
    for number, said in (("80", "80 is too high."), ("30", "30 is too low.")):
        answer.fill(number)
        panel.get_by_role("button", name="Check").click()
        expect(panel.locator(".is-wrong")).to_contain_text(said)
    panel.get_by_role("button", name="Hint", exact=True).click()
    expect(panel.locator(".is-wrong")).to_contain_text("the bonuses add up to 10. Fine Silver takes Lead")
    answer.fill("35")
    panel.get_by_role("button", name="Check").click()
    right = panel.locator(".is-right")
    expect(right).to_contain_text("24 for the cards + 5 for Pewter")
    expect(right).to_contain_text("= 35 points")


def test_the_list_begins_at_its_top_however_far_down_a_puzzle_was_left(revisit: Visit) -> None:
    page = revisit(asked("king-compound-145-429"), viewport={"width": 360, "height": 740})
    expect(page.locator(".recipes li")).to_have_count(10)
    panel = page.get_by_role("tabpanel")
    panel.evaluate("(found) => found.scrollTo(0, 100)")
    page.get_by_role("button", name="All puzzles").click()
    expect(page.get_by_role("button", name="Solve puzzles")).to_be_in_viewport()
    assert panel.evaluate("(found) => found.scrollTop") == 0


def test_a_wrong_taking_before_any_card_is_won_says_what_it_brings(revisit: Visit) -> None:
    page = revisit(asked("king-0017"))
    for card in ("T5", "T3", "W2"):
        page.locator(f".trick [data-card={card}]").click()
    expect(page.locator(".is-wrong")).to_contain_text("is not it. Try again.")
    expect(page.locator(".is-wrong")).to_contain_text("This trick then brings you")


def test_what_refutes_a_move_stands_above_the_buttons_and_piles_only_with_a_line(revisit: Visit) -> None:
    page = revisit(asked("king-hidden-hand-162-54"))
    panel = page.get_by_role("tabpanel")
    card(page, "A7").click()
    deals = panel.locator(".is-wrong > p", has_text="possible deals")
    expect(deals.locator("~ .ways").get_by_role("button", name="Hint")).to_be_visible()
    expect(panel.get_by_text("What the won cards make")).to_have_count(0)
    go(page, asked("king-hidden-hand-162-73"))
    card(page, "A5").click()
    expect(panel.locator(".is-right")).to_contain_text("The chance to win E2 later is")


def test_what_is_no_number_is_not_asked_about(revisit: Visit) -> None:
    page = revisit(asked("king-0039"))  # whatever the service refuses would be reported
    page.get_by_role("textbox", name="Your answer").fill("many")
    page.get_by_role("button", name="Check").click()
    expect(page.locator(".verdict")).to_have_text(re.compile("Type a number."))
    page.get_by_role("button", name="Show the solution").click()
    page.get_by_text("What the won cards make").click()  # at the end of the line
    expect(page.locator(".verdict section", has_text="You")).to_contain_text("0 for recipes: 10")


def test_nothing_is_counted_before_the_list_is_there(visit: Visit) -> None:
    page = visit()
    held = Held(page, "**/v1/puzzles?solutions=true&limit=1000")
    go(page, LISTED)
    status = page.get_by_role("tabpanel").get_by_role("status").first
    expect(status).to_have_text("Loading the puzzles …")
    page.get_by_role("button", name="Solve puzzles").click()  # it need not be waited for
    expect(page.get_by_role("button", name="Loading the puzzles …")).to_be_disabled()
    held.let_go()
    expect(page.locator(".puzzle-head")).to_be_visible()
    page.get_by_role("button", name="All puzzles").click()
    kirin = [one for one in training.collection() if one.game.name == "kirin"]
    expect(status).to_contain_text(f"Only Kirin: 0 of {len(kirin)} solved")


def test_the_list_begins_with_the_game_chosen_last_until_all_are_asked_for(visit: Visit) -> None:
    page = visit(viewport={"width": 360, "height": 740})
    panel = page.get_by_role("tabpanel")
    status = panel.get_by_role("status").first
    page.get_by_role("radio", name="Aqua Regia").click()
    page.get_by_role("tab", name="Puzzles").click()
    expect(status).to_contain_text("Only Aqua Regia: ")
    panel.get_by_role("button", name="Solve puzzles").click()
    expect(page.locator('[data-game="aqua-regia"]').first).to_be_visible()
    panel.get_by_role("button", name="All puzzles").click()
    panel.get_by_role("button", name="Show all games").click()
    page.reload()
    every = f"0 of {len(training.collection())} solved"
    expect(status).to_have_text(re.compile(f"^{every}"))
    go(page, at(dealt("king", seat=0), tab="hint"))
    expect(page.get_by_role("button", name="Play it")).to_be_visible()
    page.get_by_role("tab", name="Puzzles").click()
    expect(status).to_contain_text("Only King × Alchemy: ")


def test_sets_by_theme(visit: Visit) -> None:
    page = visit(LISTED)
    panel = page.get_by_role("tabpanel")
    panel.get_by_label("Game").select_option("kirin")
    panel.get_by_label("Theme").select_option("lose on purpose")
    many = [
        one
        for one in training.collection()
        if one.game.name == "kirin" and "lose on purpose" in (one.themes or ())
    ]
    expect(panel.get_by_role("status").first).to_contain_text(f"0 of {len(many)} solved")
    panel.get_by_role("button", name="Solve puzzles").click()
    shown: list[str] = []
    for _ in range(4):  # those that were left for the next one do not come back at once
        expect(panel.get_by_role("button", name="Show the solution")).to_be_visible()
        shown.append(page.url)
        panel.get_by_role("button", name="Next").click()
        expect(page).not_to_have_url(shown[-1])
        expect(page.locator(":focus")).to_have_count(1)
    assert len(set(shown)) == 4
    series = training.all_series()["take-it-later"]
    panel.get_by_role("button", name="All puzzles").click()
    panel.get_by_role("button", name="Take it later").click()
    expect(panel.get_by_text(series.lesson)).to_be_visible()
    expect(panel.locator(".puzzle-item")).to_have_count(len(series.puzzles))
    panel.get_by_role("button", name="Solve puzzles").click()
    expect(page).to_have_url(re.compile(f"puzzle={series.puzzles[0]}(&|$)"))
    panel.get_by_role("button", name="Show the solution").click()
    panel.get_by_role("button", name="Next", exact=True).click()
    expect(page).to_have_url(re.compile(f"puzzle={series.puzzles[1]}(&|$)"))
    panel.get_by_role("button", name="All puzzles").click()
    panel.get_by_role("button", name="All series").click()
    solved = [training.Attempt(at="2026-01-01T00:00:00.000Z", puzzle=series.puzzles[1], right=True)]
    record = training.exported(training.Record(attempts=tuple(solved))).encode()
    panel.get_by_label("Add a record from a file").set_input_files(
        {"name": "athanor-train.json", "mimeType": "application/json", "buffer": record}
    )
    one = panel.get_by_role("button", name="Take it later Kirin")
    expect(one).to_contain_text(f"1 of {len(series.puzzles)} solved")
    solved = [
        training.Attempt(at="2036-01-01T00:00:00.000Z", puzzle=name, right=True) for name in series.puzzles[:-1]
    ]
    record = training.exported(training.Record(attempts=tuple(solved))).encode()
    panel.get_by_label("Add a record from a file").set_input_files(
        {"name": "athanor-train.json", "mimeType": "application/json", "buffer": record}
    )
    one.click()
    panel.get_by_role("button", name="Solve puzzles").click()
    expect(panel.get_by_text("Take it later: 10 of 10")).to_be_visible()
    last = training.by_id()[series.puzzles[-1]]
    assert last.solution is not None
    assert last.solution.best
    card(page, last.solution.best[0]).click()
    expect(panel.locator(".counted b")).to_have_text(re.compile(r"^\+\d+$"))
    panel.get_by_role("button", name="Next", exact=True).click()
    expect(panel.get_by_text("Done: all 10 are solved.")).to_be_visible()  # and none of them again
    expect(panel.get_by_role("button", name=re.compile("^Next series: "))).to_be_visible()
    panel.get_by_role("button", name="All series").click()
    expect(panel.get_by_role("button", name="Thirty with comments")).to_contain_text("All games")


def test_a_puzzle_of_matches_does_not_list_them(revisit: Visit) -> None:
    [one, fewest] = next(
        (one, fewest)
        for one in training.collection()
        if one.ask == "all-matches" and (fewest := getattr(one.position, "min_line", 1)) > 1
    )
    assert one.solution
    page = revisit(asked(one.id))
    said = f"0 of {len(one.solution.moves or ())} found. A match uses at least {fewest} cards"
    expect(page.get_by_role("tabpanel")).to_contain_text(said)
    page.locator(".zone-line button.card").first.click()
    expect(page.get_by_role("region", name="Your sum").locator(".card").first).to_be_visible()
    expect(page.locator(".choices .move-list")).to_have_count(0)


def test_mistakes_of_a_review_become_puzzles_of_what_was_seen(visit: Visit) -> None:
    puzzle = collected()["hidden-0001"]  # B+ is best
    clear = {
        "round": 1,
        "number": 3,
        "trick": 1,
        "seat": 1,
        "move": "BT",
        "best": "B+",
        "expected": 4.0,
        "expected_loss": 2.0,
    }
    clear |= {"stderr": 0.1, "verdict": "worse", "true_best": ["B+"], "true_loss": 4.0, "true_stderr": 0.0}
    clear |= {
        "true_bounds": [4, 4],
        "line": [],
        "text": text_of(puzzle.position),
        "view": text_of(puzzle.position),
        "sure": "clear",
        "reason": "So.",
    }
    unsure = {**clear, "number": 4, "verdict": "equal", "unclear": ["expected_loss", "true_loss"]}
    seat: dict[str, Any] = {
        "seat": 1,
        "decisions": 2,
        "best": 0,
        "expected_loss": 4.0,
        "true_loss": 4.1,
        "true_decisions": 2,
        "mistakes": -0.1,
        "mistakes_error": 0.4,
        "unclear": ["mistakes"],
    }
    blank = {
        name: field.get_default() for name, field in SeatReview.model_fields.items() if not field.is_required()
    }
    seat = {**blank, **seat, "worst": [[1, 3]], "agreement": 0.0, "bad_moves": 1.0}
    blank = {
        name: field.get_default() for name, field in ReviewedMove.model_fields.items() if not field.is_required()
    }
    clear, unsure = {**blank, **clear}, {**blank, **unsure, "causes": [{"code": "kept_wins"}]}
    review = {"game": "kirin", "unit": "points", "complete": True, "seats": [seat], "moves": [clear, unsure]}
    page = visit("#~tab=setup")
    given = {"content_type": "application/x-ndjson"}
    page.route("**/v1/match/review", lambda route: route.fulfill(body=json.dumps(review) + "\n", **given))
    hidden = {"number": 6, "expected_loss": -0.1, "true_loss": 3.0, "verdict": "unknown", "unclear": []}
    review["moves"] = [{**unsure, "unclear": []}, {**unsure, **hidden}]
    together = {
        "seen": -1.5,
        "seen_error": 0.3,
        "actual": True,
        "mistakes": -2.25,
        "mistakes_error": 0.1,
        "hidden": -0.75,
        "unclear": [],
        "doubtful_passes": 9,
        "doubtful_passes_loss": 1.0,
        "doubtful_passes_error": 0.25,
    }
    counted = {"decisions": 10, "best": 2, "unknown": 7}
    review["seats"] = [
        {**seat, **together, **counted, "expected": 3, "result": 2},
        {**seat, "seat": 0, "decisions": 0},
    ]
    page.locator("input[type=file][multiple]").set_input_files(places.ROOT / "docs" / "examples" / "table.txt")
    page.get_by_role("button", name="Review its finished rounds").click()
    panel = page.get_by_role("tabpanel")
    expect(panel.get_by_text("began at 3 points and ended at 2 points. No move alone was clearly")).to_be_visible()
    expect(panel.get_by_text("These moves together cost about 1.50 ± 0.60 points")).to_be_visible()
    expect(panel.get_by_text("may be luck")).to_have_count(0)  # no move is blamed for what is not sure
    expect(panel.get_by_text("9 times, another move was better on average than to pass")).to_be_visible()
    panel.get_by_text("but cost something as the cards lay").click()
    expect(panel.get_by_role("button", name="Trick 1 · turn 2: cost 3 points as the cards lay")).to_be_visible()
    panel.get_by_text("All moves and numbers").click()
    for name, share in {"Best or as good": "20%", "Unclear": "70%", "Worse": "10%"}.items():
        expect(panel.get_by_role("row", name=f"{name} {share}")).to_be_visible()
    expect(panel.get_by_role("row").last).to_contain_text(re.compile("0.*unclear.*3"))  # nothing below 0
    panel.get_by_text("All moves and numbers").click()
    seat |= {"seen": -0.1, "seen_error": 0.3, "actual": True, "expected": 3, "luck": 0, "result": 3}
    review |= {"moves": [clear, unsure], "seats": [seat]}
    page.get_by_role("button", name="Review its finished rounds").click()
    panel.get_by_text("All moves and numbers").click()
    expect(panel.get_by_text("These moves together cost 0.70 points at most")).to_be_visible()
    expect(panel.get_by_text("So.", exact=True)).to_have_count(0)  # without a cause it repeats what is lost
    expect(panel.get_by_role("row", name=re.compile("^Own moves unclear$"))).to_be_visible()
    expect(panel.get_by_role("row").last).to_contain_text(re.compile("unclear.*as good.*unclear"))
    panel.get_by_role("row").last.click()
    page.get_by_role("button", name="Back to the review").click()
    page.get_by_role("button", name="Solve this mistake as a puzzle").click()
    expect(panel.get_by_role("heading", name="No. 1")).to_be_visible()  # practice begins at once
    card(page, "B+").click()
    expect(panel.locator(".is-right")).to_contain_text("Correct")
    expect(panel.get_by_role("heading", name="Better than BT")).to_be_visible()
    digest = f"{crc32(text_of(puzzle.position).encode()):08x}"
    assert f"own:kirin-1-3-{digest}" in page.url


def test_the_stock_on_which_a_win_depends_is_laid_open(revisit: Visit) -> None:
    page = revisit(asked("alchemy-0031"))
    cards = page.locator(".board .stock-order .card")
    expect(cards).to_have_count(8)
    expect(cards.first).to_have_accessible_name("3")


def test_a_hint_after_a_wrong_card_is_in_sight(visit: Visit) -> None:
    page = visit(asked("kirin-0001"), viewport={"width": 360, "height": 740}, has_touch=True, is_mobile=True)
    panel = page.get_by_role("tabpanel")
    # Why it is wrong is asked apart, and its answer moves what lies below.
    with page.expect_response(
        lambda one: "answer" in one.url and (one.request.post_data_json or {})["answer"] != "B2"
    ):
        page.locator(".hand [data-card=B2]").tap()
    expect(panel.locator(".is-wrong p").first).to_be_in_viewport(ratio=1)
    for wanted in (panel.get_by_text("Which move "), panel.get_by_role("button", name="Next")):
        expect(wanted).to_be_in_viewport(ratio=1)  # the question stays above the verdict
    panel.get_by_role("button", name="Hint", exact=True).tap()
    expect(panel.get_by_text("You lead")).to_be_in_viewport(ratio=0.99)  # it is scrolled by whole pixels


def test_a_hint_stays_in_sight_whatever_is_said_after_it(visit: Visit) -> None:
    """Why the wrong card is wrong is asked apart, and its answer may be the last."""
    page = visit(asked("kirin-0001"), **phone())
    held = Held(page, "**/v1/puzzles/answer", lambda one: (one.post_data_json or {})["answer"] != "B2")
    panel = page.get_by_role("tabpanel")
    with page.expect_request(lambda one: "answer" in one.url and (one.post_data_json or {})["answer"] != "B2"):
        page.locator(".hand [data-card=B2]").tap()
    panel.get_by_role("button", name="Hint", exact=True).tap()
    hint = panel.get_by_text("You lead")
    expect(hint).to_be_in_viewport(ratio=0.99)
    verdict = panel.locator(".is-wrong p").first
    before = verdict.inner_text()
    held.let_go()
    expect(verdict).not_to_have_text(before)
    expect(hint).to_be_in_viewport(ratio=0.99)


@pytest.mark.parametrize(
    ("name", "wrong"),
    [
        ("kirin-0001", "B2"),
        ("hidden-0001", "D1"),
        ("king-hidden-hand-162-58", "A9"),
        ("king-best-move-142-68", "A5"),
        ("aqua-regia-0004", "Mg"),
        ("alchemy-0021", "no match"),
    ],
)
def test_what_is_said_of_a_wrong_answer_is_in_sight(revisit: Visit, name: str, wrong: str) -> None:
    page = revisit(asked(name), viewport={"width": 360, "height": 740}, has_touch=True, is_mobile=True)
    panel = page.get_by_role("tabpanel")
    if wrong == "no match":
        page.get_by_role("button", name=wrong).tap()
    else:
        card(page, wrong).first.tap()
    said = panel.locator(".is-wrong")
    expect(said.locator("> p").first).to_be_in_viewport(ratio=1)
    if name.startswith("hidden"):
        expect(said.get_by_text("possible deals")).to_be_in_viewport(ratio=0.7)
    for wanted in (said.get_by_text("Try again"), panel.get_by_role("button", name="Next")):
        expect(wanted).to_be_in_viewport(ratio=1)


@pytest.mark.parametrize("name", ["kirin-value-123-80", "king-0039"])
def test_a_typed_answer_and_its_ways_are_in_sight(revisit: Visit, name: str) -> None:
    page = revisit(asked(name), viewport={"width": 360, "height": 740}, has_touch=True, is_mobile=True)
    panel = page.get_by_role("tabpanel")
    for button in ("Next", "Check", "Hint", "Show the solution", "All puzzles"):
        expect(panel.get_by_role("button", name=button, exact=True)).to_be_in_viewport(ratio=1)


def test_as_many_puzzles_of_a_theme_are_printed_as_are_wanted(visit: Visit) -> None:
    page = visit(LISTED)
    panel = page.get_by_role("tabpanel")
    panel.get_by_label("Theme").select_option("lose on purpose")
    expect(panel.get_by_role("button", name="Print 10 puzzles")).to_be_visible()
    panel.get_by_label("How many").select_option("5")
    page.evaluate("() => { window.print = () => { document.title = 'printed'; }; }")
    panel.get_by_role("button", name="Print 5 puzzles").click()
    expect(page).to_have_title("printed")
    expect(page.locator(".sheet .solutions li")).to_have_count(5)


def printed(page: Page, *wanted: str) -> Locator:
    """The sheet with these puzzles, as on paper."""

    def few(route: Route) -> None:
        found = route.fetch().json()
        found["puzzles"] = [one for one in found["puzzles"] if one["id"] in wanted]
        route.fulfill(json=found)

    page.route("**/v1/puzzles?solutions=true&limit=1000", few)
    go(page, LISTED)
    page.evaluate("() => { window.print = () => { document.title = 'printed'; }; }")
    page.get_by_role("button", name="Show all games").click()
    page.get_by_label("How many").select_option(f"all {len(wanted)}")
    page.get_by_role("button", name="Print").click()
    expect(page).to_have_title("printed")
    page.emulate_media(media="print")
    return page.locator(".sheet article")


def test_a_puzzle_with_large_piles_has_the_width_of_the_page(visit: Visit) -> None:
    articles = printed(visit(), "king-best-move-142-68", "alchemy-winnable-115-17")
    small, large = (articles.nth(at).bounding_box() for at in (0, 1))
    assert small
    assert large
    assert large["width"] > 1.9 * small["width"]


def test_a_sheet_is_printed_from_the_solvers_seat(visit: Visit) -> None:
    page = visit()
    articles = printed(page, "alchemy-winnable-115-17", "king-0018", "king-0019", "hidden-0001")
    king, guarded, kirin, alchemy = (
        articles.filter(has=page.get_by_text(text)).first
        for text in ("leaves Left the fewest", "give one to Left", "Direction", "Can it be won, if")
    )
    expect(king).to_contain_text("Trick won byYou")
    expect(king.get_by_role("region", name="You: Hand").locator(".tile b")).to_have_text(["A8"])  # seat 1
    expect(king).to_contain_text("You all play against Left.")
    expect(guarded).to_contain_text("You won the trick: take cards of it, and give one to")
    expect(kirin.locator(".facts")).to_contain_text("To moveYou")
    expect(alchemy.locator(".facts")).to_contain_text("Alternative solitaire")
    expect(alchemy.locator(".facts")).to_contain_text(re.compile(r"Misses left\d"))
    solutions = page.locator(".sheet .solutions")
    expect(solutions.locator(".move").filter(has_text="take").filter(has_text="W6")).to_have_text(
        re.compile(r"take\s*E4\s*D\s*and give\s*W6")
    )
    left, right = (articles.nth(at).bounding_box() for at in (0, 2))
    assert left
    assert right
    assert right["x"] >= left["x"] + left["width"]  # side by side


def test_wrong_cards_stay_marked_until_the_puzzle_is_solved(revisit: Visit) -> None:
    page = revisit(asked("hidden-0001"))
    for code, marks in (("D1", 1), ("S4", 2)):
        card(page, code).click()
        expect(page.locator(".is-wrong strong")).to_contain_text("is not it")
        expect(page.locator(".hand .is-bad")).to_have_count(marks)
    card(page, "B+").click()
    expect(page.locator(".hand .card-mark")).to_have_text(["✓ correct"])
    expect(page.locator(".is-right")).to_contain_text("the next best: ")
    drawn, badge = (
        box
        for box in (page.locator(f".hand .is-good{part}").bounding_box() for part in (" svg", " .card-mark"))
        if box
    )
    assert badge["y"] > drawn["y"] + 0.8 * drawn["height"]  # it covers no picture


def test_a_card_chosen_while_the_puzzle_is_loading_is_an_answer(visit: Visit) -> None:
    """Its cards are there before it is: they stand in the address."""
    page = visit("#~tab=rules")
    held = Held(page, "**/v1/puzzles?**")
    go(page, asked(BAIT))
    card(page, "B2").click()
    expect(page.get_by_role("tabpanel")).to_contain_text("One moment …")
    held.let_go()
    expect(page.locator(".is-wrong strong")).to_have_text("✗ B2 is not it. Try again.")


def test_a_discard_is_a_card_of_the_line(revisit: Visit) -> None:
    line = "alchemy solo line=8,9,10,K hand=A unseen="
    (puzzle,) = (name for name, one in collected().items() if text_of(one.position).startswith(line))
    page = revisit(asked(puzzle))
    expect(page.locator(".board button.card")).to_have_count(4)  # the drawn card goes in any case
    expect(page.get_by_role("tabpanel")).to_contain_text("Solitaire, misses left: 1.")
    card(page, "8").click()
    wrong = page.locator(".is-wrong strong")
    expect(wrong).to_have_text("✗ Discard 8 is not it. Try again.")
    card(page, "9").click()
    expect(page.locator(".board .card-mark")).to_have_text(["✓ correct"])
    expect(page.locator(".zone-line .best")).to_have_count(1)
    expect(page.get_by_role("heading", name=collected()[puzzle].title)).to_be_visible()


def test_a_hint_asks_before_it_gives_a_puzzles_answer_away(visit: Visit) -> None:
    page = visit(asked(BAIT))
    panel = page.get_by_role("tabpanel")
    for tab in ("Analysis", "Hint"):
        page.get_by_role("tab", name=tab).click()
        expect(panel).to_contain_text("This would give its answer away")
    panel.get_by_role("button", name="Back to the puzzle").click()
    expect(panel.get_by_text("After a hint, solving it counts half in your rating")).to_be_visible()
    page.get_by_role("tab", name="Analysis").click()
    panel.get_by_role("button", name="Show it all the same").click()
    expect(panel.locator(".moves")).to_contain_text("4")
    page.get_by_role("tab", name="Puzzles").click()
    expect(panel.get_by_text("After a hint, solving it counts half in your rating")).to_have_count(0)


def test_a_day_is_written_as_in_the_browsers_region(revisit: Visit) -> None:
    page = revisit(f"{asked(BAIT)}&~day=2026-11-28", locale="en-GB")
    expect(page.get_by_role("heading", name="Puzzle of the day, 28 Nov")).to_be_visible()
