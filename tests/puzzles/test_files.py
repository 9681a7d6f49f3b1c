"""Puzzle files on the disk: read, written whole, and what happens when they cannot be."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from puzzles.format import load, loads, save
from solver.errors import PuzzleError
from tests.puzzles.texts import SOLO, puzzle


def test_a_byte_order_mark_is_no_error() -> None:
    assert loads("\ufeff" + puzzle()) == loads(puzzle())


def test_load_and_save(tmp_path: Path) -> None:
    path = tmp_path / "file.toml"
    file = loads(puzzle() + puzzle("b", "best-move", SOLO))
    save(file, path)
    assert load(path) == file
    assert load(str(path)) == file
    assert os.listdir(tmp_path) == ["file.toml"]
    path.chmod(0o640)
    save(file, path)
    assert path.stat().st_mode & 0o777 == 0o640


def test_save_follows_a_link(tmp_path: Path) -> None:
    (tmp_path / "real.toml").write_text("old")
    link = tmp_path / "link.toml"
    link.symlink_to("real.toml")
    save(loads(puzzle()), link)
    assert link.is_symlink()
    assert load(tmp_path / "real.toml") == loads(puzzle())


def test_a_failed_save_leaves_what_was_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "file.toml"
    path.write_text("old")

    def full(self: Path, content: bytes) -> int:
        with open(self, "wb") as file:
            file.write(content[:10])
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "write_bytes", full)
    with pytest.raises(PuzzleError, match="No space left"):
        save(loads(puzzle()), path)
    assert path.read_text() == "old"
    assert os.listdir(tmp_path) == ["file.toml"]


@pytest.mark.parametrize("name", ["missing/file.toml", "", "a\0b"])
def test_save_where_nothing_can_be_written(tmp_path: Path, name: str) -> None:
    with pytest.raises(PuzzleError) as found:
        save(loads(puzzle()), tmp_path / name)
    assert found.value.code == "unwritable"
    assert os.listdir(tmp_path) == []


def test_load_what_cannot_be_read(tmp_path: Path) -> None:
    (tmp_path / "latin.toml").write_bytes(b'# one\n[[puzzle]]\nid = "\xe9"\n')
    for name, code, line in (
        ("missing.toml", "unreadable", 0),
        ("", "unreadable", 0),
        ("a\0b", "unreadable", 0),
        ("latin.toml", "invalid_encoding", 3),
    ):
        with pytest.raises(PuzzleError) as found:
            load(tmp_path / name)
        assert (found.value.code, found.value.line) == (code, line)
