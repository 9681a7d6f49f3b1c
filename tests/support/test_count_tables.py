"""The committed move-count tables, which the rules are held to, are what the references count."""

from __future__ import annotations

import json
from collections import Counter
from typing import Any

from solver.registry import game
from tests.support import count_tables


def test_tables_are_what_the_references_count() -> None:
    """Of every fourth position: the rules are asked about all of them."""
    for name, positions, found in count_tables.TABLES:
        for number, (row, position) in enumerate(zip(rows(name), positions(), strict=True)):
            assert row["position"] == position
            assert number % 4 or row["lines"] == found(position)


def rows(name: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads((count_tables.FOLDER / name / "counts.json").read_text("utf-8"))
    return found


def test_tables_have_every_number_of_players() -> None:
    for name, _, _ in count_tables.TABLES:
        seats = Counter(len(row["position"]["hands"]) for row in rows(name))
        assert sorted(seats) == list(range(game(name).players[0], game(name).players[1] + 1))
