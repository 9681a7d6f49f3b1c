"""The provers of all games, lent to one analysis at a time.

A prover keeps a large table between questions. An analysis borrows one and gives it back; whoever comes next and
asks about the same game gets the one given back last. So there are never more of them than analyses at the same
time. Those that nobody wants any more are let go: when another table needs their memory, and after a while.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Generic, Protocol, TypeVar, cast

from solver.kernels.words import Words
from solver.search.memory.account import ACCOUNT, Account
from solver.search.memory.settings import MEGABYTE, table_megabytes

IDLE_SECONDS = 60.0
_MEGABYTES_A_SECOND = 128  # of a table; no search fills so much


class HasTable(Protocol):
    """What is lent: anything with a table that may be smaller than was asked for."""

    @property
    def table(self) -> Words: ...


P = TypeVar("P", bound=HasTable)


@dataclass(frozen=True, slots=True, eq=False)
class _Idle:
    """A prover that nobody uses: whose it is, which size was asked for, and since when it is here."""

    pool: object
    prover: HasTable
    megabytes: int
    since: float


class Shelf:
    """The idle provers of all pools, the one given back last at the end."""

    def __init__(self, account: Account = ACCOUNT) -> None:
        self.account = account
        account.spare = self.drop_oldest
        self._lock = threading.Lock()
        self._idle: list[_Idle] = []

    def take(self, pool: object, megabytes: int) -> HasTable | None:
        """The prover of a pool that was given back last, if it has the size that is wanted now."""
        self.drop(idle_for=IDLE_SECONDS)
        with self._lock:
            for found in reversed(self._idle):
                if found.pool is pool and found.megabytes == megabytes:
                    self._idle.remove(found)
                    return found.prover
        return None

    def put(self, pool: object, prover: HasTable, megabytes: int) -> None:
        """Keep a prover until it is wanted, unless it had to be made smaller than it would be now."""
        if 2 * prover.table.nbytes > min(megabytes * MEGABYTE, self.account.part):
            with self._lock:
                self._idle.append(_Idle(pool, prover, megabytes, time.monotonic()))

    def drop_oldest(self) -> bool:
        """Let go of the prover that is idle longest; False when there is none."""
        with self._lock:
            dropped = self._idle[:1]
            del self._idle[:1]
        return bool(dropped)

    def drop(self, pool: object = None, *, idle_for: float = 0.0) -> None:
        """Let go of the provers, or those of a pool, that are idle for so many seconds."""
        latest = time.monotonic() - idle_for
        with self._lock:
            kept = [idle for idle in self._idle if idle.since > latest or pool not in (None, idle.pool)]
            dropped, self._idle = self._idle, kept
        del dropped  # not under the lock: the system takes its time with large tables


SHELF = Shelf()


class Pool(Generic[P]):
    """Provers made by `make(megabytes)` when one is wanted and none is idle. May be used from any thread.

    Their tables are of the size that is set, or of at most `most` MiB.
    """

    def __init__(self, make: Callable[[int], P], *, most: int | None = None, shelf: Shelf = SHELF) -> None:
        self._make = make
        self._most = most
        self._shelf = shelf

    @contextmanager
    def lend(self, seconds: float | None = None) -> Iterator[P]:
        """A prover that nobody else uses until it is given back, with a table of the size that is set now.

        The table is smaller where there is not enough memory; raises MemoryError when there is none at all. It is
        smaller, too, for a search of only so many `seconds`. This is for tables that are written to all over from
        the first nodes on: the system gives memory in pieces of 2 MiB, a large table has hundreds of them, and to
        be given all takes from 50 ms to more than a second, which nothing can end early.
        """
        size = table_megabytes() if self._most is None else min(table_megabytes(), self._most)
        if seconds is not None:
            size = min(size, _fitting(seconds))
        prover = cast(P | None, self._shelf.take(self, size))
        if prover is None:
            prover = self._make(size)
        try:
            yield prover
        finally:
            self._shelf.put(self, prover, size)

    def clear(self) -> None:
        """Let go of the idle provers and their memory."""
        self._shelf.drop(self)


def _fitting(seconds: float) -> int:
    """The MiB of a table for a search of so many seconds: a power of two, so that few sizes are kept."""
    megabytes = int(min(max(seconds, 0.0) * _MEGABYTES_A_SECOND, 1 << 30))
    return 1 << max(1, megabytes).bit_length() - 1
