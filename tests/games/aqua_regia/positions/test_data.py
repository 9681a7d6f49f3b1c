"""Playthroughs of Aqua Regia and the reference's move counts, as recorded: made anew and compared."""

from __future__ import annotations

import json
from typing import Any

import pytest

from solver.games.aqua_regia import rules
from solver.games.aqua_regia.deck import Deck
from solver.games.aqua_regia.position import KnownPosition
from solver.games.aqua_regia.rules import State
from solver.positions import parse_position
from tests.games.aqua_regia import data

ROWS: list[dict[str, Any]] = json.loads((data.FOLDER / "counts.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize("players", data.PLAYTHROUGHS)
def test_playthroughs_are_as_recorded(players: int) -> None:
    recorded = (data.FOLDER / f"playthrough-{players}.txt").read_text(encoding="utf-8")
    assert data.playthrough(players, data.PLAYTHROUGHS[players]) == recorded


def test_the_playthroughs_cover_what_can_happen() -> None:
    text = "".join(path.read_text(encoding="utf-8") for path in data.FOLDER.glob("playthrough-*.txt"))
    for words in (", reversed)", "Field: aqua-regia", ">", "Stock: empty", "none of them may be taken", "wins"):
        assert words in text


def count_lines(deck: Deck, state: State, plies: int) -> int:
    """In how many ways the next `plies` moves can be made."""
    if plies == 0 or state.winner is not None:
        return 1
    moves = rules.legal_moves(deck, state)
    if plies == 1:
        return len(moves)
    return sum(count_lines(deck, rules.play(deck, state, move), plies - 1) for move in moves)


@pytest.mark.parametrize("row", ROWS, ids=range(len(ROWS)))
def test_move_counts_are_as_recorded(row: dict[str, Any]) -> None:
    position = parse_position(row["position"])
    assert isinstance(position, KnownPosition)
    counted = [count_lines(position.metals, position.state, plies + 1) for plies in range(len(row["lines"]))]
    assert counted == row["lines"]
