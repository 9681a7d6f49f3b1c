"""What the tests of the API share: positions, a puzzle file, and what an error looks like."""

from __future__ import annotations

import json
from typing import Any

from werkzeug.test import TestResponse

import athanor

KNOWN: dict[str, Any] = {
    "game": "alchemy",
    "variant": "solo",
    "cap": 6,
    "line": ["4", "7", "K", "2", "9", "A"],
    "hand": "6",
    "stock": ["5", "Q", "3", "8"],
}
HIDDEN: dict[str, Any] = {
    "game": "alchemy",
    "variant": "alternative",
    "cap": 4,
    "line": ["2", "5", "7", "9"],
    "hand": "4",
    "unseen": ["A", "3", "6", "8"],
}
DUEL: dict[str, Any] = {
    "game": "alchemy",
    "variant": "duel",
    "line": ["2", "3", "5", "7", "9", "J"],
    "hand": "9",
    "opponent_hand": "K",
}
FREE: dict[str, Any] = {"game": "alchemy", "variant": "free", "min_line": 1, "line": list("23579"), "hand": "9"}
OPTIMUM: dict[str, Any] = {**FREE, "objective": "most-cards"}
POSITIONS = {"known": KNOWN, "duel": DUEL, "free": FREE, "optimum": OPTIMUM}

FILE = """
[[puzzle]]
id = "one"
title = "First"
ask = "winnable"
position = { game = "alchemy", variant = "solo", cap = 3, line = ["4","7","K"], hand = "6", stock = ["5"] }
solution = { value = "lost" }

[[puzzle]]
id = "two"
title = "Second"
ask = "all-matches"
position = { game = "alchemy", variant = "free", min_line = 1, line = ["2","3","5","7","9"], hand = "9" }
"""


def warmed() -> None:
    """Load the kernels, or compiling them would use up the limits."""
    for name in athanor.games():
        athanor.game(name).warm()


def refused(found: TestResponse, status: int, code: str, path: str = "") -> str:
    """That an answer is the contract's error; its message."""
    assert found.status_code == status, found.text
    assert found.mimetype == "application/json"
    assert found.json is not None
    assert set(found.json) == {"error"}
    error = found.json["error"]
    assert set(error) - {"faults"} == {"code", "path", "message", "request_id"}
    assert error["request_id"] == found.headers["X-Request-Id"]
    assert (error["code"], error["path"]) == (code, path)
    assert error["message"]
    return str(error["message"])


def lines_of(found: TestResponse) -> list[dict[str, Any]]:
    assert found.status_code == 200, found.text
    assert found.mimetype == "application/x-ndjson"
    assert found.text.endswith("\n")
    return [json.loads(line) for line in found.text.splitlines()]
