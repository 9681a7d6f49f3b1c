"""Files as other programs write them: read in whatever encoding and dialect, or refused with what to do."""

from __future__ import annotations

import csv
import io
import json
import subprocess
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from flask.testing import FlaskClient
from hypothesis import given, settings
from hypothesis import strategies as st

from api.app import create_app
from api.cli.main import cli
from api.config import Config
from athanor.questions import kind_of
from solver import decks
from solver.errors import PositionError
from solver.language import speaking
from solver.texts import decoded, read_csv, write_csv
from tests.support.deck_tables import JAPANESE, ROWS, spelled, table
from tests.support.places import ROOT
from tests.support.timing import LINEAR, growth

EXAMPLES = ROOT / "docs" / "examples"
KING_ROWS = [{JAPANESE[column]: cell for column, cell in row.items()} for row in spelled(ROWS["king"])]
KING = table(KING_ROWS).replace("Enchanted Dancer", "①炎の露ｱ")


def iconv(text: str, encoding: str) -> bytes:
    """The text as the program `iconv` writes it."""
    command = ["iconv", "-f", "UTF-8", "-t", encoding]
    return subprocess.run(command, input=text.encode(), stdout=subprocess.PIPE, check=True).stdout


ENCODINGS = {
    "UTF-8": b"",
    "UTF-8 with a mark": b"\xef\xbb\xbf",
    "UTF-16LE": b"\xff\xfe",  # as `>` of Windows PowerShell writes it
    "UTF-16BE": b"\xfe\xff",
    "CP932": b"",
}


def written(text: str, encoding: str) -> bytes:
    return ENCODINGS[encoding] + iconv(text, encoding.removesuffix(" with a mark"))


@pytest.fixture
def client() -> FlaskClient:
    return create_app(Config()).test_client()


def run(*arguments: Any) -> Result:
    return CliRunner().invoke(cli, list(map(str, arguments)))


# ----------------------------------------------------------------------------------------------------
# Encodings.


@pytest.mark.parametrize("encoding", ENCODINGS)
def test_every_door_reads_a_deck_in(encoding: str, client: FlaskClient, tmp_path: Path) -> None:
    assert "①炎の露ｱ" in KING
    content = written(KING, encoding)
    file = tmp_path / "mine.csv"
    file.write_bytes(content)
    names = {row["name"] for row in decks.read(content)[1].rows()}
    assert "①炎の露ｱ" in names  # names stay as they are
    shown = run("decks", file)
    assert "①炎の露ｱ" in shown.output
    assert ("read as Shift JIS (CP932)" in shown.stderr) == (encoding == "CP932")
    sent = client.post("/v1/text?name=mine.csv", data=content, content_type="application/octet-stream")
    answer = sent.get_json()
    assert (answer["kind"], answer["text"]) == ("deck", KING)
    assert ("カード" in answer["guessed"]) == (encoding == "CP932")
    assert ("X-Guessed" in sent.headers) == (encoding == "CP932")
    read = client.post("/v1/decks?name=mine.csv", data=content, content_type="application/toml").get_json()
    assert (read["name"], {card["name"] for card in read["deck"]["card"]}) == ("mine", names)


@pytest.mark.parametrize("encoding", ["UTF-16LE", "UTF-8 with a mark", "CP932"])
@pytest.mark.parametrize(
    ("command", "example", "kind"),
    [
        (["moves"], "kirin-view.json", "position"),
        (["convert"], "table.txt", "game"),
        (["score"], "king-score.json", "position"),
        (["solve"], "deny.toml", "puzzles"),
    ],
)
def test_other_files(command: list[str], example: str, kind: str, encoding: str, tmp_path: Path) -> None:
    path = next(EXAMPLES.glob(f"*{example}"))
    text = path.read_text(encoding="utf-8")
    if kind != "position":
        text = f"# 麒麟の問題です\n{text}"
    other = tmp_path / path.name
    other.write_bytes(written(text, encoding))
    found, usual = run(*command, other), run(*command, path)
    assert found.exit_code == usual.exit_code == 0
    if kind != "puzzles":  # whose answers have times
        assert found.stdout == usual.stdout
    assert kind_of(decoded(other.read_bytes()), other.name) == kind


@pytest.mark.parametrize("encoding", ["UTF-16LE", "CP932"])
def test_questions_of_a_batch(encoding: str, tmp_path: Path) -> None:
    file, out = tmp_path / "lines.txt", tmp_path / "out.csv"
    line = "alchemy free min_line=1 line=4,7,Ｋ、2,9,A hand=9"
    file.write_bytes(written(f"# 手\r\n{line}\r\n{line}\r\n", encoding))
    assert run("batch", "analyze", file, "--out", out, "--jobs", 1).exit_code == 0
    content = out.read_bytes()
    assert content.startswith(b"\xef\xbb\xbf")
    assert len(list(csv.DictReader(io.StringIO(content.decode("utf-8-sig"))))) == 2


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (iconv(KING.replace("①", "").replace("ｱ", ""), "EUC-JP"), "it seems to be EUC-JP. Save it as UTF-8"),
        ("symbol,name\nSa,Säure\nEi,Weißeisen".encode("latin-1"), "Save it as UTF-8"),
        ("code,name\nK,King’s “élan”\nÄ,Öl".encode("cp1252"), "Save it as UTF-8"),
        ("code,name\nL,Łódź\nZ,Żelazo".encode("cp1250"), "Save it as UTF-8"),
        ("код,имя\nЖ,Железо".encode("koi8-r"), "Save it as UTF-8"),
        (KING.encode("utf-16-le"), "UTF-16 without a mark"),
        (iconv("コード,名前\n金,金", "ISO-2022-JP"), "it seems to be ISO-2022-JP"),
        (KING.encode("utf-16")[:-1], "this is not UTF-16"),
        (bytes(range(256)), "Save it as UTF-8"),
        (b"\x89PNG\r\n\x1a\n\x00\x00\x00", "Save it as UTF-8"),
    ],
)
def test_refused_with_what_to_do(content: bytes, said: str, client: FlaskClient, tmp_path: Path) -> None:
    with pytest.raises(PositionError) as found:
        decoded(content)
    assert said in str(found.value)
    answer = client.post("/v1/text", data=content, content_type="application/octet-stream")
    assert answer.status_code == 400
    assert said in answer.get_json()["error"]["message"]
    (tmp_path / "x.csv").write_bytes(content)
    assert said in run("decks", tmp_path / "x.csv").output


WORDS = "Säure Größe Übung naïve élève señor façade Ångström smørbrød crème garçon Löwe fjörð São café Weiß"


@settings(max_examples=200, deadline=None, derandomize=True)
@given(st.lists(st.sampled_from(WORDS.split()), min_size=1), st.sampled_from([" ", ",", "\n", '","', "-"]))
def test_latin_words_are_never_read_as_japanese(words: list[str], between: str) -> None:
    with pytest.raises(PositionError):
        decoded(between.join(words).encode("cp1252"))


@settings(max_examples=200, deadline=None, derandomize=True)
@given(st.lists(st.text("亜鉛鉄銅銀金水酸カードめっきん123", min_size=2), min_size=1))
def test_japanese_words_are_never_read_as_others(words: list[str]) -> None:
    text = "カード,名前\n" + ",".join(words)
    assert decoded(text.encode("cp932")) == text
    with pytest.raises(PositionError):
        decoded(text.encode("euc-jp"))


# ----------------------------------------------------------------------------------------------------
# Dialects.


class Semicolons(csv.excel):
    delimiter = ";"


@pytest.mark.parametrize("game", ROWS)
@pytest.mark.parametrize("dialect", [csv.excel, csv.excel_tab, csv.unix_dialect, Semicolons])
@pytest.mark.parametrize("end", ["\r\n", "\r", "\n"])
@pytest.mark.parametrize("first", ["", "sep={}{}", '"sep={}"{}', "# a deck{1}", "Table 1{1}", "Table 1{0}{0}{1}"])
def test_dialects(game: str, dialect: type[csv.Dialect], end: str, first: str) -> None:
    text = io.StringIO()
    rows = spelled(ROWS[game])
    writer = csv.DictWriter(text, list(rows[0]), dialect=dialect, lineterminator=end)
    writer.writeheader()
    writer.writerows({key: f"{cell}.0" if cell.isdecimal() else cell for key, cell in row.items()} for row in rows)
    begun = first.format(dialect.delimiter, end)
    assert decks.written(begun + text.getvalue())[1].rows() == ROWS[game]


@pytest.mark.parametrize("more", ["+", " or more", "以上", "＋"])
def test_reactivity_as_the_rules_speak_of_it(more: str) -> None:
    rows = [{key: f"2{more}" if cell == "2" else cell for key, cell in row.items()} for row in ROWS["aqua-regia"]]
    assert decks.written(table(rows))[1].rows() == ROWS["aqua-regia"]


def test_a_file_of_a_spreadsheet_says_what_to_do() -> None:
    with pytest.raises(PositionError, match="packed as spreadsheets keep their own files"):
        decks.read(b"PK\x03\x04\x14\x00\x06\x00")


def test_a_separator_that_is_named_counts() -> None:
    rows = ROWS["aqua-regia"]
    assert decks.written("sep=^\n" + table(rows, "^"))[1].rows() == rows


def test_headings_in_half_width() -> None:
    text = (
        table(KING_ROWS)
        .replace("カード", "ｶｰﾄﾞ")
        .replace("ボーナス", "ﾎﾞｰﾅｽ")
        .replace("数字", "数　字".replace("　", ""))
    )
    assert decks.written(text)[1].rows() == ROWS["king"]


def test_headings_are_named_in_japanese() -> None:
    with speaking("ja"):
        for text in (table(KING_ROWS).replace("点数", "得点数"), "番号,色\n1,赤\n"):
            with pytest.raises(PositionError) as found:
                decks.written(text)
            assert "カード" in str(found.value)
            assert "勝利点" in str(found.value) or "点" in str(found.value)
    wrong = [dict(row) for row in KING_ROWS]
    wrong[3]["点数"] = "多い"
    with pytest.raises(PositionError) as found:
        decks.written(table(wrong))
    assert found.value.path == "line 5, 点数"  # as the file has it


def test_a_name_as_long_as_a_file_s(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ATHANOR_DECKS", str(tmp_path / "decks"))
    for name in ("x" * 251, "my  deck (2)", "酸" * 80):
        file = tmp_path / f"{name}.csv"
        file.write_text(table(ROWS["aqua-regia"]), encoding="utf-8")
        assert run("decks", "import", file).exit_code == 0
        called = " ".join(name.split())
        dealt = run("deal", "aqua-regia", "--seed", 1, "--deck", called, "--text")
        assert dealt.exit_code == 0, dealt.output
        assert run("moves", dealt.stdout.strip()).exit_code == 0


# ----------------------------------------------------------------------------------------------------
# What we write opens in a spreadsheet.


def test_no_cell_is_a_formula(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ATHANOR_DECKS", str(tmp_path / "decks"))
    rows = [dict(row) for row in ROWS["aqua-regia"]]
    names = ["=1+1", "+A1", "-A1", "@SUM(A1)", "＝1", "=HYPERLINK(1)", "-"]
    for row, name in zip(rows, names, strict=False):
        row["name"] = name
    (tmp_path / "odd.csv").write_text(table(rows), encoding="cp932")
    assert run("decks", "import", tmp_path / "odd.csv").exit_code == 0
    content = (tmp_path / "decks" / "odd.csv").read_bytes()
    assert content.startswith(b"\xef\xbb\xbf")
    cells = [cell for line in csv.reader(io.StringIO(content.decode("utf-8-sig"))) for cell in line]
    assert not [cell for cell in cells if cell[:1] in tuple("=+-@＝") and cell != "-"]
    kept = next(one.deck for one in decks.catalogue() if one.name == "odd" and one.deck)
    assert [row["name"] for row in kept.rows()][:6] == names[:6]  # and comes back


@settings(max_examples=100, deadline=None, derandomize=True)
@given(st.lists(st.text(st.characters(codec="utf-8", exclude_categories=["C"])), min_size=1))
def test_cells_come_back(cells: list[str]) -> None:
    file = io.StringIO(newline="")
    columns = [str(number) for number in range(len(cells))]
    write_csv(file, columns, [dict(zip(columns, cells, strict=True))])
    _, *lines = read_csv(file.getvalue().removeprefix("\ufeff"))
    found = lines[0][1] if lines else []
    assert [cell.strip() for cell in cells] in (found, [""])


# ----------------------------------------------------------------------------------------------------
# Hostile files take time in proportion to their size.


@pytest.mark.parametrize(
    "text",
    [
        " ", "\u3000", "a,", '"a"\n', '"', "\n", "|", "code,", "\u0315", "カ", "'=", "[[", ";",
        "code,name,kind,suit,number,points\n" + "x,+ ,,Fire,1,1\n",
    ],
)  # fmt: skip
@pytest.mark.parametrize("encoding", ["utf-8", "cp932"])
def test_the_time_grows_with_the_size_alone(text: str, encoding: str) -> None:
    head = "code,name,kind,suit,number,points,needs\nx,"

    def read(size: int) -> None:
        for begun in ("", head):
            content = (begun + text * (size // len(text))).encode(encoding, "replace")
            with pytest.raises(PositionError):
                decks.read.__wrapped__(content)
            kind_of(content.decode("utf-8", "replace"))

    assert growth(read, 30_000) < LINEAR


# ----------------------------------------------------------------------------------------------------
# A service speaks a language by any of its tags.


@pytest.mark.parametrize("tag", ["ja", "JA", "ja-JP", "ja_JP"])
def test_a_language_by_its_tags(tag: str, client: FlaskClient) -> None:
    for sent in ({"json": {"position": "kirin seat=1", "lang": tag}}, {"json": {"position": "kirin seat=1"}}):
        headers = {} if "lang" in sent["json"] else {"Accept-Language": tag}
        answer = client.post("/v1/moves", headers=headers, **sent).get_json()
        assert "handがありません" in json.dumps(answer, ensure_ascii=False)
