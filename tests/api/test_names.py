"""What games bring they declare themselves: no file outside the games' folders names one of them."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

from solver import registry
from tests.support import places

_SHARED = (
    "api",
    "puzzles",
    "solver/protocol",
    "solver/inputs",
    "solver/common",
    "solver/decks.py",
    "solver/positions.py",
)


def sources() -> Iterator[Path]:
    for name in _SHARED:
        path = places.ROOT / name
        yield from [path] if path.is_file() else filter(_is_shared, path.rglob("*.py"))


def _is_shared(path: Path) -> bool:
    """Whether a file is not the checker of certificates, which has plain rules of each game of its own."""
    return path.name != "check_proof.py" and path.parent.name != "plain"


def test_no_text_outside_the_games_names_one() -> None:
    words = "|".join(re.escape(name) for name in registry.names())
    named = re.compile(rf"(?<![\w-])({words})(?![\w-])", re.IGNORECASE)
    found = [
        f"{path.relative_to(places.ROOT)}:{node.lineno}: {node.value!r}"
        for path in sources()
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and named.search(node.value)
    ]
    assert not found
