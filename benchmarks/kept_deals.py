"""Deals that a long run keeps in a file, a line of JSON a deal, so that another goes on where it ended."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, TypeVar

T = TypeVar("T")


def kept(path: Path | None, key: Mapping[str, object], what: str) -> dict[int, Any]:
    """What the file tells of the deals that were played so, by their numbers."""
    if path is None or not path.exists():
        return {}
    rows = map(json.loads, path.read_text(encoding="utf-8").splitlines())
    return {row["deal"]: row[what] for row in rows if {name: row.get(name, False) for name in key} == key}


def complete(
    rows: dict[int, T],
    count: int,
    path: Path | None,
    key: Mapping[str, object],
    what: str,
    play: Callable[[int], T],
) -> None:
    """Play those of the first `count` deals that are not among the rows, and add each to the file."""
    for number in range(count):
        if number not in rows:
            rows[number] = play(number)
            if path is not None:
                with path.open("a", encoding="utf-8") as file:
                    file.write(json.dumps({**key, "deal": number, what: rows[number]}) + "\n")
