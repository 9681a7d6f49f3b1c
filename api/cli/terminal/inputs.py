"""Reading what the user names: a file, - for standard input, or the text itself."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from api.cli.terminal.failures import CommandFailure, about, reason_of
from solver.codec import SHORT, is_line

if TYPE_CHECKING:
    from pydantic import BaseModel

STDIN = "-"
_KEYED = re.compile(rf"(?:[A-Za-z_]{{3,}}|[{''.join(SHORT)}])=", re.IGNORECASE)
_SUM = re.compile(r"t=(?:t|10|[0-9a]+(?:\+[0-9a]+)+)", re.IGNORECASE)  # a move by a card of ten, and no key


def before_moves(words: Sequence[str]) -> tuple[str, Sequence[str]]:
    """What stands before some moves, at least one word: a file, or a line without quotes up to its last key."""
    keyed = [number for number, word in enumerate(words) if _KEYED.match(word) and not _SUM.fullmatch(word)]
    if not keyed or not is_line(" ".join(words)) or is_line(words[0]):
        return words[0], words[1:]
    return " ".join(words[: keyed[-1] + 1]), words[keyed[-1] + 1 :]


def name_of(path: str) -> str:
    """How messages call an input."""
    return "<stdin>" if path == STDIN else "the text" if _is_text(path) else path


def _is_text(path: str) -> bool:
    return path.lstrip().startswith("{") or is_line(path)


def read(path: str) -> bytes:
    """The bytes of a file, of standard input, or of a text that stands in the place of a file's name."""
    if _is_text(path):
        return path.encode("utf-8", "surrogateescape")
    if path == STDIN and sys.stdin is None:
        raise CommandFailure("there is no standard input")
    try:
        return sys.stdin.buffer.read() if path == STDIN else Path(path).read_bytes()
    except (OSError, ValueError) as found:
        raise CommandFailure(f"cannot read {name_of(path)}: {reason_of(found)}") from None


def deck(game: str, named: str | None) -> str | dict[str, Any] | None:
    """The deck of a game that a name means, or that a file holds: then its data. Errors about a file name it."""
    from solver.decks import read_for

    if named is None or not (named == STDIN or named.endswith(".toml") or "/" in named or os.sep in named):
        return named
    content = read(named)
    with about(name_of(named)):
        return read_for(game, content)


def position(path: str) -> BaseModel:
    """The position in a file. Every error names the file."""
    from athanor.questions import position_of

    content = read(path)
    with about(name_of(path)):
        return position_of(content)


def record(path: str) -> BaseModel:
    """The finished round or match in a file. Every error names the file."""
    from athanor.questions import record_of

    content = read(path)
    with about(name_of(path)):
        return record_of(content)
