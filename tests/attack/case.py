"""One thing that a client of the attack sends, what it may expect, and how what is sent is changed."""

from __future__ import annotations

import json
import random
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

from athanor.reviews import SECONDS
from tests.support.mangling import lists_of, mangle, slots_of

# The limits of the service under attack, in seconds (`server.py` sets them).
DEFAULT_SECONDS = 0.1
HINT_SECONDS = 0.1
MAX_SECONDS = 2.0
REPLY_SECONDS = 6.0  # for how play goes on after an answer to a puzzle, and for deals that refute it
SLACK_SECONDS = 0.05  # over its limit
TOLD_SECONDS = 0.1  # what needs no search
_READ_SECONDS = 0.3  # a megabyte
_JUDGED_SECONDS = 1.0  # for a question about a move in a review with a limit of nodes
_MEGABYTE = 1 << 20
JSON = "application/json"
TOML = "application/toml"


@dataclass(frozen=True, slots=True)
class Case:
    """Bytes for a connection. A `whole` case is one request, which must get one answer within `seconds`."""

    kind: str
    sent: bytes
    seconds: float
    whole: bool = True

    @property
    def shown(self) -> str:
        """Its beginning, for people."""
        return ascii(self.sent[:300])[2:-1] + (f"… ({len(self.sent):,} bytes)" if len(self.sent) > 300 else "")


def request(method: str, address: str, body: bytes = b"", kind: str = JSON, more: tuple[str, ...] = ()) -> bytes:
    """The bytes of a request."""
    lines = [f"{method} {address} HTTP/1.1", "Host: localhost", *more]
    if body or method == "POST":
        lines += [f"Content-Type: {kind}", f"Content-Length: {len(body)}"]
    return "\r\n".join([*lines, "", ""]).encode("latin-1", "replace") + body


def posted(kind: str, address: str, data: Any) -> Case:
    """A whole case that posts `data` as JSON."""
    body = json.dumps(data).encode()
    return Case(kind, request("POST", address, body), allowed(address, data, len(body)))


def allowed(address: str, data: Any, size: int = 0) -> float:
    """How long the answer may take: the limit that the request names or gets, and some more."""
    reading = SLACK_SECONDS + _READ_SECONDS * size / _MEGABYTE
    path = urlsplit(address).path
    if path == "/v1/solve":
        limit = data.get("limit") if isinstance(data, dict) else None
        given = limit.get("seconds") if isinstance(limit, dict) else None
        puzzles = data.get("puzzle") if isinstance(data, dict) else None
        count = len(puzzles) if isinstance(puzzles, list | dict) else max(1, size // 50)
        return reading + max(1, count) * (seconds_of(given, DEFAULT_SECONDS) + SLACK_SECONDS)
    if path == "/v1/batch":
        questions = data.get("questions") if isinstance(data, dict) else None
        asked = [one for one in questions if isinstance(one, dict)] if isinstance(questions, list) else []
        return reading + TOLD_SECONDS + sum(allowed(f"/v1/{one.get('ask')}", one) for one in asked)
    # A choice takes what the game says.
    if path in ("/v1/match", "/v1/match/log", "/v1/match/ended", "/v1/match/turn", "/v1/match/hint"):
        match = data.get("match") if isinstance(data, dict) else None
        given = match.get("seconds") if isinstance(match, dict) else None
        return reading + TOLD_SECONDS + max(DEFAULT_SECONDS, seconds_of(given, DEFAULT_SECONDS))
    if path == "/v1/match/review" and isinstance(data, dict):
        # Of each move a hint, an analysis and, where the hint prefers another, two comparisons of twice the time.
        match, limit = (data[key] if isinstance(data.get(key), dict) else {} for key in ("match", "limit"))
        each = seconds_of(limit.get("seconds"), SECONDS if limit.get("nodes") is None else _JUDGED_SECONDS)
        return reading + TOLD_SECONDS + 6 * len(str(match.get("moves")).split(",")) * (each + SLACK_SECONDS)
    if path == "/v1/puzzles/answer":
        return reading + DEFAULT_SECONDS + REPLY_SECONDS
    if path in ("/v1/analyze", "/v1/hint", "/v1/compound"):
        limit = data.get("limit") if isinstance(data, dict) else None
        given = limit.get("seconds") if isinstance(limit, dict) else None
        free = path == "/v1/hint" and isinstance(data, dict) and (limit or data.get("worlds") is not None)
        return reading + seconds_of(given, MAX_SECONDS if free else max(DEFAULT_SECONDS, HINT_SECONDS))
    return reading + (HINT_SECONDS if path == "/v1/score" else TOLD_SECONDS)


def seconds_of(given: object, default: float) -> float:
    """A limit that is named, or the default where none is that the service can take."""
    try:
        found = float(given)  # type: ignore[arg-type]
    except (TypeError, ValueError, OverflowError):
        return default
    return min(found, MAX_SECONDS) if found > 0 else default


# Changes: such as leave it likely to be valid, wild ones, and ones of its bytes.


JUNK: tuple[Any, ...] = (
    *(None, True, False, 0, 1, -1, 2, 7, 5.0, 0.5, -0.0, 1e308, 2**31, 2**53 + 1, 2**63, 2**64, 10**40),
    *("", "A", "X", "Q", "F1", "D1", "Au", "house", "king", "ü", "\x00", "\x1b[2J", "\ud800", "a" * 600, "١"),
    *([], {}, [[]], [None], ["A"], {"": 1}, {"seconds": 0.02}, [[[[[[]]]]]], ["K"] * 60, float("nan")),
)
_KEYS = ("seat", "history", "extra", "deck", "hand", "hands", "", "__class__", "text")
_SCRATCHES = (
    b"", b"\x00", b"\xff", b'"', b"{", b"}", b"[", b",", b"\\", b"e9", b"\r\n", b"\n", b"=", b"\xed\xa0\x80",
)  # fmt: skip


def changed(data: Any, rng: random.Random) -> Any:
    """The data, as it is or with up to three changes."""
    for _ in range(rng.choice((0, 0, 0, 0, 1, 1, 1, 2, 3))):
        data = bent(data, rng) if rng.random() < 0.6 else mangle(data, rng, JUNK, _KEYS)
    return data


def bent(data: Any, rng: random.Random) -> Any:
    """A copy in which texts or numbers have changed places, or entries went from one list to another."""
    data = _copied(data)
    slots = list(slots_of(data))
    lists = list(lists_of(data))
    choice = rng.random()
    if choice < 0.4 and slots:
        (one, here), (other, there) = rng.choice(slots), rng.choice(slots)
        one[here], other[there] = other[there], one[here]
    elif choice < 0.6 and slots:
        (one, here), (other, there) = rng.choice(slots), rng.choice(slots)
        one[here] = other[there]
    elif choice < 0.7 and slots:
        numbers = [slot for slot in slots if type(slot[0][slot[1]]) is int]
        if numbers:
            one, here = rng.choice(numbers)
            one[here] += rng.choice((-1, 1, 2, 10))
    elif lists:
        one, other = rng.choice(lists), rng.choice(lists)
        if choice < 0.85 and one:
            other.append(one.pop(rng.randrange(len(one))))
        elif choice < 0.93:
            rng.shuffle(one)
        else:
            del one[rng.randrange(len(one) + 1) :]
    return data


def scratched(text: bytes, rng: random.Random) -> bytes:
    """The bytes with one to four pieces left out, doubled, or put elsewhere."""
    for _ in range(rng.choice((1, 1, 2, 4))):
        here = rng.randrange(len(text) + 1)
        there = min(len(text), here + rng.choice((1, 1, 2, 5, 20, 200)))
        put = rng.choice((rng.choice(_SCRATCHES), text[here:there] * 2, bytes([rng.randrange(256)])))
        text = text[:here] + put + text[there if rng.random() < 0.7 else here :]
    return text


def _copied(data: Any) -> Any:
    if isinstance(data, dict):
        return {key: _copied(value) for key, value in data.items()}
    return [_copied(value) for value in data] if isinstance(data, list | tuple) else data
