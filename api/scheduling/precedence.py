"""Long searches stand back while short work is at hand, so that it finds a processor and the interpreter free.

The system alone does not see to that: a thread that has the interpreter's lock can lose its processor to a search
for many milliseconds, and then everybody waits.
"""

from __future__ import annotations

import threading
import time

_PAUSE_SECONDS = 0.015
_WORK_SECONDS = 0.01  # between two pauses, however often it looks: so a search always gets two fifths of its time


class Precedence:
    """Counts the short work that is being done. May be used from any thread."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._count = 0
        self._none = threading.Event()
        self._none.set()

    def enter(self) -> None:
        """Short work begins."""
        with self._lock:
            self._count += 1
            self._none.clear()

    def leave(self) -> None:
        """Short work ends, or waits."""
        with self._lock:
            self._count -= 1
            if not self._count:
                self._none.set()

    def give_way(self) -> None:
        """Wait until there is no short work, but never for long. Searches call it between two slices."""
        if self._count:
            self._none.wait(_PAUSE_SECONDS)


class GivingWay(threading.Event):
    """A cancel flag at whose sight a search gives way now and then; `ended` is the flag without that."""

    def __init__(self, ended: threading.Event, precedence: Precedence) -> None:
        super().__init__()
        self._ended = ended
        self._precedence = precedence
        self._own = threading.local()  # `next`: when this thread of the search gives way again

    def is_set(self) -> bool:
        if time.monotonic() >= getattr(self._own, "next", 0.0):
            self._precedence.give_way()
            self._own.next = time.monotonic() + _WORK_SECONDS
        return self._ended.is_set()

    def set(self) -> None:
        self._ended.set()

    def wait(self, timeout: float | None = None) -> bool:
        return self._ended.wait(timeout)
