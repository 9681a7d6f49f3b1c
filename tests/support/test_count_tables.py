"""The committed move-count tables are what the references count, and what the rules count."""

from __future__ import annotations

import json
from collections import Counter
from typing import Any

import pytest

from solver.positions import AnyPosition, parse_position
from solver.registry import game
from tests.support import count_tables


def test_tables_are_what_the_references_count() -> None:
    for name, text in count_tables.files():
        assert (count_tables.FOLDER / name).read_text(encoding="utf-8") == text, name


def rows(name: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads((count_tables.FOLDER / name / "counts.json").read_text("utf-8"))
    return found


@pytest.mark.parametrize("name", ["king", "aqua-regia"])
def test_rules_count_the_same(name: str) -> None:
    """Move by move, each line a position of its own; so only the first few hundred lines."""
    rules = game(name)
    for row in rows(name):
        ended, positions = 0, [parse_position(row["position"])]
        for lines in row["lines"]:
            later: list[AnyPosition] = []
            for position in positions:
                moves = rules.legal_moves(position)
                assert len(set(moves)) == len(moves)
                ended += not moves
                later += [rules.play(position, move) for move in moves]
            assert ended + len(later) == lines
            if lines > 150:
                break
            positions = later


def test_tables_have_every_number_of_players() -> None:
    for name in ("king", "aqua-regia"):
        seats = Counter(len(row["position"]["hands"]) for row in rows(name))
        assert sorted(seats) == list(range(game(name).players[0], game(name).players[1] + 1))
