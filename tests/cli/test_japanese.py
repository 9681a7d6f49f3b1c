"""With `--lang ja` a player reads no English but codes, keys and card codes."""

from __future__ import annotations

import gettext
import html
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from solver.common import width
from solver.language import use
from tests.cli.support import Run
from tests.support.places import ROOT

KIRIN = (
    "kirin seat=3 hand=S5,S+,S-,B6,B+,G2 declared=DT m=0:ST,G3,D-,G-/0:G6,B2,B1,D5 trick=2:D4 "
    "round=3 totals=3,1,4,1"
)
KING = (
    "king players=4 seat=3 hand=F8,F9,W4,W10,E1,A3,A7 pick=W9,F10,F4,A1 removed=W8,A6 "
    "history=0:F6,T4,T3,F1:take:F1,T3:give:F6/1:T1,F11,A8,E2/1:E5,T2,E7,E8:give:E7/2:W5,W1,W7,T5:take:W1:give:W7 "
    "trick=1:W2,W3"
)
AQUA = (
    "aqua-regia seat=1 hand=K,Na,Zn,Pt counts=3,4,2 field=acid turn=1 table=Mg owner=0 discard=Li,Li "
    "stock_count=40"
)
SOLO = "alchemy solo line=4,7,K,2,9,A hand=6 stock=5,Q"
HANDS = "kirin hands=D1,S1/D2,S2/D3,S3/D4,S4 declared=B1,B2,B3,B4 leader=0 direction=ascending"
ENDING = "aqua-regia hands=K,Zn/Ca,Pt/Li,Au field=water turn=0 stock=Fe"

# What is typed: names of games, variants, models, options, and moves.
ALLOWED = {
    "alchemy", "king", "kirin", "solo", "paranoid", "maxn", "ally", "equal", "pass", "take", "give", "full",
    "random", "most", "cards", "table",
}  # fmt: skip
WORD = re.compile(r"[A-Za-z][a-z]{2,}")


def english(text: str) -> list[str]:
    return [word for word in WORD.findall(text) if word not in ALLOWED]


@pytest.fixture
def in_japanese(athanor: Run, monkeypatch: pytest.MonkeyPatch) -> Iterator[Run]:
    monkeypatch.setenv("LANGUAGE", "ja")
    yield lambda *args: athanor("--lang", "ja", *args)
    use("en")
    gettext.textdomain("messages")


@pytest.mark.parametrize(
    "asked",
    [
        *(("moves", position) for position in (KIRIN, KING, AQUA, SOLO, HANDS, ENDING)),
        *(("hint", "--worlds", "20", position) for position in (KIRIN, KING, AQUA)),
        *(("hint", "--worlds", "20", "--full", position) for position in (KIRIN, AQUA)),
        *(("analyze", position) for position in (SOLO, HANDS, ENDING)),
        ("analyze", "--full", HANDS),
        ("winrate", "solo", "--deals", "2000", "--seed", "3"),
        ("score", str(ROOT / "docs/examples/king-score.json")),
        ("score", "kirin points=3,1,2,2/0,4,1,3"),
    ],
)
def test_what_a_player_reads_is_in_japanese(asked: tuple[str, ...], in_japanese: Run) -> None:
    result = in_japanese(*asked)
    assert result.exit_code == 0, result.output
    assert english(result.output) == [], result.output


def test_titles_of_puzzles_are_in_japanese(in_japanese: Run, tmp_path: Path) -> None:
    file = tmp_path / "two.toml"
    file.write_text(
        "\n".join(
            f'[[puzzle]]\nid = "{key}"\ntitle = "{title}"\nask = "value"\nposition = "{SOLO}"\n'
            for key, title in (("1", "Less is more · Deny"), ("2", "Bait for the Bird"), ("3", "My own · Deny"))
        )
    )
    output = in_japanese("solve", str(file)).output
    assert "損して得取れ · 封じる一手" in output
    assert "朱雀への餌" in output
    assert "My own · 封じる一手" in output  # what nobody has translated stays


def test_help_is_no_wider_than_the_terminal(in_japanese: Run) -> None:
    for command in ("hint", "batch", "deal"):
        lines = in_japanese(command, "--help").output.splitlines()
        assert max(map(width, lines)) <= 80, lines


FILES = ("king", "kirin", "aqua-regia", "alchemy", "hidden-hands", "made-king-value", "made-kirin-best-move")


def test_a_book(in_japanese: Run, tmp_path: Path) -> None:
    """What is said of some puzzles of the collection, without what the script draws."""
    some, out = tmp_path / "king.toml", tmp_path / "book.html"
    texts = [Path(f"puzzles/collection/{name}.toml").read_text().split("[[puzzle]]")[1:3] for name in FILES]
    some.write_text("".join(f"[[puzzle]]{text}" for two in texts for text in two))
    assert in_japanese("solve", some, "--html", out, "--nodes", "20000").exit_code in (0, 1)
    text = out.read_text(encoding="utf-8")
    drawn = re.compile(r"<(div|p)[^>]* data-[^>]*>.*?</\1>|<script.*?</script>|<[^>]+>", re.S)
    found = html.unescape(drawn.sub(" ", text[text.index("<body>") :]))
    assert not [word for word in english(found) if not re.fullmatch("[A-Z][a-z]", word)]
    assert '<html lang="ja" data-language="ja">' in text


@pytest.mark.parametrize(
    "asked",
    [
        ("hint", "--help", "--lang", "ja"),
        ("decks", "new", "-h", "--lang", "ja"),
        ("--help", "--lang=ja"),
        ("--lang=ja", "hint", "-h"),
    ],
)
def test_help_is_in_the_language_named_before_or_after_it(
    asked: tuple[str, ...], in_japanese: Run, athanor: Run
) -> None:
    use("en")
    assert athanor(*asked).output.startswith("使い方")
