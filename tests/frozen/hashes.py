"""The hashes that are kept: of each request one of the answer and, where it tells nodes, one of those."""

from __future__ import annotations

import hashlib
import textwrap
from collections.abc import Mapping, Sequence

from tests.frozen.positions import DATA
from tests.frozen.service import Answer, Request

FILE = DATA / "frozen.txt"
_ANSWER, _NODES, _REQUESTS = 6, 4, 8  # hexadecimal digits


def hash_of(answer: Answer) -> str:
    """The answer's hash, and behind a colon that of its nodes, if it tells any."""
    return _digest(answer.text, _ANSWER) + (f":{_digest(answer.nodes, _NODES)}" if answer.nodes else "")


def digest(requests: Sequence[Request]) -> str:
    """What tells whether these are the requests whose hashes are kept."""
    return _digest(repr([(one.method, one.path, one.headers, one.body, one.args) for one in requests]), _REQUESTS)


def load() -> dict[str, tuple[str, list[str]]]:
    """Of each kind the digest of its requests, and their hashes in order."""
    found: dict[str, tuple[str, list[str]]] = {}
    for block in FILE.read_text(encoding="ascii").strip().split("\n\n"):
        head, _, lines = block.partition("\n")
        kind, digested = head.split()
        found[kind] = digested, lines.split()
    return found


def save(found: Mapping[str, tuple[str, list[str]]]) -> None:
    """Write all kinds anew."""
    blocks = [
        f"{kind} {digested}\n{textwrap.fill(' '.join(hashes), 112)}"
        for kind, (digested, hashes) in sorted(found.items())
    ]
    FILE.write_text("\n\n".join(blocks) + "\n", encoding="ascii")


def _digest(text: str, size: int) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:size]
