"""The page on phones, in light and dark, and for those who want no motion."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import ViewportSize, expect

import athanor
from solver.positions import text_of
from tests.page.conftest import Visit
from tests.page.support import COVERED, ENDINGS, TITLES, at, dealt, go
from tests.page.tables import MIDDLES
from tests.support.games import OWN

TABS = ("setup", "hint", "analysis", "tree", "rules")
SIZES = [(360, 740), (320, 568), (740, 360), (1280, 800), (1920, 1080)]
# As a seat sees it, and with all cards known, where each of many seats needs room.
# The cards to choose from that a finger does not find on the sheet. Where rows overlap, they leave it the upper 44
# pixels, and cards of a long suit 24, all of which lie side by side.
OUT_OF_REACH = """() => [...document.querySelectorAll(".palette .card")].filter((card) => {
  card.scrollIntoView({ block: "nearest", inline: "nearest" });
  const { left, top } = card.getBoundingClientRect();
  return [[2, 2], [25, 2], [2, 42], [25, 42]].some(
    ([x, y]) => !card.contains(document.elementFromPoint(left + x, top + y)));
}).map((card) => card.ariaLabel)"""
SMALL = """() => [...document.querySelectorAll("button.card")]
  .map((card) => card.getBoundingClientRect())
  .filter(({ width, height }) => width < 44 || height < 60)
  .map(({ width, height }) => `${width} x ${height}`)"""


# Whether all of the frame round one's own cards is in sight, where a table is scrolled.
FRAMED = """() => {
  const [own, around] = [".mine", ".board-side"].map((one) => document.querySelector(one));
  const [frame, sight] = [own, around].map((one) => one.getBoundingClientRect());
  if (getComputedStyle(around).overflowY === "visible") return true;
  return frame.bottom + 1 <= sight.bottom && frame.left - 1 >= sight.left && frame.right + 1 <= sight.right;
}"""
CUT = """() => [...document.querySelectorAll(".seat :is(.note, .short)")]
  .filter((words) => words.scrollWidth > words.clientWidth).map((words) => words.textContent)"""


@pytest.mark.parametrize("name", ["king", "aqua-regia"])
def test_nothing_is_wider_than_a_phone(revisit: Visit, name: str) -> None:
    phone = {"width": 320, "height": 700}
    dealt_five = dealt(name, 3, seat=0, players=5)
    page = revisit(at(dealt_five, tab=TABS[0]), viewport=phone, has_touch=True, is_mobile=True)
    for tab in TABS:
        go(page, at(dealt_five, tab=tab))
        expect(page.locator(f"#tab-{tab}")).to_have_attribute("aria-selected", "true")
        expect(page.get_by_role("tabpanel").locator("*").first).to_be_visible()
        for width in (320, 375):
            page.set_viewport_size({"width": width, "height": 700})
            assert page.evaluate("document.documentElement.scrollWidth") <= width, tab
            assert page.evaluate(CUT) == []  # what a seat collects


def test_the_visitor_chooses_between_light_and_dark(visit: Visit) -> None:
    page = visit("", color_scheme="dark")
    paper = "getComputedStyle(document.documentElement).backgroundColor"
    expect(page.get_by_role("heading", name="Which game do you play?")).to_be_visible()
    dark = page.evaluate(paper)
    page.get_by_label("Menu").first.click()
    expect(page.get_by_label("Sound")).not_to_be_checked()
    page.get_by_label("Light or dark").select_option("light")
    light = page.evaluate(paper)
    assert light != dark
    page.reload()
    page.get_by_label("Menu").first.click()
    expect(page.get_by_label("Light or dark")).to_have_value("light")
    assert page.evaluate(paper) == light


def test_nothing_moves_for_those_who_want_no_motion(visit: Visit) -> None:
    page = visit(at(ENDINGS["kirin"], tab="tree"))
    card = page.locator(".board button.card").first
    moves = "(found) => parseFloat(getComputedStyle(found).transitionDuration) > 0.01"
    assert not card.evaluate(moves)
    page.emulate_media(reduced_motion="no-preference")
    assert card.evaluate(moves)


def test_a_hand_gets_its_hint_on_a_phone_without_scrolling(revisit: Visit) -> None:
    phones = [ViewportSize(width=width, height=height) for width, height in ((360, 740), (740, 360), (320, 568))]
    page = revisit("", viewport=phones[-1], has_touch=True, is_mobile=True)
    taps = [page.get_by_role("radio", name="Kirin"), page.get_by_role("button", name="Follow my round")]
    cards = ["D2", "D4", "S3", "S5", "S-", "B2", "B4", "B6", "G+"]
    taps += [page.locator(f'.palette [data-card="{card}"]') for card in cards]
    taps += [page.get_by_role("button", name="Ask for a hint")]
    assert len(taps[1:]) <= 14
    for wanted in taps[:2]:
        wanted.tap()
    for size in phones:
        page.set_viewport_size(size)
        for suit in page.locator(".suit-row").all():  # every suit begins in sight: a swipe shows the rest of all
            expect(suit.locator(".card").first).to_be_in_viewport(ratio=0.2)
    for wanted in taps[2:]:
        wanted.tap()
    aside, play = (page.get_by_role("button", name=name) for name in ("Set it aside", "Play it"))
    needed = [aside, page.locator(".answer .reason"), page.locator(".hand .card").first]
    for size in phones:
        page.set_viewport_size(size)
        for one in [*needed, page.get_by_role("tab", name="Play")]:
            expect(one).to_be_in_viewport(ratio=0.5)
    aside.tap()
    expect(page.locator(".hand .card")).to_have_count(8)
    play.tap()
    for size in phones:
        page.set_viewport_size(size)
        expect(page.locator(".observing .card").first).to_be_in_viewport()
    page.get_by_role("button", name="Undo").tap()
    expect(page.locator(".hand .card")).to_have_count(8)


def test_the_page_speaks_japanese_where_the_browser_does_and_as_is_chosen(visit: Visit) -> None:
    page = visit(at(ENDINGS["king"], tab="analysis"), locale="ja-JP")
    page.get_by_text("獲得札の調合").click()
    expect(page.locator(".brew .item").first).to_have_text("エレクトラム +7")
    page.evaluate("location.hash = ''")
    expect(page.get_by_role("heading", name="どのゲームで遊びますか？")).to_be_visible()
    assert page.evaluate("document.documentElement.lang") == "ja"
    page.locator(".menu summary").click()
    page.get_by_label("Language / 言語").select_option("en")
    expect(page.get_by_role("heading", name="Which game do you play?")).to_be_visible()
    page.reload()
    expect(page.get_by_role("heading", name="Which game do you play?")).to_be_visible()


@pytest.mark.parametrize("name", MIDDLES)
def test_the_hand_and_the_trick_are_always_in_sight(revisit: Visit, name: str) -> None:
    page = revisit(at(MIDDLES[name], tab="analysis" if "all" in name else "hint"))
    for width, height in SIZES:
        page.set_viewport_size({"width": width, "height": height})
        if "all" not in name:
            expect(page.locator(".answer .primary")).to_be_in_viewport(ratio=0.9)
        expect(page.locator(".trick .card").last).to_be_visible()
        assert page.evaluate(COVERED) == [], (width, height)
        assert page.evaluate(FRAMED), (width, height)
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        assert page.evaluate("document.documentElement.scrollHeight") <= height
    page.set_viewport_size({"width": 320, "height": 568})
    go(page, at(MIDDLES[name], tab="setup"))
    expect(page.get_by_role("button", name="Change its cards")).to_be_in_viewport()
    assert page.evaluate(COVERED) == []


@pytest.mark.parametrize("name", OWN)
def test_cards_are_large_enough_for_a_thumb(revisit: Visit, name: str) -> None:
    phones = [ViewportSize(width=width, height=height) for width, height in SIZES[:3]]
    page = revisit("", viewport=phones[0], has_touch=True, is_mobile=True)

    def small() -> list[str]:
        found = []
        for phone in phones:
            page.set_viewport_size(phone)
            found += page.evaluate(SMALL)
        return found

    page.get_by_role("radiogroup", name="Game").get_by_role("radio", name=TITLES[name], exact=True).tap()
    page.locator(".job").first.tap()
    page.locator(".palette button.card").first.tap()
    expect(page.locator(".tray button.card")).to_have_count(1)
    assert small() == []
    assert page.evaluate(OUT_OF_REACH) == []
    expect(page.get_by_role("button", name="Ask for a hint")).to_be_in_viewport(ratio=1)
    go(page, at(dealt(name, seat=0), tab="hint"))
    expect(page.locator(".board button.card").first).to_be_visible()
    assert small() == []


def test_what_a_kirin_in_the_trick_turns_is_said_before_the_next_one(revisit: Visit) -> None:
    here = "kirin seat=0 hand=D2,S3,S5,B2,B4,B6,G1,G6 declared=D4 leader=2 trick=S2,"
    page = revisit(at(f"{here}D-", tab="rules"))
    order = page.locator(".in-force")
    expect(order).to_contain_text("6 beats 1, then")
    expect(order).to_contain_text("Next trick, as it stands: 1 beats 6")
    go(page, at(f"{here}D+", tab="rules"))
    expect(page.locator(".zone-trick").get_by_role("img", name="Azure Dragon ascending kirin")).to_be_visible()
    expect(order).not_to_contain_text("Next trick")


def test_the_dots_on_metals_are_explained_on_the_table(revisit: Visit) -> None:
    page = revisit(at(MIDDLES["aqua-regia"], tab="rules"))
    expect(page.get_by_text("• only alone, •• several at once too")).to_be_visible()


@pytest.mark.parametrize("name", ["kirin", "king"])
def test_a_large_window_has_room_for_the_finished_tricks(revisit: Visit, name: str) -> None:
    page = revisit(at(ENDINGS[name], tab="analysis"), viewport={"width": 1920, "height": 1080})
    expect(page.locator("table.moves")).to_be_visible()
    page.locator(".past summary").click()
    expect(page.locator(".past .card").first).to_be_in_viewport(ratio=1)
    assert page.evaluate("document.documentElement.scrollHeight") == 1080
    assert page.locator(".past .card").first.evaluate("(card) => card.offsetWidth") >= 50


TALLIES = {
    "king": "You: Points of cards 3/Left: Points of cards 6/Across: Points of cards 3/Right: Points of cards 3",
    "kirin": "You: Azure Dragon 0, Vermilion Bird 0, White Tiger 0, Black Tortoise 0/"
    "Left: Azure Dragon 2, Vermilion Bird 5, White Tiger 3, Black Tortoise 2/"
    "Across: Azure Dragon 0, Vermilion Bird 1, White Tiger 1, Black Tortoise 2/"
    "Right: Azure Dragon 0, Vermilion Bird 1, White Tiger 4, Black Tortoise 3",
    "alchemy": "You: /Opponent: ",
    "aqua-regia": "",  # nothing is made of metals: who has how many left stands at the seats
}
OF_TALLIES = {
    **MIDDLES,
    "kirin": text_of(athanor.view(ENDINGS["kirin"], 0)),
    "alchemy": "alchemy duel line=4,7,K,2,9,A hand=6 opponent_hand=Q pile=3,4,7 opponent_pile=K,J,2,10,A",
}
TALLY = """() => [...document.querySelectorAll(".tally p")].map((row) => {
  const counts = [...row.querySelectorAll("[aria-label]")].map((count) => count.ariaLabel);
  return `${row.firstElementChild.textContent}: ${counts.join(", ")}`;
}).join("/")"""
UNDER = """(lies) => {
  const { left, top, right, bottom } = document.querySelector(lies).getBoundingClientRect();
  const others = [...document.querySelectorAll(".felt :is(.card, .pile, .seat-name, .note, .in-force, .hinted)")];
  return others.filter((one) => !one.closest(lies) && one.checkVisibility()).filter((one) => {
    const box = one.getBoundingClientRect();
    return box.left < right && box.right > left && box.top < bottom && box.bottom > top;
  }).map((one) => one.textContent);
}"""


@pytest.mark.parametrize("name", OWN)
def test_what_seats_have_made_stands_in_a_corner_of_a_large_table(revisit: Visit, name: str) -> None:
    page = revisit(at(OF_TALLIES[name], tab="hint"), viewport={"width": 1280, "height": 800})
    expect(page.locator(".board .card").first).to_be_visible()
    tally = page.get_by_role("region", name="Won so far")
    expect(tally).to_have_count(1 if TALLIES[name] else 0)
    assert page.evaluate(TALLY) == TALLIES[name]
    for width, height in [(1280, 800), (1920, 1080)] if TALLIES[name] else []:
        page.set_viewport_size({"width": width, "height": height})
        expect(tally).to_be_visible()
        assert page.evaluate(UNDER, ".tally") == []
    if name == "kirin":  # what another seat did is asked on the table, which is lower then
        go(page, at(OF_TALLIES[name], tab="rules"))
        expect(page.locator(".own > .observing")).to_be_visible()
        expect(tally).to_be_hidden()
    page.set_viewport_size({"width": 390, "height": 844})  # where its table has no corner to spare
    expect(tally).to_have_count(0)
    if name == "king":
        page.set_viewport_size({"width": 820, "height": 1180})
        expect(page.locator(".before")).to_be_visible()
        assert page.evaluate(UNDER, ".before") == []


@pytest.mark.parametrize("hand", ["D1,D5,D-,S2,S3,S4,S6,BT,B-", "D1,D5,S2,S3,S4,S6,BT,B- declared=D-"])
def test_kirins_order_is_on_the_table_from_the_first_card_set_aside(revisit: Visit, hand: str) -> None:
    page = revisit(at(f"kirin seat=0 hand={hand} leader=0", tab="rules"))
    order = page.locator(".in-force")
    expect(order).to_contain_text(re.compile(r"ascending\s*6 beats 1, then\s*D Azure Dragon\s*>"))


# The selectors of the page's sheets, each with the rules around it.
SELECTORS = """() => {
  const found = [];
  const walk = (rules, around) => [...rules].forEach((rule) => {
    const { selectorText: own, cssRules: inner = [] } = rule;
    const here = own === undefined ? around : own.includes("&") ? own.replaceAll("&", `:is(${around})`) :
      around ? `:is(${around}) ${own}` : own;
    if (own !== undefined) found.push(here);
    walk(inner, here);
  });
  [...document.styleSheets].forEach((sheet) => walk(sheet.cssRules, ""));
  return found;
}"""


def parts(selector: str, signs: str) -> list[str]:
    """What stands between these signs, outside of brackets."""
    found, depth = [""], 0
    for sign in selector:
        depth += (sign in "([") - (sign in ")]")
        if sign in signs and not depth:
            found.append("")
        else:
            found[-1] += sign
    return [part.strip() for part in found if part.strip()]


def is_any(selector: str) -> bool:
    """Whether a selector ends with what every element could be."""
    last = parts(selector, " >+~")[-1]
    listed = re.search(r":(?:is|where)\((.*)\)$", last)
    return last[0] in "*:" and not (listed and not any(map(is_any, parts(listed[1], ","))))


def test_what_a_table_has_leaves_most_of_the_page_as_it_is(revisit: Visit) -> None:
    """A browser looks at a whole table's elements again at each move if one rule with `:has` may be about any."""
    found = [one for rule in revisit("").evaluate(SELECTORS) for one in parts(rule, ",") if ":has(" in one]
    assert len(found) > 100
    assert [one for one in found if is_any(one)] == []
