"""What holds for every answer, whatever was asked."""

from __future__ import annotations

import gzip
import json
import re
import zlib
from collections.abc import Iterator
from typing import Any

from tests.attack.case import Case
from tests.attack.replies import Reply

BUSY = 503
_NOT_OURS = 501  # what HTTP wants for framings that a server does not know
_PARTS = ("code", "path", "message")  # of an error
_LONGEST = 500  # characters of a message
_INSIDE = re.compile(  # what shows the inside of the program
    r"Traceback \(most recent|File \\?\"/|errors\.pydantic|<class '|<function |object at 0x"
    r"|\b[A-Z]\w+(Error|Exception): "
)


def faults(case: Case, reply: Reply) -> Iterator[str]:
    """What is wrong with an answer, in words; nothing, as it should be. Its time is not looked at."""
    if reply.fault:
        yield reply.fault
        return
    if reply.status >= 500 and not (reply.status == BUSY or (reply.status == _NOT_OURS and not case.whole)):
        yield f"the status {reply.status}: {reply.body[:200]!r}"
    if reply.status == BUSY and not re.fullmatch(r"[1-9]\d*", reply.headers.get("retry-after", "")):
        yield "a status 503 without Retry-After"
    try:
        body = gzip.decompress(reply.body) if reply.headers.get("content-encoding") == "gzip" else reply.body
    except (OSError, EOFError, zlib.error) as found:
        yield f"no gzip: {found}"
        return
    text = body.decode("utf-8", "replace")
    if reply.status >= 400:
        if not case.sent.startswith(b"HEAD "):
            yield from _error(text, reply.headers.get("content-type", ""))
    elif reply.status == 200 and not case.sent.startswith(b"HEAD "):
        yield from _answer(reply.headers.get("content-type", ""), text)
    if case.whole and reply.headers.get("x-content-type-options") != "nosniff":
        yield "no nosniff"
    if case.whole and "content-security-policy" not in reply.headers:
        yield "no Content-Security-Policy"


def late(case: Case, reply: Reply, slack: float = 0.0) -> bool:
    """Whether an answer took longer than it may, and `slack` more."""
    return reply.seconds > case.seconds + slack


def _error(text: str, kind: str) -> Iterator[str]:
    if kind.partition(";")[0] != "application/json":
        yield f"an error of type {kind!r}"
    try:
        data = json.loads(text)
        error = dict(data["error"])
        told = [*error.pop("faults", []), {part: error.pop(part) for part in _PARTS}]
        ours = list(data) == ["error"] and set(error) <= {"request_id"} and all(map(_told, told))
    except (ValueError, TypeError, KeyError):
        ours = False
    if not ours:
        yield f"an error of another shape: {text[:300]}"
    elif any(_INSIDE.search(fault["message"]) for fault in told):
        yield f"the inside of the program: {text[:300]}"


def _told(fault: Any) -> bool:
    """Whether a fault is told as faults are: with a code, a path, and a message that is not too long."""
    return (
        list(fault) == list(_PARTS)
        and all(isinstance(part, str) and len(part) <= _LONGEST for part in fault.values())
        and re.fullmatch(r"[a-z0-9_]+", fault["code"]) is not None
        and fault["message"] != ""
    )


def _answer(kind: str, text: str) -> Iterator[str]:
    kind = kind.partition(";")[0]
    lines = text.splitlines() if kind == "application/x-ndjson" else [text] if kind == "application/json" else []
    for line in lines:
        try:
            data = json.loads(line, parse_constant=_refuse)
        except ValueError as found:
            yield f"no JSON ({found}): {line[:100]}"
            continue
        if isinstance(data, dict):
            yield from _searched(data)


def _refuse(name: str) -> None:
    raise ValueError(name)


def _searched(data: dict[str, Any]) -> Iterator[str]:
    """What the parts of an answer have to say about one another."""
    if "error" in data and "status" not in data:
        yield from _error(json.dumps({"error": data["error"]}), "application/json")
        if "internal_error" in str(data["error"]):
            yield f"an error in the middle: {str(data)[:200]}"
    if isinstance(data.get("answer"), dict):
        data = data["answer"]
    bounds, value = data.get("bounds"), data.get("value")
    if isinstance(bounds, list) and len(bounds) == 2 and all(isinstance(bound, int) for bound in bounds):
        if bounds[0] > bounds[1]:
            yield f"the bounds {bounds}"
        if isinstance(value, int) and not bounds[0] <= value <= bounds[1]:
            yield f"the value {value} outside {bounds}"
        if data.get("exact") is True and bounds[0] != bounds[1]:
            yield f"exact, and bounds {bounds}"
    moves, best = data.get("moves"), data.get("best")
    if (
        isinstance(moves, list)
        and moves
        and isinstance(moves[0], dict)
        and best not in (None, moves[0].get("move"))
    ):
        yield f"the best move {best!r} is not the first one"
