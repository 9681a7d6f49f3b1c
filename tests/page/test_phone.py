"""What a hand holding a phone needs: what is asked in sight, a sheet that follows the finger, and reasons."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from athanor.sessions import Saved, Session
from solver.positions import text_of
from tests.page.conftest import Visit
from tests.page.support import BAIT, COVERED, ENDINGS, OVER, address, asked, at, collected, dealt, fill, go, phone
from tests.page.tables import FIVE, LONG_HAND, OBSERVED, PICKED, PICKED_FIVE
from tests.support.timing import wait_until

PHONES = [(360, 740), (320, 568)]
SIDEWAYS = [*PHONES, (740, 360)]
WON = (
    "king seat=1 hand=F6,F8,F10,W9,W10,W11,E6,A7 pick=W2,A3,T1,W8 removed=A8,D "
    "history=0:E5,T3,E9,T5:take:T3:give:E9/3:E4,E3,E1,E10:take:E1,E3:give:E4 trick=2:E11,E2,E7,T4"
)
LATE = "kirin seat=0 direction=ascending hand=D2,S3,B4,B6,G+ declared=DT gone=D6,S6,BT leader=0"
PICKED_THREE = (
    "king seat=1 hand=F1,F5,W1,W3,W4,W7,W10,W11,E4,A1,A6,A8,T1,T4 pick=W5,A5,E1 removed=E5,E6,E10,A10,T3 leader=0"
)
# The cards that are smaller than a thumb, or of which later ones leave less than 44 pixels.
SMALL = """(cards) => cards.filter((card) => {
  const { width, height, top } = card.getBoundingClientRect();
  const below = card.closest(".suit-row").nextElementSibling?.firstElementChild.getBoundingClientRect().top;
  return width < 44 || height < 60 || (below > top && below - top < 44);
}).map((card) => card.dataset.card)"""
# The cards whose upper corner, where their number stands, is out of sight or under something.
CORNERS_HIDDEN = """(cards) => cards.filter((card) => {
  const { left, top } = card.getBoundingClientRect();
  return !card.contains(document.elementFromPoint(left + 5, top + 14));
}).map((card) => card.dataset.card)"""
# Whether what a finger would hit in the middle of something is that, without scrolling.
IN_REACH = """(found) => {
  const { left, top, width, height } = found.getBoundingClientRect();
  return found.contains(document.elementFromPoint(left + width / 2, top + height / 2));
}"""
# Whether it becomes so soon: asked in the page, frame by frame, as each question from outside takes its time.
SOON_IN_REACH = f"""async (found) => {{
  const isInReach = {IN_REACH};
  for (let frame = 0; frame < 60 && found.isConnected; frame++) {{
    if (isInReach(found)) return true;
    await new Promise((drawn) => requestAnimationFrame(drawn));
  }}
  return false;
}}"""
# Those of several things, or of the first few of them, of which that is not so.
OUT_OF_REACH = f"""(all, most) => all.slice(0, most).filter((one) => !({IN_REACH})(one))
  .map((one) => one.ariaLabel ?? one.outerHTML)"""
# Whether something lies over the trick.
ON_TRICK = """() => [...document.querySelectorAll(".trick .card")].some((card) =>
  card.getBoundingClientRect().bottom > document.querySelector(".own").getBoundingClientRect().top)"""
# The cards of the hand that lie on another.
ON_OTHERS = """() => {
  const cards = [...document.querySelectorAll(".hand .card")].map((card) => card.getBoundingClientRect());
  return cards.filter((one, at) => cards.slice(0, at).some(
    (other) => one.left < other.right && one.top < other.bottom && other.left < one.right)).length;
}"""
# The words about cards that lie over the cards' pictures.
ON_PICTURES = """() => [...document.querySelectorAll(".card:is(.drawn, .slot .deed) .card-mark")].filter((mark) =>
  mark.getBoundingClientRect().top < mark.parentElement.querySelector(".ground").getBoundingClientRect().bottom
).length"""
# The counts of other seats that are not in the line of the name.
BELOW_NAMES = """() => [...document.querySelectorAll(".seat")].filter((seat) => {
  const [name, count] = [".seat-name", ".backs"].map((one) => seat.querySelector(one).getBoundingClientRect());
  return count.top > name.bottom;
}).map((seat) => seat.ariaLabel)"""
# How long each finished trick was shown, in milliseconds.
WATCH = """() => {
  let since = 0;
  globalThis.shown = [];
  setInterval(() => {
    const over = Boolean(document.querySelector(".trick.over"));
    if (over && !since) since = performance.now();
    if (!over && since) { shown.push(performance.now() - since); since = 0; }
    globalThis.moved ||= document.getAnimations().some(({ effect: { target } }) => target.matches(".over .slot"));
  }, 20);
}"""

# When the hand and the first move of a game were shown first.
FIRST = """() => {
  globalThis.seen = {};
  setInterval(() => {
    if (document.querySelector(".hand .card")) seen.hand ??= performance.now();
    if (document.querySelector(".log-trick")) seen.log ??= performance.now();
  }, 20);
}"""


def sizes(page: Page, *wanted: tuple[int, int]) -> Iterator[tuple[int, int]]:
    """The page in windows of these sizes, by default those of both phones, one after another: loaded once."""
    for width, height in wanted or PHONES:
        page.set_viewport_size({"width": width, "height": height})
        page.evaluate("() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))")
        yield width, height


def in_reach(wanted: Locator) -> None:
    """It can be tapped, once it is there and what moves has come to rest."""
    wait_until(lambda: wanted.evaluate(SOON_IN_REACH))


def all_in_reach(wanted: Locator, most: int = 99) -> None:
    """Each of them, or of the first few, can be tapped, once there are some: all are asked at once."""
    found: list[str] = []

    def are_in_reach() -> bool:
        found[:] = wanted.evaluate_all(OUT_OF_REACH, most)
        return not found

    wanted.first.wait_for(state="attached")
    with suppress(AssertionError):
        wait_until(are_in_reach)
    assert found == []


def each(wanted: Locator) -> list[Locator]:
    """All of them, once there are some."""
    wanted.first.wait_for(state="attached")
    return wanted.all()


def swipe(page: Page, far: int) -> None:
    """Drag the sheet's handle up or, where `far` is negative, down."""
    place = page.locator(".handle").bounding_box()
    assert place
    x, y = place["x"] + place["width"] / 2, place["y"] + 8
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x, y - far, steps=4)
    page.mouse.up()


def test_a_line_stays_in_reach_when_one_of_its_cards_is_chosen(revisit: Visit) -> None:
    page = revisit(at("alchemy solo line=4,6,6,K,3,2 hand=4 unseen=2,4,8,10", tab="hint"), **phone())
    line = page.locator(".line-row").last.locator("button.card")
    page.locator(".answer .primary").wait_for()
    used = page.locator(".best-move > .move .card").count()
    expect(page.locator(".felt .card.best")).to_have_count(used)  # of equal cards, no more than the move has
    before = line.first.bounding_box()
    line.last.tap()
    expect(page.locator(".chosen")).to_be_visible()
    assert line.first.bounding_box() == before
    expect(line).to_have_count(6)
    all_in_reach(line)


@pytest.mark.parametrize(
    "line", ["solo line=A,2,3,6,10,K hand=5", "duel line=2,3,4,6,7,10 hand=6 opponent_hand=5"]
)
def test_a_line_keeps_its_place_while_all_of_it_is_added_up(revisit: Visit, line: str) -> None:
    page = revisit(at(f"alchemy {line}", tab="hint"), **phone(320, 568))
    page.locator(".answer .primary").wait_for()
    place = page.locator(".zone-line").bounding_box()
    added = page.locator(".side").nth(1).locator(".card")
    drawn = page.locator(".card.best .paper").first.evaluate("(one) => getComputedStyle(one).fill")
    for at_once, card in enumerate(each(page.locator(".zone-line button.card")), 1):
        card.tap()
        expect(added).to_have_count(at_once)
        assert page.locator(".zone-line").bounding_box() == place
    looks = page.locator(".zone-line .card.best .paper").evaluate_all(
        "(all) => all.map((one) => getComputedStyle(one).fill)"
    )
    assert len(set(looks)) == 1
    assert looks[0] != drawn  # a chosen card and a recommended one are told apart
    for _ in sizes(page):
        tops = page.locator(".side .card").evaluate_all("(cards) => cards.map((card) => card.offsetTop)")
        assert len(tops) == 7
        assert len(set(tops)) == 1
        assert page.locator(".side .card").evaluate_all(CORNERS_HIDDEN) == []


def test_the_button_that_makes_the_chosen_match_is_in_sight(revisit: Visit) -> None:
    won = "pile=2,4,4,5,10,J,3,6,9,7,8,J opponent_pile=Q,J,2,10,A discarded=3,4,7"
    duel = f"alchemy duel totals=38,42 line=9,6,8,5,A,7 hand=K opponent_hand=2 {won}"
    page = revisit(at(duel, tab="hint"), **phone(320, 568))
    advised = page.locator(".answer").get_by_role("button", name="Make it")
    expect(advised).to_have_class("primary")
    for card in "95AA":  # K+A=9+5: twice to the left side
        page.locator(f".zone-line .card[data-card='{card}']").tap()
    make = page.get_by_role("button", name="Make the match")
    for _ in sizes(page, (390, 844), *SIDEWAYS):
        in_reach(make)
    expect(advised).to_have_count(0)  # the hint's is called otherwise, and steps back
    expect(page.locator(".answer .primary")).to_have_count(0)
    expect(page.locator(".answer").get_by_role("button", name="Rather this")).to_be_visible()
    page.get_by_text("Why?").tap()  # its sheet is full
    for _ in sizes(page, (390, 844), *SIDEWAYS):
        in_reach(make)
        own = page.locator(".mine").bounding_box()
        box = make.bounding_box()
        assert own
        assert box
        assert box["y"] + box["height"] <= own["y"]


def test_the_hand_leaves_the_trick_that_is_taken_from_in_sight(revisit: Visit) -> None:
    page = revisit(asked("king-0061"), **phone(320, 568))
    page.get_by_role("button", name="Show the solution").tap()
    page.locator(".puzzle-head .primary").wait_for()
    assert page.evaluate(COVERED) == []
    assert not page.evaluate(ON_TRICK)


def test_a_card_of_the_trick_that_is_chosen_leaves_its_players_name(revisit: Visit) -> None:
    page = revisit(asked("king-0017"), **phone())
    card = page.locator(".trick button.card").first
    card.tap()
    expect(card).to_have_attribute("aria-pressed", "true")
    (top,) = card.evaluate_all("(cards) => cards.map((card) => card.getBoundingClientRect().top)")
    name = page.locator(".trick .slot-seat").first.bounding_box()
    assert name
    assert name["y"] + name["height"] <= top + 1


def test_the_seat_that_is_asked_sits_at_the_bottom(visit: Visit) -> None:
    page = visit(asked(BAIT), **phone())
    seat = page.locator(".mine.to-move")
    expect(seat).to_have_attribute("aria-label", "You")
    expect(seat).to_have_attribute("data-seat", "2")
    page.locator(".hand .card").first.hover()
    expect(page.locator(".closer")).to_be_visible()
    page.evaluate("(next) => { location.hash = next; }", asked("king-best-move-142-125"))
    expect(seat).to_have_attribute("data-seat", "0")
    expect(page.locator(".closer")).to_have_count(0)  # its card has gone
    page.evaluate("(next) => { location.hash = next; }", at(ENDINGS["kirin"], tab="tree", moves="D1", at="a1"))
    expect(page.locator(".mine")).to_have_attribute("data-seat", "1")
    page.reload()
    expect(page.locator(".mine")).to_have_attribute("data-seat", "1")


def test_all_cards_that_another_seat_may_have_played_are_in_reach_in_their_order(revisit: Visit) -> None:
    hand = "kirin seat=0 hand=D1,D3,D-,S1,S5,ST,B1,G2,GT leader=0"
    page = revisit(at(hand, tab="hint", moves="G2;S5", at="a2"), **phone())
    offered = page.locator(".observing .card:not([aria-disabled])")
    expect(offered).to_have_count(27)
    all_in_reach(offered)
    at_once = "(cards) => cards.map((card) => [card.offsetTop, card.offsetLeft, card.dataset.card])"
    places = offered.evaluate_all(at_once)
    codes = [code for *_, code in places]
    turning = [code for code in codes if code[1] in "+-"]  # these lie in a row of their own
    assert [code for *_, code in sorted(places)] == [code for code in codes if code not in turning] + turning
    assert len({left for _, left, code in places if code[1] == "4"}) == 1


@pytest.mark.parametrize("view", [OBSERVED, PICKED_THREE, PICKED_FIVE])
def test_the_cards_that_another_seat_may_have_played_are_as_large_as_a_thumb(revisit: Visit, view: str) -> None:
    page = revisit(at(view, tab="hint"), **phone())
    rows = page.locator(".observing .suit-row")
    expect(rows).to_have_count(4 if view.startswith("kirin") else 5)
    for width, height in sizes(page, *SIDEWAYS):
        assert page.locator(".observing .card").evaluate_all(SMALL) == []
        all_in_reach(page.locator(".observing .suit-row > :first-child"), most=9 if width < height else 4)
        corner = rows.last.locator(".card").first.bounding_box()
        edge = page.locator(".observing .palette").bounding_box()
        assert corner
        assert edge
        assert corner["y"] + 20 < edge["y"] + edge["height"]  # a last suit that is cut off is seen to be there
        below = page.locator(".observing .other").bounding_box()
        tabs = page.locator(".tabs").bounding_box()
        assert below
        assert tabs
        assert below["y"] + below["height"] <= (tabs["y"] if width < height else height)
        assert page.locator(".panel").evaluate("(panel) => (panel.scrollTo(0, 99), panel.scrollTop)") == 0
        assert page.locator(".hand .card").evaluate_all(CORNERS_HIDDEN) == []


@pytest.mark.parametrize("game", ["King", "Kirin"])
def test_every_suit_of_the_deck_is_in_sight_while_a_hand_is_entered(revisit: Visit, game: str) -> None:
    page = revisit("", **phone())
    page.get_by_role("radio", name=game, exact=game == "Kirin").first.tap()
    page.get_by_role("button", name="My hand").tap()
    cards = page.locator(".palette .card")
    expect(cards).to_have_count(36 if game == "Kirin" else 50)
    for _ in sizes(page, *SIDEWAYS):
        assert cards.evaluate_all(SMALL) == []
        corners = page.locator(".palette .suit-row > :first-child").evaluate_all(CORNERS_HIDDEN)
        assert corners == []


def test_a_card_that_another_seat_can_not_have_played_says_why(revisit: Visit) -> None:
    hand = "kirin seat=0 hand=D1,D3,D-,S1,S5,ST,B1,G2,GT leader=0"
    page = revisit(at(hand, tab="hint", moves="G2;S5", at="a2"), **phone())
    other = page.locator(".observing .other")
    expect(other).to_have_text("Choose a grey card to see why.")
    cards = page.locator(".observing .palette .card")
    expect(cards).to_have_count(36)
    for card, reason in (("D1", "it is in your hand"), ("S5", "it is where everybody sees it")):
        page.locator(f'.observing [data-card="{card}"]').dispatch_event("click")
        expect(other).to_contain_text(reason)
        for _ in sizes(page):
            expect(other).to_be_in_viewport(ratio=0.5)
    assert other.evaluate("(found) => getComputedStyle(found).backgroundColor") != "rgba(0, 0, 0, 0)"  # over cards
    page.locator('.observing [data-card="S6"]').tap()  # the others are played as before
    expect(page.get_by_role("heading", name="What did Across do?")).to_be_visible()
    expect(cards).to_have_count(36)
    void = "kirin seat=0 direction=ascending hand=D2,S3,B4 declared=D4 gone=D6 voids=3:D leader=3"
    go(page, at(void, tab="hint"))
    expect(page.locator(".hand .card")).to_have_count(3)  # what is tapped next was there before, too
    page.locator('.observing [data-card="D1"]').dispatch_event("click")
    expect(other).to_contain_text("by what you remember, Right has no such cards")
    hand = "kirin seat=0 hand=D2,D5,DT,S1,S4,S+,B3,B6,G2 leader=0"
    go(page, at(hand, tab="hint", moves="D2;B6;B2;B5", at="a4"))
    expect(page.locator(".hand .card")).to_have_count(7)
    page.locator('.observing [data-card="D1"]').dispatch_event("click")
    expect(other).to_contain_text("no deal of the unseen cards agrees with it")
    for _ in sizes(page):
        expect(other).to_be_in_viewport(ratio=1)


def test_a_card_that_another_seat_may_have_played_stays_in_its_column(revisit: Visit) -> None:
    hand = "kirin seat=0 hand=D1,D3,D-,S1,S5,ST,B1,G2 declared=GT leader=0"
    page = revisit(at(hand, tab="hint", moves="D1", at="a1"), **phone())
    heading = page.locator(".observing h2")
    expect(heading).to_have_text("What did Left do?")
    card = page.locator('.observing [data-card="G5"]')
    before = card.bounding_box()
    page.locator('.observing [data-card="G4"]').tap()
    expect(heading).to_have_text("What did Across do?")
    now = card.bounding_box()
    assert before
    assert now
    assert now["x"] == before["x"]


def test_all_that_is_in_sight_of_a_card_another_row_covers_can_be_tapped(revisit: Visit) -> None:
    page = revisit(at(PICKED_FIVE, tab="hint"), **phone(320, 568))
    covered = page.locator('.observing [data-card="A10"]')  # the row below ends before it
    covered.tap(position={"x": 20, "y": 50})
    expect(page.get_by_role("img", name="Wind 10, Gold")).to_be_visible()


def test_on_a_small_phone_the_corners_of_the_hand_stay_above_what_another_seat_did(revisit: Visit) -> None:
    page = revisit(at(PICKED, tab="hint"), **phone(320, 568))
    page.get_by_role("button", name="Pick it").tap()
    all_in_reach(page.locator(".observing .suit-row > :first-child"))
    expect(page.locator(".hand .card")).to_have_count(14)
    assert page.evaluate(COVERED) == []
    box = page.locator(".observing h2").bounding_box()
    assert box
    assert box["height"] <= 48  # two lines at most


def test_nothing_lies_over_the_question_what_another_seat_did(revisit: Visit) -> None:
    late = "kirin seat=0 hand=D2,S3,S5,B4,B6 declared=D4 history=0:B2,DT,S+,D6/1:S4,D-,D5,S- trick=3:G2,G5,G6"
    page = revisit(at(late, tab="hint"), **phone())
    for _ in sizes(page):
        for button in each(page.locator(".panel .steps-back > button")):
            expect(button).to_be_in_viewport(ratio=1)
        all_in_reach(page.locator(".observing .card"))
        tops = "(rows) => rows.map((row) => row.querySelector('.card').offsetTop)"
        rows = page.locator(".observing .suit-row").filter(has=page.locator(".card"))
        expect(rows).to_have_count(4)
        suits = rows.evaluate_all(tops)
        assert suits == sorted(set(suits))  # each has a row of its own
        all_in_reach(page.locator(".trick .card"))
        apart(page.locator(".observing h2"), page.locator(".panel .steps-back > button").first)
        expect(page.locator(".observing .other")).to_have_text("Choose a grey card to see why.")
    page = revisit(at(PICKED, tab="hint"), **phone())
    page.get_by_role("button", name="Pick it").tap()
    for _ in sizes(page):
        apart(page.locator(".observing h2"), page.locator(".observing p.row"))
        apart(page.locator(".observing p.row .card").last, page.get_by_role("button", name="Undo"))
    expect(page.get_by_role("button", name="Change cards")).to_have_count(0)  # the pick is undone first


def test_an_open_stock_lies_above_what_is_asked(revisit: Visit) -> None:
    name = next(name for name, puzzle in collected().items() if puzzle.ask == "best-move" and "alchemy" in name)
    page = revisit(asked(name), **phone())
    last = page.locator(".stock-order .card").last
    expect(last).to_be_visible()
    for _ in sizes(page, (320, 568), (740, 360)):
        in_reach(page.locator(".stock-order .card").first)
        words = page.get_by_text("No match can be made").bounding_box()
        card = last.bounding_box()
        assert card
        assert words
        assert card["y"] + card["height"] <= words["y"]


def apart(one: Locator, other: Locator) -> None:
    """One ends where, to the right, the other begins."""
    left = one.evaluate("""(found) => {
      const words = document.createRange();
      words.selectNodeContents(found);
      return words.getBoundingClientRect().right;
    }""")
    box = other.bounding_box()
    assert box
    assert left <= box["x"]


def test_a_complete_hand_stays_on_the_table_while_others_are_set_up(revisit: Visit) -> None:
    hand = [f"{suit}{number}" for suit in "FWE" for number in range(1, 6)]
    draft = {
        "game": "king",
        "stage": "pick",
        "seat": 0,
        "hand": hand[:-1],
        "removed": [],
        "leader": 0,
        "players": 3,
    }
    page = revisit(at("", tab="setup", draft=json.dumps(draft)), **phone(320, 568))
    page.locator(f'.palette [data-card="{hand[-1]}"]').tap()
    expect(page.locator(".tray")).to_have_attribute("aria-label", "Removed")
    box = page.locator(".spot-hand").bounding_box()
    assert box
    assert box["x"] + box["width"] <= 314


@pytest.mark.parametrize("game", ["king", "kirin"])
def test_what_lies_on_the_table_stays_in_sight_above_the_hand_that_is_entered(revisit: Visit, game: str) -> None:
    draft = {"game": game, "seat": 0, "leader": 3, "players": 4, "gone": [], "history": []}
    if game == "king":
        draft |= {"hand": ["F2", "F3"], "won": [[], [], [], []], "removed": [], "trick": ["F10"]}
    else:
        draft |= {"hand": ["D2", "D3"], "declared": "", "direction": "", "trick": ["S5"]}
    page = revisit(at("", tab="setup", draft=json.dumps(draft)), **phone())
    fill(page, "You: Hand")
    for _ in sizes(page):
        all_in_reach(page.locator(".middle .spot"))
        own = page.locator(".editor .mine").bounding_box()
        last = page.locator(".to-earlier").bounding_box()
        assert own
        assert last
        assert last["y"] + last["height"] <= own["y"]


def test_the_place_that_is_filled_is_in_sight_above_the_sheet(revisit: Visit) -> None:
    draft = {"game": "kirin", "direction": "ascending", "leader": 0, "trick": [], "hands": [[], [], [], []]}
    draft |= {"declared": ["", "", "", ""], "won": [[], [], [], []]}
    page = revisit(at("", tab="setup", draft=json.dumps(draft)), **phone())
    place = page.locator('.spot[aria-pressed="true"]')
    for _ in sizes(page):
        expect(place).to_be_in_viewport(ratio=1)
    page.locator('.palette [data-card="D3"]').tap()
    expect(place).to_have_accessible_name(re.compile("^You: Hand"))
    for _ in sizes(page):
        expect(place).to_be_in_viewport(ratio=1)


def test_the_hand_stays_in_sight_while_a_trick_is_entered(revisit: Visit) -> None:
    won = [["W1", "W2", "W5"], ["A3", "E2", "E3"], ["F1", "F4", "F5"]]
    draft = {"game": "king", "seat": 0, "hand": ["F2", "W6", "E4", "A1"], "won": won, "removed": [], "leader": 2}
    draft |= {"trick": ["E5"], "history": [], "gone": []}
    page = revisit(at("", tab="setup", draft=json.dumps(draft)), **phone(360, 740))
    page.locator(".spot-trick").tap()
    in_reach(page.locator(".spot-hand"))
    expect(page.locator(".spot-trick .card")).to_be_hidden()  # it lies above the deck


def test_a_match_may_be_declined_beside_making_it(revisit: Visit) -> None:
    page = revisit(at("alchemy duel line=4,Q,4,K,10,K hand=9 opponent_hand=4", tab="hint"), **phone(320, 568))
    line = page.locator(".line-row").last.locator("button.card")
    line.nth(3).tap()
    line.nth(0).tap()
    line.nth(0).tap()
    in_reach(page.get_by_role("button", name="Make the match"))
    expect(page.locator(".chosen")).to_have_count(0)  # it is the only move with these cards
    in_reach(page.locator(".own").get_by_role("button", name="no match"))


@pytest.mark.parametrize(
    "line",
    [
        "alchemy duel line=2,4,6,9,J,K hand=7 opponent_hand=5",
        "alchemy duel line=A,4,8,10,J,Q hand=6 opponent_hand=Q grabbed=1:Q=A+J pile=2,4,4 unseen=2,3",
        "alchemy solo line=4,6,6,K,3,2 hand=4 unseen=2,4,8,10",
    ],
)
def test_a_best_match_is_large_and_its_reason_and_button_are_in_reach(revisit: Visit, line: str) -> None:
    page = revisit(at(line, tab="hint"), **phone(360, 740))
    in_reach(page.locator(".answer .primary"))
    in_reach(page.locator(".answer .reason"))
    for card in each(page.locator(".best-move .card")):
        box = card.bounding_box()
        assert box
        assert box["width"] >= 44
    page.set_viewport_size({"width": 320, "height": 568})
    expect(page.locator(".answer .reason")).to_be_in_viewport(ratio=1)
    in_reach(page.locator(".answer .reason"))


def test_two_of_ones_own_recipes_say_what_they_lack(revisit: Visit) -> None:
    known = "won=F3,W11,E9,A10,F4/W3,E8/A9 removed=F8,W10,E1,E2,F10 gone=A1 leader=0"
    page = revisit(at(f"king seat=0 hand=F1,F2,E3,A5 {known}", tab="hint"), **phone())
    for _ in sizes(page, *SIDEWAYS):
        for words in ("Red Calx needs Iron, Vitriol", "Vermilion needs Cinnabar, Sulfur"):
            in_reach(page.locator(".mine .note", has_text=words))
        assert page.evaluate(COVERED) == []


@pytest.mark.parametrize(("width", "height"), PHONES)
def test_a_long_hand_leaves_pass_and_exchanges_in_reach(revisit: Visit, width: int, height: int) -> None:
    page = revisit(at(LONG_HAND.format(drawn=""), tab="hint"), **phone(width, height))
    in_reach(page.locator(".board").get_by_role("button", name="pass", exact=True))
    if height > 700:
        assert page.evaluate(ON_OTHERS) == 0
    assert not page.evaluate(ON_TRICK)  # on a small phone, the rows of the hand overlap instead
    go(page, at(LONG_HAND.format(drawn="drawn=Mg "), tab="hint"))
    hand = page.locator(".hand .card")
    expect(hand.last).to_have_attribute("aria-label", re.compile("Magnesium.*drawn"))
    expect(hand.first).to_have_attribute("aria-label", re.compile("can be exchanged"))
    expect(page.locator(".mine .left")).to_have_text("12 left")
    before = hand.last.bounding_box()
    hand.first.tap(position={"x": 8, "y": 8})
    expect(page.get_by_text("Put it down and take from the discard pile")).to_be_visible()
    assert hand.last.bounding_box() == before  # a second tap finds the card where it was
    in_reach(page.locator(".foremost").get_by_role("button", name="exchange Lithium for Magnesium"))
    in_reach(page.locator(".trick .card").last)  # nothing covers the table
    page.get_by_role("button", name="Put back").tap()
    table = page.locator(".felt").bounding_box()
    page.locator(".asides .pile").tap()
    page.locator(".opened .card.traded").first.tap()
    expect(page.get_by_text("Choose the card to put down for it")).to_be_visible()
    in_reach(page.locator(".opened .card").first)
    in_reach(hand.first)
    page.locator(".mine .seat-name").tap()
    expect(page.locator(".opened").locator("visible=true")).to_have_count(0)
    assert page.locator(".felt").bounding_box() == table  # what is opened lies over the table


def test_a_hint_in_play_is_in_sight_at_once(visit: Visit) -> None:
    page = visit("#~tab=play&~game=king,seed=3,seconds=0.3,seat=0", **phone(320, 568))
    expect(page.get_by_text("Your turn: pick one card for your pile.")).to_be_in_viewport(ratio=1)
    page.get_by_role("button", name="Hint", exact=True).tap()
    for part in (".best-move .card", ".primary", ".reason"):
        expect(page.locator(".answer").locator(part).first).to_be_in_viewport(ratio=0.7)
        in_reach(page.locator(".answer").locator(part).first)
    page.get_by_text("Why?").tap()
    expect(page.locator(".why table")).to_be_visible()
    for _, height in sizes(page):
        assert page.evaluate("document.documentElement.scrollHeight") == height  # the page itself never scrolls


def test_who_has_won_a_trick_is_asked_to_take_and_give(revisit: Visit) -> None:
    page = revisit(at(WON, tab="hint"), **phone())
    expect(page.get_by_text("Give one card to Across.")).to_be_visible()
    expect(page.get_by_role("button", name="Take and give")).to_be_visible()
    for _ in sizes(page):
        assert not page.evaluate(ON_TRICK)
        in_reach(page.get_by_role("button", name="Take and give"))  # nothing is played
        for opened in (".seat .pile", ".seat .note", ".mine .note"):
            in_reach(page.locator(opened).first)
    page.locator(".mine .note").tap()
    expect(page.get_by_text("Corrosive Sublimate (+5) needs Quicksilver").last).to_be_in_viewport(ratio=1)
    page.keyboard.press("Escape")
    taken = page.locator(".trick").get_by_role(
        "img", name="take"
    )  # the only card that can be taken need not be chosen
    expect(taken).to_have_accessible_name("Earth 2, Iron, take")
    expect(page.locator(".trick button")).to_have_count(2)
    page.locator(".past summary").tap()  # at the end of the sheet
    in_reach(page.locator(".past .card").first)
    page.locator(".past summary").tap()
    go(page, at(FIVE, tab="hint"))
    page.locator('.hand [data-card="T5"]').wait_for()
    for _ in sizes(page):
        in_reach(page.get_by_role("button", name="Play it"))
        assert not page.evaluate(ON_TRICK)


def test_the_hand_keeps_its_place(visit: Visit) -> None:
    page = visit(at("kirin seat=2 hand=D6,S1,S4,BT,G2,G3,G4,G+,D2 leader=0", tab="hint"), **phone())
    hand, sheet, play = page.locator(".hand"), page.locator(".panel-side"), page.locator(".answer .primary")
    places = [hand.bounding_box()]
    page.locator('.hand [data-card="D2"]').tap()
    in_reach(page.get_by_role("button", name="Undo"))
    for card in ("D3", "D5"):
        page.locator(f'.observing [data-card="{card}"]').tap()
        expect(page.locator(f'.trick [role="img"][aria-label^="Azure Dragon {card[1]}"]')).to_be_visible()
        places.append(hand.bounding_box())
        assert page.evaluate(COVERED) == []  # while others are asked for, too
        in_reach(page.get_by_role("button", name="Undo"))
    play.wait_for()
    places.append(hand.bounding_box())
    assert len({round(place["y"]) for place in places if place}) == 1
    part = sheet.bounding_box()
    page.get_by_text("Why?").tap()
    in_reach(page.locator(".why table .card").nth(3))
    in_reach(hand.locator(".card").first)  # of which it speaks
    page.get_by_text("Why?").tap()
    expect(page.locator(".why table")).to_have_count(0)
    assert sheet.bounding_box() == part
    for name in ("Show more of the open tab", "Show only the table"):
        page.get_by_role("button", name=name, exact=True).tap()
    in_reach(page.get_by_role("button", name="Undo"))
    expect(play).to_be_hidden()
    page.evaluate("(next) => { location.hash = next; }", at(LATE, tab="hint"))
    reason = page.locator(".reason", has_text="out of play")
    page.get_by_role("button", name="Show the open tab", exact=True).tap()
    expect(reason).to_be_visible()
    assert reason.evaluate("(words) => words.clientWidth > innerWidth / 2")


def test_a_grey_card_says_why_it_may_not_be_played(revisit: Visit) -> None:
    page = revisit(at(LONG_HAND.format(drawn=""), tab="hint"), **phone())
    page.locator(".hand .card.dimmed").first.tap(force=True)
    expect(page.locator(".mine").get_by_role("status")).to_have_text(re.compile("is not stronger than"))
    page.locator(".hand .card.legal").first.tap()
    expect(page.locator(".mine").get_by_role("status")).to_have_count(0)


def test_a_grey_card_is_no_answer_to_a_puzzle(revisit: Visit) -> None:
    page = revisit(asked("king-0046"), **phone())
    page.locator(".hand .card").first.wait_for()
    for card in each(page.locator(".hand .card.dimmed")):
        card.tap(force=True)
    expect(page.locator(".verdict")).to_have_count(0)


def test_cards_bear_what_texts_name_them_by(revisit: Visit) -> None:
    page = revisit(asked(BAIT), **phone())
    expect(page.locator('.hand [data-card="S5"] svg')).to_have_text("55")  # in Kirin a sign stands for the letter
    page.locator('.hand [data-card="B2"]').tap()
    expect(page.locator(".verdict .card-word .code").first).to_have_css("font-size", "0px")


def test_the_menu_closes_at_a_tap_beside_it_and_at_escape(revisit: Visit) -> None:
    page = revisit(asked(BAIT), **phone())
    menu = page.locator(".menu[open]")
    page.get_by_label("Menu").first.tap()
    expect(menu).to_have_count(1)
    page.touchscreen.tap(60, 500)
    expect(menu).to_have_count(0)
    expect(page.get_by_role("tab", name="Puzzles")).to_have_attribute("aria-selected", "true")
    page.get_by_label("Menu").first.tap()
    page.keyboard.press("Escape")
    expect(menu).to_have_count(0)
    assert page.evaluate("document.activeElement.tagName") == "SUMMARY"


def test_the_sheet_follows_the_finger_and_a_tap(revisit: Visit) -> None:
    page = revisit(asked("king-hidden-hand-162-54"), **phone())
    sheet, panel = page.locator(".panel-side"), page.get_by_role("tabpanel")
    expect(page.get_by_role("button", name="Show the solution")).to_be_enabled()
    part = sheet.bounding_box()
    swipe(page, 60)
    full = sheet.bounding_box()
    assert part
    assert full
    assert full["height"] > part["height"] + 20
    swipe(page, -60)
    swipe(page, -60)
    expect(panel).to_be_hidden()
    for name in ("Show the open tab", "Show more of the open tab", "Show only the table"):
        page.get_by_role("button", name=name, exact=True).tap()
    expect(panel).to_be_hidden()


def test_what_is_said_of_an_answer_is_in_sight(revisit: Visit) -> None:
    page = revisit(asked(BAIT), **phone())
    page.get_by_role("button", name="Hint").first.tap()
    page.locator("#panel").evaluate("(panel) => panel.scrollTo(0, 999)")
    page.locator('.board button.legal[data-card="B2"]').tap()
    expect(page.locator(".verdict strong")).to_be_in_viewport(ratio=0.9)
    assert page.locator(".hand .card-mark").evaluate("(mark) => mark.scrollWidth <= mark.clientWidth")
    expect(page.locator(".mark-word")).to_be_hidden()  # on a card there is room for its sign alone


def test_a_hint_in_a_game_raises_the_sheet(revisit: Visit) -> None:
    page = revisit(address(Saved(game="kirin", seed=3, seconds=0.05)), **phone())
    page.get_by_role("tabpanel").get_by_text("Your turn").wait_for()
    swipe(page, -60)
    expect(page.get_by_role("heading", name="What happened")).to_be_hidden()
    page.get_by_role("tab", name="Hint").tap()
    in_reach(page.locator(".answer .primary"))
    swipe(page, -60)
    expect(page.get_by_role("heading", name="What happened")).to_be_hidden()
    page.get_by_role("button", name="Hint").tap()
    in_reach(page.locator(".answer .primary"))


def test_a_raised_sheet_makes_way_for_a_film(revisit: Visit) -> None:
    page = revisit(asked(BAIT), **phone())
    page.locator('.board button.legal[data-card="B2"]').tap()
    expect(page.locator(".verdict strong")).to_be_visible()
    swipe(page, 60)
    page.get_by_role("button", name="Play it through").first.tap()
    on = page.get_by_role("button", name="One move on")  # and one more, named Forward, in the moves made
    in_reach(on)
    on.tap()
    assert not page.evaluate(ON_TRICK)
    page.set_viewport_size({"width": 320, "height": 568})
    in_reach(page.locator(".trick .card").first)


def test_what_follows_an_answer_is_in_reach(revisit: Visit) -> None:
    page = revisit(asked(BAIT), **phone())
    page.locator('.board button.legal[data-card="B2"]').tap()
    expect(page.locator(".verdict strong")).to_contain_text("is not it")
    for _ in sizes(page):
        in_reach(page.locator(".verdict p", has_text="The next trick then brings you nothing."))
        for name in ("Hint", "Show the solution"):
            in_reach(page.get_by_role("tabpanel").get_by_role("button", name=name))
    page.locator('.board button.legal[data-card="S5"]').tap()
    expect(page.locator(".verdict strong")).to_contain_text("Correct")
    for _ in sizes(page):
        for name in ("Next", "Why?", "All puzzles", "▶ Play it through"):
            in_reach(page.get_by_role("tabpanel").get_by_role("button", name=name))
        all_in_reach(page.locator(".hand .card"))
    go(page, asked("king-0001"))
    page.get_by_label("Your answer").fill("12")
    page.get_by_role("button", name="Check").tap()
    for _ in sizes(page):
        in_reach(page.locator(".is-wrong strong"))
        in_reach(page.get_by_label("Your answer"))


def test_a_tap_opens_a_hand_of_the_others_on_a_small_phone(revisit: Visit) -> None:
    page = revisit(asked(BAIT), **phone(320, 568))
    hands = page.locator(".seat .pile.of-hand")
    expect(hands).to_have_count(3)
    for hand in each(hands):
        in_reach(hand)
        hand.tap()
        expect(page.locator(":popover-open .card")).to_have_count(3)


def test_why_a_card_can_not_be_played_leaves_the_hand_in_reach(revisit: Visit) -> None:
    hand = "kirin seat=0 hand=G1,D6,D+,S+,S-,B+,B-,G2 declared=GT trick=1:G5,S3,D1"
    page = revisit(at(hand, tab="hint"), **phone())
    page.locator('.hand .card[data-card="G1"]').tap(force=True)
    why = "Play a stronger number, a trump or a kirin of a stronger colour than G5."
    expect(page.locator(".mine [role=status]")).to_have_text(why)
    for _ in sizes(page):
        all_in_reach(page.locator(".hand .card"))
        assert not page.evaluate(ON_TRICK)


def test_the_cards_of_a_full_hand_stay_marked_and_a_tap_takes_one_back(revisit: Visit) -> None:
    draft = {"game": "kirin", "seat": 0, "hand": ["D1", "D2", "D3", "D4", "D5", "D6", "DT", "D+"], "leader": 0}
    page = revisit(at("", tab="setup", draft=json.dumps(draft)), **phone())
    page.locator('.palette [data-card="S1"]').tap()
    held = page.locator('.palette .card[aria-pressed="true"]')
    expect(held).to_have_count(9)
    expect(page.locator(".palette .card[aria-disabled]")).to_have_count(27)
    place = page.locator(".palette").bounding_box()
    page.locator('.palette [data-card="G1"]').tap(force=True)
    expect(page.locator(".tray").get_by_role("status")).to_have_text("Full. Take a card back first.")
    assert page.locator(".palette").bounding_box() == place
    held.nth(4).tap()
    expect(held).to_have_count(8)
    expect(page.locator(".palette .card[aria-disabled]")).to_have_count(0)
    expect(page.locator(".tray").get_by_role("status")).to_have_text("")


def test_four_suits_are_in_reach_where_one_joins_late(revisit: Visit) -> None:
    page = revisit(**phone(320, 568))
    page.get_by_role("radio", name="King").tap()
    page.get_by_role("button", name="Mid-round").tap()
    all_in_reach(page.locator(".suit-row > :first-child"), most=4)


def test_what_is_remembered_is_asked_on_the_table(revisit: Visit) -> None:
    draft = {"game": "king", "seat": 0, "hand": ["F2", "W6", "E4", "A1"], "won": [[], [], [], []], "removed": []}
    draft |= {"leader": 0, "trick": [], "history": [], "gone": []}
    page = revisit(at("", tab="setup", draft=json.dumps(draft)), **phone())
    expect(page.locator(".tray h2 .hinted")).to_have_text("7 tricks are over")
    asks = page.get_by_role("button", name="Earlier tricks")
    for _ in sizes(page):
        in_reach(asks)
    asks.tap()
    expect(page.get_by_role("group", name="Left has no")).to_be_in_viewport(ratio=0.5)


def test_the_models_keep_their_place_whatever_they_find(revisit: Visit) -> None:
    page = revisit(at(ENDINGS["kirin"], tab="analysis"), **phone())
    models = page.locator(".panel select", has=page.locator("option[value=paranoid]"))
    expect(page.locator(".moves .number").first).to_be_visible()
    before = models.bounding_box()
    for model in ("ally", "maxn", "paranoid"):
        models.select_option(model)
        expect(page.locator(".moves .number").first).to_be_visible()
        box = models.bounding_box()
        assert box
        assert before
        assert (box["x"], box["y"]) == (before["x"], before["y"])  # several models' names stand below the cards


def test_a_joker_of_the_line_is_set_aside(revisit: Visit) -> None:
    page = revisit(**phone())
    page.get_by_role("radio", name="Alchemy", exact=True).tap()
    page.get_by_role("button", name="My cards").tap()
    page.get_by_role("radio", name="Duel").tap()
    page.get_by_role("button", name="Your seat, the match, and disputed rules").tap()
    page.get_by_role("checkbox", name=re.compile("house rule")).tap()
    page.keyboard.press("Escape")
    for card in ("4", "X", "6", "7", "9", "10", "J"):
        page.locator(f'.palette [data-card="{card}"]').tap()
    expect(page.get_by_role("button", name="Line: 4, 6, 7, 9, 10, Jack")).to_be_visible()
    expect(page.get_by_role("button", name="Jokers set aside: 1")).to_be_visible()


def test_the_tabs_stay_in_reach_where_something_was_begun(revisit: Visit) -> None:
    page = revisit(at(dealt("kirin", 1, seat=0), tab="rules"), **phone())
    page.get_by_role("tab", name="Hint").tap()
    page.get_by_role("link", name="Athanor").tap()
    page.get_by_role("radio", name="Kirin").tap()
    for width, _ in sizes(page, *reversed(PHONES)):  # the wider one before anything scrolls
        for button in ("Back to your table", "Show me how", "Paste or set up a position", "Try a hint"):
            wanted = page.get_by_role("button", name=button)
            if width < 360:
                wanted.scroll_into_view_if_needed()
            in_reach(wanted)
        in_reach(page.get_by_role("tab", name="Play"))


def test_a_new_game_stands_alone(revisit: Visit) -> None:
    page = revisit(asked(BAIT), **phone())
    page.get_by_role("tab", name="Play").tap()
    expect(page.get_by_role("heading", name="New game")).to_be_visible()
    expect(page.locator(".board, .game-name")).to_have_count(0)
    expect(page).to_have_title("Play · Athanor")
    for _ in sizes(page):
        in_reach(page.get_by_role("button", name="Begin"))
    page.get_by_role("tab", name="Analysis").tap()
    expect(page.locator(".board")).to_be_visible()


def test_nothing_covers_the_options_of_a_new_game(revisit: Visit) -> None:
    page = revisit(asked(BAIT), **phone())
    page.get_by_role("tab", name="Play").tap()
    for option in each(page.locator("form :is(select, input, .primary)").locator("visible=true")):
        option.scroll_into_view_if_needed()
        in_reach(option)
    in_reach(page.get_by_role("button", name="Begin"))

    page.set_viewport_size({"width": 740, "height": 360})
    page.get_by_role("radio", name="King").tap()  # has the most options
    page.locator(".panel").evaluate("(panel) => panel.scrollTo(0, 0)")
    in_reach(page.get_by_role("button", name="Begin"))
    for option in each(page.locator("form select").locator("visible=true")):
        option.evaluate("(one) => one.scrollIntoView({ block: 'center' })")
        in_reach(option)


@pytest.mark.parametrize("locale", ["en", "ja"])
def test_a_trick_of_five_is_a_row_of_the_log(revisit: Visit, locale: str) -> None:
    table = Session(Saved(game="king", seed=5, seconds=0.05, players=5, rounds=1), forced=False)
    while not table.over:
        table.play(table.round.moves()[0])
    page = revisit(address(table.saved), **phone(), locale=locale)
    cards = page.locator(".log-trick").nth(2).locator("li:nth-child(-n+5) .card")
    expect(cards).to_have_count(5)
    tops = cards.evaluate_all("(all) => all.map((card) => card.getBoundingClientRect().top)")
    assert len(set(tops)) == 1


def test_a_review_that_runs_is_in_sight(visit: Visit) -> None:
    table = Session(Saved(game="kirin", seed=5, seconds=0.05, rounds=1), forced=False)
    while not table.over:
        table.play(table.round.moves()[0])
    page = visit(address(table.saved), **phone(320, 568))
    page.route("**/v1/match/review", lambda route: None)  # it takes its time
    page.get_by_role("button", name="Review").tap()
    in_reach(page.get_by_role("button", name="Stop"))


def test_a_game_of_one_round_does_not_count_it(revisit: Visit) -> None:
    page = revisit(address(Saved(game="aqua-regia", seed=5, seconds=0.05)), **phone())
    expect(page.locator(".steps-back .reason")).to_have_text("Your turn.")


@pytest.mark.parametrize("name", ["king", "aqua-regia"])
def test_the_end_of_a_round_is_in_sight(revisit: Visit, name: str) -> None:
    table = Session(Saved(game=name, seed=5, seconds=0.05, players=5, rounds=1), forced=False)
    while not table.over:
        table.play(table.round.moves()[0])
    page = revisit(address(table.saved), **phone())
    expect(page.get_by_role("heading", name=OVER)).to_be_visible()
    if name == "king":  # the last trick stays, and shows who won it
        points = [int(text.split()[0]) for text in page.locator(".ranks b").all_text_contents()]
        assert points == sorted(table.score().totals, reverse=True)
        brew = page.locator(".brew")  # what was made is drawn, with the cards that it took
        expect(brew.locator(".item")).to_have_text(["Red Calx +5"])
        expect(brew.locator(".card")).to_have_count(3)
        expect(page.locator(".trick .card")).to_have_count(5)
        won = page.locator(".trick .slot.won")
        expect(won.get_by_role("img", name="won")).to_be_visible()
        picture, mark = won.locator("svg").bounding_box(), won.locator(".card-mark").bounding_box()
        assert picture
        assert mark
        assert mark["y"] > picture["y"] + picture["height"] * 0.8  # over the lower edge, where it hides nothing
    else:
        expect(page.locator(".ranks")).to_have_count(0)  # nobody has points
    for width, height in SIDEWAYS:
        page.set_viewport_size({"width": width, "height": height})
        in_reach(page.locator(".trick .card").last)
        assert page.evaluate(COVERED) == []
        assert not page.evaluate(ON_TRICK)
        for button in ("Review", "Undo", "New game", "Share"):
            in_reach(page.get_by_role("button", name=button, exact=True))


def test_the_ways_on_after_a_round_are_in_sight(revisit: Visit) -> None:
    table = Session(Saved(game="kirin", seed=5, seconds=0.05, rounds=2), forced=False)
    while not table.ended:
        table.play(table.round.moves()[0])
    page = revisit(re.sub("dealt=.*", "dealt=1", address(table.saved)), **phone())
    for _ in sizes(page):
        for button in ("Next round", "Review", "Undo", "New game"):
            in_reach(page.get_by_role("button", name=button, exact=True))
    expect(page.locator(".panel section[role=status]")).to_contain_text("Geber has")  # names, not numbers of seats


@pytest.mark.parametrize("name", [BAIT, "king-hidden-hand-162-54"])
def test_the_table_keeps_its_place_while_an_answer_is_checked(revisit: Visit, name: str) -> None:
    page = revisit(asked(name), **phone(320, 568))
    page.route("**/v1/puzzles/answer", lambda route: None)  # it takes its time
    hand = page.locator(".hand .card")
    expect(page.get_by_role("button", name="Show the solution")).to_be_enabled()
    expect(hand.first).to_be_visible()
    before = hand.first.bounding_box()
    page.locator(".hand .card.legal").last.tap()
    expect(page.locator(".verdict")).to_be_visible()
    assert hand.first.bounding_box() == before
    page.unroute_all(behavior="ignoreErrors")


def test_a_tap_on_its_open_tab_keeps_a_game_that_is_under_way(revisit: Visit) -> None:
    page = revisit(address(Saved(game="aqua-regia", seed=5, seconds=0.05)), **phone())
    expect(page.locator(".steps-back .reason")).to_have_text("Your turn.")
    page.get_by_role("tab", name="Play").tap()
    expect(page.locator(".hand .card.legal").first).to_be_visible()
    expect(page.get_by_role("heading", name="New game")).to_have_count(0)


def test_a_hint_is_not_asked_for_without_what_was_played_before(revisit: Visit) -> None:
    page = revisit(at(text_of(collected()[BAIT].position), tab="hint"), **phone())  # the console stays empty
    expect(page.get_by_text("All cards are known here, but not what was played before")).to_be_visible()
    expect(page.get_by_label("Show", exact=True)).to_have_count(0)
    go(page, at(dealt("kirin"), tab="hint"))
    expect(page.locator(".answer .reason")).to_be_visible()


def test_the_open_tab_leads_to_its_start(revisit: Visit) -> None:
    page = revisit(asked(BAIT), **phone())
    expect(page.locator(".board")).to_be_visible()
    page.get_by_role("tab", name="Puzzles").tap()
    expect(page.locator(".puzzle-list")).to_be_visible()
    expect(page.locator(".board")).to_have_count(0)


@pytest.mark.parametrize("name", ["kirin-best-move-122-145", "king-best-move-142-68"])
def test_the_trick_is_whole_beside_open_hands(revisit: Visit, name: str) -> None:
    page = revisit(asked(name), **phone())
    expect(page.locator(".seat.open").first).to_be_visible()
    expect(page.locator(".trick .card").first).to_be_visible()
    assert page.evaluate(COVERED) == []


# Of Aqua Regia only moves are asked, which are tapped.
ANSWERS = {"king": "compound", "kirin": "value", "alchemy": "all-matches"}


@pytest.mark.parametrize(("game", "ask"), ANSWERS.items())
def test_a_puzzle_is_answered_without_scrolling(revisit: Visit, game: str, ask: str) -> None:
    name = next(one.id for one in collected().values() if one.game.name == game and one.ask == ask)
    page = revisit(asked(name), **phone(320, 568))
    expect(page.get_by_role("button", name="Show the solution")).to_be_enabled()
    row = page.locator("#panel .puzzle-head ~ :is(form, .row)").first
    all_in_reach(row.locator("input, button:not(.quiet)"))


def test_the_rules_have_their_contents(revisit: Visit) -> None:
    page = revisit(at(ENDINGS["kirin"], tab="rules"), **phone())
    page.get_by_role("navigation", name="Contents").get_by_role("button", name="What kirin do").tap()
    heading = page.get_by_role("heading", name="What kirin do")
    expect(heading).to_be_in_viewport(ratio=1)
    expect(heading).to_be_focused()


def test_the_trick_that_another_takes_from_stays_first(visit: Visit) -> None:
    table = Session(Saved(game="king", seed=3, seconds=0.3, rounds=1, others="beginner", seat=2), forced=False)
    position: Any = table.round.position
    while table.round.to_move == table.seat or len(position.trick or ()) < position.players:
        table.play(table.round.moves()[0])
        position = table.round.position
    page = visit("", reduced_motion="no-preference")
    page.evaluate(WATCH)
    go(page, address(table.saved))
    page.wait_for_function("() => shown.length > 0")
    assert min(page.evaluate("shown")) > 900
    assert page.evaluate("moved")


def test_a_trick_of_aqua_regia_stays_too(visit: Visit) -> None:
    def ends(now: Any) -> bool:
        while now.to_move != table.seat and now.position.table and now.moves()[0] == "pass":
            now = now.play("pass")
            if now.to_move is not None and not now.position.table:
                return True
        return False

    table = Session(Saved(game="aqua-regia", seed=5, seconds=0.1, players=3, others="beginner"), forced=False)
    while not ends(table.round):
        table.play(table.round.moves()[0])
    page = visit("", reduced_motion="no-preference")
    page.evaluate(WATCH)
    go(page, address(table.saved))
    expect(page.locator(".trick.over .won .slot-seat")).not_to_be_empty()
    page.wait_for_function("() => shown.length > 0")
    assert min(page.evaluate("shown")) > 900


def test_who_wins_a_trick_of_aqua_regia_is_told_at_once_to_lead(visit: Visit) -> None:
    game = Saved(game="aqua-regia", seed=3, seconds=0.1, players=3, others="beginner")
    game = game.model_copy(update={"moves": (("Na", "Mg", "pass", "pass", "Li", "Ca"),)})
    page = visit(address(game), **phone(), reduced_motion="no-preference")
    page.locator('.hand .legal[data-card="Fe"]').tap()
    expect(page.locator(".trick.over .won")).to_be_visible()
    expect(page.locator(".mine .leads")).to_be_visible()
    expect(page.locator(".trick .waiting")).to_have_text("You lead.")


# What was said to be in force whenever a finished trick was shown.
IN_FORCE = """() => {
  globalThis.seen = [];
  new MutationObserver(() => {
    const shown = document.querySelector(".middle:has(.trick.over) .in-force strong");
    const turns = document.querySelector(".middle:has(.trick.over) .turning");
    if (shown) seen.push([shown.textContent.trim(), Boolean(turns)].join());
  }).observe(document.body, { subtree: true, childList: true, characterData: true });
}"""


@pytest.mark.parametrize(
    ("line", "moves", "during", "then"),
    [
        (
            "kirin seat=1 hand=D-,S1,S5,B4,B6,G1,G4,G- declared=B3 trick=2:D3,D4,D5",
            ["D-"],
            "ascending,true",
            "descending",
        ),
        (ENDINGS["aqua-regia"], ["Na", "pass"], "Water,false", "Vapor"),
    ],
)
def test_a_finished_trick_is_seen_under_what_was_in_force(
    visit: Visit, line: str, moves: list[str], during: str, then: str
) -> None:
    page = visit(at(line, tab="hint"), reduced_motion="no-preference")
    expect(page.locator(".trick, .hand").first).to_be_visible()
    page.evaluate(IN_FORCE)
    for move in moves:
        if move == "pass":
            page.get_by_role("button", name="pass", exact=True).click()
        else:
            page.locator(f'.hand .legal[data-card="{move}"]').first.click()
    expect(page.locator(".middle .in-force strong").first).to_have_text(then)
    assert set(page.evaluate("seen")) == {during}


def test_the_others_wait_for_the_eye(visit: Visit) -> None:
    table = Session(Saved(game="kirin", seed=3, seconds=0.3, rounds=1, others="beginner", seat=2), forced=False)
    while table.round.to_move != table.seat or len(list(table.log())) <= 4:  # each sets a card aside first
        table.play(table.round.moves()[0])
    page = visit("", reduced_motion="no-preference")
    page.evaluate(WATCH)
    go(page, address(table.saved))
    page.locator(".hand .card.legal").first.click()
    page.wait_for_function("() => shown.length > 0")
    assert min(page.evaluate("shown")) > 900
    assert page.evaluate("moved")  # to the winner's seat


def drawn_before(visit: Visit) -> Page:
    """The first page, after a hand of Aqua Regia was drawn: the next one need not wait for its illustrations."""
    page = visit(at(dealt("aqua-regia", seat=0), tab="hint"))
    expect(page.locator(".hand .card svg").first).to_be_visible()
    go(page, "", shown=False)
    expect(page.locator(".hand .card")).to_have_count(0)
    return page


def test_the_first_move_of_a_game_is_seen(visit: Visit) -> None:
    page = drawn_before(visit)
    page.evaluate(FIRST)
    page.evaluate("(next) => { location.hash = next; }", "#~tab=play&~game=aqua-regia,seed=5,seconds=0.3,seat=1")
    page.locator(".log-trick").first.wait_for()
    assert page.evaluate("seen.log - seen.hand") > 1200


def test_the_reason_is_in_sight_with_a_long_hand_on_a_small_phone(visit: Visit) -> None:
    page = visit(at(dealt("king", seat=0, players=3), tab="hint"), **phone(320, 568), locale="ja")
    expect(page.locator("[aria-live]")).to_have_text(re.compile("^ヒント："))  # until it is done, it changes
    words = "このトリックで1.5点多く取れますが、" * 4  # four lines: as long as they are
    page.locator(".answer .reason").evaluate("(reason, words) => reason.replaceChildren(words)", words)
    values, reason, under = page.evaluate("""() => [".three", ".answer .reason", ".tabs"].map((one) => {
      const { top, bottom } = document.querySelector(one).getBoundingClientRect();
      return { top, bottom };
    })""")
    assert reason["bottom"] <= under["top"]
    assert values["bottom"] <= reason["top"]  # which may be longer


def test_the_hand_is_seen_before_a_forced_move(visit: Visit) -> None:
    table = Session(Saved(game="aqua-regia", seed=5, seconds=0.05, players=3))
    while table.round.to_move != table.seat or list(table.round.moves()) != ["pass"]:
        table.play(table.round.moves()[-1])
    page = drawn_before(visit)
    page.evaluate(
        FIRST.replace('querySelector(".log-trick")', 'body.innerText.includes("You had no card to play")')
    )
    page.evaluate("(next) => { location.hash = next; }", address(table.saved))
    page.get_by_text("You had no card to play").first.wait_for()
    page.wait_for_function("() => seen.log")
    assert page.evaluate("seen.log - seen.hand") > 1200  # and not the pace of the others


def test_the_settings_of_a_hint_open_in_sight(revisit: Visit) -> None:
    page = revisit(at(dealt("kirin", seat=0), tab="hint"), **phone(320, 568))
    page.locator(".answer .primary").wait_for()
    page.get_by_text("Settings").tap()
    in_reach(page.get_by_label("Think for"))
    in_reach(page.get_by_label("The others"))


def test_a_recipe_says_what_it_needs_beside_the_pile(revisit: Visit) -> None:
    page = revisit(at(WON, tab="hint"), **phone())
    note = page.locator(".mine .note .lacks")
    expect(note).to_have_text("Corrosive Sublimate needs Quicksilver")
    expect(page.locator(".answer .primary")).to_be_visible()
    head = page.locator(".mine-head").bounding_box()
    assert head
    assert head["height"] <= 24  # one row
    quicksilver = WON.replace("A7 pick=W2", "E2 pick=A7").replace("trick=2:E11,E2", "trick=2:E11,W2")
    go(page, at(quicksilver, tab="hint", moves="take W2 give E11", at="a1"))
    expect(note.first).to_have_text("Corrosive Sublimate complete")


def test_what_is_done_with_a_card_leaves_its_picture(revisit: Visit) -> None:
    page = revisit(at(WON, tab="hint"), **phone())
    expect(page.locator(".trick .card-mark")).to_have_text(["give", "take"])
    for _ in sizes(page):
        assert page.evaluate(ON_PICTURES) == 0
    go(page, at(LONG_HAND.format(drawn="drawn=Zn "), tab="hint"))
    expect(page.locator(".hand .drawn .card-mark")).to_have_text("drawn")
    for _ in sizes(page):
        assert page.evaluate(ON_PICTURES) == 0


@pytest.mark.parametrize("locale", ["en", "ja"])
def test_two_rows_of_a_hand_and_the_others_counts_have_room(visit: Visit, locale: str) -> None:
    table = Session(Saved(game="king", seed=5, seconds=0.05, players=4))
    for _ in range(4):
        table.play(table.round.moves()[0])
    page = visit(locale=locale, **phone())
    page.route("**/v1/match/turn", lambda _: None)  # the others think, and nothing is drawn anew
    go(page, address(table.saved))
    cards = page.locator(".hand .card")
    expect(cards).to_have_count(11)
    expect(page.locator(".trick .waiting")).to_be_visible()
    places = "(cards) => cards.map((card) => card.getBoundingClientRect()).map(({ top, bottom }) => [top, bottom])"
    for _ in sizes(page):
        (_, upper), *_, (lower, _) = cards.evaluate_all(places)
        assert upper <= lower
        assert page.evaluate(BELOW_NAMES) == []
    page.evaluate("() => document.querySelectorAll('.seat').forEach((seat) => seat.classList.add('to-move'))")
    for _ in sizes(page):
        assert page.evaluate(BELOW_NAMES) == []


def test_the_next_to_pick_has_a_hint_though_all_cards_are_known(revisit: Visit) -> None:
    unpicked = dealt("king", players=4, variant="unpicked")
    page = revisit(at(unpicked, tab="hint", moves="F3", at="a1"), **phone())
    expect(page.locator(".seat.to-move")).to_have_accessible_name("Left")
    expect(page.get_by_role("button", name="Pick it")).to_be_visible()
