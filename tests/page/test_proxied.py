"""The page, in Japanese, and the description of the API at a path behind a proxy."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from api.config import Config
from tests.api.proxying import PROXIES, proxying
from tests.api.serving import served
from tests.api.support import warmed
from tests.page.support import at, dealt
from tests.page.tables import DUEL, take


@pytest.mark.parametrize("name", PROXIES)
def test_everything_is_asked_for_below_the_path(browser: Browser, name: str, tmp_path: Path) -> None:
    warmed()
    config = Config(proxies=("127.0.0.1",), hint_seconds=0.05)
    with served(config) as service, proxying(name, tmp_path, service.port, "/cards") as port:
        site = f"http://localhost:{port}"
        context = browser.new_context(locale="ja")
        asked: set[str] = set()
        failed: list[str] = []
        context.on("request", lambda request: asked.add(request.url))
        context.on("response", lambda got: failed.append(f"{got.status} {got.url}") if got.status >= 400 else None)
        page = context.new_page()
        page.goto(f"{site}/cards/{at(dealt('kirin', seat=0), tab='hint')}")
        expect(page.locator(".hand .card").first).to_be_visible()
        page.route("**/v1/puzzles?**", lambda route: route.fulfill(status=500, body="no"))
        page.locator("#tab-puzzles").click()
        expect(page.get_by_role("alert")).to_contain_text("サーバーの障害です（500）")
        page.unroute_all()
        page.get_by_role("button", name="もう一度試す").click()
        expect(page.locator(".puzzle-item").first).to_be_visible()
        assert {one.split()[0] for one in failed} == {"500"}
        failed.clear()
        scope = page.evaluate("navigator.serviceWorker.ready.then((worker) => worker.scope)")
        assert scope == f"{site}/cards/"
        page.goto(f"{site}/cards/p/{dealt('alchemy').replace(' ', '&')}")
        expect(page.locator(".board .card, .table .card, .card").first).to_be_visible()
        page.goto(f"{site}/cards/{at(DUEL, tab='hint')}")
        page.get_by_role("button", name="相手が先でした").click()
        take(page, "8", "3", make="この組で取る")  # J=3+8
        expect(page.locator(".zone-line .card")).to_have_count(4)
        expect(page.get_by_role("region", name="ヒント", exact=True)).to_be_visible()
        if name == PROXIES[0]:  # what the description draws is the same, and takes longer than all the rest
            page.goto(f"{site}/cards/docs")
            expect(page.locator("#operations-questions-hint")).to_be_visible()
            page.locator("#operations-games-games .opblock-summary-control").click()
            with page.expect_response(f"{site}/cards/v1/games") as answer:
                page.locator("#operations-games-games .execute").click()
            assert answer.value.status == 200
        context.close()
        assert not failed
        asked = {url for url in asked if not url.startswith(("data:", "blob:"))}
        assert {url for url in asked if not url.startswith(f"{site}/cards/")} == set()
