"""A browser and a service that the tests of the page share, and visits that fail on what the browser reports."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from _pytest.runner import runtestprotocol
from playwright.sync_api import Browser, ConsoleMessage, Error, Page, expect, sync_playwright

from api.config import Config
from tests.api.serving import served
from tests.api.support import warmed
from tests.page.support import BROWSERS, browser_path

PATIENCE = 30_000  # milliseconds for every expectation: machines that run tests are busy

Visit = Callable[..., Page]


def pytest_runtest_protocol(item: pytest.Item, nextitem: pytest.Item | None) -> bool:
    """Try once more what failed in a browser: one that is starved may miss what a page shows for a moment."""
    item.ihook.pytest_runtest_logstart(nodeid=item.nodeid, location=item.location)
    reports = runtestprotocol(item, log=False, nextitem=nextitem)
    if any(report.failed for report in reports):
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


@pytest.fixture
def visit(browser: Browser, site: str) -> Iterator[Visit]:
    """Opens the page at a fragment such as `#kirin…&~tab=hint`, as a visitor who was never here before.

    Further arguments are those of `Browser.new_context`. When the test ends, nothing may have been reported: no
    exception, no violation of the policy, no file that is missing, and nothing that the service refused, unless
    something is to be `refused`.
    """
    reported: list[str] = []

    def opened(fragment: str = "", at: str = site, *, refused: bool = False, **how: Any) -> Page:
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
        page.goto(at + fragment)
        return page

    yield opened
    for context in browser.contexts:
        context.close()
    assert not reported
