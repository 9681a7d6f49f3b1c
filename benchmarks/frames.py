"""What a frame costs while cards move, in a browser that is throttled to a quarter of its speed.

`python -m benchmarks.frames` follows a game of each kind and prints, from the browser's trace, what the page's
thread spends on an average frame: milliseconds of its own processor time, throttled, in scripts, styles, layout
and painting. The sum has to stay below the 16.7 ms of a display that shows 60 frames a second, and it hardly
depends on what else the machine does. The frames drawn a second do: they mean something on an idle machine.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable
from itertools import pairwise
from typing import Any, NamedTuple

from playwright.sync_api import Browser, Page, ViewportSize, sync_playwright

from api.config import Config
from athanor.sessions import Saved, Session
from tests.api.serving import served
from tests.api.support import warmed
from tests.page.support import address, browser_path

SLOWER = 4  # times
PHONE: ViewportSize = {"width": 360, "height": 740}
WATCHED = 1500  # milliseconds
CATEGORIES = ["devtools.timeline", "disabled-by-default-devtools.timeline", "devtools.timeline.frame"]
CATEGORIES += ["disabled-by-default-devtools.timeline.frame"]
# What the browser calls its work, by what the table calls it.
WORK = {
    "script": (
        "FunctionCall",
        "EvaluateScript",
        "EventDispatch",
        "FireAnimationFrame",
        "TimerFire",
        "RunMicrotasks",
    ),
    "style": ("UpdateLayoutTree", "RecalculateStyles", "ScheduleStyleRecalculation"),
    "layout": ("Layout", "UpdateLayerTree", "HitTest"),
    "paint": ("PrePaint", "Paint", "Layerize", "Commit"),
}
GAMES = {
    "kirin": Saved(game="kirin", seed=3, seconds=0.05),
    "king": Saved(game="king", seed=5, seconds=0.05, players=4),
    "aqua-regia": Saved(game="aqua-regia", seed=5, seconds=0.05, players=3),
    "alchemy": Saved(game="alchemy", seed=3, seconds=0.05),
}


def underway(saved: Saved) -> str:
    """The address of a game after some moves, where its player is to move."""
    table = Session(saved, forced=False)
    while table.count < 6 or table.round.to_move != table.seat:
        table.play(table.round.moves()[0])
    return address(table.saved)


def play(page: Page) -> None:
    """Play the first card that can be; those of the others follow."""
    page.locator(".board button.card.legal").first.click()


def drag(page: Page) -> None:
    """Drag a card over the table, and let it go back."""
    box = page.locator(".board button.card.legal").first.bounding_box()
    assert box
    page.mouse.move(box["x"] + 20, box["y"] + 20)
    page.mouse.down()
    for step in range(30):
        page.mouse.move(box["x"] + 20 + 4 * step, box["y"] + 20 - step)
        page.wait_for_timeout(16)
    page.mouse.move(4, 4)
    page.mouse.up()


SCENES: dict[str, Callable[[Page], None]] = {"play a card": play, "drag a card": drag}


class Traced(NamedTuple):
    """Frames drawn, those drawn a second, the longest wait, and milliseconds a frame by kind of work."""

    drawn: int
    speed: float
    longest: float
    work: dict[str, float]


def worked(events: list[dict[str, Any]]) -> dict[str, float]:
    """Milliseconds of processor time of the page's thread by kind of work; what lies within other work once."""
    main = next(event["pid"] for event in events if event["name"] == "UpdateLayoutTree")
    kinds = {name: kind for kind, names in WORK.items() for name in names}
    spent = dict.fromkeys(WORK, 0.0)
    timed = [event for event in events if event["pid"] == main and "tdur" in event and event["name"] in kinds]
    for event in timed:
        kind = kinds[event["name"]]
        spent[kind] += event["tdur"] / 1000
    open_: list[dict[str, Any]] = []
    for event in sorted(timed, key=lambda event: (event["tid"], event["ts"], -event["dur"])):
        while open_ and (open_[-1]["tid"] != event["tid"] or open_[-1]["ts"] + open_[-1]["dur"] <= event["ts"]):
            open_.pop()
        if open_:
            spent[kinds[open_[-1]["name"]]] -= event["tdur"] / 1000
        open_.append(event)
    return spent


def traced(browser: Browser, page: Page, scene: Callable[[Page], None]) -> Traced:
    """Trace a scene. Waits while nothing changes, and so nothing is drawn, are left out."""
    browser.start_tracing(page=page, categories=CATEGORIES)
    scene(page)
    page.wait_for_timeout(WATCHED)
    events = json.loads(browser.stop_tracing())["traceEvents"]
    drawn = sorted(event["ts"] / 1000 for event in events if event["name"] == "DrawFrame")
    waits = [wait for earlier, later in pairwise(drawn) if (wait := later - earlier) < WATCHED / 5]
    work = {kind: spent / max(1, len(drawn)) for kind, spent in worked(events).items()}
    return Traced(len(drawn), 1000 * len(waits) / sum(waits or [1]), max(waits, default=0), work)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--game", choices=GAMES, action="append", help="only this game")
    games = parser.parse_args().game or list(GAMES)
    path = browser_path()
    if not path:
        sys.exit("no Chromium is installed")
    warmed()
    with served(Config()) as site, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path)
        kinds = "".join(f"{kind:>8}" for kind in (*WORK, "sum"))
        print(f"{'':24}{'drawn':>6}{kinds}{'a second':>10}{'longest':>8}")
        for name in games:
            for title, scene in SCENES.items():
                with browser.new_context(viewport=PHONE, reduced_motion="no-preference") as context:
                    page = context.new_page()
                    page.goto(f"http://127.0.0.1:{site.port}/{underway(GAMES[name])}")
                    page.locator(".board button.card.legal svg *").first.wait_for()
                    page.wait_for_load_state("networkidle")
                    context.new_cdp_session(page).send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})
                    trace = traced(browser, page, scene)
                    cost = trace.work.values()
                    spent = "".join(f"{milliseconds:8.2f}" for milliseconds in (*cost, sum(cost)))
                    seen = f"{trace.speed:10.0f}{trace.longest:8.0f}"
                    print(f"{name + ', ' + title:24}{trace.drawn:6}{spent}{seen}", flush=True)
        browser.close()


if __name__ == "__main__":
    main()
