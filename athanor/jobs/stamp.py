"""Which Athanor this is, and how it is set: results of one are not mixed with those of another."""

from __future__ import annotations

import hashlib
from functools import cache
from pathlib import Path

from solver.search.memory.settings import table_megabytes

_ROOT = Path(__file__).resolve().parents[2]
_PACKAGES = ("athanor", "puzzles", "solver")
_SUFFIXES = (".py", ".toml")


@cache
def stamp() -> str:
    """A hash of all that answers depend on beside the question: sources, shipped decks, the size of tables."""
    found = hashlib.blake2b(f"{table_megabytes()}\n".encode(), digest_size=8)
    for package in _PACKAGES:
        for path in sorted((_ROOT / package).rglob("*")):
            if path.suffix in _SUFFIXES:
                found.update(f"{path.relative_to(_ROOT)}\n".encode())
                found.update(path.read_bytes())
    return found.hexdigest()
