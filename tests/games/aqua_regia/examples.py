"""Positions, views and decks of Aqua Regia as users write them."""

from __future__ import annotations

from typing import Any

KNOWN: dict[str, Any] = {
    "game": "aqua-regia",
    "deck": "house",
    "field": "acid",
    "reversed": False,
    "turn": 2,
    "table": ["Li", "Zn", "Zn"],
    "owner": 1,
    "hands": [["Li", "Cu"], ["Au", "Fe", "Fe"], ["Fe", "Sn", "Sn"]],
    "stock": ["Pb", "Li"],
    "discard": ["K", "K", "Pb"],
    "known": [[], ["Au"], []],
    "deal_passes": [{"seat": 1, "field": "water", "most": 0}],
}


SEEN: dict[str, Any] = {
    "game": "aqua-regia",
    "deck": "house",
    "field": "acid",
    "turn": 2,
    "table": ["Li", "Zn", "Zn"],
    "owner": 1,
    "discard": ["K", "K", "Pb"],
    "seat": 2,
    "hand": ["Fe", "Sn", "Sn"],
    "counts": [2, 3, 3],
    "known": [[], ["Au"], ["Sn"]],
    "stock_count": 2,
}


def change(data: dict[str, Any], **keys: Any) -> dict[str, Any]:
    """The position with other keys; a key given as None is left out."""
    return {key: value for key, value in (data | keys).items() if value is not None}


SMALL: dict[str, Any] = {
    "name": "small",
    "copies": 2,
    "metal": [
        {"symbol": "Fe", "reactivity": {"water": 0, "vapor": 1, "acid": 2, "aqua-regia": 3}},
        {"symbol": "Ag", "reactivity": {"water": 1, "vapor": 0, "acid": 0, "aqua-regia": 9}},
    ],
}


# Positions that a hint is asked for.
QUESTIONS: list[dict[str, Any]] = [
    SEEN,
    SEEN | {"drawn": "Ag"},
    SEEN | {"stock_count": 0},
    change(SEEN, table=[], owner=None),
    SEEN | {"deal_passes": [{"seat": 0, "field": "water"}]},
]
