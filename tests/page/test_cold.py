"""The page while the service compiles a game for the first time."""

from __future__ import annotations

from playwright.sync_api import Browser, expect

from api.config import Config
from api.readiness import Readiness, Stage
from tests.api.serving import served
from tests.page.support import at, dealt


def test_the_page_says_what_is_prepared_and_how_far_it_is(browser: Browser) -> None:
    readiness = Readiness(["kirin", "king"])
    readiness.enter("king", Stage.COMPILING)
    with served(Config(), readiness=readiness) as service:
        page = browser.new_page()
        page.goto(f"http://localhost:{service.port}/{at(dealt('kirin', seat=0), tab='hint')}")
        expect(page.get_by_text("Kirin is about to be prepared")).to_be_visible()
        assert readiness.place("kirin") < readiness.place("king")  # what is asked for is compiled next
        readiness.enter("kirin", Stage.COMPILING)
        readiness.compiled("kirin", 0.4)
        expect(page.get_by_text("Kirin is being prepared, which happens only once: 40% after")).to_be_visible(
            timeout=60_000
        )
        expect(page.locator(".progress")).not_to_contain_text(" s")
        page.context.close()
