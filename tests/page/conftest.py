"""A service that the tests of the page share, and visits that fail on what the browser reports."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import chain
from typing import Any

import pytest
from playwright.sync_api import Browser, ConsoleMessage, Page, ViewportSize

from api import routes_matches
from api.config import Config
from athanor.processes import Ask, Done
from athanor.reviews import Wish
from puzzles import judging
from solver.limits import Limit
from tests.api.serving import served
from tests.api.support import warmed
from tests.page.support import ARRIVE, PATIENCE, go

NODES = 4000  # of a hint
JUDGED_NODES = 1000  # of each question about a move in a review
JUDGED_DEALS = 10  # that an answer to a puzzle of hidden cards is tried in
DESKTOP: ViewportSize = {"width": 1280, "height": 720}
# Nobody looks, so nothing is painted: that would take a fifth of the browser's time. All else is as ever: what
# lies where, what is visible, and what a click hits.
UNPAINTED = "addEventListener('DOMContentLoaded', () => { document.documentElement.style.opacity = 0; })"
EMPTY = "healthz"  # where nothing of the page runs
BEGIN = f"(fragment) => {{ localStorage.clear(); return ({ARRIVE})(fragment); }}"

Visit = Callable[..., Page]


@dataclass(eq=False)
class Window:
    """A page in a context of its own, and what the browser reported of it."""

    page: Page
    reported: list[str] = field(default_factory=list)
    refused: bool = False  # whether the service is to refuse something


Kept = dict[str, list[Window]]


@pytest.fixture(scope="package")
def site(browser: Browser) -> Iterator[str]:
    """The address of a service with all games loaded; without a browser none is started.

    Analyses have the time that they have for users: what is proved in some milliseconds is to be proved on a
    machine that does much else, too. But hints, for which the page asks for a second, end after `NODES`, and the
    questions of a review after `JUDGED_NODES`, which show mistakes as all the seconds do that they may take. An
    answer to a puzzle is tried in `JUDGED_DEALS`, not in a hundred.
    """
    warmed()
    with served(Config(hint_seconds=0.05, searches=8)) as found, pytest.MonkeyPatch.context() as patch:
        run_in = found.searches.run_in

        def briefly(lane: str, ask: Ask, *others: Any) -> Done:
            limit = ask.limit
            if lane == "hint" and (limit.seconds or 0) >= 1:
                limit = limit.model_copy(update={"nodes": min(limit.nodes or NODES, NODES)})
            return run_in(lane, ask._replace(limit=limit), *others)

        def wish(limit: Limit, *others: Any, **options: Any) -> Wish:
            return Wish(limit.model_copy(update={"nodes": JUDGED_NODES}), *others, **options)

        patch.setattr(found.searches, "run_in", briefly)
        patch.setattr(routes_matches, "Wish", wish)
        patch.setattr(judging, "_DEALS", JUDGED_DEALS)
        yield f"http://127.0.0.1:{found.port}/"


def opened_window(browser: Browser, **how: Any) -> Window:
    """A window in which nothing is loaded yet; arguments are those of `Browser.new_context`."""
    context = browser.new_context(**{"reduced_motion": "reduce", **how})
    context.add_init_script("delete Navigator.prototype.serviceWorker")  # what is asked stays to be seen
    context.add_init_script(UNPAINTED)
    context.set_default_timeout(PATIENCE)
    window = Window(context.new_page())

    def heard(message: ConsoleMessage) -> None:
        of_service = "/v1/" in message.location["url"] and message.text.startswith("Failed to load resource")
        if message.type in ("error", "warning") and not (window.refused and of_service):
            window.reported.append(f"{message.text} {message.location['url']}")

    window.page.on("console", heard)
    window.page.on("pageerror", lambda error: window.reported.append(str(error)))
    return window


def taken(browser: Browser, windows: Kept, viewport: ViewportSize, how: dict[str, Any]) -> tuple[str, Window]:
    """A window that no test uses now, and how it was opened."""
    key = repr(sorted(how.items()))
    unused = windows.setdefault(key, [])
    window = unused.pop() if unused else opened_window(browser, **how)
    scheme, motion = how.get("color_scheme", "light"), how.get("reduced_motion", "reduce")
    window.page.emulate_media(media="null", color_scheme=scheme, reduced_motion=motion)
    if window.page.viewport_size != viewport:
        window.page.set_viewport_size(viewport)
    return key, window


def forget(window: Window, site: str) -> None:
    """Leave the page, and forget its visitor."""
    page = window.page
    for other in page.context.pages:
        if other is not page:
            other.close()
    page.unroute_all(behavior="ignoreErrors")
    page.context.clear_cookies()
    page.goto(site + EMPTY)
    page.evaluate("() => { localStorage.clear(); sessionStorage.clear(); }")
    window.reported.clear()


@pytest.fixture(scope="session")
def windows(browser: Browser) -> Iterator[Kept]:
    """Windows that no test uses now, by how they were opened: to open one takes half as long as a visit."""
    unused: Kept = {}
    yield unused
    for window in chain(*unused.values()):
        window.page.context.close()


@pytest.fixture
def visit(request: pytest.FixtureRequest, browser: Browser, site: str, windows: Kept) -> Iterator[Visit]:
    """Opens the page at a fragment such as `#kirin…&~tab=hint`, as a visitor who was never here before.

    Further arguments are those of `Browser.new_context`. When the test ends, nothing may have been reported: no
    exception, no violation of the policy, no file that is missing, and nothing that the service refused, unless
    something is to be `refused`.
    """
    used: list[tuple[str, Window]] = []
    failed = request.session.testsfailed

    def opened(fragment: str = "", *, viewport: ViewportSize = DESKTOP, refused: bool = False, **how: Any) -> Page:
        key, window = taken(browser, windows, viewport, how)
        used.append((key, window))
        window.refused = refused
        window.page.goto(site + fragment)
        return window.page

    yield opened
    reported = [words for _, window in used for words in window.reported]
    for key, window in used:
        if request.session.testsfailed > failed:  # what failed may have left anything
            window.page.context.close()
        else:
            forget(window, site)
            windows[key].append(window)
    assert not reported


@pytest.fixture(scope="module")
def loaded(site: str, windows: Kept) -> Iterator[dict[str, Window]]:
    """The windows whose page the tests of a file share, by how they were opened."""
    shared: dict[str, Window] = {}
    yield shared
    for key, window in shared.items():
        forget(window, site)
        windows[key].append(window)


@pytest.fixture
def revisit(
    request: pytest.FixtureRequest, browser: Browser, site: str, windows: Kept, loaded: dict[str, Window]
) -> Iterator[Visit]:
    """As `visit`, but in a page that the tests of a file share, which is loaded once for all.

    For tests that neither reload the page nor change what it works with, such as its functions or routes. What it
    keeps for its visitor is forgotten, but not what it has in memory: the game that was chosen, hints that were
    asked before, and whether "Why?" is open.
    """
    used: list[Window] = []
    failed = request.session.testsfailed

    def opened(fragment: str = "", *, viewport: ViewportSize = DESKTOP, **how: Any) -> Page:
        key = repr(sorted(how.items()))
        if key not in loaded:
            _, loaded[key] = taken(browser, windows, viewport, how)
            loaded[key].refused = False
            loaded[key].page.goto(site)
        window = loaded[key]
        used.append(window)
        page = window.page
        if page.viewport_size != viewport:
            page.set_viewport_size(viewport)
        page.evaluate(BEGIN, "")
        if fragment:
            go(page, fragment)
        return page

    yield opened
    reported = [words for window in used for words in window.reported]
    if reported or request.session.testsfailed > failed:  # what failed may have left anything
        for window in loaded.values():
            window.page.context.close()
        loaded.clear()
    assert not reported
