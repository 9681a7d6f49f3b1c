"""Addresses that are handed on, `/p/POSITION`, and the page without a network."""

from __future__ import annotations

import io
import json
import re
import zlib
from base64 import urlsafe_b64encode
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest
from flask.testing import FlaskClient
from PIL import Image
from playwright.sync_api import Browser, expect

from api.app import create_app
from api.config import Config
from api.page import picture
from api.page.files import listed
from api.page.shared import preview
from solver.limits import Control
from tests.api.serving import served
from tests.api.support import lanes, refused, searching
from tests.page.conftest import Visit
from tests.page.support import ENDINGS, PATIENCE, at, dealt

VIEW = "kirin seat=1 hand=D6,S1,S4,BT,G2,G3,G4,G+ declared=D2 trick=0:D3"
STRANGE = '"><script>alert(1)</script>'


@pytest.fixture(scope="module")
def client() -> FlaskClient:
    return create_app(Config()).test_client()


def path_of(line: str) -> str:
    return quote(line.replace(" ", "&"), safe="&=,:;+/*-")


def test_a_shared_address_says_in_words_what_it_shows(client: FlaskClient) -> None:
    page = client.get(f"/p/{path_of(VIEW)}").text
    assert "<title>Kirin: what would you play?</title>" in page
    assert "Black Tortoise ascending kirin, with Azure Dragon 3 on the table." in page
    assert f'data-position="{VIEW}"' in page
    picture = re.search(r'og:image" content="http://localhost(/picture/[^"]+)"', page)
    assert picture
    assert client.get(picture[1].replace("&amp;", "&")).content_type == "image/jpeg"
    japanese = client.get(f"/p/{path_of(VIEW)}", headers={"Accept-Language": "ja"}).text
    assert "場には青龍 3" in japanese


@pytest.mark.parametrize("name", ENDINGS)
def test_the_picture_shows_the_cards_of_the_position(client: FlaskClient, name: str) -> None:
    found, none = (
        Image.open(io.BytesIO(client.get(f"/picture/{path}").data)).convert("L")
        for path in (path_of(ENDINGS[name]), "nothing")
    )
    assert found.size == picture.SIZE
    assert sum(found.histogram()[200:]) > 10_000  # pixels of paper
    assert found != none


def test_names_of_cards_are_as_large_as_on_the_page() -> None:
    drawn = picture.drawing(preview(ENDINGS["king"]).table, listed())
    sizes = re.findall(r'class="foot"[^>]* font-size="([\d.]+)"', drawn)
    assert sizes
    assert max(map(float, sizes)) < 7  # of a card that is 50 wide
    assert not re.search(r"(min|max|calc|var)\(", drawn)  # resvg knows none of them


def test_what_is_no_position_is_shown_as_the_page_alone(client: FlaskClient) -> None:
    page = client.get("/p/" + quote(STRANGE))
    assert page.status_code == 200
    assert "<script>alert" not in page.text
    assert "<title>Athanor</title>" in page.text


def test_strangers_get_pictures_without_a_token_but_not_without_limit(tmp_path: Path) -> None:
    (tmp_path / "tokens").write_text("")
    limited = create_app(Config(tokens_file=str(tmp_path / "tokens"), client_requests=2)).test_client()
    address = f"/picture/{path_of(VIEW)}"
    assert [limited.get(address).status_code for _ in range(3)] == [200, 200, 429]
    other = {"REMOTE_ADDR": "127.0.0.2"}  # this address has its limit for requests without a token, too
    assert limited.get("/v1/games", environ_base=other).status_code == 401


def test_a_picture_is_a_search_and_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each took 40 ms of the process that answers everybody, and counted as no search."""
    searches = lanes(1)
    client = create_app(Config(client_searches=1), searches).test_client()
    addresses = [f"/picture/{path_of(VIEW)}".replace("G2", card) for card in ("G1", "G2", "G5")]
    drawn: list[object] = []
    run = searches.run

    def counted(search: Any, *rest: Any, **options: Any) -> Any:
        drawn.append(search)
        return run(search, *rest, **options)

    monkeypatch.setattr(searches, "run", counted)
    for address in [*addresses, *addresses]:
        assert client.get(address).content_type == "image/jpeg"
    assert len(drawn) == len(addresses)
    with searching(searches, "127.0.0.1"):
        refused(client.get(f"/picture/{path_of(VIEW)}".replace("G2", "G6")), 429, "too_many_searches")
        assert client.get(addresses[0]).status_code == 200


def test_a_shared_address_opens_on_its_position(visit: Visit, site: str) -> None:
    page = visit(f"p/{path_of(dealt('kirin', seat=0))}#~tab=rules&~worlds=60")
    expect(page.locator(".board .hand .card")).to_have_count(8)
    assert page.url == site + at(dealt("kirin", seat=0), tab="rules", worlds="60")
    expect(page).to_have_title("It is your turn · Trick 1 · Kirin · Athanor")
    note = page.get_by_text("Shared with you: you sit in the sender’s place.")
    expect(note).to_be_visible()
    felt = page.locator(".felt").bounding_box()
    note.get_by_role("button", name="Close").click()
    expect(note).to_have_count(0)
    assert page.locator(".felt").bounding_box() == felt
    page.get_by_role("tab", name="Hint").click()
    expect(page.locator(".why")).to_contain_text("from 60 ways")  # as many as the hint that was shared
    expect(page).to_have_url(site + at(dealt("kirin", seat=0), tab="hint"))
    page.reload()
    expect(page.locator(".board .hand .card")).to_have_count(8)


def test_a_position_is_copied_as_an_address_for_others(visit: Visit, site: str) -> None:
    page = visit(at(dealt("kirin", seat=0), tab="rules"), permissions=["clipboard-read", "clipboard-write"])
    expect(page.locator(".hand .card").first).to_be_visible()  # else the browser's address is shared
    page.evaluate("() => { Object.defineProperty(navigator, 'share', { value: undefined }); }")
    page.get_by_role("button", name="Share").click()
    expect(page.get_by_text("Copied.").first).to_be_visible()
    assert (
        page.evaluate("navigator.clipboard.readText()") == f"{site}p/{path_of(dealt('kirin', seat=0))}#~tab=rules"
    )


def test_moves_that_were_tried_are_shared_with_where_they_begin(visit: Visit, site: str) -> None:
    hand = "kirin seat=0 hand=D1,D3,D-,S1,S5,ST,B1,G2,GT leader=0"
    page = visit(at(hand, tab="hint", moves="G2;S5", at="a2"))
    expect(page.locator(".trick .card")).to_have_count(1)
    page.evaluate("() => { navigator.share = ({ url }) => { globalThis.sent = url; return Promise.resolve(); }; }")
    page.get_by_role("button", name="Share").click()
    address = page.evaluate("sent")
    assert "trick=0:S5" in address.split("#")[0]  # what the picture shows
    other = visit(address.removeprefix(site))
    expect(other.locator(".trick .card")).to_have_count(1)
    assert other.url.endswith("leader=0&~tab=hint&~moves=G2;S5&~at=a2")
    other.get_by_role("tab", name="Moves tried").click()
    expect(other.get_by_role("tabpanel").get_by_role("button", name="Black Tortoise 2")).to_be_visible()
    other.get_by_role("tab", name="Set up").click()
    other.get_by_label("One line of text, or JSON").fill(address)
    other.get_by_role("button", name="Look at it").click()
    expect(other.locator(".trick .card")).to_have_count(1)


def test_a_long_address_is_packed_and_still_has_its_preview(visit: Visit, site: str, client: FlaskClient) -> None:
    page = visit(at(dealt("kirin", seat=0), tab="rules", other="x" * 4000))
    expect(page.locator(".hand .card").first).to_be_visible()  # else the browser's address is shared
    page.evaluate("() => { navigator.share = ({ url }) => { globalThis.sent = url; return Promise.resolve(); }; }")
    page.get_by_role("button", name="Share").click()
    page.wait_for_function("globalThis.sent")
    path = page.evaluate("sent").removeprefix(site)
    assert re.fullmatch(r"p/~[\w-]{1,400}", path)
    shown, plain = (client.get(f"/{address}").text for address in (path, f"p/{path_of(dealt('kirin', seat=0))}"))
    assert re.findall(r'title"? .*|description" .*', shown) == re.findall(r'title"? .*|description" .*', plain)
    other = visit(path)
    expect(other.locator(".board .hand .card")).to_have_count(8)
    expect(other).to_have_url(re.compile(f"^{re.escape(site)}#kirin&seat=0&"))


def test_a_name_that_the_font_lacks_is_left_out_of_the_picture() -> None:
    with_name, without, other = (
        picture.jpeg(picture.Table(name), "[]", Control()) for name in ("Kirin 金", "Kirin ", "Kirin Au")
    )
    assert with_name == without != other


@pytest.mark.parametrize("code", ["", "x", "~", "%00", "S0wszsxLBQA"])
def test_a_broken_packed_address_is_shown_as_the_page_alone(client: FlaskClient, code: str) -> None:
    page = client.get(f"/p/~{code}")
    assert page.status_code == 200
    assert "<title>Athanor</title>" in page.text


def test_a_short_packed_address_that_stands_for_too_much_is_not_read(client: FlaskClient) -> None:
    packing = zlib.compressobj(9, wbits=-zlib.MAX_WBITS)
    code = urlsafe_b64encode(packing.compress(f"#{VIEW}".encode() + b" " * (1 << 24)) + packing.flush()).decode()
    assert "<title>Athanor</title>" in client.get(f"/p/~{code.rstrip('=')}").text


def test_where_copying_is_denied_the_address_is_shown(visit: Visit) -> None:
    page = visit(at(dealt("kirin", seat=0), tab="rules"))
    expect(page.locator(".hand .card").first).to_be_visible()
    page.evaluate("() => { navigator.share = () => Promise.reject(new Error('nowhere to share to')); }")
    page.evaluate("() => { navigator.clipboard.writeText = () => Promise.reject(new Error('denied')); }")
    page.get_by_role("button", name="Share").click()
    address = page.get_by_role("textbox", name="Copy this address")
    expect(address).to_have_value(re.compile("/p/kirin&seat=0"))
    expect(address).to_be_focused()
    page.keyboard.press("Escape")
    expect(address).to_have_count(0)
    expect(page.get_by_role("button", name="Share")).to_be_focused()
    page.evaluate("() => { navigator.share = () => Promise.reject(new DOMException('closed', 'AbortError')); }")
    page.get_by_role("button", name="Share").click()
    expect(address).to_have_count(0)  # nothing went wrong


def test_a_shared_game_opens_with_what_happened_in_it(visit: Visit, site: str) -> None:
    played = "#~tab=play&~game=kirin,seed=7,seconds=0.1,seat=0,rounds=1"
    page = visit(played, permissions=["clipboard-read", "clipboard-write"])
    page.evaluate("() => { Object.defineProperty(navigator, 'share', { value: undefined }); }")
    for left in (8, 7):
        page.locator(".hand .card.legal").first.click()
        expect(page.locator(".hand .card")).to_have_count(left)
    expect(page.get_by_role("tabpanel").get_by_text("Your turn.")).to_be_visible()
    told = page.locator(".log li").first.text_content() or ""
    left = page.locator(".hand .card").count()  # a forced card is played unasked
    page.get_by_role("button", name="Share").click()
    expect(page.get_by_text("Copied.").first).to_be_visible()
    address = page.evaluate("navigator.clipboard.readText()")
    assert address.startswith(f"{site}p/kirin&seat=0")
    other = visit(address.removeprefix(site))  # another visitor, who has nothing of the game
    expect(other.locator(".hand .card")).to_have_count(left)
    expect(other.locator(".log li").first).to_have_text(told)
    more = other.get_by_role("button", name=re.compile("^All .* moves$"))
    if more.count():  # how many moves there were depends on who won the first trick
        more.click()
    expect(other.locator(".log li").filter(has_text="sets a card aside")).to_have_count(3)
    expect(other.get_by_role("tabpanel").get_by_text("Your turn.")).to_be_visible()


def test_the_token_of_an_address_is_kept_and_taken_out_of_it(visit: Visit, site: str) -> None:
    page = visit("#~token=athanor_secret")
    with page.expect_request("**/v1/deal") as asked:
        page.get_by_role("button", name="Try a hint").click()
    assert asked.value.headers["authorization"] == "Bearer athanor_secret"
    assert "athanor_secret" not in page.url


def test_the_page_opens_without_a_network_and_says_that_the_service_is_away(browser: Browser) -> None:
    with browser.new_context(reduced_motion="reduce") as context, served(Config()) as found:
        page = context.new_page()
        page.set_default_timeout(PATIENCE)
        page.goto(f"http://127.0.0.1:{found.port}/{at(dealt('kirin', seat=0), tab='rules')}")
        page.wait_for_function("navigator.serviceWorker.ready.then(() => true)")
        page.reload()
        expect(page.locator(".board .hand .card").first).to_be_visible()
        context.set_offline(True)
        page.reload()
        expect(page.get_by_role("alert")).to_contain_text("The service can't be reached")
        page.evaluate("location.hash = ''")  # the notice covers the title
        expect(page.locator(".games .card svg > *").first).to_be_visible()
        expect(page.locator(".games .card")).to_have_count(16)
        context.set_offline(False)
        expect(page.get_by_role("alert")).to_have_count(0)


def test_the_page_can_be_installed(client: FlaskClient) -> None:
    told = json.loads(client.get("/manifest.webmanifest").text)
    assert client.get("/" + told["icons"][0]["src"]).content_type.startswith("image/svg+xml")
    assert told["display"] == "standalone"
    home = re.search(r'rel="apple-touch-icon" href="([^"]+)"', client.get("/").text)
    assert home
    picture = Image.open(io.BytesIO(client.get("/" + home[1]).data))
    assert (picture.format, picture.size) == ("PNG", (180, 180))


def test_an_answer_is_not_many_times_as_long_as_its_address(client: FlaskClient) -> None:
    assert client.get("/p/" + "/" * 30_000).status_code == 404
    usual = len(client.get("/").data)
    packing = zlib.compressobj(9, wbits=-zlib.MAX_WBITS)
    code = urlsafe_b64encode(packing.compress(b'"' * 60_000) + packing.flush()).decode().rstrip("=")
    for address in (f"~{code}", "kirin&" + "%22" * 20_000):
        assert len(client.get(f"/p/{address}").data) < usual + 1000
    assert (
        'data-position="kirin hand=Z9"' in client.get("/p/kirin&hand=Z9").text
    )  # for the page to say what is wrong
