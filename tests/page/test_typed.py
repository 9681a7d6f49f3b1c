"""What people type, paste and drop on the page: in full width, in quotes, in files of other encodings."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from tests.page.conftest import Visit
from tests.support.deck_tables import JAPANESE, ROWS, table

DROP = """([name, bytes]) => {
  const data = new DataTransfer();
  data.items.add(new File([Uint8Array.from(bytes)], name));
  document.body.dispatchEvent(new DragEvent("drop", { dataTransfer: data, bubbles: true, cancelable: true }));
}"""
LINE = "kirin seat=3 hand=S5,S+,S-,B6,B+,G2 declared=DT history=0:ST,G3,D-,G-/0:G6,B2,B1,D5 trick=2:D4"
DECK = table([{JAPANESE[column]: cell for column, cell in row.items()} for row in ROWS["aqua-regia"]])
DECK = DECK.replace("Zinc", "亜鉛").replace("Iron", "鉄①")


def drop(page: Page, name: str, content: bytes) -> None:
    page.evaluate(DROP, [name, list(content)])


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "cp932"])
def test_a_deck_is_dropped_in(encoding: str, visit: Visit) -> None:
    page = visit("#~tab=rules")
    drop(page, "我が家.csv", DECK.encode(encoding))
    panel = page.get_by_role("tabpanel")
    expect(panel.get_by_role("status")).to_have_text("The deck “我が家” for Aqua Regia is chosen below.")
    banner = page.locator(".banner")
    expect(banner).to_have_count(int(encoding == "cp932"))
    if encoding == "cp932":
        expect(banner).to_contain_text("Read as Shift JIS: 記号 名前 水 水蒸気 酸 王水")
    panel.get_by_role("button", name="Deal", exact=True).click()
    expect(page.locator(".board .hand .card").first).to_be_visible()
    assert "%E9%89%84%E2%91%A0" in page.url  # the name as it was written


def test_what_is_no_text_is_refused_with_what_to_do(visit: Visit) -> None:
    page = visit("#~tab=setup", refused=True)
    for content in (DECK.encode("euc-jp", "replace"), "symbol,name\nSa,Säure\n".encode("latin-1")):
        drop(page, "x.csv", content)
        expect(page.get_by_role("tabpanel").get_by_role("alert").first).to_contain_text("Save it as UTF-8")


@pytest.mark.parametrize(
    ("typed", "name"),
    [
        (f"“{LINE}”", ""),
        (f"# from the club\r\n> {LINE}.\r\n", ""),
        (LINE.replace(",", "、").replace("G2", "Ｇ２").replace("S-", "Sー").replace(" ", "\u3000"), ""),
        ("(http://127.0.0.1:9/x/p/" + LINE.replace(" ", "&amp;") + ").", ""),
        (LINE, "hand.txt"),
    ],
)
def test_a_line_is_pasted_or_dropped(typed: str, name: str, revisit: Visit) -> None:
    page = revisit("#~tab=setup")
    if name:
        drop(page, name, typed.encode("utf-16"))
    else:
        page.get_by_label("One line of text, or JSON").fill(typed)
        page.get_by_role("button", name="Look at it").click()
    expect(page).to_have_url(re.compile("#kirin&seat=3&hand=S5"))
    expect(page.locator(".board .hand .card")).to_have_count(6)


def test_a_seed_in_full_width(visit: Visit) -> None:
    page = visit("#~tab=setup")
    page.get_by_label("Seed").fill("１２")
    page.get_by_role("button", name="Deal", exact=True).click()
    expect(page.locator(".board .hand .card").first).to_be_visible()
    other = visit("#~tab=setup")
    other.get_by_label("Seed").fill("12")
    other.get_by_role("button", name="Deal", exact=True).click()
    expect(other.locator(".board .hand .card").first).to_be_visible()
    assert page.url == other.url
