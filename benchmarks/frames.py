"""How many frames the page draws while cards move, in a browser that is throttled to a quarter of its speed.

`python -m benchmarks.frames` follows a game of each kind and prints, from the browser's trace, the frames drawn a
second while something moves, those dropped, and the longest time without one. Run it on an idle machine.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable
from itertools import pairwise

from playwright.sync_api import Browser, Page, ViewportSize, sync_playwright

from api.config import Config
from athanor.sessions import Saved, Session
from tests.api.serving import served
from tests.api.support import warmed
from tests.page.support import address, browser_path

SLOWER = 4  # times
PHONE: ViewportSize = {"width": 360, "height": 740}
WATCHED = 1500  # milliseconds
CATEGORIES = ["disabled-by-default-devtools.timeline.frame", "devtools.timeline.frame"]
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


def traced(browser: Browser, page: Page, scene: Callable[[Page], None]) -> tuple[int, int, float, float]:
    """Return the frames drawn and dropped, those drawn a second, and the longest wait in milliseconds."""
    browser.start_tracing(page=page, categories=CATEGORIES)
    scene(page)
    page.wait_for_timeout(WATCHED)
    events = json.loads(browser.stop_tracing())["traceEvents"]
    drawn = sorted(event["ts"] / 1000 for event in events if event["name"] == "DrawFrame")
    dropped = sum(event["name"] == "DroppedFrame" for event in events)
    if len(drawn) < 2:
        return len(drawn), dropped, 0.0, 0.0
    # While nothing changes nothing is drawn: longer waits than that are pauses, which are left out.
    waits = [wait for one, other in pairwise(drawn) if (wait := other - one) < WATCHED / 5]
    return len(drawn), dropped, 1000 * len(waits) / sum(waits), max(waits)


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
        print(f"{'':24}{'drawn':>8}{'dropped':>9}{'a second':>10}{'longest':>9}")
        for name in games:
            for title, scene in SCENES.items():
                with browser.new_context(viewport=PHONE, reduced_motion="no-preference") as context:
                    page = context.new_page()
                    page.goto(f"http://127.0.0.1:{site.port}/{underway(GAMES[name])}")
                    page.locator(".board button.card.legal svg *").first.wait_for()
                    page.wait_for_load_state("networkidle")
                    context.new_cdp_session(page).send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})
                    drawn, dropped, speed, longest = traced(browser, page, scene)
                    print(
                        f"{name + ', ' + title:24}{drawn:8}{dropped:9}{speed:10.0f}{longest:6.0f} ms", flush=True
                    )
        browser.close()


if __name__ == "__main__":
    main()
