"""What the tests of the page share: fragments of addresses, and the keyboard."""

from __future__ import annotations

import json
import re
import shutil
from base64 import urlsafe_b64encode
from collections.abc import Callable, Sequence
from functools import cache
from importlib.resources import files
from typing import Any
from urllib.parse import quote

from playwright.sync_api import Locator, Page, Request, Route, expect

import athanor
from athanor.sessions import Saved
from puzzles import training
from puzzles.format import Puzzle
from solver import registry
from solver.positions import text_of
from tests.support.games import OWN, check_rows

PATIENCE = 60_000  # milliseconds for every expectation: machines that run tests are busy
# What people use, and what shows the same without a window, in half the processor time.
WHOLE = ("chromium", "chromium-browser", "google-chrome")
BROWSERS = ("chromium-headless-shell", *WHOLE)

# Makes pauses short: nobody needs time to watch the others move.
HURRY = """() => {
  const later = setTimeout;
  globalThis.setTimeout = (run, after) => later(() => run(), Math.min(after ?? 0, 20));
}"""
# How a game's end is headed: by who has won or, of a solitaire, without.
OVER = re.compile("^(Game over|You win|You lose|.+ wins|First place is shared: .+)$")
BAIT = "kirin-0001"  # S5 is best, B2 is not

# The last moves of a round, with every card known.
ENDINGS = {
    "kirin": "kirin hands=D2,S3/D1,D3/B3,G1/D5,D6 declared=D4,D+,G6,ST history=0:G+,S4,B+,B-/1:G5,S+,BT,B6/"
    "3:B5,S-,DT,D-/1:G4,G-,B1,B4/3:S6,B2,G3,GT/2:G2,S2,S5,S1",
    "king": "king hands=F3,F4/F2,F9/F1,W3 pick=T2,F5,F7 removed=F8,W10,W11,E4,A6 history=0:T3,D:A,T4:take:T3,T4/"
    "1:T5,A11,T1:take:T1:give:A11/1:A9,A8,A10:take:A8,A9/0:A3,A7,A5:take:A3,A5/1:E10,E11,E9:take:E9,E10/"
    "2:A4,A2,E7:take:A2:give:E7/2:A1,E3,E6/2:E8,E2,E1:take:E1,E2/2:E5,W9,W5/2:W7,W8,W2:take:W2,W7/"
    "0:W1,F11,W6:take:W1:give:F11 trick=2:W4,F6,F10",
    "aqua-regia": "aqua-regia hands=Na,Zn,Zn/Li,K,Au field=water turn=0 stock=Pb,Hg",
    "alchemy": "alchemy solo line=4,7,K,2,9,A hand=6 stock=5,Q,3,8",
}
check_rows(ENDINGS)


# The cards whose upper corner, where their number stands, or of the trick's also the lower end, lies below the
# fold or under something else, and the numbers of what seats collect that are cut off.
COVERED = """() => {
  const isCut = ({ left, top, right, bottom }, box) =>
    left < box.left || right > box.right || top < box.top || bottom > box.bottom;
  const cards = [...document.querySelectorAll(".hand .card, .trick .card")].filter((card) => {
    const { left, top, right, bottom } = card.getBoundingClientRect();
    const ends = [[left + 4, top + 8]];
    if (card.closest(".slot:not(.under)")) ends.push([right - 6, bottom - 9]);
    return ends.some(([x, y]) => !card.contains(document.elementFromPoint(x, y)));
  });
  const numbers = [...document.querySelectorAll(".seat :is(.number, .count-of)")].filter((number) =>
    number.checkVisibility() &&
    isCut(number.getBoundingClientRect(), number.closest(".seat").getBoundingClientRect()));
  return [...cards, ...numbers].map((found) => found.ariaLabel ?? found.closest("button").textContent);
}"""


def browser_path(names: Sequence[str] = BROWSERS) -> str | None:
    """The first of these browsers that is installed."""
    return next(filter(None, map(shutil.which, names)), None)


def dealt(name: str, seed: int = 1, *, seat: int | None = None, **options: Any) -> str:
    """A deal as one line; as a seat sees it, where one is named."""
    position = athanor.deal(name, seed=seed, **options)
    return text_of(position if seat is None else athanor.view(position, seat))


def at(line: str, **keys: str) -> str:
    """The fragment of an address that shows a position, such as `at(line, tab="hint")`."""
    return "#" + "&".join([*line.split(), *(f"~{key}={quote(value)}" for key, value in keys.items())])


def address(saved: Saved) -> str:
    """The fragment of an address that goes on with a saved game."""
    options = saved.model_dump(
        exclude={"saved", "game", "moves", "rules"}, exclude_none=True, exclude_defaults=True
    )
    if saved.rules:
        options["rules"] = " ".join(saved.rules)
    game = ",".join([saved.game, *(f"{name}={value}" for name, value in options.items())])
    made = "\n\n".join("\n".join(moves) for moves in saved.moves)
    hidden = urlsafe_b64encode(made.encode()).decode().rstrip("=")
    return f"#~tab=play&~game={quote(game)}&~made={hidden}&~dealt={len(saved.moves)}"


# After every listener of the page, and without a clock, which a test may have stopped.
ARRIVE = """(fragment) => new Promise((arrived) => {
  const before = location.href, { port1, port2 } = new MessageChannel();
  port1.onmessage = arrived;
  addEventListener("hashchange", () => port2.postMessage(0), { once: true });
  location.hash = fragment;
  if (location.href === before) arrived();
})"""


def go(page: Page, fragment: str, *, shown: bool = True) -> None:
    """Go on to another fragment of the address, as by a link of the page itself: nothing is loaded again.

    Returns when the page has heard of it and, if it is to be `shown`, the table of before, which may have controls
    of the same names, is gone.
    """
    page.evaluate(ARRIVE, fragment)
    if shown:
        expect(page.locator(".board[aria-busy=true]")).to_have_count(0)


class Held:
    """What a page asks for and is not answered before it is let go: early or late, nobody knows when it asks.

    Parameters
    ----------
    wanted : whether something is to be held, by what is asked; the rest is answered
    """

    def __init__(self, page: Page, pattern: str, wanted: Callable[[Request], bool] = lambda _: True) -> None:
        self._held: list[Route] = []
        self._is_open = False
        self._wanted = wanted
        page.route(pattern, self._come)

    def _come(self, route: Route) -> None:
        if self._is_open or not self._wanted(route.request):
            route.continue_()
        else:
            self._held.append(route)

    def let_go(self) -> None:
        """Answer what was asked, and from now on all that is."""
        self._is_open = True
        for route in self._held:
            route.continue_()


def bring(panel: Locator, file: Any) -> None:
    """Give the puzzles' screen a file of one's own, and wait for its list: the one before has a No. 1, too."""
    panel.get_by_label("Puzzles of your own").set_input_files(file)
    expect(panel.get_by_role("button", name="Remove your file")).to_be_visible()


def by_nodes(page: Page, nodes: int) -> list[Any]:
    """End hints for positions after so many nodes, not by the clock; return what the page asks for."""
    asked: list[Any] = []

    def ask(route: Route) -> None:
        asked.append(json.loads(route.request.post_data or ""))
        route.continue_(post_data=json.dumps(asked[-1] | {"limit": {"nodes": nodes}}))

    page.route("**/v1/hint", ask)
    return asked


def reach(page: Page, wanted: Locator, key: str = "Tab", most: int = 200) -> None:
    """Walk with the keyboard until something has the focus."""
    expect(wanted).to_be_enabled()
    found = wanted.element_handle()  # to look for it again after each key takes most of the time
    for _ in range(most):
        reached = found.evaluate("(found) => found.isConnected ? found === document.activeElement : null")
        if reached:
            return
        if reached is None:  # it was drawn anew
            found = wanted.element_handle()
        page.keyboard.press(key)
    raise AssertionError(f"{key} does not reach {wanted}")


def filling(page: Page, place: str) -> None:
    """The frame is at this place: it lies above the cards of the deck, and at the table it is marked."""
    expect(page.locator(".tray")).to_have_attribute("aria-label", place)
    expect(page.locator('.spot[aria-pressed="true"]')).to_have_accessible_name(re.compile(f"^{re.escape(place)}:"))


def fill(page: Page, place: str) -> None:
    """Choose the place at the table that the next cards go to."""
    page.locator(".editor").get_by_role("button", name=re.compile(f"^{re.escape(place)}:")).click()
    filling(page, place)


def walk(page: Page, card: Locator) -> None:
    """Walk with the keyboard to a card of a group: a group is one stop, and arrow keys walk within."""
    expect(card).to_be_enabled()
    found = card.element_handle()
    for _ in range(60):
        if found.evaluate("(found) => found.closest('.cards').contains(document.activeElement)"):
            break
        page.keyboard.press("Tab")
    page.keyboard.press("Home")
    reach(page, card, "ArrowRight")


@cache
def axe() -> str:
    return (files("axe_playwright_python") / "axe.min.js").read_text(encoding="utf-8")


def violations(page: Page, *rules: str) -> list[str]:
    """What axe finds on a page, by all its rules or by some, with the first element that each is about."""
    if not page.evaluate("'axe' in globalThis"):
        page.evaluate(axe())
    # Neither sheets, which no rule of these reads, nor selectors, which are not told.
    how: dict[str, Any] = {"resultTypes": ["violations"], "preload": False, "selectors": False}
    if rules:
        how["runOnly"] = list(rules)
    # Of what can't be seen, axe does not ask the contrast.
    page.evaluate("() => { document.documentElement.style.opacity = 1; }")
    found = page.evaluate("(how) => axe.run(document, how)", how)["violations"]
    page.evaluate("() => { document.documentElement.style.opacity = 0; }")
    return [f"{one['id']}: {one['nodes'][0]['html']} {one['nodes'][0]['failureSummary']}" for one in found]


@cache
def collected() -> dict[str, Puzzle]:
    """The puzzles of the collection by their names."""
    return {puzzle.id: puzzle for puzzle in training.chosen(ask=None)}


def asked(name: str) -> str:
    """The address of a puzzle of the collection."""
    puzzle = collected()[name]
    return at(text_of(puzzle.position), tab="puzzles", puzzle=name)


TITLES = {name: registry.game(name).title for name in OWN}

FRAMES = {"king": {"hand": "You: Hand", "removed": "Removed"}, "alchemy": {"line": "Line", "hand": "Drawn card"}}


def place(page: Page, wanted: dict[str, str], press: Any) -> None:
    """Put cards into places: `press` presses what it is handed."""
    palette = page.get_by_role("region", name="Cards to put into place")
    for path, cards in wanted.items():
        if len(wanted) > 1:  # the frame goes on by itself
            filling(page, FRAMES["alchemy" if "line" in wanted else "king"][path])
        for card in cards.split():
            press(palette.locator(f'button[data-card="{card}"]'))


def begun(revisit: Callable[..., Page], name: str) -> Page:
    page = revisit()
    page.get_by_role("radio", name=TITLES[name], exact=True).click()
    page.get_by_role("button", name="My cards" if name == "alchemy" else "My hand").click()
    return page


def phone(width: int = 360, height: int = 740) -> dict[str, object]:
    return {"viewport": {"width": width, "height": height}, "has_touch": True, "is_mobile": True}
