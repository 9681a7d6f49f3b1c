"""Memory of searches: their tables, what all of them may take together, and the pools that lend provers.

A table is zeroed memory from the system, charged to the account for as long as it is held. Nothing is written
when a table is made: the system gives memory only to what is touched, and takes all of it back when the table
is let go.
"""

from __future__ import annotations

import contextlib
import mmap
import os
import threading
import time
import weakref
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Generic, Protocol, TypeVar, cast

import numpy as np
from numpy.typing import DTypeLike, NDArray

from solver.errors import whole_number
from solver.kernels.words import Words

# ----------------------------------------------------------------------------------------------------
# What memory the machine has for this process, as the system tells it, and how much of it is used.


_PROC = Path("/proc/self")
_GROUPS = Path("/sys/fs/cgroup")
_LIMITS = ("memory.max", "memory/memory.limit_in_bytes", "memory.limit_in_bytes")  # of version 2, and of version 1


def available() -> int | None:
    """The least of all limits on the memory of this process, in bytes; None where the system tells none.

    They are the machine's memory, those of the control groups that a container sets, and those of `ulimit`.
    """
    return min(_limits(), default=None)


def _limits() -> Iterator[int]:
    with contextlib.suppress(AttributeError, ValueError, OSError):  # not every system has these names
        yield os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    for folder in _groups():
        for name in _LIMITS:
            with contextlib.suppress(OSError, ValueError):  # no such file, or it says "max"
                yield int((folder / name).read_text())
    with contextlib.suppress(ImportError):  # Windows
        import resource

        for kind in (resource.RLIMIT_AS, resource.RLIMIT_DATA):
            soft, _ = resource.getrlimit(kind)
            if soft != resource.RLIM_INFINITY:
                yield soft


def _groups() -> Iterator[Path]:
    """The folders of the control groups that this process is in, from the innermost out."""
    with contextlib.suppress(OSError):
        for line in (_PROC / "cgroup").read_text().splitlines():
            _, kinds, name = line.split(":", 2)
            if kinds in ("", "memory"):
                inner = Path(name.lstrip("/"))
                root = _GROUPS / kinds
                yield from (root / folder for folder in (inner, *inner.parents))
    yield _GROUPS


def resident(process: int | None = None) -> int | None:
    """The bytes of a process, by default this one, that are in memory now; None where the system does not tell."""
    try:
        folder = _PROC if process is None else _PROC.with_name(str(process))
        pages = int((folder / "statm").read_text().split()[1])
    except (OSError, ValueError, IndexError):
        return None
    return pages * os.sysconf("SC_PAGE_SIZE")


def trim() -> None:
    """Give back to the system what the C library keeps of freed memory, where it is glibc."""
    import ctypes

    with contextlib.suppress(AttributeError, OSError):
        ctypes.CDLL(None).malloc_trim(0)


# ----------------------------------------------------------------------------------------------------
# What users may set of the memory of searches, in the environment.


MEGABYTE = 1 << 20
LEAST_MEGABYTES = 16  # of all tables together
TABLE_MEGABYTES = 256  # of one, unless another size is set
_MOST = 1 << 24
_MOST_OF_A_TABLE = 65536
_MOST_BY_DEFAULT = 2048  # MiB
_UNKNOWN = 4096 * MEGABYTE  # what a machine is taken to have that does not tell


def memory_megabytes() -> int:
    """The most that all tables may take: ATHANOR_MEMORY_MB, by default half the machine's memory, at most 2 GiB.

    Raises RequestError when the variable is no such number.
    """
    found = whole_number("ATHANOR_MEMORY_MB", LEAST_MEGABYTES, _MOST, "MiB")
    return default_megabytes() if found is None else found


def table_megabytes() -> int:
    """The size that a prover's table should have: ATHANOR_TABLE_MB, 256 by default.

    Raises RequestError when the variable is no such number.
    """
    found = whole_number("ATHANOR_TABLE_MB", 1, _MOST_OF_A_TABLE, "MiB")
    return TABLE_MEGABYTES if found is None else found


@cache
def default_megabytes() -> int:
    """Half of the memory that this process may have, at most 2 GiB."""
    half = (available() or _UNKNOWN) // 2 // MEGABYTE
    return max(LEAST_MEGABYTES, min(_MOST_BY_DEFAULT, half))


# ----------------------------------------------------------------------------------------------------
# What all tables of all searches may take together, and what they take: every table is charged here.


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
        now = resident()
        return now is not None and now + size > self.resident

    def release(self, size: int) -> None:
        """Take off what was charged. It takes no lock, since it is called when memory is freed, at any moment."""
        self._returned.append(size)

    def _settle(self) -> None:
        while self._returned:
            self._charged -= self._returned.popleft()


ACCOUNT = Account()


_FEWEST_WORDS = 1 << 15  # of a table
_LEAST_HUGE = 4 * MEGABYTE  # from here on fewer misses of the processor's address cache pay


def new_table(sizes: Sequence[int], dtype: DTypeLike = np.int64, *, account: Account = ACCOUNT) -> NDArray[Any]:
    """A zeroed table of the first of these sizes, in items and from the largest down, that there is memory for.

    Raises MemoryError when there is none for the last.
    """
    width = np.dtype(dtype).itemsize
    for size in sizes:
        wanted = max(1, size) * width
        if account.charge(wanted, least=size == sizes[-1]):
            memory = _mapped(wanted, account)
            if memory is not None:
                return np.frombuffer(memory, dtype)
    raise MemoryError(
        f"no memory is left for a table of {sizes[-1] * width // MEGABYTE:,} MiB: searches hold "
        f"{account.used // MEGABYTE:,} of the {account.limit // MEGABYTE:,} MiB that their tables may take"
    )


def powers_of_two(megabytes: int) -> list[int]:
    """The sizes in words that a table of at most so many MiB may have, the largest first.

    Buckets lie on cache lines if the table begins on one.
    """
    words = 1 << (megabytes << 17).bit_length() - 1
    return [words >> part for part in range(words.bit_length()) if words >> part >= _FEWEST_WORDS]


def _mapped(size: int, account: Account) -> mmap.mmap | None:
    """Zeroed memory of so many bytes that are charged already; None when the system refuses it."""
    private = {"flags": mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS} if hasattr(mmap, "MAP_ANONYMOUS") else {}
    try:
        memory = mmap.mmap(-1, size, **private)
    except (OSError, MemoryError):
        account.release(size)
        return None
    # Memory is freed when the last array that looks at it goes.
    weakref.finalize(memory, account.release, size).atexit = False
    if size >= _LEAST_HUGE and hasattr(mmap, "MADV_HUGEPAGE"):
        memory.madvise(mmap.MADV_HUGEPAGE)
    return memory


# ----------------------------------------------------------------------------------------------------
# The provers of all games, lent to one analysis at a time.
#
# A prover keeps a large table between questions. An analysis borrows one and gives it back; whoever comes next and
# asks about the same game gets the one given back last. So there are never more of them than analyses at the same
# time. Those that nobody wants any more are let go: when another table needs their memory, and after a while.


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
