"""Reading what the user names: a file, or - for standard input."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

from api.cli.terminal.failures import CommandFailure, about, reason_of

if TYPE_CHECKING:
    from pydantic import BaseModel

STDIN = "-"


def name_of(path: str) -> str:
    """How messages call an input."""
    return "<stdin>" if path == STDIN else path


def read(path: str) -> bytes:
    """The bytes of a file or of standard input."""
    if path == STDIN and sys.stdin is None:
        raise CommandFailure("there is no standard input")
    try:
        return sys.stdin.buffer.read() if path == STDIN else Path(path).read_bytes()
    except (OSError, ValueError) as found:
        raise CommandFailure(f"cannot read {name_of(path)}: {reason_of(found)}") from None


def position(path: str) -> BaseModel:
    """The position in a file. Every error names the file."""
    from athanor.reading import position_of

    content = read(path)
    with about(name_of(path)):
        return position_of(content)


def record(path: str) -> BaseModel:
    """The finished round or match in a file. Every error names the file."""
    from athanor.reading import record_of

    content = read(path)
    with about(name_of(path)):
        return record_of(content)
