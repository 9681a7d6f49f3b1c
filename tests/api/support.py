"""What the tests of the API share: positions, games, a puzzle file, long searches, and the shape of an error."""

from __future__ import annotations

import json
import re
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from werkzeug.test import TestResponse

import athanor
from api.config import Config
from api.search_pool import Asker, SearchPool
from athanor.sessions import Saved, Session, loads
from solver.limits import Control, Limit
from tests.support.places import ROOT
from tests.support.timing import PATIENCE

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


def paths_of(error: dict[str, Any]) -> list[str]:
    return [fault["path"] for fault in error.get("faults", [error] if error else [])]


def rooted(path: str, body: Any) -> bool:
    """Whether a path leads into a body as it was sent, through its keys and places, to a value or a missing key.

    Of a text, such as a position in one line, it may name the parts.
    """
    steps = re.findall(r"[^.\[\]]+", path)
    for step in steps[:-1]:
        if isinstance(body, str):
            return True
        if isinstance(body, dict) and step in body:
            body = body[step]
        elif isinstance(body, list) and step.isdecimal() and int(step) < len(body):
            body = body[int(step)]
        else:
            return False
    return not steps or isinstance(body, dict | str) or (isinstance(body, list) and steps[-1].isdecimal())


def lines_of(found: TestResponse) -> list[dict[str, Any]]:
    assert found.status_code == 200, found.text
    assert found.mimetype == "application/x-ndjson"
    assert found.text.endswith("\n")
    return [json.loads(line) for line in found.text.splitlines()]


KIRIN: dict[str, Any] = {"game": "kirin", "seed": 3, "seat": 2, "rounds": 1, "seconds": 0.05}


def ended(options: dict[str, Any]) -> dict[str, Any]:
    """A game of one round, played by the first legal move throughout."""
    session = Session(Saved(**options), forced=False)
    while not session.over:
        session.play(session.round.moves()[0])
    return session.saved.model_dump(mode="json", exclude_none=True)


def followed() -> dict[str, Any]:
    """A round at a real table, from its first card to its last."""
    [saved] = loads((ROOT / "docs/examples/table.txt").read_bytes())
    return saved.model_dump(mode="json", exclude_none=True)


LIMIT = Limit(seconds=20.0)


def lanes(slots: int) -> SearchPool:
    """Searches in the threads that ask: so many slots a lane."""
    return SearchPool(Config(searches=slots))


@contextmanager
def searching(searches: SearchPool, client: str = "", count: int = 1) -> Iterator[threading.Event]:
    """Within this, long searches run, until their flag or the end; the flag of the last one begun."""
    ended = threading.Event()
    begun = threading.Semaphore(0)
    flags: list[threading.Event] = []

    def work(control: Control) -> None:
        assert control.cancel is not None
        flags.append(control.cancel)
        begun.release()
        while not ended.is_set() and not control.cancelled():
            time.sleep(0.002)

    def ask() -> None:
        searches.run(work, LIMIT, Asker(client), tried=False)

    threads = [threading.Thread(target=ask) for _ in range(count)]
    for thread in threads:
        thread.start()
        assert begun.acquire(timeout=PATIENCE)
    try:
        yield flags[-1]
    finally:
        ended.set()
        for thread in threads:
            thread.join()
