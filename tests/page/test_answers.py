"""Hints and analyses in the browser: asked when a tab opens, streamed, stopped, and gone on with."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import expect

import athanor
from solver.positions import text_of
from tests.page.conftest import Visit
from tests.page.support import ENDINGS, at, by_nodes, dealt, go
from tests.support.games import OWN, offering

# Of few deals, which are all searched in a fifth of the time that a hint has: one card is clearly better.
CLEAR = "kirin seat=2 hand=D4,DT,G6,G+ declared=D3 history=0:D1,S1,D6,B2/2:B+,S+,S2,S5/1:B6,S-,ST,B-/3:G3,S6,G-,D2"


@pytest.mark.parametrize("name", OWN)
def test_a_hint_names_a_move_and_its_reason_and_makes_it(visit: Visit, name: str) -> None:
    page = visit(at(CLEAR if name == "kirin" else dealt(name, seat=0), tab="rules"))
    expect(page.get_by_role("tabpanel").get_by_role("article")).not_to_be_empty()
    expect(page.locator(".board .card.legal").first).to_be_visible()
    asked: list[tuple[str, str | None]] = []
    page.on("request", lambda request: asked.append((request.url, request.post_data)))
    page.get_by_role("tab", name="Hint").click()
    hint = page.get_by_role("region", name="Hint")
    expect(hint.locator(".best-move .card").first).to_be_visible()
    expect(page.locator("[aria-live]")).to_contain_text("Hint:")  # it is done
    expect(hint.locator(".reason")).not_to_be_empty()
    reason = hint.locator(".reason").inner_text()
    matches = reason.count("=")
    expect(hint.locator(".reason .card-word").filter(has_text="=")).to_have_count(matches)
    (question,) = [one for one in asked if "/v1/" in one[0]]  # another tab shows the same table
    assert question[0].endswith("/hint")
    if name == "kirin":  # why not the others?
        expect(hint.locator(".sure small")).to_contain_text("points ahead")
        second = re.escape(hint.locator(".three li").nth(1).locator(".card-word").inner_text().replace("\n", ""))
        with page.expect_request(lambda request: '"compare"' in (request.post_data or "")):
            hint.get_by_text("Why?").click()
        # The reason says with which move it compares, and stands once.
        expect(hint.locator(".reason")).to_have_text(re.compile(rf"^Why not\W*{second}"))
        expect(hint.locator(".rather").first).to_have_text(re.compile("^Why not"))
        expect(hint.locator(".rather", has_text=re.compile(rf"^Why not\W*{second}"))).to_have_count(0)
        hint.get_by_text("Why?").click()
        expect(hint.locator(".reason")).to_have_text(reason)
    hint.get_by_text("Why?").click()
    if name in ("kirin", "king"):
        expect(hint.get_by_text("If the others play better or worse than assumed")).to_be_visible()
    rows = hint.get_by_role("table").get_by_role("row")
    expect(rows.nth(1).locator("svg.bar")).to_be_visible()
    hint.get_by_role("button", name="Make it" if name == "alchemy" else "Play it").click()
    if name == "alchemy":  # what is turned up then, nobody but the player knows
        expect(page.get_by_role("region", name="Which is card 4 of 6 in the line?")).to_be_visible()
        return
    expect(page).to_have_url(re.compile("~moves="))
    page.get_by_role("button", name="Undo").click()
    hint.get_by_text("Why?").click()
    expect(hint.locator(".reason")).to_have_text(reason)
    assert asked.count(question) == 1  # the same cards get the same hint


_ONE_LINE = """
const asked = window.fetch;
window.fetch = (address, options) => {
  if (!String(address).endsWith("v1/hint")) return asked(address, options);
  const line = {progress: {nodes: 0, seconds: 0.01, done: 0, stage: "policy", best: "S4"}};
  const bytes = new TextEncoder().encode(JSON.stringify(line) + "\\n");
  const body = new ReadableStream({start: (sent) => sent.enqueue(bytes)});
  return Promise.resolve(new Response(body, {headers: {"Content-Type": "application/x-ndjson"}}));
};
null;  // a function would be called
"""


def test_a_first_guess_says_that_it_is_one(visit: Visit) -> None:
    page = visit(at(dealt("kirin", seat=0), tab="rules"))
    page.evaluate(_ONE_LINE)  # what follows the first line of a stream never comes
    page.get_by_role("tab", name="Hint").click()
    panel = page.get_by_role("tabpanel")
    expect(panel.get_by_text("first guess")).to_be_visible()
    expect(panel.get_by_text("The answer is on its way.")).to_be_visible()
    expect(panel.get_by_text("best so far")).to_have_count(0)


def test_a_lead_without_a_cause_does_not_repeat_the_values(visit: Visit) -> None:
    line = dealt("kirin", seat=0)
    told = {"sure": "slight", "causes": (), "reason": "It brings 2 points, the next 1.9."}
    hint = athanor.hint(line, worlds=1).model_copy(update=told)
    page = visit(at(line, tab="rules"))
    body = hint.model_dump_json() + "\n"
    page.route("**/v1/hint", lambda route: route.fulfill(body=body, content_type="application/x-ndjson"))
    page.get_by_role("tab", name="Hint").click()
    answer = page.get_by_role("region", name="Hint")
    expect(answer.locator(".sure")).to_contain_text("Better than the others, but only slightly")
    expect(answer.locator(".three li")).to_have_count(3)
    expect(answer.locator(".reason")).to_be_empty()


def test_what_is_too_close_to_call_is_thought_about_for_longer(visit: Visit) -> None:
    page = visit(at(dealt("king", 3, seat=0), tab="rules"))
    asked = by_nodes(page, 100)  # which is too few on any machine
    page.get_by_role("tab", name="Hint").click()
    longer = page.get_by_role("button", name="Think for 3 s")
    expect(longer).to_be_visible()
    longer.click()
    expect(page.get_by_role("button", name="Think for 10 s")).to_be_visible()
    assert [one["limit"]["seconds"] for one in asked] == [1, 3]


def test_only_the_card_is_shown_when_that_is_wanted(visit: Visit) -> None:
    page = visit(at(dealt("kirin", seat=0), tab="hint"))
    page.get_by_text("Settings").click()
    page.get_by_label("Show me only the card").check()
    hint = page.get_by_role("region", name="Hint")
    expect(hint.locator(".card")).to_have_count(1)
    expect(hint.locator(".reason")).to_have_count(0)
    hint.get_by_role("button", name="Why?").click()
    expect(hint.locator(".reason")).not_to_be_empty()
    page.reload()
    page.get_by_text("Settings").click()
    expect(page.get_by_label("Show me only the card")).to_be_checked()


def test_an_analysis_grows_and_stops_and_goes_on(revisit: Visit) -> None:
    page = revisit(at(dealt("kirin", 2), tab="analysis", model="maxn"))  # no machine proves that in time
    page.get_by_label("Search up to").select_option("27")
    panel = page.get_by_role("tabpanel")
    expect(panel.get_by_role("progressbar")).to_be_visible()
    expect(panel.get_by_role("table")).to_be_visible()
    panel.get_by_role("button", name="Stop").click()
    expect(panel.get_by_role("progressbar")).to_have_count(0)
    expect(panel.get_by_text("No move is proved best yet")).to_be_visible()
    expect(panel.get_by_role("button", name="Why not?")).to_have_count(0)
    expect(page.locator(".board .card.best, .is-best")).to_have_count(0)
    panel.get_by_role("button", name="Search for").click()
    expect(panel.get_by_role("progressbar")).to_be_visible()
    panel.get_by_role("button", name="Stop").click()
    expect(panel.get_by_role("progressbar")).to_have_count(0)


@pytest.mark.parametrize(
    ("led", "card", "reason"),
    [
        ("G5", "D6", "Play a stronger number, a trump or a kirin of a stronger colour than"),
        ("ST", "D+", "Play a kirin of a stronger colour than"),
        ("S-", "D6", "Play any card of a stronger colour than"),
    ],
)
def test_the_only_move_says_what_leaves_no_other(revisit: Visit, led: str, card: str, reason: str) -> None:
    hand = f"kirin seat=0 hand=G1,G2,G3,G4,{card},B1,S1,S2 declared=GT trick=1:{led},S6,D1"
    hint = revisit(at(hand, tab="hint")).get_by_role("region", name="Hint")
    expect(hint.locator(".sure")).to_have_text(re.compile("The only move"))
    expect(hint.locator(".reason")).to_contain_text(re.compile(reason, re.S))


TAKEN = (
    "king hands=F2,W8,A9/F1,F5,W1/F10,W2,W7/F4,E1,E3 pick=F6,A8,E8,E5 removed=E10,T3 "
    "history=0:W9,T1,W3,E7:give:E7/1:W10,W11,T5,W6:give:W11/3:F3,T2,F8,F11:give:F3/0:E11,T4,E4,E9:give:E11/"
    "1:A6,A1,A7,A3:take:A3,A6:give:A1/3:E6,E2,W5,F7:take:W5,E2:give:F7/"
    "3:A11,A2,F9,A4:take:F9,A4:give:A2 trick=3:A10,D:A,W4,A5"
)


def test_an_analysis_of_an_ending_is_proved_under_each_model(revisit: Visit) -> None:
    page = revisit(at(ENDINGS["kirin"], tab="analysis", model="all"))
    panel = page.get_by_role("tabpanel")
    expect(panel.get_by_text("Searched to the end: these numbers are certain.")).to_be_visible()
    heads = panel.locator("thead").first
    for model in ("At least", "At most", "Each for itself"):
        expect(heads).to_contain_text(model)
    expect(page.locator(".hand .card-mark")).to_have_text(
        ["best case\nnormal", "best"]
    )  # under which models it is
    named = panel.get_by_text("Best case: best if all help.")
    expect(named).to_be_visible()
    expect(panel.get_by_role("heading", name="Best play from here: All against you")).to_be_visible()
    expect(panel.get_by_role("button", name="Why not?")).to_have_count(0)  # under which model?
    expect(panel.locator("td").filter(has_text=re.compile(r"You: \d.*Right: \d")).first).to_be_visible()
    models = panel.get_by_label("The others")
    models.select_option("All help you")
    expect(page).to_have_url(re.compile("~model=ally"))
    expect(models).to_have_value("ally")
    expect(panel.locator(".outcome")).to_have_text(re.compile(r"^You: \d points?, .*Right: \d points?$"))
    models.select_option("All against you")
    panel.get_by_role("button", name="Why not?").click()
    why = panel.locator(".refutation")
    lost = re.compile(r"The next trick then goes to Left with\W*B3\s*, not to you with\W*D1")
    expect(why).to_contain_text(re.compile(r"D1\W*brings 2 points less than\W*D3"))
    expect(why).to_contain_text(lost)
    tricks = why.locator(".line li")  # a row each, with who leads and who wins it; the asked move comes first
    expect(tricks).to_have_text([re.compile(f"^{first}.*Left won it$", re.S) for first in ("You", "Left")])
    film = page.get_by_role("region", name="What follows, on the table")
    expect(film).to_contain_text("1 of 8")
    expect(film).to_contain_text(lost)
    film.get_by_role("button", name="One move on").click()
    expect(why.locator("[aria-current=step]")).to_have_count(1)
    for line, told in (
        ("aqua-regia hands=Zn,Ni,Pt/Li,Na,Ni field=acid turn=0 stock=Pb,Hg", "out after.*Zn.*: Opponent. .*: You"),
        (TAKEN, "brings 2 points less than .* then brings you.*6.*instead of.*A5"),  # what differs, and no more
    ):
        go(page, at(line, tab="analysis"))
        expect(why).to_have_count(0)
        panel.get_by_role("button", name="Why not?").first.click()
        expect(why).to_contain_text(re.compile(told, re.S))
        if line.startswith("aqua-regia"):  # Pt wins, and water comes, which Zn can't be led in
            last = panel.locator(".box .line li", has_text="Pt").locator(".hinted")
            expect(last).to_have_text("You won it but can't lead, so the lead passes to Opponent")
    go(page, at(ENDINGS["aqua-regia"], tab="analysis", model="all"))
    expect(page.locator(".hand .card-mark")).to_have_text(["best"])
    expect(named).to_have_count(0)  # no card is marked with a model


def test_moves_that_are_all_worth_the_same_lead_to_another_model(revisit: Visit) -> None:
    page = revisit(at("aqua-regia hands=Na,Mg/Li,K,K field=water turn=0 stock=Pb,Hg", tab="analysis"))
    level = page.get_by_text("Every move is worth the same here. “Each for itself” may tell them apart.")
    expect(level).to_be_visible()
    go(page, at("aqua-regia hands=Zn,Ni/Li,Na,Ni field=acid turn=0 stock=Pb,Hg", tab="analysis"))
    expect(page.locator(".moves .is-best")).to_have_count(1)
    expect(level).to_have_count(0)
    page.set_viewport_size({"width": 360, "height": 740})
    go(page, at(dealt("kirin", 1), tab="analysis"))
    nothing = (
        "Whatever the move, the others together can hold you to 0 points. “Each for itself” may tell them apart."
    )
    expect(page.get_by_text(nothing)).to_be_in_viewport(ratio=1)
    last = "kirin hands=D3,GT/D5,D4/D6,D2/S2,S4 declared=G3,D+,S1,B3 direction=ascending leader=0"
    go(page, at(last, tab="analysis", model="maxn"))
    expect(page.get_by_text("Every move is worth the same here.", exact=True)).to_be_visible()


def test_values_lie_within_the_seat_to_move(revisit: Visit) -> None:
    line = "kirin hands=D3,GT,S6/D5,ST,B1/D6,S4,G2/S2,B4,G1 declared=G3,D4,S1,B3 direction=ascending leader=0"
    page = revisit(at(line, tab="analysis", model="all"), viewport={"width": 1280, "height": 800})
    page.locator('.hand .card[data-card="S6"]').click()
    expect(page.locator("thead").first).to_contain_text(
        re.compile("Left: At least.*Left: At most.*Each for itself")
    )
    marks = page.locator(".seat.to-move .card-mark")
    expect(marks).to_have_count(3)
    for mark in marks.all():
        assert mark.evaluate(
            "(mark) => mark.getBoundingClientRect().bottom < mark.closest('.seat').getBoundingClientRect().bottom"
        )


def late(name: str, moves: int, **options: Any) -> str:
    """What the seat to move sees after so many moves."""
    position: Any = athanor.deal(name, seed=4, **options)
    for number in range(moves):
        legal = athanor.legal_moves(position)
        position = athanor.play(position, legal[number % len(legal)])
    seat = athanor.to_move(position)
    assert seat is not None
    return text_of(athanor.view(position, seat))


VIEWS = {
    "kirin, late": late("kirin", 25),
    "king, late": late("king", 44, players=3),
    "king, the pick": dealt("king", seat=0, variant="unpicked"),
    "aqua-regia, late": late("aqua-regia", 40, players=3),
    "solitaire": dealt("alchemy", seat=0, variant="alternative"),
}
DEEDS = {"king, the pick": "Pick it", "solitaire": "Make it"}  # what is done with the cards


@pytest.mark.parametrize("name", VIEWS)
def test_a_hint_is_played_through_in_one_possible_deal(revisit: Visit, name: str) -> None:
    page = revisit(at(VIEWS[name], tab="hint"))
    expect(page.locator("details.why")).to_be_visible()
    if not page.locator("details.why[open]").count():  # it stays open
        page.get_by_text("Why?").click()
    page.get_by_role("button", name="How play may continue").click()
    expect(page.get_by_text("One possible deal")).to_be_visible()
    if "alchemy" not in page.url:  # whose hint it is stays "you", although all cards are shown
        expect(page.locator(".mine .seat-name")).to_have_text(re.compile("^\\s*You"))
    page.get_by_role("button", name="Back to the position").click()
    expect(page.get_by_text("One possible deal")).to_have_count(0)
    expect(page.get_by_role("button", name=DEEDS.get(name, "Play it"))).to_be_visible()


@pytest.mark.parametrize("game", offering("played_by"))
def test_the_evidence_of_a_hint_has_the_worst_tenth_of_each_move(visit: Visit, game: str) -> None:
    page = visit(at(dealt(game, seat=0), tab="hint"))
    page.get_by_text("Why?").click()
    moves = page.locator("details.why table.moves")
    expect(moves.locator("thead th").nth(2)).to_have_text("Worst tenth")
    lows = moves.locator("tbody td:nth-child(3)").all_inner_texts()
    assert len(lows) > 1
    assert all(re.fullmatch(r"−?\d[\d.]*%?", low) for low in lows), lows
