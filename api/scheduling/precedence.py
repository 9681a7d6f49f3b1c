"""Long searches stand back while short work is at hand, so that it finds a processor and the interpreter free.

The system alone does not see to that: a thread that has the interpreter's lock can lose its processor to a search
for many milliseconds, and then everybody waits.
"""

from __future__ import annotations

import os
import threading
import time
from math import inf

_WORK_SECONDS = 0.01  # that a search works at a time before it looks whether it must wait
_LONGEST_SECONDS = 0.04  # that it waits for its turn: with more searches they share more than what is theirs


class Precedence:
    """Counts the short work that is being done. May be used from any thread.

    While there is some, searches have turns, so that together they take all `cores` but one, or the only one.
    """

    def __init__(self, cores: int | None = None) -> None:
        self._turn_seconds = _WORK_SECONDS / max(1, (cores or os.cpu_count() or 1) - 1)
        self._lock = threading.Lock()
        self._count = 0
        self._none = threading.Event()
        self._none.set()
        self._next = 0.0  # when the next turn is free

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
                self._next = 0.0
                self._none.set()

    def give_way(self, latest: float = inf) -> None:
        """Wait for a turn, or until there is no short work, but never for long, nor beyond `latest` on the clock.

        Searches call it between two slices.
        """
        with self._lock:
            if not self._count:
                return
            now = time.monotonic()
            turn = min(max(now, self._next), now + _LONGEST_SECONDS, max(now, latest))
            self._next = turn + self._turn_seconds
        if turn > now:
            self._none.wait(turn - now)


class GivingWay(threading.Event):
    """A cancel flag at whose sight a search gives way now and then; `ended` is the flag without that.

    Where the search has a deadline, it does not wait in the last slice before it.
    """

    def __init__(self, ended: threading.Event, precedence: Precedence, deadline: float = inf) -> None:
        super().__init__()
        self._latest = deadline - _WORK_SECONDS
        self._ended = ended
        self._precedence = precedence
        self._own = threading.local()  # `next`: when this thread of the search gives way again

    def is_set(self) -> bool:
        if time.monotonic() >= getattr(self._own, "next", 0.0):
            self._precedence.give_way(self._latest)
            self._own.next = time.monotonic() + _WORK_SECONDS
        return self._ended.is_set()

    def set(self) -> None:
        self._ended.set()

    def wait(self, timeout: float | None = None) -> bool:
        return self._ended.wait(timeout)
