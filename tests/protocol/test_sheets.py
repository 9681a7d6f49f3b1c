"""Answers for people: score sheets, and positions and answers as text and in notebooks."""

from __future__ import annotations

from html.parser import HTMLParser
from typing import Any

import pytest
from click.testing import CliRunner

import athanor
from api.app import create_app
from api.cli.main import cli
from athanor.sessions import Saved, Session
from solver import registry
from solver.answer_tables import SHOWN, Part, parts_text, rows_html, rows_text
from solver.answers import Analysis, Answer, MoveValue
from solver.errors import PositionError
from solver.positions import described, parse_record, position_data, text_of
from tests.api.support import refused


def sheet(game: str, *points: tuple[int, ...], **more: str) -> dict[str, Any]:
    return {"game": game, **more, "points": list(map(list, points))}


def duel(*points: tuple[int, ...]) -> dict[str, Any]:
    return sheet("alchemy", *points, variant="duel")


@pytest.mark.parametrize(
    ("given", "totals", "leaders", "winners"),
    [
        (sheet("kirin", (3, 1, 2, 2), (0, 4, 1, 3)), (3, 5, 3, 5), (1, 3), None),
        (sheet("kirin", (3, 1, 2, 2), (0, 4, 1, 3), (9, 0, 0, 0)), (12, 5, 3, 5), (0,), (0,)),
        (sheet("kirin", *[(2, 2, 1, 0)] * 3), (6, 6, 3, 0), (0, 1), (0, 1)),
        (sheet("king", (31, 13, 8)), (31, 13, 8), (0,), None),
        (sheet("king", (31, 13, 8, 0, 9), (0, 0, 0, 0, 0), (1, 2, 24, 0, 0)), (32, 15, 32, 0, 9), (0, 2), (0, 2)),
        (sheet("aqua-regia", (0, 1), (1, 0), (0, 1)), (1, 2), (1,), None),
        (duel((40, 22), (40, 22)), (80, 44), (0,), None),
        (duel((40, 22), (60, 0)), (100, 22), (0,), (0,)),
        (duel((30, 32), (30, 32), (41, 40)), (101, 104), (1,), (1,)),
        (duel((31, 31), (31, 31), (38, 38)), (100, 100), (0, 1), None),
        (duel((31, 31), (31, 31), (38, 38), (1, 3)), (101, 103), (1,), (1,)),
    ],
)
def test_who_leads_and_who_has_won(
    given: dict[str, Any], totals: tuple[int, ...], leaders: tuple[int, ...], winners: tuple[int, ...] | None
) -> None:
    found: Any = athanor.score(given)
    assert (found.totals, found.leaders, found.winners) == (totals, leaders, winners)
    assert found.finished == (winners is not None)
    assert [list(played) for played in found.rounds] == given["points"]
    record = parse_record(given)
    assert parse_record(text_of(record)) == record
    assert parse_record(position_data(record)) == record
    assert athanor.score(text_of(record)) == found
    answer = create_app().test_client().post("/v1/score", json={"record": given})
    assert answer.get_json() == found.to_dict()


BY_POINTS = [name for name in registry.names() if "points" in registry.game(name).notation.values]


@pytest.mark.parametrize("game", BY_POINTS)
def test_the_points_of_a_match_say_what_its_cards_say(game: str) -> None:
    table = Session(Saved(game=game, seed=4, players=registry.game(game).players[1], seconds=0.3))
    while not table.over:
        table.play(table.round.moves()[0])
    by_cards: Any = table.score()
    variant = {"variant": "duel"} if game == "alchemy" else {}
    by_points: Any = athanor.score({"game": game, **variant, "points": [list(one) for one in by_cards.rounds]})
    assert by_points.totals == by_cards.totals
    if registry.game(game).race:
        assert by_points.leaders == by_cards.leaders
        return
    assert by_points.finished == by_cards.finished is True
    assert by_points.winners == ((by_cards.winner,) if game == "alchemy" else by_cards.winners)


@pytest.mark.parametrize(
    ("given", "code", "path", "words"),
    [
        (sheet("kirin", (1, 2, 3)), "wrong_size", "points[0]", "of 4 players, not of 3"),
        (sheet("king", (1, 2)), "wrong_size", "points[0]", "of 3 to 5 players, not of 2"),
        (sheet("king", (1, 2, 3), (1, 2, 3, 4)), "wrong_size", "points[1]", "this one has 4 players"),
        (sheet("king", (1, 2, -3)), "out_of_range", "points[0][2]", "0 to 1,000,000 is expected"),
        (sheet("kirin", (10, 0, 0, 0)), "out_of_range", "points[0]", "a colour has 9 cards"),
        (sheet("kirin", (9, 9, 9, 9), (9, 9, 9, 9), (9, 9, 9, 9), (0,) * 4), "conflict", "points[3]", "was over"),
        (sheet("aqua-regia", (1, 1)), "out_of_range", "points[0]", "one seat wins"),
        (sheet("aqua-regia", (2, 0)), "out_of_range", "points[0]", "one seat wins"),
        (duel((50, 43)), "out_of_range", "points[0]", "92 points"),
        (duel((50, 10), (50, 10), (1, 0)), "conflict", "points[2]", "was over"),
        (sheet("alchemy", (50, 10)), "missing_key", "variant", "variant is missing"),
        (sheet("kirin"), "wrong_size", "points", "at least 1"),
        ({**sheet("king", (1, 2, 3)), "deck": "house"}, "unknown_key", "deck", "key of other kinds"),
    ],
)
def test_sheets_that_are_refused(given: dict[str, Any], code: str, path: str, words: str) -> None:
    with pytest.raises(PositionError, match=words) as found:
        athanor.score(given)
    assert (found.value.code, found.value.path) == (code, path)
    refused(create_app().test_client().post("/v1/score", json={"record": given}), 422, code, f"record.{path}")


def test_a_sheet_is_no_position() -> None:
    with pytest.raises(PositionError, match="unknown key 'points'"):
        athanor.parse(sheet("kirin", (1, 2, 3, 0)))


def test_on_the_command_line() -> None:
    def ran(*args: str) -> str:
        result = CliRunner().invoke(cli, list(args))
        assert result.exit_code == 0, result.output
        return result.stdout

    text = "king points=3,1,2/10,4,1"
    found: Any = athanor.score(text)
    assert ran("score", *text.split(), "--json") == found.to_json() + "\n"
    assert "Leaders" in ran("score", text)
    assert ran("convert", ran("convert", text)) == f"{text}\n"


def test_a_match_of_aqua_regia_has_no_last_round() -> None:
    found: Any = athanor.score(sheet("aqua-regia", *[(0, 1, 0)] * 1000))
    assert found.totals == (0, 1000, 0)
    assert not found.finished


# ----------------------------------------------------------------------------------------------------
# Answers and positions as text and in notebooks: everything is said, and what strangers wrote is no markup.


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
    assert "Search  1,234 nodes in 0.500 s" in parts_text(answer.parts(full=True)).splitlines()
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
    assert parts_text([Part([("A", "1")]), Part([("B", "2")])]) == "A  1\n\nB  2"
