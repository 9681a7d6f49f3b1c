"""Printed books: drawn without a script, printed with the real browser, and looked at as pictures."""

from __future__ import annotations

import html
import re
import threading
import tomllib
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest
from click.testing import CliRunner
from playwright.sync_api import Browser, expect

from api.cli.main import cli
from api.cli.printing import find_browser, print_pdf
from api.page.book import Solved, book
from puzzles import training, wording
from puzzles.check import solve_puzzle
from puzzles.format import Puzzle, dumps, from_data, loads, puzzle_text
from solver import registry
from solver.language import LANGUAGES, speaking, titled, translated
from solver.limits import Limit
from tests.support.languages import as_before
from tests.support.paper import REASON, can_print, drawn_cards, pages, text_of

pytestmark = pytest.mark.skipif(not can_print(), reason=REASON)

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
id = "sums"
title = "Sums"
ask = "value"
position = { game = "alchemy", variant = "free", min_line = 1, line = ["A", "2", "3"], hand = "4" }

[[puzzle]]
id = "compound"
title = "Won cards"
ask = "compound"
position = { game = "king", deck = "house", cards = ["F3", "F6", "F8", "W3", "W5", "E3", "E8", "A1"] }
'''
# Decks of users: metals with names in kana, and one whose suits and Dancer have other letters.
METALS = {
    "name": "mine",
    "title": "わたしの金属",
    "copies": 4,
    "metal": [
        {"symbol": "鉄", "name": "Ferrum", "reactivity": {"water": 0, "vapor": 1, "acid": 2, "aqua-regia": 2}},
        {"symbol": "スズ", "name": "Stannum", "reactivity": {"water": 1, "vapor": 2, "acid": 1, "aqua-regia": 1}},
        {
            "symbol": "ナマリ",
            "name": "Plumbum",
            "reactivity": {"water": 2, "vapor": 2, "acid": 0, "aqua-regia": 0},
        },
        {"symbol": "Qq", "name": "Queue", "reactivity": {"water": 1, "vapor": 1, "acid": 1, "aqua-regia": 1}},
    ],
}
OWN_METALS = {
    "id": "own",
    "title": "Plumbum can wait",
    "ask": "best-move",
    "model": "paranoid",
    "themes": ["hold back"],
    "note": "Do not lead ナマリ.",
    "position": {
        "game": "aqua-regia", "deck": METALS, "field": "vapor", "turn": 0,
        "hands": [["鉄", "スズ", "スズ"], ["ナマリ", "ナマリ", "Qq"]], "stock": ["鉄", "Qq"],
    },
}  # fmt: skip


def own_king() -> dict[str, object]:
    """A compounding puzzle with the house deck in another alphabet: its trumps are U, its Dancer is Z."""
    house = registry.game("king").package.replace(".", "/") + "/decks/king-house.toml"
    deck = tomllib.loads(Path(house).read_text(encoding="utf-8"))
    deck |= {"name": "letters", "title": "Other letters"}
    for card in deck["card"]:
        card["code"] = card["code"].replace("T", "U").replace("D", "Z")
    cards = ["F3", "F6", "F8", "W3", "W5", "E3", "E8", "U1", "Z"]
    position = {"game": "king", "deck": deck, "cards": cards}
    return {"id": "king", "title": "Letters", "ask": "compound", "position": position}


class Printed(NamedTuple):
    """A book: its HTML, and its PDF where that was asked for."""

    html: str
    pdf: Path

    def words(self) -> str:
        return text_of("pdftotext", self.pdf, "-")

    def pages(self) -> list[np.ndarray]:
        return pages(self.pdf)

    def height(self, word: str) -> float:
        """The height of a word's first line of print, in points."""
        boxes = text_of("pdftotext", "-bbox", self.pdf, "-")
        box = re.search(rf'yMin="([\d.]+)"[^>]*yMax="([\d.]+)">{word}<', boxes)
        assert box is not None, word
        return float(box[2]) - float(box[1])


def printed(folder: Path, text: str, *options: str, lang: str = "en", name: str = "book") -> Printed:
    pdf = folder / f"{name}.pdf"
    return Printed(written(folder, text, "--pdf", str(pdf), *options, lang=lang, name=name), pdf)


def written(folder: Path, text: str, *options: str, lang: str = "en", name: str = "book") -> str:
    """The HTML of a book."""
    source, page = (folder / f"{name}.{suffix}" for suffix in ("toml", "html"))
    source.write_text(text, encoding="utf-8")
    asked = ["--lang", lang, "solve", source, "--nodes", "20000", "--html", page, *options]
    with as_before():
        result = CliRunner(env={"LANGUAGE": lang}).invoke(cli, [*map(str, asked)])
    assert result.exit_code in (0, 1), result.output
    return page.read_text(encoding="utf-8")


@cache
def of_the_collection(game: str, count: int) -> str:
    return dumps(from_data({"puzzle": known(game)[:count]}))


def known(game: str) -> list[Puzzle]:
    return [puzzle for puzzle in training.chosen(game=game) if not puzzle.hidden]


def test_a_book_is_drawn_without_a_script_or_a_service(browser: Browser, tmp_path: Path) -> None:
    solved = [Solved("", puzzle, solve_puzzle(puzzle, Limit(nodes=3_000))) for puzzle in loads(PUZZLES).puzzles]
    path = tmp_path / "book.html"
    [text] = book(solved, rules=True)
    assert "<script" not in text
    path.write_text(text, encoding="utf-8")
    page = browser.new_context(java_script_enabled=False).new_page()
    reported: list[str] = []
    page.on("console", lambda message: reported.append(message.text))
    page.on("request", lambda request: None if request.url.startswith("file:") else reported.append(request.url))
    page.goto(path.as_uri())
    view = page.locator("#puzzle-1")
    expect(view.get_by_role("img", name="White Tiger 6")).to_be_visible()
    expect(view.locator(".tricks p")).to_have_count(5)
    expect(view.locator(".facts")).to_contain_text("Dragon beats Bird")
    expect(view.locator(".facts")).to_contain_text("Seat 3")  # as the question calls it
    expect(view).to_contain_text("for seat 3")
    expect(view.locator("table")).to_have_count(0)
    expect(page.locator("#puzzle-2")).to_contain_text("You grab first")
    expect(page.locator(".solution .move").last).to_have_text(re.compile(r"=|no match"))
    sulfur = page.locator("#puzzle-4 .tile").first
    expect(sulfur).to_have_text(re.compile(r"F3\s*1\s*▸ Calcination\s*Iron \+ Vitriol → Red Calx\s*\+5"))
    expect(page.locator(".fold .tile")).to_have_count(50)
    expect(page.locator(".fold", has_text="Alchemy")).to_have_count(2)  # one is King × Alchemy
    expect(page.locator(".key")).to_have_count(3)
    expect(page.locator(".rules").first).to_contain_text("Azure Dragon")
    scrolled = "all => all.filter(one => getComputedStyle(one).overflowX !== 'visible').length"
    assert page.locator(".rules table").count()
    # On paper, what a bar scrolls to is cut off.
    assert page.locator(".rules :not(svg, svg *)").evaluate_all(scrolled) == 0
    assert not reported
    page.context.close()


@pytest.mark.slow
@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_card_is_drawn_on_paper(tmp_path: Path, lang: str) -> None:
    """And the PDF is the HTML as a browser prints it."""
    made = printed(tmp_path, of_the_collection("kirin", 6) + puzzle_text(OWN_METALS), lang=lang)
    held = 0
    for puzzle in known("kirin")[:6]:
        position: Any = puzzle.position
        held += len([*sum(position.hands, ()), *position.declared, *sum(position.won or (), ()), *position.trick])
    both_orders, metals = 2 * 36, 8
    expected = held + both_orders + metals
    looks = made.pages()
    assert sum(map(drawn_cards, looks)) == expected
    printed_words = "".join(made.words().split())
    with speaking(lang):
        notes = [wording.note(puzzle) for puzzle in known("kirin")[:6]]
    whole = "".join(re.sub("<[^>]*>", "", html.unescape(made.html)).split())
    for note in notes:
        assert "".join(note.split()) in whole
        begun = re.split("[;。]", note)[0]  # what follows has cards, whose places in the PDF are not in order
        assert begun
        assert "".join(begun.split()) in printed_words
    if lang == LANGUAGES[0]:
        again = Printed(made.html, tmp_path / "again.pdf")
        assert print_pdf(find_browser(), tmp_path / "book.html", again.pdf, threading.Event())
        for one, other in zip(looks, again.pages(), strict=True):
            assert (one == other).all()


@pytest.mark.slow
@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_book_gives_no_answer_away_before_its_solutions(tmp_path: Path, lang: str) -> None:
    text = of_the_collection("aqua-regia", 8) + puzzle_text(OWN_METALS)
    apart = printed(tmp_path, text, "--apart", lang=lang).html
    solutions = (tmp_path / "book-solutions.html").read_text(encoding="utf-8")
    assert (tmp_path / "book-solutions.pdf").exists()
    whole = written(tmp_path, text, lang=lang, name="whole")
    before, after = map(letters, (whole[whole.index("<article") :]).split('id="solutions"'))
    with speaking(lang):
        for puzzle in loads(text).puzzles:
            note = wording.note(puzzle)[:12]  # without the moves in it, which are drawn
            for words in map(letters, (titled(puzzle.title), note, *map(translated, puzzle.themes or ()))):
                assert words not in before
                assert words not in letters(apart[apart.index("<article") :])
                assert words in after
                assert words in letters(solutions)


def letters(text: str) -> str:
    """A text of HTML without tags and spaces."""
    return re.sub(r"<[^>]*>|\s", "", html.unescape(text))


def test_nobody_sees_a_solution_beside_a_puzzle(tmp_path: Path) -> None:
    first, second, *_ = printed(tmp_path, puzzle_text(OWN_METALS)).words().split("\f")
    assert "Plumbum can wait" not in first
    assert second.startswith("Solutions")


def test_lines_of_solutions_name_their_seats(tmp_path: Path) -> None:
    book = written(tmp_path, dumps(from_data({"puzzle": [training.by_id()["kirin-0001"]]})))
    line = book.split('class="moves-of play">')[1].split("</div>")[0]
    words = re.sub(r"\s+", " ", re.sub("<[^>]*>", "", line))
    assert re.match(r" seat 2 S5 seat 3 \w+ seat 0 \w+ seat 1 ", words)


def test_own_decks_have_their_own_sheets_and_rules(tmp_path: Path) -> None:
    own = written(tmp_path, puzzle_text(OWN_METALS) + puzzle_text(own_king()), "--rules")
    rules, sheets = own.split('<section class="rules"', 1)[1].split('<section class="fold"', 1)
    assert "Deal" not in sheets.split("</section>")[0]
    assert "わたしの金属" in sheets
    assert "Stannum" in sheets
    assert "Other letters" in sheets
    for house in ("Sixteen metals", ">Hg<", "Athanor plays with", "T5"):
        assert house not in rules
    assert "reactivity" in rules
    key = own.split('class="key"', 1)[1].split("<article", 1)[0]
    assert "U1 U2 U3 U4 U5" in key
    assert "Z:F is the Dancer named as Fire" in key
    assert not re.search(r"\bLi\b|\bT in codes", key)
    with_house = written(
        tmp_path, puzzle_text(OWN_METALS) + of_the_collection("aqua-regia", 1), "--rules", name="b"
    )
    assert "Sixteen metals" in with_house
    assert "わたしの金属" in with_house


@pytest.mark.parametrize("name", ["own", "score", "hidden-hands"])
def test_a_chapter_is_called_as_its_file_and_only_our_own_in_another_language(tmp_path: Path, name: str) -> None:
    for lang, ours in (("ja", "見えない手札"), ("en", "Hidden hands")):
        page = written(tmp_path, of_the_collection("kirin", 1), lang=lang, name=name)
        title = html.unescape(re.findall("<h1[^>]*>(.*?)</h1>", page)[0])
        assert title == {"own": "Own", "score": "Score", "hidden-hands": ours}[name]


def test_rules_are_in_a_book_on_request(tmp_path: Path) -> None:
    text = of_the_collection("kirin", 1)
    assert "Who wins a trick" not in written(tmp_path, text)
    assert "Who wins a trick" in written(tmp_path, text, "--rules", name="rules")
    metals = written(tmp_path, of_the_collection("aqua-regia", 1), "--rules", name="metals")
    table = letters(metals.split('class="rules"')[1].split("<table", 1)[1])
    assert "metalwatervaporacidaquaregiaLi,K2+2+2+2+Ca,Na2+" in table  # codes alone, as on the cards


def test_the_text_on_cards_can_be_read(tmp_path: Path) -> None:
    """At least 7.5 points, also where a view has so many cards that it needs more than a page."""
    views = [one for one in training.chosen(game="king") if one.hidden]
    text = dumps(from_data({"puzzle": views[:3]}))
    usual, large = printed(tmp_path, text), printed(tmp_path, text, "--large", name="large")
    assert usual.height("Calcination") >= 7.5
    assert large.height("Calcination") == pytest.approx(1.35 * usual.height("Calcination"), rel=0.01)


def test_names_do_not_cover_what_else_is_on_a_card(browser: Browser, tmp_path: Path) -> None:
    puzzle = from_data({"puzzle": [OWN_METALS]}).puzzles[0]
    [text] = book([Solved("", puzzle, solve_puzzle(puzzle, Limit(nodes=100)))])
    drawn = text.replace("<symbol", "<svg").replace("</symbol>", "</svg>").replace('class="unseen"', "")
    page = browser.new_context().new_page()
    page.set_content(drawn)
    boxes = """cards => cards.map(card => {
      const box = one => one.getBoundingClientRect();
      const marks = [...card.querySelectorAll(".mark")].map(box);
      const texts = [...card.querySelectorAll("text")].map(box);
      const met = (a, b) => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
      return texts.filter(text => marks.some(mark => met(text, mark))).length;
    })"""
    met = page.locator('[id^="card-"]').evaluate_all(boxes)
    assert met == [0, 0, 0, 0]
    page.context.close()


@pytest.mark.parametrize("lang", LANGUAGES)
def test_pictures_do_not_cover_what_is_written_on_a_card(browser: Browser, tmp_path: Path, lang: str) -> None:
    """And a card's points stand in one line, where it has a Dancer's suit and number before them, too."""
    dancer = (
        'id = "d"\ntitle = "D"\nask = "best-move"\nposition = "king hands=F1/W1/E1 trick=0:D:A,T1,T2 leader=0"'
    )
    page = browser.new_context().new_page()
    page.set_content(written(tmp_path, f"{puzzle_text(own_king())}[[puzzle]]\n{dancer}\n", lang=lang))
    page.emulate_media(media="print")
    faults = """cards => cards.filter(card => {
      const box = one => one.getBoundingClientRect();
      const art = box(card.querySelector(".tile-art")), points = card.querySelector(".tile-points");
      const range = document.createRange();
      const words = [...card.querySelectorAll(".tile-name, .tile-line")].flatMap(one => {
        range.selectNodeContents(one);
        return [...range.getClientRects()];
      });
      const met = word => word.left < art.right && art.left < word.right && word.top + 1 < art.bottom;
      const line = 1.5 * box(card.querySelector("b")).height;
      return words.some(met) || box(points).height > line;
    }).map(card => card.getAttribute("aria-label"))"""
    cards = page.locator(".tile:has(.tile-art)")
    assert cards.count() > 50
    assert cards.evaluate_all(faults) == []
    page.context.close()
