"""What others have written steers no terminal: it is shown escaped."""

from __future__ import annotations

import io
import json
import logging
import re
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from api.cli.main import cli
from api.cli.terminal import output
from api.logs import handler
from solver.common import visible

# Clear the screen, by both forms of the escape; hide text; go back and write over the line; turn the direction.
HOSTILE = "\x1b[2J\u009b2J\x1b[8m\r\x08\x7f\u202eX"
ESCAPED = "\\u001b[2J\\u009b2J\\u001b[8m\\u000d\\u0008\\u007f\\u202eX"
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
