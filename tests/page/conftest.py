"""A browser and a service that the tests of the page share, and visits that fail on what the browser reports."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from _pytest.runner import runtestprotocol
from playwright.sync_api import Browser, ConsoleMessage, Error, Page, ViewportSize, expect, sync_playwright

from api.config import Config
from tests.api.serving import served
from tests.api.support import warmed
from tests.page.support import BROWSERS, browser_path, go

PATIENCE = 30_000  # milliseconds for every expectation: machines that run tests are busy

DESKTOP: ViewportSize = {"width": 1280, "height": 720}
ANEW = pytest.StashKey[bool]()  # set for a test that is tried once more

Visit = Callable[..., Page]
Kept = dict[str, tuple[Page, list[str]]]


def pytest_runtest_protocol(item: pytest.Item, nextitem: pytest.Item | None) -> bool:
    """Try once more what failed in a browser: one that is starved may miss what a page shows for a moment."""
    item.ihook.pytest_runtest_logstart(nodeid=item.nodeid, location=item.location)
    reports = runtestprotocol(item, log=False, nextitem=nextitem)
    if any(report.failed for report in reports):
        item.stash[ANEW] = True
        item._initrequest()  # type: ignore[attr-defined]
        reports = runtestprotocol(item, log=False, nextitem=nextitem)
    for report in reports:
        item.ihook.pytest_runtest_logreport(report=report)
    item.ihook.pytest_runtest_logfinish(nodeid=item.nodeid, location=item.location)
    return True


@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    found = browser_path()
    if not found:
        pytest.skip(f"the page is tested in a browser, and none of {', '.join(BROWSERS)} is installed")
    expect.set_options(timeout=PATIENCE)
    with sync_playwright() as playwright:
        try:
            browser = playwright.chromium.launch(executable_path=found, timeout=4 * PATIENCE)
        except Error as error:
            pytest.skip(f"{found} does not start here: {error.message.splitlines()[0]}")
        yield browser
        browser.close()


@pytest.fixture(scope="package")
def site(browser: Browser) -> Iterator[str]:
    """The address of a service with all games loaded and short limits; without a browser none is started."""
    warmed()
    with served(Config(default_seconds=0.3, hint_seconds=0.1, max_seconds=0.3)) as found:
        yield f"http://127.0.0.1:{found.port}/"


def opened_page(browser: Browser, reported: list[str], *, refused: bool = False, **how: Any) -> Page:
    """A page of a visitor who was never here before, and what it reports; arguments: see `visit`."""

    def heard(message: ConsoleMessage) -> None:
        of_service = "/v1/" in message.location["url"] and message.text.startswith("Failed to load resource")
        if message.type in ("error", "warning") and not (refused and of_service):
            reported.append(f"{message.text} {message.location['url']}")

    context = browser.new_context(**{"reduced_motion": "reduce", **how})
    context.add_init_script("delete Navigator.prototype.serviceWorker")  # what is asked stays to be seen
    context.set_default_timeout(PATIENCE)
    page = context.new_page()
    page.on("console", heard)
    page.on("pageerror", lambda error: reported.append(str(error)))
    return page


@pytest.fixture
def visit(browser: Browser, site: str) -> Iterator[Visit]:
    """Opens the page at a fragment such as `#kirin…&~tab=hint`, as a visitor who was never here before.

    Further arguments are those of `Browser.new_context`. When the test ends, nothing may have been reported: no
    exception, no violation of the policy, no file that is missing, and nothing that the service refused, unless
    something is to be `refused`.
    """
    reported: list[str] = []
    pages: list[Page] = []

    def opened(fragment: str = "", at: str = site, *, refused: bool = False, **how: Any) -> Page:
        pages.append(opened_page(browser, reported, refused=refused, **how))
        pages[-1].goto(at + fragment)
        return pages[-1]

    yield opened
    for page in pages:
        page.context.close()
    assert not reported


@pytest.fixture(scope="module")
def kept(browser: Browser) -> Iterator[Kept]:
    """The pages that the tests of a file share, by how they were opened, with what they reported."""
    pages: Kept = {}
    yield pages
    for page, _ in pages.values():
        page.context.close()


@pytest.fixture
def revisit(request: pytest.FixtureRequest, browser: Browser, site: str, kept: Kept) -> Iterator[Visit]:
    """As `visit`, but in a page that the tests of a file share, which is loaded once for all.

    For tests that neither reload the page nor change what it works with, such as its functions or routes. What it
    keeps for its visitor is forgotten, but not what it has in memory: the game that was chosen, hints that were
    asked before, and whether "Why?" is open.
    """
    if ANEW in request.node.stash:  # what failed may have left anything
        for page, _ in kept.values():
            page.context.close()
        kept.clear()
    used: list[list[str]] = []

    def opened(fragment: str = "", *, viewport: ViewportSize = DESKTOP, **how: Any) -> Page:
        key = repr(sorted(how.items()))
        if key not in kept:
            reported: list[str] = []
            page = opened_page(browser, reported, viewport=viewport, **how)
            page.goto(site)
            kept[key] = page, reported
        page, reported = kept[key]
        used.append(reported)
        page.set_viewport_size(viewport)
        page.evaluate("() => { localStorage.clear(); location.hash = ''; }")
        if fragment:
            go(page, fragment)
        return page

    yield opened
    assert not any(used)
