"""The provers of a game, lent to one analysis at a time.

A prover keeps a large table between questions. An analysis borrows one and gives it back; whoever comes next gets
the one given back last. So there are never more of them than analyses at the same time, one a thread.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Generic, TypeVar

DEFAULT_MEGABYTES = 256

P = TypeVar("P")


def table_megabytes() -> int:
    """The size of a prover's table: ATHANOR_TABLE_MB, from 1 to 65536; 256 by default."""
    text = os.environ.get("ATHANOR_TABLE_MB", "")
    return min(max(int(text), 1), 65536) if text.isdecimal() else DEFAULT_MEGABYTES


class Pool(Generic[P]):
    """Provers made by `make(megabytes)` when one is wanted and none is idle. May be used from any thread."""

    def __init__(self, make: Callable[[int], P]) -> None:
        self._make = make
        self._lock = threading.Lock()
        self._idle: list[P] = []
        self._megabytes = 0

    @contextmanager
    def lend(self) -> Iterator[P]:
        """A prover that nobody else uses until it is given back, with a table of the size that is set now."""
        size = table_megabytes()
        with self._lock:
            if size != self._megabytes:
                self._idle.clear()
                self._megabytes = size
            prover = self._idle.pop() if self._idle else None
        if prover is None:
            prover = self._make(size)
        try:
            yield prover
        finally:
            with self._lock:
                if size == self._megabytes:
                    self._idle.append(prover)

    def clear(self) -> None:
        """Let go of the idle provers and their memory."""
        with self._lock:
            self._idle.clear()
