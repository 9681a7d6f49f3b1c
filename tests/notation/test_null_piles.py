"""Piles of no cards: what is said of them besides the history."""

from __future__ import annotations

import pytest

from solver.inputs.errors import PositionError
from solver.positions import parse_position


def test_piles_of_what_is_no_card_are_told_of() -> None:
    given = {"game": "kirin", "seat": 1, "hand": "D6", "declared": "S6", "leader": 0, "won": [[None, None]]}
    with pytest.raises(PositionError):
        parse_position(given)
