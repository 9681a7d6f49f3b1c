"""A service that goes away and comes back, or is busy, or refuses: the page says so, waits, and goes on."""

from __future__ import annotations

import re
import threading

from playwright.sync_api import Browser, Route, expect

from api.config import Config
from tests.api.serving import served
from tests.api.support import warmed
from tests.page.conftest import Visit, opened_window
from tests.page.support import ENDINGS, at, dealt, go


def test_the_page_goes_on_when_the_service_is_back(browser: Browser) -> None:
    away = "The service can't be reached"
    with browser.new_context() as context:
        page = context.new_page()
        with served(Config()) as found:
            port = found.port
            page.goto(f"http://127.0.0.1:{port}/{at(ENDINGS['kirin'], tab='tree')}")
            card = page.locator(".board button.card.legal").first
            expect(card).to_be_visible()
        card.click()
        expect(page.get_by_role("alert")).to_contain_text(away)
        line = page.get_by_role("textbox", name="Copy the position's line")
        before = line.input_value()
        with served(Config(), port):
            expect(page.get_by_text(away)).to_have_count(0)
            expect(line).not_to_have_value(before)


def test_a_busy_service_is_asked_again_without_an_error_on_the_console(browser: Browser) -> None:
    """A browser would report each answer with the status 503."""
    warmed()
    window = opened_window(browser)
    page = window.page
    with served(Config(searches=1)) as found:
        with (
            found.searches.lanes["hint"].slot("another", 10.0, threading.Event()),
            page.expect_response(lambda answer: "/v1/hint" in answer.url) as refused,
        ):
            page.goto(f"http://127.0.0.1:{found.port}/{at(dealt('kirin', seat=0), tab='hint')}")
        assert refused.value.status == 202
        expect(page.get_by_role("button", name="Play it")).to_be_visible()
        page.context.close()
    assert not window.reported


def test_what_could_not_be_loaded_is_said_and_loaded_when_that_is_wanted(visit: Visit) -> None:
    page = visit(refused=True)
    loads = [(r"v1/puzzles\?", "puzzles", ".puzzle-item"), ("v1/rules/", "rules", "article h3")]

    def fail(route: Route) -> None:
        route.fulfill(status=500, body="<h1>no</h1>", content_type="text/html")

    for path, tab, shown in loads:
        page.route(re.compile(path), fail)
        go(page, at("", tab=tab))
        expect(page.get_by_role("alert")).to_contain_text("The server has a fault (500). Try again")
        page.unroute_all()
        page.get_by_role("button", name="Try again").click()
        expect(page.locator(shown).first).to_be_visible()
        expect(page.get_by_role("alert")).to_have_count(0)
