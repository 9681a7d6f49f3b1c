"""Puzzle files: reading and writing the contract's TOML. Every error has the path and the line."""

from __future__ import annotations

import os
import re
import tomllib
from pathlib import Path
from typing import Any

from puzzles.atomic import replacing
from puzzles.lines import line_of
from puzzles.models import Puzzle, PuzzleFile
from puzzles.solution import Solution
from puzzles.toml import puzzle_text
from solver.inputs import tomltext
from solver.inputs.errors import PositionError, PuzzleError
from solver.inputs.findings import validated

__all__ = ["Puzzle", "PuzzleFile", "Solution", "dumps", "from_data", "load", "loads", "save"]

_PLACE = re.compile(r" \(at (?:line (\d+), column \d+|end of document)\)$")


def loads(text: str, most_values: int | None = None) -> PuzzleFile:
    """A puzzle file from its text, with at most so many values.

    Raises PuzzleError with the path and the line of what is wrong.
    """
    text = text.removeprefix("\ufeff")  # some editors put a byte order mark before UTF-8
    data = _parse(text, most_values)
    if not data:
        raise PuzzleError("empty_file", "the file has no [[puzzle]]", line=1)
    try:
        return from_data(data)
    except PuzzleError as found:
        raise found.at_line(line_of(text, data, found.path)) from None


def _parse(text: str, most_values: int | None) -> dict[str, Any]:
    try:
        return tomltext.loads(text, most_values)
    except tomllib.TOMLDecodeError as found:
        message = str(found)
        place = _PLACE.search(message)
        line = text.count("\n") + 1
        if place is not None:
            line = int(place[1] or line)
            message = message[: place.start()]
        raise PuzzleError("invalid_toml", f"this is not TOML: {message}", line=line) from None
    except PositionError as found:
        raise PuzzleError(found.code, found.message) from None
    except RecursionError:
        raise PuzzleError("invalid_toml", "this is nested too deeply") from None
    except ValueError as found:  # an integer of thousands of digits
        raise PuzzleError("invalid_toml", f"this is not TOML: {found}") from None


def from_data(data: object) -> PuzzleFile:
    """A puzzle file from JSON-like data of the same structure. Raises PuzzleError with the path."""
    return validated(PuzzleFile.model_validate, data, PuzzleError)


def decode(content: bytes) -> str:
    """The text of a puzzle file's bytes. Raises PuzzleError with the line of what is not UTF-8."""
    try:
        return content.decode("utf-8")
    except UnicodeDecodeError as found:
        line = content.count(b"\n", 0, found.start) + 1
        raise PuzzleError("invalid_encoding", "the file is not UTF-8", line=line) from None


def load(path: str | os.PathLike[str]) -> PuzzleFile:
    """The puzzle file at `path`. Raises PuzzleError, also when it cannot be read."""
    try:
        content = Path(path).read_bytes()
    except (OSError, ValueError) as found:  # ValueError: a NUL in the path
        reason = getattr(found, "strerror", None) or str(found)
        raise PuzzleError("unreadable", f"cannot read {os.fspath(path)}: {reason}") from None
    return loads(decode(content))


def dumps(file: PuzzleFile) -> str:
    """The text of a puzzle file, which `loads` reads back to an equal one."""
    puzzles = (puzzle.model_dump(exclude_unset=True, exclude_none=True) for puzzle in file.puzzle)
    return "\n".join(map(puzzle_text, puzzles))


def save(file: PuzzleFile, path: str | os.PathLike[str]) -> None:
    """Write a puzzle file whole, or leave what was there. Raises PuzzleError when it cannot be written."""
    content = dumps(file).encode()
    try:
        with replacing(path) as temporary:
            temporary.write_bytes(content)
    except (OSError, ValueError) as found:
        reason = getattr(found, "strerror", None) or str(found)
        raise PuzzleError("unwritable", f"cannot write {os.fspath(path)}: {reason}") from None
