"""A printed book: its positions and the moves of its solutions are drawn, from the file alone."""

from __future__ import annotations

import re
from pathlib import Path

from playwright.sync_api import Browser, expect

from api.page.book import Solved, book
from puzzles.check import solve_puzzle
from puzzles.format import loads
from solver.limits import Limit

PUZZLES = r'''
[[puzzle]]
id = "view"
title = "A view"
ask = "best-move"
position = """\
kirin seat=3 hand=D1,B6,G3 declared=B- trick=2:B2 \
history=0:B3,D3,S5,ST/3:S3,D6,B4,D4/0:S-,G6,D-,D2/1:B1,GT,D+,G-/2:BT,S2,B+,G+"""

[[puzzle]]
id = "match"
title = "A match"
ask = "best-move"
position = "alchemy duel line=2,3,6,K,10,4 hand=5 opponent_hand=3"

[[puzzle]]
id = "compound"
title = "Won cards"
ask = "compound"
position = { game = "king", deck = "house", cards = ["F3", "F6", "F8", "W3", "W5", "E3", "E8", "A1"] }
'''


def test_a_book_is_drawn_without_a_service(browser: Browser, tmp_path: Path) -> None:
    solved = [Solved("", puzzle, solve_puzzle(puzzle, Limit(nodes=3_000))) for puzzle in loads(PUZZLES).puzzles]
    path = tmp_path / "book.html"
    path.write_text(book(solved), encoding="utf-8")
    page = browser.new_context().new_page()
    reported: list[str] = []
    page.on("console", lambda message: reported.append(message.text))
    page.on("pageerror", lambda error: reported.append(str(error)))
    page.on("request", lambda request: None if request.url.startswith("file:") else reported.append(request.url))
    page.goto(path.as_uri())
    view = page.locator("#puzzle-1")
    expect(view.get_by_role("img", name="White Tiger 6")).to_be_visible()
    expect(view.locator(".tricks p")).to_have_count(5)
    expect(view.locator(".facts")).to_contain_text("Dragon beats Bird")
    expect(view.locator(".facts")).to_contain_text("Seat 3")  # as the question calls it
    expect(view).to_contain_text("best for seat 3")
    expect(view.locator("table")).to_have_count(0)
    expect(page.locator("#puzzle-2")).to_contain_text("You grab first")
    expect(page.locator(".solution .move").last).to_have_text(re.compile(r"=|no match"))
    sulfur = page.locator("#puzzle-3 .tile").first
    expect(sulfur).to_have_text(re.compile(r"F3\s*1\s*▸ Calcination\s*Iron \+ Vitriol → Red Calx\s*\+5"))
    expect(page.locator(".fold .tile")).to_have_count(50)
    expect(page.locator(".key")).to_have_count(3)
    expect(page.locator(".rules").first).to_contain_text("Azure Dragon")
    scrolled = "all => all.filter(one => getComputedStyle(one).overflowX !== 'visible').length"
    assert page.locator(".rules table").count()
    # On paper, what a bar scrolls to is cut off.
    assert page.locator(".rules :not(svg, svg *)").evaluate_all(scrolled) == 0
    assert not reported
    page.context.close()
