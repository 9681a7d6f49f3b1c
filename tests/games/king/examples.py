"""Positions, views and rounds of King × Alchemy as users write them."""

from __future__ import annotations

from typing import Any

import pytest

from solver.errors import PositionError
from solver.games.king.deck import house
from solver.positions import parse_position

# Seat 0: Electrum (F11 of F10 W7) for 7. Seat 1: the Stone (T5 of E9 A3 W2 F1) for 18.
# Seat 2: Red Calx (F3 of E2 A2) for 5 or Gunpowder (T1 of Calcination, Saltpetre, Sulfur) for 9, which uses up F3.
ROUND: dict[str, Any] = {
    "won": [
        ["F10", "F11", "W7", "W1", "W3"],
        ["T5", "E9", "A3", "W2", "F1", "E3"],
        ["F3", "E2", "A2", "T1", "A1", "A4"],
    ]
}


DECK = house()


ENDING: dict[str, Any] = {
    "game": "king",
    "deck": "house",
    "leader": 0,
    "trick": ["F7"],
    "hands": [["W1"], ["F9", "D"], ["E2", "A5"]],
}


FULL: dict[str, Any] = ENDING | {"trick": ["F7", "D:F", "E2"], "hands": [["W1"], ["W9"], ["A5"]]}


CODES = DECK.codes(range(50))


# Dealt in the deck's order: seats 0 to 3 have 12 each, T5 and D are removed
TWELVES = [CODES[12 * seat : 12 * seat + 12] for seat in range(4)]


BEFORE: dict[str, Any] = {
    "game": "king",
    "deck": "house",
    "stage": "pick",
    "seat": 0,
    "leader": 2,
    "hands": TWELVES,
}


BEFORE_SEEN: dict[str, Any] = {
    "game": "king",
    "deck": "house",
    "stage": "pick",
    "seat": 1,
    "leader": 2,
    "hand": TWELVES[1],
    "removed": ["T5", "D"],
}


# F1 W2 E3 A4 were picked. F2 led and won: the others had no Fire.
SEEN: dict[str, Any] = {
    "game": "king",
    "deck": "house",
    "seat": 0,
    "hand": TWELVES[0][2:],
    "won": [["F1", "F2"], ["W2"], ["E3"], ["A4"]],
    "removed": ["T5", "D"],
    "leader": 0,
    "history": [{"leader": 0, "cards": ["F2", "W3", "E4", "A5"]}],
}


CARDS: dict[str, Any] = {"game": "king", "deck": "house", "cards": ["F11", "F10", "W7"]}


def change(data: dict[str, Any], **keys: Any) -> dict[str, Any]:
    """The position with other keys; a key given as None is left out."""
    return {key: value for key, value in (data | keys).items() if value is not None}


def refused(data: object, code: str, path: str, words: str) -> None:
    with pytest.raises(PositionError) as found:
        parse_position(data)
    assert (found.value.code, found.value.path) == (code, path), found.value.message
    assert words in found.value.message
