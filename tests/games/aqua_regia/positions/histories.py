"""A view of Aqua Regia with a history."""

from __future__ import annotations

from typing import Any

# Seat 2 led Li, seat 0 played Na on it, seat 1 drew and took K for Li, seat 2 passed, so seat 0 leads now.
SEEN: dict[str, Any] = {
    "game": "aqua-regia",
    "field": "vapor",
    "turn": 0,
    "seat": 0,
    "hand": ["Fe", "Sn"],
    "counts": [2, 3, 2],
    "known": [[], ["K"], []],
    "stock_count": 3,
    "discard": ["Li", "Li", "Na"],
    "history": [
        {"field": "water", "leader": 2, "stock_count": 5, "moves": ["Li", "Na", "pass Li>K", "pass"]},
    ],
}
