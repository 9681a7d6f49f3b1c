"""What the command prints: failures, other languages, the width of a terminal, and what others have written."""

from __future__ import annotations

import ast
import html
import io
import json
import logging
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

import athanor
from api.cli.decks import show_cards
from api.cli.main import cli
from api.cli.terminal import laid_out, output
from api.logs import handler
from solver import registry
from solver.common import visible, width
from solver.positions import text_of
from tests.cli.conftest import DUEL, FREE, WON, Run, a_puzzle
from tests.support.games import OWN
from tests.support.languages import as_before
from tests.support.places import ROOT


@pytest.mark.parametrize(
    ("args", "stdin", "message"),
    [
        (["analyze", "-"], "not json", "<stdin>: this is neither JSON nor keys with their values"),
        (["analyze", "-"], "not:json", "<stdin>: this is neither JSON nor keys with their values"),
        (["analyze", "-"], b"\xff\xfe\xff", "<stdin>: this is not UTF-16"),
        (["analyze", "-"], "", "<stdin>: the position is empty"),
        (["analyze", "-"], "[" * 100_000, "<stdin>: the position is nested too deeply"),
        (["analyze", "-"], "[]", "<stdin>: "),
        (["analyze", "-"], FREE | {"line": ["A", "Z"]}, "<stdin>: line[1]: 'Z' is not a card"),
        (["analyze", "-"], FREE | {"game": "chess"}, "<stdin>: game: there is no game called 'chess'"),
        (["analyze", "-"], FREE | {"x": 1}, "<stdin>: x: unknown key 'x'"),
        (["analyze", "-"], {k: v for k, v in WON.items() if k != "stock"}, "<stdin>: stock: "),
        (["analyze", "-", "--model", "paranoid"], DUEL, "<stdin>: model: "),
        (["analyze", "-", "--player", "1"], DUEL, "<stdin>: player: "),
        (["analyze", "/does/not/exist.json"], None, "cannot read /does/not/exist.json: No such file"),
        (["analyze", "/"], None, "cannot read /: Is a directory"),
        (["analyze", "-", "--seconds", "nan"], DUEL, "--seconds"),
        (["analyze", "-", "--seconds", "inf"], DUEL, "--seconds"),
        (["analyze", "-", "--seconds", "0"], DUEL, "--seconds"),
        (["analyze", "-", "--nodes", "0"], DUEL, "--nodes"),
        (["analyze", "-", "--nodes", "9" * 30], DUEL, "--nodes"),
        (["analyze"], None, "FILE"),
        (["hint", "-", "--worlds", "-1"], DUEL, "--worlds"),
        (["hint", "-", "--worlds", "0"], DUEL, "worlds is from 1"),
        (["hint", "-"], FREE, "<stdin>: "),
        (["score", "-"], DUEL, "<stdin>: "),
        (["deal", "chess"], None, "chess"),
        (["deal", "alchemy", "--variant", "free"], None, "variant: 'free' cannot be dealt"),
        (["deal", "alchemy", "--players", "7"], None, "players: "),
        (["deal", "alchemy", "--seat", "4"], None, "seat: "),
        (["deal", "alchemy", "--seed", "-1"], None, "--seed"),
        (["rules", "chess"], None, "chess"),
        (["brew", "alchemy"], None, "there is no command 'brew'"),
        (["solve"], None, "PATH"),
        (["solve", "x", "--jobs", "0"], None, "--jobs"),
        (["winrate", "duel"], None, "duel"),
        (["winrate", "solo", "--plot", "plot.pdf"], None, ".png or .svg"),
        (["winrate", "solo", "--deals", "0"], None, "--deals"),
        (["serve", "--port", "70000"], None, "--port"),
    ],
)
def test_a_failure_is_one_message_and_exit_code_2(
    athanor: Run, args: list[str], stdin: object, message: str
) -> None:
    result = athanor(*args, stdin=stdin)
    assert result.exit_code == 2
    assert message in result.stderr
    assert "Traceback" not in result.stderr
    assert sum(line.startswith("Error: ") for line in result.stderr.splitlines()) == 1
    assert result.stdout == ""


def test_a_bug_of_ours_is_a_message_too(athanor: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def faulty(*args: object, **options: object) -> None:
        raise ZeroDivisionError("oops")

    monkeypatch.setattr("solver.games.alchemy.solving.analyze", faulty)
    result = athanor("analyze", "-", stdin=DUEL)
    assert result.exit_code == 2
    assert "internal error, ZeroDivisionError: oops" in result.stderr
    assert "Traceback" not in result.stderr


# With `--lang ja` a player reads no English but codes, keys and card codes.


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
    *(word for name in OWN for word in name.split("-")),
    "solo", "paranoid", "maxn", "ally", "equal", "pass", "take", "give", "full", "random", "most",
    "cards", "table", "house",
}  # fmt: skip
WORD = re.compile(r"[A-Za-z][a-z]{2,}")


def english(text: str) -> list[str]:
    return [word for word in WORD.findall(text) if word not in ALLOWED]


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
        ("decks", "king"),
        ("decks", "aqua-regia"),
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
            for key, title in (("1", "Less is more · Balsam"), ("2", "Bait"), ("3", "My own · Balsam"))
        )
    )
    output = in_japanese("solve", str(file)).output
    assert "損して得取れ · 香膏" in output
    assert "餌" in output
    assert "My own · 香膏" in output  # what nobody has translated stays


def test_help_is_no_wider_than_the_terminal(in_japanese: Run) -> None:
    for command in ("hint", "batch", "deal"):
        lines = in_japanese(command, "--help").output.splitlines()
        assert max(map(width, lines)) <= 80, lines


FILES = (*OWN, "hidden-hands", "made-king-value", "made-kirin-best-move")


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
    assert '<html lang="ja">' in text


@pytest.mark.parametrize(
    "asked",
    [
        ("hint", "--help", "--lang", "ja"),
        ("decks", "import", "-h", "--lang", "ja"),
        ("--help", "--lang=ja"),
        ("--lang=ja", "hint", "-h"),
    ],
)
def test_help_is_in_the_language_named_before_or_after_it(asked: tuple[str, ...], athanor: Run) -> None:
    with as_before():
        assert athanor(*asked).output.startswith("使い方")


# What is printed fits the terminal; what goes to a pipe is not wrapped.


VIEW = "kirin seat=3 hand=D1,D+,S2,S3,ST declared=B- leader=2 trick=S+ " + (
    "history=0:G-,D3,D5,B6/3:G3,S1,G1,D-/1:B4,GT,D2,B3"
)
METHOD = {
    "card": "F3", "kind": "method", "name": "Calcination", "suit": "Fire", "number": "3", "points": "1",
    "provides": "Calcination", "makes": "Red Calx", "of": "Iron, Vitriol", "bonus": "5",
}  # fmt: skip
MATERIAL = dict.fromkeys(METHOD, "") | {"card": "W10", "kind": "material", "name": "Lead", "suit": "Water"}


def cards_at(width: int) -> list[str]:
    """What `cards` prints on a terminal of so many columns."""
    stream = io.StringIO()
    show_cards(output(stream, width), [METHOD, MATERIAL])
    lines = re.sub(r"\x1b\[[0-9;]*m", "", stream.getvalue()).splitlines()
    assert all(len(line) <= width for line in lines)
    return lines


def test_words_are_whole_where_a_table_is_too_wide() -> None:
    told = " ".join(" ".join(cards_at(80)).split())
    assert told == (
        "F3 kind method; name Calcination; suit Fire; number 3; points 1; provides Calcination; makes Red Calx; "
        "of Iron, Vitriol; bonus 5 W10 kind material; name Lead; suit Water"
    )


def test_a_table_gives_way_between_words() -> None:
    lines = [line.split() for line in cards_at(100)]
    assert list(METHOD) in lines
    assert ["F3", "method", "Calcination", "Fire", "3", "1", "Calcination", "Red", "Calx", "Iron,", "5"] in lines
    assert ["Vitriol"] in lines


def test_nothing_is_wrapped_in_a_pipe(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("COLUMNS", raising=False)
    found = CliRunner().invoke(cli, ["hint", VIEW, "--worlds", "64", "--full"]).output
    unseen = next(line for line in found.splitlines() if line.startswith("Unseen"))
    assert len(unseen.split()) > 12
    assert not any(line.endswith(" ") for line in found.splitlines())


def test_columns_move_together_before_words_are_parted() -> None:
    stream = io.StringIO()
    labels = ["move", "used", "points", "win probability", "stderr"]
    output(stream, 46).print(laid_out(labels, [["4+4+10=2+5+J", "2 4", "6", "0.6", "0.01"]], 46))
    lines = re.sub(r"\x1b\[[0-9;]*m", "", stream.getvalue()).splitlines()
    assert all(len(line) <= 46 for line in lines)
    assert any(line.split() == ["4+4+10=2+5+J", "2", "4", "6", "0.6", "0.01"] for line in lines)
    assert any(line.split() == ["move", "used", "points", "probability", "stderr"] for line in lines)


NUMBER = re.compile(r"(?<!\S)-?\d[\d,]*(?:\.\d+)?%?(?![^\s;])")
SPEED = re.compile(r"[\d.,]+(?: deals/s,| nodes in)? [\d.]+ s\b|\d+ nodes/s|\b\d+\.\d{3} *$", re.MULTILINE)
TABLES = [
    ["compound", '{"game": "king", "deck": "house", "cards": ["F10", "W7", "F11", "F3"]}'],
    ["decks", "aqua-regia"],
    ["decks", "king"],
    ["score", "king", "points=31,13,8/20,31,12/22,29,17"],
    ["winrate", "alternative", "--deals", "20", "--seed", "1"],
    ["review", "{game}", "--nodes", "100"],
    ["solve", "{puzzles}"],
    *(["analyze", f"{{{name}}}", "--full", "--nodes", "50"] for name in registry.names()),
    *(["hint", f"{{view of {name}}}", "--full", "--nodes", "50"] for name in registry.names()),
]


@pytest.fixture(scope="module")
def texts(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """Positions and views of all games, and the file of a game that was played."""
    folder = tmp_path_factory.mktemp("files")
    found = {"{game}": str(folder / "game.json"), "{puzzles}": str(folder / "puzzles.toml")}
    CliRunner().invoke(cli, ["play", "alchemy", "--seed", "5", "--save", found["{game}"]], input="1\n" * 60)
    Path(found["{puzzles}"]).write_text("".join(map(a_puzzle, "abc")), encoding="utf-8")
    for name in registry.names():
        position = registry.game(name).deal(1)
        found[f"{{{name}}}"] = text_of(position)
        found[f"{{view of {name}}}"] = text_of(athanor.view(position, athanor.to_move(position) or 0))
    return found


@pytest.mark.parametrize("columns", ["0", "00", "-5", "wide", ""])
def test_no_width_is_as_none_that_is_named(columns: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("COLUMNS", raising=False)
    words = ["score", "king", "points=31,13,8/20,31,12"]
    usual = CliRunner().invoke(cli, words).output
    monkeypatch.setenv("COLUMNS", columns)
    assert CliRunner().invoke(cli, words).output == usual
    assert "51 44 20" in usual


@pytest.mark.parametrize("columns", [40, 60])
@pytest.mark.parametrize("words", TABLES, ids=" ".join)
def test_no_number_is_parted(
    words: list[str], columns: int, texts: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def numbers(width: int) -> set[str]:
        monkeypatch.setenv("COLUMNS", str(width))
        found = CliRunner().invoke(cli, [texts.get(word, word) for word in words])
        assert found.exit_code == 0, found.output
        assert all(len(line) <= width for line in found.output.splitlines())
        return {*NUMBER.findall(SPEED.sub("", found.output))}

    assert numbers(300) <= numbers(columns)


# What others have written steers no terminal: it is shown escaped.


# Clear the screen, by both forms of the escape; hide text; go back and write over the line; turn the direction.
# And begin a line of one's own, as if the program had written it.
HOSTILE = "\x1b[2J\u009b2J\x1b[8m\r\x08\x7f\u202eX\nFORGED"
ESCAPED = "\\u001b[2J\\u009b2J\\u001b[8m\\u000d\\u0008\\u007f\\u202eX\\u000aFORGED"
STEERING = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069]")
PUZZLE = """
[[puzzle]]
id = "one{hostile}"
title = "T{hostile}"
ask = "all-matches"
position = {{ game = "alchemy", variant = "free", min_line = 1, line = ["2", "3"], hand = "5" }}
solution = {{ moves = ["5=2+3"] }}
"""


def run(*arguments: str) -> Result:
    found = CliRunner().invoke(cli, arguments)
    assert not STEERING.search(found.output), found.output
    assert not re.search(r"^\s*FORGED", found.output, re.MULTILINE), found.output
    return found


@pytest.fixture
def puzzle(tmp_path: Path) -> Path:
    path = tmp_path / "p.toml"
    quoted = json.dumps(HOSTILE, ensure_ascii=True)[1:-1]
    path.write_text(PUZZLE.format(hostile=quoted), encoding="utf-8")
    return path


def test_titles_in_a_table(puzzle: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "300")
    found = run("solve", str(puzzle))
    assert found.exit_code == 0
    assert f"T{ESCAPED}" in found.output
    assert f"one{ESCAPED}" in found.output


def test_titles_in_json_are_the_same_data(puzzle: Path) -> None:
    found = run("solve", "--json", str(puzzle))
    assert json.loads(found.output)["title"] == f"T{HOSTILE}"


def test_messages(tmp_path: Path, puzzle: Path) -> None:
    text = puzzle.read_text(encoding="utf-8")
    puzzle.write_text(text.replace("title =", '"\\u001b[2J" = 1\ntitle ='), encoding="utf-8")
    assert "\\u001b[2J" in run("solve", str(puzzle)).output
    position = tmp_path / f"{HOSTILE[:8]}.json"
    position.write_text(json.dumps({"game": HOSTILE}), encoding="utf-8")
    found = run("analyze", str(position))
    assert found.exit_code == 2
    assert "\\u001b[2J" in found.output


def test_names_of_decks_and_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ATHANOR_DECKS", str(tmp_path))
    (tmp_path / f"{HOSTILE[:8]}.toml").write_text("[[metal]]\n", encoding="utf-8")
    for options in ([], ["--json"]):
        assert "\\u001b[2J" in run("decks", *options).output


def test_texts_that_were_made_elsewhere() -> None:
    from rich.text import Text

    stream = io.StringIO()
    console = output(stream, 200)
    console.print(Text(HOSTILE[:4]), HOSTILE[:4])
    assert stream.getvalue() == "\\u001b[2J \\u001b[2J\n"


def test_lines_of_the_log() -> None:
    stream = io.StringIO()
    record = logging.LogRecord("athanor", logging.ERROR, "", 0, "about %s", (f"{HOSTILE}\nERROR: not I",), None)
    handler(stream).handle(record)
    assert f"about {ESCAPED}\\u000aERROR: not I" in stream.getvalue()
    assert not STEERING.search(stream.getvalue())


def test_what_stays_as_it_is() -> None:
    assert visible("Ünïcode ✓ 日本\tA\nB") == "Ünïcode ✓ 日本\tA\nB"


@pytest.mark.parametrize("args", [
    ["analyze", "-", "--proof", "-"], ["review", "game.json", "--html", "-"], ["play", "kirin", "--save", "-"],
    ["generate", "kirin", "--out", "-"], ["batch", "deal", "kirin", "--out", "-"],
    ["solve", "--series", "kirin", "--html", "-"], ["solve", "--series", "kirin", "--pdf", "-"],
])  # fmt: skip
def test_no_file_is_called_as_the_standard_output_is_elsewhere(
    args: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    found = CliRunner().invoke(cli, args, input="")
    assert (found.exit_code, "/dev/stdout" in found.stderr) == (2, True), found.output
    assert not list(tmp_path.iterdir())


def test_every_sentence_that_a_command_prints_is_translated() -> None:
    for path in sorted((ROOT / "api" / "cli").glob("*.py")):
        for call in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(call, ast.Call) and ast.unparse(call.func).rpartition(".")[2] in PRINTING:
                said = [part for argument in call.args for part in _own(argument)]
                words = re.findall(r"[a-z]{3,} [a-z]{2,}", " ".join(said))
                assert not words, f"{path.name}:{call.lineno}: {words}"


PRINTING = {"echo", "print", "CommandFailure", "UsageError", "searching", "counting", "move"}


def _own(node: ast.AST) -> Iterator[str]:
    """The texts in an expression that no call translates."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        yield node.value
    elif not isinstance(node, ast.Call):
        for part in ast.iter_child_nodes(node):
            yield from _own(part)
