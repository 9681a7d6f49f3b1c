"""Answers and positions as text and in notebooks: everything is said, and what strangers wrote is no markup."""

from __future__ import annotations

from html.parser import HTMLParser

import pytest

import athanor
from solver import answers, registry
from solver.answers import SHOWN, Analysis, Answer, MoveValue, Part, rows_html, rows_text
from solver.positions import described

pytestmark = [pytest.mark.small, pytest.mark.plain]

EVIL = "<script>alert('&')</script>"


class Reader(HTMLParser):
    """Which tags an HTML text has, and its text; every tag must be closed in order."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.words: list[str] = []
        self._open: list[str] = []
        self.feed(text)
        self.close()
        assert not self._open

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert not attrs
        self.tags.add(tag)
        if tag != "br":
            self._open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self._open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.words.append(data)


TAGS = {"table", "thead", "tbody", "tr", "th", "td", "br"}


def analysis(moves: int) -> Analysis:
    entries = tuple(MoveValue(move=f"{EVIL}{n}", value=n, bounds=(n, n), exact=True) for n in range(moves))
    return Analysis(
        game="x", to_move=0, exact=True, value=1, bounds=(1, 1), best=EVIL, moves=entries, line=(EVIL, EVIL),
        nodes=1234, seconds=0.5,
    )  # fmt: skip


@pytest.mark.parametrize("name", registry.names())
def test_positions(name: str) -> None:
    position = athanor.deal(name, seed=1)
    for known in (position, athanor.view(position, 0)):
        rows = [("Game", None), *registry.game(name).describe(known)]
        text = described(known)
        page = Reader(known._repr_html_())
        assert page.tags <= TAGS
        assert text.startswith("Game ")
        assert registry.game(name).title in text
        for label, value in rows:
            assert label in text
            assert label in page.words
            assert value is None or value.split("\n")[0] in text


def test_an_analysis_is_lines_and_a_table() -> None:
    answer = analysis(3)
    lines = str(answer).splitlines()
    assert lines[0] == "Value  1"
    assert "Search  1,234 nodes in 0.500 s" in answers.parts_text(answer.parts(full=True)).splitlines()
    assert lines[-4].split() == ["#", "move", "value"]
    assert [line.split()[0] for line in lines[-3:]] == ["1", "2", "3"]
    page = Reader(answer._repr_html_())
    assert page.tags <= TAGS
    assert page.words.count(EVIL) == 1
    assert f"{EVIL}2" in page.words


def test_many_moves_are_counted() -> None:
    answer = analysis(SHOWN + 7)
    assert str(answer).endswith("… and 7 more")
    assert "… and 7 more" in Reader(answer._repr_html_()).words
    assert "more" not in str(analysis(SHOWN))


def test_answers_of_every_kind() -> None:
    position = athanor.deal("alchemy", seed=1, variant="duel")
    answers: list[Answer] = [
        athanor.analyze(position),
        athanor.hint(position),
        athanor.hint(athanor.view(athanor.deal("kirin", seed=1), 0), worlds=4),
        athanor.compound({"game": "king", "deck": "house", "cards": ["F10", "W7", "F11"]}, best=2, missing=True),
        athanor.score({"game": "aqua-regia", "rounds": [{"counts": [2, 0]}]}),
    ]
    for answer in answers:
        page = Reader(answer._repr_html_())
        assert page.tags <= TAGS
        assert all(piece in str(answer) for words in page.words for piece in words.split())
    assert "If opponent first" in str(answers[0])
    assert answers[2].reason in str(answers[2])  # type: ignore[attr-defined]
    assert "Electrum" in str(answers[3])


def test_lines_below_a_label() -> None:
    assert rows_text([("A", "one\ntwo"), ("Long", "")]) == "A     one\n      two\nLong"
    assert rows_text([]) == ""
    assert rows_html([("A", "<b>\n&")]) == "<table><tr><th>A</th><td>&lt;b&gt;<br>&amp;</td></tr></table>"
    assert answers.parts_text([Part([("A", "1")]), Part([("B", "2")])]) == "A  1\n\nB  2"
