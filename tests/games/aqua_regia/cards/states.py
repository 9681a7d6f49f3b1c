"""States of Aqua Regia written by symbols, and what follows them."""

from __future__ import annotations

from typing import Any

from solver.games.aqua_regia import GAME
from solver.games.aqua_regia.position import KnownPosition
from solver.positions import parse_position


def position(*hands: str, **keys: Any) -> KnownPosition:
    """A house position; the cards as text."""
    cards = {key: value.split() for key, value in keys.items() if key in ("table", "stock", "discard")}
    data = {"game": "aqua-regia", "field": "water", "turn": 0, "hands": [hand.split() for hand in hands]}
    found = parse_position(data | keys | cards)
    assert isinstance(found, KnownPosition)
    return found


def moves(at: KnownPosition) -> list[str]:
    return [GAME.format_move(at, move) for move in GAME.legal_moves(at)]


def after(at: KnownPosition, *texts: str) -> KnownPosition:
    for text in texts:
        at = GAME.play(at, GAME.parse_move(at, text))  # type: ignore[assignment]
    return at
