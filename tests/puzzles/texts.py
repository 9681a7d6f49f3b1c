"""Texts of puzzle files, and what is wrong with them."""

from __future__ import annotations

import pytest

from puzzles.format import loads
from solver.errors import PuzzleError

FREE = '{ game = "alchemy", variant = "free", min_line = 1, line = ["A", "2", "3"], hand = "4" }'
SOLO = (
    '{ game = "alchemy", variant = "alternative", cap = 4, line = ["4", "7", "2", "9"], hand = "6", '
    'stock = ["5", "A", "10", "3", "3", "8"] }'
)
HIDDEN = '{ game = "alchemy", variant = "alternative", cap = 4, line = ["4", "7", "2", "9"], hand = "6" }'


def puzzle(name: str = "a", ask: str = "all-matches", position: str = FREE, more: str = "") -> str:
    return f'[[puzzle]]\nid = "{name}"\ntitle = "T"\nask = "{ask}"\nposition = {position}\n{more}\n'


def error(text: str) -> PuzzleError:
    with pytest.raises(PuzzleError) as found:
        loads(text)
    return found.value


def where(text: str) -> tuple[str, int]:
    found = error(text)
    return found.path, found.line
