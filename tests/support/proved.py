"""Answers that a slow reference has proved once: a test that meets one of them again need not ask it again.

What is kept of a question and its true answer is eight bytes of a hash of both. An answer whose hash is kept was
found true by the reference; any other is put to the reference, and so is every tenth of those that are kept, so
that the references themselves stay tested. A record that is out of date costs time, never a wrong answer that
passes. `ATHANOR_RENEW_PROVED=1 python -m pytest FILE` asks the reference everything and writes the record anew.
"""

from __future__ import annotations

import atexit
import hashlib
import os
from collections.abc import Callable
from pathlib import Path

FOLDER = Path(__file__).parent.parent / "data" / "proved"
_BYTES = 8
_ASKED_AGAIN = 10
RENEW = bool(os.environ.get("ATHANOR_RENEW_PROVED"))


class Proved:
    """The proved answers of one test file, by the name of their record."""

    def __init__(self, name: str) -> None:
        self._path = FOLDER / f"{name}.bin"
        self._kept: set[bytes] = set()
        self.asked = 0  # questions
        self.slow = 0  # of these, put to the reference
        if RENEW:
            atexit.register(self._write)
        else:
            data = self._path.read_bytes()
            self._kept.update(data[start : start + _BYTES] for start in range(0, len(data), _BYTES))

    def check(self, question: str, answer: str, ask_reference: Callable[[], None]) -> None:
        """Have `ask_reference` raise if the answer is wrong, unless it was found true before."""
        self.asked += 1
        found = hashlib.blake2b(f"{question}\n{answer}".encode(), digest_size=_BYTES).digest()
        if found in self._kept and found[0] % _ASKED_AGAIN and not RENEW:
            return
        self.slow += 1
        ask_reference()
        if RENEW:
            self._kept.add(found)

    def check_record(self) -> None:
        """Fail when most answers had to be put to the reference: the record is of other questions."""
        about = f"{self.slow} of {self.asked} questions were asked again: renew {self._path.name}"
        assert RENEW or self.slow <= self.asked / 4, about

    def _write(self) -> None:
        FOLDER.mkdir(exist_ok=True)
        self._path.write_bytes(b"".join(sorted(self._kept)))
