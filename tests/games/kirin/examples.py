"""Positions and views of Kirin as users write them, and changes that make them wrong."""

from __future__ import annotations

from typing import Any

import pytest

from solver.errors import PositionError
from solver.positions import parse_position

ENDING: dict[str, Any] = {
    "game": "kirin",
    "direction": "ascending",
    "leader": 0,
    "trick": ["S3"],
    "hands": [["G1"], ["D4", "S6"], ["G2", "G5"], ["B1", "B+"]],
    "declared": ["D1", "S1", "B6", "G6"],
}


NINES = [
    ["D1", "D2", "D3", "D4", "D5", "D6", "DT", "D+", "D-"],
    ["S1", "S2", "S3", "S4", "S5", "S6", "ST", "S+", "S-"],
    ["B1", "B2", "B3", "B4", "B5", "B6", "BT", "B+", "B-"],
    ["G1", "G2", "G3", "G4", "G5", "G6", "GT", "G+", "G-"],
]


BEFORE: dict[str, Any] = {"game": "kirin", "seat": 0, "leader": 2, "hands": NINES}


# Ascending. S3 was led; D5 followed; G1 and S2 did not, so seats 0 and 1 held no D4 D5 D6 DT D+ D-.
SEEN: dict[str, Any] = {
    "game": "kirin",
    "seat": 0,
    "hand": ["S1", "S5", "B1", "B2", "G2", "G3", "G4"],
    "declared": "D1",
    "leader": 3,
    "history": [{"leader": 2, "cards": ["S3", "D5", "G1", "S2"]}],
}


BEFORE_SEEN: dict[str, Any] = {"game": "kirin", "seat": 2, "leader": 0, "hand": NINES[1]}


def change(data: dict[str, Any], **keys: Any) -> dict[str, Any]:
    """The position with other keys; a key given as None is left out."""
    return {key: value for key, value in (data | keys).items() if value is not None}


def refused(data: object, code: str, path: str, words: str) -> None:
    with pytest.raises(PositionError) as found:
        parse_position(data)
    assert (found.value.code, found.value.path) == (code, path)
    assert words in found.value.message
