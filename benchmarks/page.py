"""How fast the page is in a browser: `python -m benchmarks.page`, with its own service and all games loaded.

Bytes and requests are those of a first visit with an empty cache that asks for a hint, including the answers, as
the browser counts them. Times are medians of visits that open the rules, so that a click asks for a hint. They
are in milliseconds, as measured by a script in the page: until the cards of a hand can be clicked, from a click
on a card until the board has changed, and until a hint shows its first best move so far, or its answer. Finally,
a first-time visitor enters a hand of Kirin at a real table: how many clicks it takes until the hint's first best
move, and how much of that time was the page's.
"""

from __future__ import annotations

import statistics
import sys
import time

from playwright.sync_api import Browser, Page, sync_playwright

from api.config import Config
from tests.api.serving import served
from tests.api.support import warmed
from tests.page.support import WHOLE, at, browser_path, dealt

VISITS = 5
HAND = ("D2", "S3", "S5", "S-", "B2", "B4", "B6", "G+", "D4")  # of which one is to be set aside
CARD = ".board button.card.legal"
# Milliseconds from a click on what one selector finds until another finds something that was not there.
CLICK = """async ([clicked, shown]) => {
  const before = new Set(document.querySelectorAll(shown));
  const began = performance.now();
  document.querySelector(clicked).click();
  for (;;) {
    await new Promise((resolve) => setTimeout(resolve, 1));
    if ([...document.querySelectorAll(shown)].some((one) => !before.has(one))) return performance.now() - began;
  }
}"""


def first_visit(browser: Browser, address: str) -> tuple[Page, list[float], float]:
    """The page on a first visit, the bytes of each answer, and when a card could be clicked."""
    page = browser.new_context().new_page()
    wire = page.context.new_cdp_session(page)
    bytes_came: list[float] = []
    wire.on("Network.loadingFinished", lambda found: bytes_came.append(found["encodedDataLength"]))
    wire.send("Network.enable")
    # The page tells when it is ready: to ask it again and again would keep it from its work.
    page.add_init_script(
        f"""new MutationObserver((_, observer) => {{
          if (!document.querySelector("{CARD} svg *")) return;
          observer.disconnect();
          console.log(performance.now());
        }}).observe(document, {{ subtree: true, childList: true }})"""
    )
    with page.expect_console_message() as ready:
        page.goto(address)
    page.wait_for_load_state("networkidle")
    return page, list(bytes_came), float(ready.value.text)


def table_hand(browser: Browser, address: str) -> tuple[int, float]:
    """The number of clicks from opening the page to a hint's first best move, and the time in milliseconds."""
    page = browser.new_context().new_page()
    page.goto(address)
    clicks = 0
    began = time.perf_counter()
    for clicked in (
        ".job.primary",
        *(f".palette [data-card='{card}']" for card in HAND),
        ".placing button.primary:enabled",
    ):
        page.click(clicked)
        clicks += 1
    page.wait_for_selector(".best-so-far, .best-move")
    took = 1000 * (time.perf_counter() - began)
    page.context.close()
    return clicks, took


def main() -> None:
    path = browser_path(WHOLE)
    if not path:
        sys.exit("no Chromium is installed")
    warmed()
    with served(Config()) as site, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path)
        hand, rules = (
            f"http://127.0.0.1:{site.port}/{at(dealt('kirin', seat=0), tab=tab)}" for tab in ("hint", "rules")
        )
        page, came, _ = first_visit(browser, hand)
        page.context.close()
        ready, clicks, hints = [], [], []
        for _ in range(VISITS):
            page, _, seconds = first_visit(browser, rules)
            ready.append(seconds)
            hints.append(page.evaluate(CLICK, ["#tab-hint", ".best-so-far, .best-move"]))
            clicks.append(page.evaluate(CLICK, [CARD, ".board .zone-trick .card, .steps"]))
            page.context.close()
        hands = [table_hand(browser, f"http://127.0.0.1:{site.port}/") for _ in range(VISITS)]
        browser.close()
    print(f"first load      {sum(came):7,.0f} bytes in {len(came)} requests")
    for name, times in (("interactive", ready), ("a click", clicks), ("a hint shows", hints)):
        print(f"{name:16}{statistics.median(times):7.0f} ms ({min(times):.0f} to {max(times):.0f})")
    took = statistics.median(seconds for _, seconds in hands)
    print(f"{'a hand':16}{took:7.0f} ms with {hands[0][0]} clicks")


if __name__ == "__main__":
    main()
