"""The puzzles that are shipped, by the files that they are in."""

from __future__ import annotations

from puzzles.format import Puzzle, load
from tests.support import places


def collection(name: str) -> tuple[Puzzle, ...]:
    """The puzzles of a file of the collection."""
    return load(places.COLLECTION / f"{name}.toml").puzzles
