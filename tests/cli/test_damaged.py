"""Every file that commands keep for a person, damaged: its name is said, and what to do."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest
from click.testing import CliRunner

from api.cli.main import cli
from tests.cli.every import DUEL


class Kept(NamedTuple):
    """A file, below the folder where XDG's folders are, and a command that reads it."""

    path: str
    words: tuple[str, ...]


KEPT = [
    Kept("athanor/train.sqlite", ("train", "--progress")),
    Kept("athanor/train.sqlite", ("train",)),
    Kept("athanor/train.sqlite", ("train", "--export", "-")),
    Kept("athanor/jobs.sqlite", ("jobs", "list")),
    Kept("athanor/jobs.sqlite", ("jobs", "work")),
    Kept("athanor/play/alchemy-1.json", ("play", "--resume")),
    Kept("athanor/play/alchemy-1.json", ("play", "alchemy", "--resume")),
    Kept("athanor/play/watch/alchemy-1.json", ("watch", "--resume")),
    Kept("made.toml.unfinished", ("generate", "king", "--out", "made.toml", "--count", "1")),
    Kept("many.csv.unfinished", ("batch", "analyze", "positions.txt", "--out", "many.csv")),
]
_HEADER = b"SQLite format 3\0"


def other_tables(path: Path) -> None:
    path.unlink(missing_ok=True)
    with sqlite3.connect(path) as file:
        file.execute("CREATE TABLE attempts (other)")
        file.execute("INSERT INTO attempts VALUES (1)")
    file.close()


DAMAGE: dict[str, Callable[[Path], object]] = {
    "text": lambda path: path.write_text("not this, but another text\n" * 200, encoding="utf-8"),
    "bytes": lambda path: path.write_bytes(bytes(range(256)) * 40),
    "a header alone": lambda path: path.write_bytes(_HEADER + b"\xff" * 4000),
    "a database of others": other_tables,
}


@pytest.mark.parametrize("damage", DAMAGE)
@pytest.mark.parametrize("kept", KEPT, ids=lambda kept: " ".join(kept.words))
def test_a_damaged_file(kept: Kept, damage: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for kind in ("CONFIG", "DATA", "STATE"):
        monkeypatch.setenv(f"XDG_{kind}_HOME", str(tmp_path))
    monkeypatch.delenv("ATHANOR_JOBS", raising=False)
    monkeypatch.delenv("ATHANOR_DECKS", raising=False)
    monkeypatch.chdir(tmp_path)
    Path("positions.txt").write_text(f"{DUEL}\n", encoding="utf-8")
    path = tmp_path / kept.path
    path.parent.mkdir(parents=True, exist_ok=True)
    DAMAGE[damage](path)
    before = path.read_bytes()
    found = CliRunner().invoke(cli, kept.words, input="quit\n")
    assert found.exit_code == 2, found.output
    assert kept.path in found.output.replace(os.sep, "/")
    assert "move" in found.output
    assert "internal error" not in found.output
    assert path.read_bytes() == before or damage == "a database of others"  # whose log SQLite changes
