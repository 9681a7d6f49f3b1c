"""Positions, and puzzles about them."""

from __future__ import annotations

from typing import Any

from puzzles.check import PuzzleResult, solve_puzzle
from puzzles.format import Puzzle, from_data
from solver.limits import Limit

WON = {
    "game": "alchemy", "variant": "alternative", "cap": 4, "line": ["4", "7", "2", "9"], "hand": "6",
    "stock": ["5", "A", "10", "3", "3", "8"],
}  # fmt: skip
LOST = {
    "game": "alchemy", "variant": "solo", "cap": 3, "line": ["K", "K", "Q"], "hand": "A", "stock": ["2", "3"],
}  # fmt: skip
DUEL = {
    "game": "alchemy", "variant": "duel",
    "line": ["J", "2", "5", "K", "3", "Q"], "hand": "A", "opponent_hand": "8",
}  # fmt: skip
FREE = {"game": "alchemy", "variant": "free", "min_line": 1, "line": ["A", "2", "3"], "hand": "4"}
NO_MATCH = {"game": "alchemy", "variant": "free", "min_line": 1, "line": ["A"], "hand": "K"}
FEWEST = FREE | {"objective": "fewest-cards", "line": ["A", "2", "3", "4", "6"]}
TIED = FREE | {"objective": "most-cards", "line": ["A", "A", "2", "2", "3", "5"], "hand": "2", "cards": 2}
DEAL = {"game": "alchemy", "variant": "solo", "cap": 6, "line": ["4", "7", "K", "2", "9", "A"], "hand": "6"}


def puzzle(ask: str, position: dict[str, Any], key: str = "p", /, **solution: object) -> Puzzle:
    data = {"id": key, "title": "T", "ask": ask, "position": position}
    (read,) = from_data({"puzzle": [data | ({"solution": solution} if solution else {})]}).puzzles
    return read


def solved(ask: str, position: dict[str, Any], **solution: object) -> PuzzleResult:
    return solve_puzzle(puzzle(ask, position, **solution), Limit())
