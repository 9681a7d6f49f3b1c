"""What all tables of all searches may take together, and what they take: every table is charged here."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable

from solver.search.memory import machine
from solver.search.memory.settings import MEGABYTE, memory_megabytes


class Account:
    """A limit in bytes, and what is charged to it. May be used from any thread.

    `searches` is how many searches are expected at once, each with two tables: nobody gets more than such a part
    of the whole at once. With `resident`, a table of more than the least size is refused as well when the process
    would have more bytes in memory than that. `spare` lets go of something idle that is charged, and says whether
    there was any.
    """

    def __init__(self, limit: int | None = None, searches: int = 1) -> None:
        self._lock = threading.Lock()
        self._limit = limit
        self._charged = 0
        self._returned: deque[int] = deque()
        self.searches = searches
        self.resident: int | None = None
        self.spare: Callable[[], bool] = lambda: False

    @property
    def limit(self) -> int:
        """The most that may be charged, in bytes: as set, or what ATHANOR_MEMORY_MB says."""
        return memory_megabytes() * MEGABYTE if self._limit is None else self._limit

    @limit.setter
    def limit(self, size: int | None) -> None:
        self._limit = size

    @property
    def part(self) -> int:
        """The most bytes that one table gets."""
        return self.limit // (2 * self.searches)

    @property
    def used(self) -> int:
        """The bytes that are charged."""
        with self._lock:
            self._settle()
            return self._charged

    def charge(self, size: int, *, least: bool = False) -> bool:
        """Charge so many bytes; False when they are too many. `least` says that no smaller table would do."""
        if size > self.part and not least:
            return False
        while not self._charge(size, least):
            if not self.spare():
                return False
        return True

    def _charge(self, size: int, least: bool) -> bool:
        limit = self.limit
        if not least and self._crowded(size):
            return False
        with self._lock:
            self._settle()
            if self._charged + size > limit:
                return False
            self._charged += size
            return True

    def _crowded(self, size: int) -> bool:
        """Whether the process has too much in memory for so much more."""
        if self.resident is None:
            return False
        now = machine.resident()
        return now is not None and now + size > self.resident

    def release(self, size: int) -> None:
        """Take off what was charged. It takes no lock, since it is called when memory is freed, at any moment."""
        self._returned.append(size)

    def _settle(self) -> None:
        while self._returned:
            self._charged -= self._returned.popleft()


ACCOUNT = Account()
