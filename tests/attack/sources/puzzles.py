"""Puzzle files, as TOML and as JSON: of the collection and of random positions, with faults in data and text."""

from __future__ import annotations

import json
import random
import tomllib
from functools import cache
from typing import Any

from puzzles import format as puzzle_format
from puzzles.format import ASKS
from solver.errors import AthanorError
from tests.attack.case import JSON, TOML, Case, allowed, request
from tests.attack.changes import JUNK, changed, scratched
from tests.attack.sources.positions import moment
from tests.support.mangling import mangle
from tests.support.places import COLLECTION

_PIECES = (
    "[[puzzle]]\n",
    "[puzzle.position]\n",
    "a.a.a.a = 1\n",
    "x = [",
    "]\n",
    '"""',
    "'''",
    "= = \n",
    "[a.b]\n",
)
_QUERIES = ("?seconds=0.02", "?seconds=0.05", "?seconds=0.02&nodes=5", "?nodes=1&seconds=0.02")
_ODD_QUERIES = ("?seconds=-1", "?seconds=nan", "?seconds=0.02&seconds=1", "?nodes=0", "?x=%ff&seconds=0.02", "?=")


def asked(rng: random.Random) -> Case:
    """A file of one to three puzzles."""
    puzzles = [_puzzle(rng) for _ in range(rng.randrange(1, 4))]
    file: Any = {"puzzle": puzzles}
    if rng.random() < 0.2:
        file = mangle(file, rng, JUNK, ("puzzle", "title", "id"))
    if rng.random() < 0.5:
        return _sent(json.dumps(file).encode(), JSON, file, rng)
    try:
        text = puzzle_format.dumps(puzzle_format.from_data(file)).encode("utf-8", "surrogatepass")
    except AthanorError:
        return _sent(json.dumps(file).encode(), JSON, file, rng)
    return _sent(scratched(text, rng) if rng.random() < 0.4 else text, TOML, file, rng)


def written(rng: random.Random) -> Case:
    """A puzzle of the collection as its file has it, scratched, and with pieces of TOML put into it."""
    text = rng.choice(_texts())
    for _ in range(rng.randrange(3)):
        place = rng.randrange(len(text))
        text = text[:place] + rng.choice(_PIECES) * rng.choice((1, 1, 2, 50, 2000)) + text[place:]
    sent = scratched(text.encode(), rng) if rng.random() < 0.7 else text.encode()
    return _sent(sent, TOML, {"puzzle": [None]}, rng)


def answered(rng: random.Random) -> Case:
    """A move as the answer to a puzzle."""
    puzzle = rng.choice(_collection())
    moves = [*puzzle.get("solution", {}).get("best", ()), "pass", "D6", "x"]
    data = changed({"puzzle": puzzle, "move": rng.choice(moves)}, rng)
    text = json.dumps(data).encode()
    address = "/v1/puzzles/reply"
    return Case("puzzles", request("POST", address, text, JSON), allowed(address, data, len(text)))


def _sent(text: bytes, kind: str, data: Any, rng: random.Random) -> Case:
    query = rng.choice(_QUERIES) if rng.random() < 0.9 else rng.choice(_ODD_QUERIES)
    address = f"/v1/solve{query}" if rng.random() < 0.8 else "/v1/puzzles"
    return Case("puzzles", request("POST", address, text, kind), allowed(address, data, len(text)))


def _puzzle(rng: random.Random) -> Any:
    if rng.random() < 0.5:
        return changed(rng.choice(_collection()), rng)
    position = changed(moment(rng), rng)
    return {"id": rng.choice(("a", "b", "c")), "title": "Attack", "ask": rng.choice(ASKS), "position": position}


@cache
def _collection() -> list[dict[str, Any]]:
    return [puzzle for text in _files() for puzzle in tomllib.loads(text)["puzzle"]]


@cache
def _texts() -> list[str]:
    """Each puzzle of the collection as its file has it."""
    return ["[[puzzle]]" + piece for text in _files() for piece in text.split("[[puzzle]]")[1:]]


@cache
def _files() -> list[str]:
    return [path.read_text(encoding="utf-8") for path in sorted(COLLECTION.glob("*.toml"))]
