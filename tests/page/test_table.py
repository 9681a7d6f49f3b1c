"""What happens at real tables, told to the page."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.journeys.clicking import anyway
from tests.page.conftest import Visit
from tests.page.support import ENDINGS, Held, at, begun, dealt, fill, go, phone, place
from tests.page.tables import MIDDLES
from tests.support.timing import wait_until


def test_a_first_player_who_cannot_lead(revisit: Visit) -> None:
    page = begun(revisit, "aqua-regia")
    place(page, {"hand": "Ni Sn Pb Pb Cu Hg Ag Ag Pt Au"}, Locator.click)
    page.get_by_role("button", name="Go on: Left is next").click()
    board = page.locator(".board")
    expect(
        board.get_by_text("Nothing in the hand can be led in water, so the deal passes to the left.")
    ).to_be_visible()
    expect(page.get_by_role("heading", name="What did Left do?")).to_be_visible()
    expect(page.get_by_text("The round is over")).to_have_count(0)
    page.get_by_role("button", name="can't lead").click()
    expect(page.get_by_role("heading", name="What did Across do?")).to_be_visible()
    page.locator('.palette [data-card="Mg"]').click()
    expect(page.get_by_role("heading", name="What did Right do?")).to_be_visible()
    expect(board.get_by_text("can be led in")).to_have_count(0)


def drag(page: Page, card: Locator, to: Locator, by: int = 0) -> None:
    """Drag a card with the mouse to the middle of something, or so many pixels to its right."""
    expect(card).to_be_enabled()
    places = [one.bounding_box() for one in (card, to)]
    (x, y), (right, down) = [(one["x"] + one["width"] / 2, one["y"] + one["height"] / 2) for one in places if one]
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(right + by, down, steps=3)
    page.mouse.up()


def test_cards_are_dragged_as_they_are_tapped(revisit: Visit) -> None:
    page = revisit(at(HELD))  # of an address without a tab, it is the hint
    card = page.locator('.hand [data-card="D6"]')
    expect(page.locator(".answer .primary")).to_be_visible()  # nothing moves any more
    drag(page, card, page.get_by_role("tab", name="Rules"))
    expect(page.get_by_role("tab", name="Hint")).to_have_attribute("aria-selected", "true")
    expect(page.locator(".card[data-dragged]")).to_have_count(0)
    expect(page.locator(".hand .card")).to_have_count(8)
    drag(page, card, page.locator(".trick"))
    expect(page.locator(".hand .card")).to_have_count(7)
    go(page, at(TAKEN, tab="hint"))
    taken = page.locator('.trick [data-card="A7"]')
    expect(taken).to_have_class(re.compile("legal"))
    expect(page.locator(".answer .primary")).to_be_visible()
    for pressed in ("true", "false"):  # a finger shakes
        drag(page, taken, taken, by=20)
        expect(taken).to_have_attribute("aria-pressed", pressed)
    drag(page, taken, page.locator(".mine"))
    expect(taken).to_have_attribute("aria-pressed", "true")
    expect(page.locator(".card[data-dragged]")).to_have_count(0)
    drag(page, taken, page.locator(".seat").first)
    expect(page).to_have_url(re.compile("moves=take.*A1.*D.*give.*A7"))


class Finger:
    """A finger on a touch screen, through the browser's protocol: the browser decides what it scrolls."""

    def __init__(self, page: Page, card: Locator) -> None:
        self._send = page.context.new_cdp_session(page).send
        card.evaluate("(card) => card.scrollIntoView({ block: 'center' })")
        box = card.bounding_box()
        assert box
        self._x, self._y = box["x"] + 12, box["y"] + 12
        self._touch("touchStart", 0, 0)

    def _touch(self, kind: str, *moved: float) -> None:
        points = [{"x": self._x + moved[0], "y": self._y + moved[1]}] if moved else []
        self._send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})

    def move(self, right: float, down: float) -> None:
        for step in range(1, 9):
            self._touch("touchMove", right * step / 8, down * step / 8)

    def lift(self) -> None:
        self._touch("touchEnd")


def test_a_swipe_over_cards_scrolls_a_table_and_a_finger_drags_them(revisit: Visit) -> None:
    page = revisit(at(MIDDLES["aqua-regia"], tab="hint"), **phone(320, 420))
    expect(page.locator(".answer .primary")).to_be_visible()
    card, dragged = page.locator(".hand .card.legal").last, page.locator(".card[data-dragged]")
    top = "(card) => card.closest('.board-side').scrollTop"
    finger = Finger(page, card)
    before = card.evaluate(top)
    finger.move(0, 60)
    wait_until(lambda: card.evaluate(top) < before)
    expect(dragged).to_have_count(0)
    finger.lift()
    finger = Finger(page, card)
    finger.move(60, 5)
    expect(dragged).to_have_css("will-change", "translate")  # a layer of its own: nothing is painted anew
    finger.lift()
    expect(dragged).to_have_count(0)
    finger = Finger(page, card)
    before = card.evaluate(top)
    expect(page.locator(".closer")).to_be_visible()  # it is held
    finger.move(0, 50)
    expect(dragged).to_have_count(1)
    finger.lift()
    expect(dragged).to_have_count(0)
    assert card.evaluate(top) == before
    page.set_viewport_size({"width": 390, "height": 844})
    go(page, at(HELD, tab="hint"))  # all of this table is in sight
    expect(page.locator(".answer .primary")).to_be_visible()
    finger = Finger(page, page.locator('.hand [data-card="D6"]'))
    finger.move(0, -260)
    expect(dragged).to_have_count(1)
    finger.lift()
    expect(page.locator(".hand .card")).to_have_count(7)


# Keeps what moves on the page, and how.
MOTIONS = """() => {
  const { animate } = Element.prototype;
  globalThis.motions = [];
  Element.prototype.animate = function (frames, how) {
    const what = [...new Set([frames].flat().flatMap(Object.keys))].sort();
    motions.push({ name: this.className, field: this.dataset.field, what, duration: how.duration });
    return animate.call(this, frames, how);
  };
}"""


def test_a_field_displaces_the_one_before_like_a_liquid(visit: Visit) -> None:
    page = visit(at(ENDINGS["aqua-regia"], tab="rules"), reduced_motion="no-preference")
    field = page.locator(".fields .now")
    expect(field).to_contain_text("Water")
    page.evaluate(MOTIONS)
    go(page, at(ENDINGS["aqua-regia"].replace("field=water", "field=acid"), tab="rules"))
    expect(field).to_contain_text("Acid")
    [moved] = page.evaluate("motions.filter(({ name }) => name === 'liquid')")
    assert (moved["field"], moved["what"]) == ("water", ["opacity", "transform"])
    assert 200 <= moved["duration"] <= 350
    page.emulate_media(reduced_motion="reduce")
    go(page, at(ENDINGS["aqua-regia"], tab="rules"))
    expect(field).to_contain_text("Water")
    assert page.evaluate("motions.filter(({ name }) => name === 'liquid').length") == 1


TAKEN = "king seat=0 hand=F4,F6,W1,W8,W9,E2,E3,A2,A3,T1 pick=F3,E1,A9,E4 removed=W10,W11 trick=0:A10,D:W,A7,A1"
HELD = "kirin seat=1 hand=D6,S1,S4,BT,G2,G3,G4,G+ declared=D2 trick=0:D3"

# Fire is led, nobody follows, and a trump wins.
UNFOLLOWED = (
    "king players=3 seat=0 leader=0 hand=F1,F2,F3,F4,W1,W2,W3,W4,E1,E2,E3,E4,A1 pick=A2,W9,W10 "
    "removed=F7,F8,F9,F10,W11 trick=F11,T5,T1"
)


def test_the_ruling_on_kings_bottom_is_named_where_it_comes_up(revisit: Visit) -> None:
    page = revisit(at(UNFOLLOWED, tab="hint"))
    note = page.locator(".board").get_by_text("Nobody followed the lead suit, so the leader is the bottom")
    expect(note).to_be_visible()
    expect(note).to_contain_text("Some tables have no bottom then.")
    go(page, at(UNFOLLOWED + " rules=no_bottom_when_trumped", tab="hint"))
    expect(note).to_have_count(0)
    go(page, at(UNFOLLOWED, tab="rules"))
    ruling = page.get_by_role("article").get_by_text(
        "when a trump wins and nobody followed, the leader is the bottom"
    )
    expect(ruling.locator("xpath=ancestor::li")).to_contain_text(
        "Some tables read it otherwise and have no bottom"
    )
    for start in ("#~tab=play", "#~tab=setup"):
        go(page, start)
        panel = page.get_by_role("tabpanel")
        panel.get_by_role("radio", name="King").click()
        option = panel.get_by_label("if nobody followed and a trump wins").first
        expect(option).to_be_visible()
    option.check()
    panel.get_by_role("button", name="My hand").click()
    expect(page.locator(".board")).to_contain_text("there is no bottom")


def test_sizes_that_follow_are_neither_asked_for_nor_contradicted(revisit: Visit) -> None:
    page = revisit("#~tab=setup")
    page.get_by_role("radio", name="Aqua Regia").click()
    page.get_by_role("button", name="Mid-round").click()
    palette = page.get_by_role("region", name="Cards to put into place")
    for card in ["Ni", "Sn", "Pb", "Cu", "Hg"]:
        palette.locator(f'button[data-card="{card}"]').click()
    fill(page, "Discard pile")
    for card in ["Li", "Li", "Li", "K", "K", "K", "Ca", "Ca", "Na", "Mg", "Mg", "Al"]:
        palette.locator(f'button[data-card="{card}"]').click()
    expect(page.get_by_role("alert")).to_have_count(0)
    page.get_by_role("tab", name="Hint").click()
    board = page.locator(".board")
    expect(
        board.get_by_text("17 cards in the stock")
    ).to_be_visible()  # 64 cards without the hand, the pile, and three hands of ten
    page.get_by_role("button", name="Change cards").click()
    fill(page, "Discard pile")
    for card in ["Zn", "Zn", "Fe"]:
        palette.locator(f'button[data-card="{card}"]').click()
    expect(page.get_by_role("alert")).to_have_count(0)
    page.get_by_role("tab", name="Hint").click()
    expect(board.get_by_text("14 cards in the stock")).to_be_visible()


def test_a_card_that_contradicts_an_earlier_play_was_played_anyway(revisit: Visit) -> None:
    hand = "kirin seat=0 hand=D1,D2,D6,S1,S4,BT,B2,B3 declared=G- leader=1"
    page = revisit(at(hand, tab="hint", moves="S5;G5;G6;D6;S1;D3", at="a6"))
    expect(page.get_by_role("heading", name="What did Across do?")).to_be_visible()
    page.locator('.observing [data-card="DT"]').dispatch_event("click")
    other = page.locator(".observing .other")
    expect(other).to_contain_text("Across did not follow S5 in trick 1, but played G5")
    page.get_by_role("button", name="It was played anyway").click()
    expect(page.locator(".board")).to_contain_text("Played against the rules or earlier plays: DT")
    expect(page).to_have_url(re.compile("DT_anyway"))
    page.reload()
    expect(page.locator(".board")).to_contain_text("Played against the rules or earlier plays: DT")
    page.get_by_role("button", name="Undo").first.click()
    expect(page.get_by_role("heading", name="What did Across do?")).to_be_visible()


def test_an_own_card_against_the_rules_is_in_the_list_of_moves_and_taken_back(revisit: Visit) -> None:
    hand = "kirin seat=0 hand=D1,D6,S1,S4,BT,B2,B3,G2 declared=G- leader=1"
    page = revisit(at(hand, tab="hint", moves="S5;G5;G6", at="a3"))
    page.locator('.hand [data-card="D1"]').click(force=True)
    page.get_by_role("button", name="It was played anyway").click()
    board = page.locator(".board")
    expect(board).to_contain_text("Played against the rules or earlier plays: D1. Nothing is concluded from it.")
    page.get_by_role("tab", name="Moves tried").click()
    expect(page.locator(".tree-move.here")).to_contain_text("(played anyway)")
    page.get_by_role("tab", name="Hint").click()
    page.get_by_role("button", name="Undo").first.click()
    expect(board.get_by_text("Played against the rules")).to_have_count(0)


def test_what_is_not_listed_is_typed_and_entered_anyway(revisit: Visit) -> None:
    hand = "aqua-regia players=3 seat=0 hand=Li,Ca,Na,Mg,Al,Zn,Fe,Ni,Sn history=0:K/1:Ca"
    page = revisit(at(hand, tab="hint"))
    page.get_by_text("Something else was played").click()
    page.get_by_label("Or type the move").fill("Ca")
    page.get_by_role("button", name="Make it").click()
    expect(page.get_by_text("Ca is not stronger than Ca")).to_be_visible()
    page.get_by_role("button", name="It was played anyway").click()
    expect(page.locator(".board")).to_contain_text("Played against the rules or earlier plays: Right Ca")


AGAINST = "Played against the rules or earlier plays: "


def test_what_was_taken_and_what_contradicts_an_earlier_play_in_king(revisit: Visit) -> None:
    hand = "king seat=0 hand=W8,W11,E4,E7,A1,A6,A7,A9,A10,T2,T3 pick=E8,A8,F8,T5 removed=W3,W6 leader=0"
    page = revisit(at(hand, tab="hint", moves="W8;F1;W1;W2", at="a4"))
    board = page.locator(".board")
    anyway(page, "take F1 W2 give W1 to 3", "One card is given, and to the bottom")
    expect(board).to_contain_text(f"{AGAINST}W8. Nothing is concluded from it.")
    page.locator('.hand [data-card="E4"]').click()
    expect(page.get_by_role("heading", name="What did Left do?")).to_be_visible()
    page.locator('.observing [data-card="W5"]').dispatch_event("click")
    expect(page.locator(".observing .other")).to_contain_text(
        "Left did not follow Water in trick 1, but played F1"
    )
    page.get_by_role("button", name="It was played anyway").click()
    expect(board).to_contain_text(f"{AGAINST}W8 W5")
    expect(page.get_by_role("heading", name="What did Across do?")).to_be_visible()
    page.reload()
    expect(board).to_contain_text(f"{AGAINST}W8 W5")


def test_only_what_nobody_kept_lies_in_kings_discard_pile(revisit: Visit) -> None:
    """Neither the winners' own cards, T5 and E10, nor those taken or given."""
    page = revisit(at(MIDDLES["king"], tab="hint"))
    page.get_by_role("button", name="Discard pile 1").click()
    pile = page.locator(".opened:popover-open .card")
    expect(pile).to_have_count(1)
    expect(pile).to_have_accessible_name("Earth 5, Copper")


def test_a_recipe_is_left_out_once_an_ingredient_cannot_be_won(revisit: Visit) -> None:
    """Iron is on E2, which was removed, and on F5, which another seat has won."""
    known = "won=F3,W11,E9,A10,F4/W3,E8,F5/A9 removed=F8,W10,E1,E2,F10 gone=A1 leader=0"
    page = revisit(at(f"king seat=0 hand=F1,F2,E3,A5 {known}", tab="hint"))
    notes = page.locator(".mine .note")
    expect(notes.filter(has_text="Vermilion needs Cinnabar, Sulfur")).to_have_count(1)
    expect(notes.filter(has_text="Red Calx")).to_have_count(0)


def test_what_was_matched_and_discarded_in_alchemy(revisit: Visit) -> None:
    page = revisit(at("alchemy solo line=4,7,K,2,9,A hand=6", tab="hint"))
    board = page.locator(".board")
    anyway(page, "discard K", "a match exists")
    page.locator('.palette [data-card="5"]').first.click()
    expect(board).to_contain_text(f"{AGAINST}discard K")
    anyway(page, "5+7=4+9", "the sides sum to 12 and 13")
    for card in ("3", "3", "8", "10"):
        page.locator(f'.palette [data-card="{card}"]').first.click()
    expect(board).to_contain_text(f"{AGAINST}discard K; 5+7=4+9")
    duel = "alchemy duel line=5,2,9,9,J,3 hand=9 opponent_hand=7 pile=A opponent_pile=K"
    go(page, at(duel, tab="hint"))
    anyway(page, "1:5+7=9", "the sides sum to 12 and 9")
    expect(board).to_contain_text(f"{AGAINST}Opponent 7+5=9")


# How often a card is drawn in its place, by what it is; cards wait for illustrations as long as it takes.
PATIENT = """() => {
  globalThis.drawn = new Map();
  const places = new Map();
  const { replaceChildren } = Element.prototype;
  Element.prototype.replaceChildren = function (...parts) {
    if (!places.has(this)) places.set(this, places.size);
    const card = `${places.get(this)} ${this.closest(".card")?.ariaLabel}`;
    drawn.set(card, (drawn.get(card) ?? 0) + 1);
    return replaceChildren.apply(this, parts);
  };
  const later = setTimeout;
  globalThis.setTimeout = (does, after, ...of) => (after === 400 ? 0 : later(does, after, ...of));
}"""
KINGS = "king players=3 seat=0 leader=0 hand=F3,W1,W2,W3,W4,E1,E2,E3,E4,A1,T1 pick=A2,W9,W10"


def test_cards_wait_for_their_illustrations_unless_these_are_late(visit: Visit) -> None:
    page = visit(at(HELD, tab="hint"))
    held = Held(page, "**/art-king.svg")
    go(page, at(KINGS, tab="hint"))
    expect(page.locator('.hand [data-card="F3"] .paper')).to_have_count(1)
    expect(page.locator('.hand [data-card="F3"] [href^="#art-"]')).to_have_count(0)
    held.let_go()
    for name in ("Calcination", "Iron", "Vitriol", "Red-Calx"):  # what it provides, takes and makes
        expect(page.locator(f'.hand [data-card="F3"] [href="#art-{name}"]')).to_have_count(1)
    expect(page.locator('.hand [data-card="F3"] [href="#sign-fire"]')).to_have_count(1)  # the suit, in its corner
    expect(page.locator(".hand [data-card=F3] .rank")).to_have_text(["3"])  # below are the ingredients

    expect(page.locator("#art-Na")).to_have_count(0)
    page.evaluate(PATIENT)
    go(page, at(dealt("aqua-regia", seat=0), tab="hint"))
    expect(page.locator('.hand [data-card="Ca"] [href="#art-Ca"]')).to_have_count(1)
    assert {times for _, times in page.evaluate("[...drawn]")} == {1}


# Where the cards of the trick came from, as soon as the last one lies there.
TRAVELS = """() => {
  globalThis.travelled = [];
  const { animate } = Element.prototype;
  Element.prototype.animate = function (frames, how) {
    if (this.matches(".trick:not(.over) .slot")) travelled.push([this.className, how.duration]);
    return animate.call(this, frames, how);
  };
}"""


@pytest.mark.parametrize("motion", ["no-preference", "reduce"])
def test_a_played_card_travels_to_its_place_in_front_of_its_seat(visit: Visit, motion: str) -> None:
    page = visit(at(HELD, tab="hint"), viewport={"width": 1280, "height": 800}, reduced_motion=motion)
    page.evaluate(TRAVELS)
    page.locator('.hand [data-card="S4"]').click()
    expect(page.get_by_role("heading", name="What did Left do?")).to_be_visible()
    page.locator('.palette [data-card="G6"]').click()
    expect(page.get_by_role("heading", name="What did Across do?")).to_be_visible()
    expect(page.locator(".trick .slot")).to_have_count(3)
    travelled = page.evaluate("travelled")
    if motion == "reduce":
        assert travelled == []
    else:
        assert [name.split()[1] for name, _ in travelled] == ["from-mine", "from-left"]
        assert all(200 <= duration <= 350 for _, duration in travelled)
    places = "(all) => all.map((slot) => [slot.offsetLeft, slot.offsetTop])"  # wherever they still travel
    right, mine, left = page.locator(".trick .slot").evaluate_all(places)  # in the order of play
    assert left[0] < mine[0] < right[0]
    assert mine[1] > left[1] == right[1]


def test_the_marker_turns_with_the_order_and_the_trick_before_stays_in_sight(revisit: Visit) -> None:
    turned = "kirin seat=0 hand=D2,S3,S5,B2,B4,B6,G1 declared=D4 history=2:S2,D-,S6,D1"
    page = revisit(at(turned, tab="rules"))
    expect(page.locator(".marker")).to_have_class("marker descending")
    expect(page.locator(".before .card")).to_have_count(4)
    go(page, at(HELD, tab="rules"))
    expect(page.locator(".marker")).to_have_class("marker ascending")
    expect(page.locator(".before")).to_have_count(0)


def test_it_is_said_which_cards_the_winner_of_a_trick_cannot_take(revisit: Visit) -> None:
    hands = "F2,W8,E2,E11,A2,A3,A9,T2,D/F1,F5,F8,F9,W1,W4,W5,A6,T4/F7,F10,F11,W2,W7,E4,A1,A4,A5/"
    line = f"king hands={hands}F3,F4,E1,E3,E6,E9,A7,A10,A11 pick=F6,A8,E8,E5 removed=E10,T3"
    page = revisit(at(f"{line} history=0:W9,T1,W3,E7:give:E7 trick=1:W10,W11,T5,W6", tab="rules"))
    expect(page.locator(".fate")).to_have_text(re.compile("^Only numbers below 5 can be taken, not "))
    expect(page.locator(".fate [role=img]")).to_have_count(3)


def test_seats_keep_their_names_whoevers_view_is_shown(revisit: Visit) -> None:
    page = revisit(at(dealt("kirin"), tab="analysis"))
    mine = page.locator(".mine")
    expect(mine).to_have_attribute("aria-label", "You")
    page.locator(".mode select").select_option("what Left sees")
    expect(mine).to_have_attribute("aria-label", "Left")
    seats = page.locator(".board [data-seat]")
    assert {seat.get_attribute("data-seat"): seat.get_attribute("aria-label") for seat in seats.all()} == {
        "0": "You", "1": "Left", "2": "Across", "3": "Right",
    }  # fmt: skip
