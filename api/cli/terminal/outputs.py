"""Writing files that the user names, and positions that can be read back."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from api.cli.terminal.console import echo
from api.cli.terminal.failures import CommandFailure, reason_of

if TYPE_CHECKING:
    from pydantic import BaseModel


@contextmanager
def writing(path: str) -> Iterator[None]:
    """Every failure inside names the file."""
    try:
        yield
    except OSError as found:
        raise CommandFailure(f"cannot write {path}: {reason_of(found)}") from None


def write(path: str, text: str) -> None:
    """Write a text whole, or leave what was there."""
    from puzzles.format import replacing

    with writing(path), replacing(path) as temporary:
        temporary.write_text(text, encoding="utf-8")


def check(path: str) -> None:
    """Fail now, before any work, if the file cannot be written."""
    from puzzles.format import check_replaceable

    with writing(path):
        check_replaceable(path)


def tell(position: BaseModel, *, as_text: bool) -> None:
    """Print a position so that it can be read back: as JSON, or as one line of text."""
    import json

    from solver.positions import position_data, text_of

    echo(text_of(position) if as_text else json.dumps(position_data(position), ensure_ascii=False))
