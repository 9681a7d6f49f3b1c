"""Memory of searches: their tables, the limit on all of them together, and pools of provers.

A table is zeroed memory from the system, which counts as used until it is released. Allocating a table writes
nothing: the system provides memory only where it is touched, and gets all of it back when the table is released. A
prover is an object that answers questions by a search, and keeps its table between them.
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
# How much memory this process may use, and how much it uses, according to the system.


_PROC = Path("/proc/self")
_GROUPS = Path("/sys/fs/cgroup")
_LIMITS = ("memory.max", "memory/memory.limit_in_bytes", "memory.limit_in_bytes")  # of version 2, and of version 1


def available() -> int | None:
    """The smallest limit on this process's memory, in bytes; None if the system reports none.

    The limits are the machine's memory, those of control groups (containers), and those of `ulimit`.
    """
    return min(_limits(), default=None)


def _limits() -> Iterator[int]:
    with contextlib.suppress(AttributeError, ValueError, OSError):  # not on every system
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
    """The folders of the control groups that this process is in, innermost first."""
    with contextlib.suppress(OSError):
        for line in (_PROC / "cgroup").read_text().splitlines():
            _, kinds, name = line.split(":", 2)
            if kinds in ("", "memory"):
                inner = Path(name.lstrip("/"))
                root = _GROUPS / kinds
                yield from (root / folder for folder in (inner, *inner.parents))
    yield _GROUPS


def resident(process: int | None = None) -> int | None:
    """The resident memory of a process in bytes, by default this one's; None if the system does not report it."""
    try:
        folder = _PROC if process is None else _PROC.with_name(str(process))
        pages = int((folder / "statm").read_text().split()[1])
    except (OSError, ValueError, IndexError):
        return None
    return pages * os.sysconf("SC_PAGE_SIZE")


def footprint(process: int | None = None) -> tuple[int, int]:
    """The memory of a process in bytes: all, where pages that several processes share count in part, so that the
    sum over processes is what they take together; and only what is the process's own.

    Where the system reports neither, both are the resident memory, or 0.
    """
    folder = _PROC if process is None else _PROC.with_name(str(process))
    try:
        lines = (folder / "smaps_rollup").read_text().splitlines()[1:]
        sizes = {name: int(size.split()[0]) << 10 for name, size in (line.split(":") for line in lines)}
        return sizes["Pss"], sizes["Private_Clean"] + sizes["Private_Dirty"]
    except (OSError, ValueError, KeyError):
        size = resident(process) or 0
        return size, size


def trim() -> None:
    """Return freed memory that glibc keeps to the system; does nothing with other C libraries."""
    import ctypes

    with contextlib.suppress(AttributeError, OSError):
        ctypes.CDLL(None).malloc_trim(0)


# ----------------------------------------------------------------------------------------------------
# Memory settings from the environment.


MEGABYTE = 1 << 20
LEAST_MEGABYTES = 16  # of all tables together
TABLE_MEGABYTES = 256  # of one table, unless another size is set
_MOST = 1 << 24
_MOST_OF_A_TABLE = 65536
_MOST_BY_DEFAULT, _MOST_OF_A_CORE = 2048, 320  # MiB; the latter with one more core, if that is more
_UNKNOWN = 4096 * MEGABYTE  # assumed if the system reports no limit


def memory_megabytes() -> int:
    """Limit on all tables together, in MiB: ATHANOR_MEMORY_MB, by default `default_megabytes`.

    Raises RequestError if the variable is not a valid number.
    """
    wanted = whole_number("ATHANOR_MEMORY_MB", LEAST_MEGABYTES, _MOST, "MiB")
    return default_megabytes() if wanted is None else wanted


def table_megabytes() -> int:
    """Size of a prover's table, in MiB: ATHANOR_TABLE_MB, 256 by default.

    Raises RequestError if the variable is not a valid number.
    """
    wanted = whole_number("ATHANOR_TABLE_MB", 1, _MOST_OF_A_TABLE, "MiB")
    return TABLE_MEGABYTES if wanted is None else wanted


@cache
def default_megabytes() -> int:
    """Half of the memory available to this process, in MiB, from 16 to 2048, or to 320 for each core and 320."""
    half = (available() or _UNKNOWN) // 2 // MEGABYTE
    most = max(_MOST_BY_DEFAULT, _MOST_OF_A_CORE * (1 + (os.cpu_count() or 1)))
    return max(LEAST_MEGABYTES, min(most, half))


# ----------------------------------------------------------------------------------------------------
# The budget of all searches' tables: every table is charged here.


class TableBudget:
    """Counts the bytes that tables use, up to a limit. Thread-safe.

    `searches` is the expected number of simultaneous searches, with two tables each: no table may exceed its share
    of the limit. If `resident` is set, no table may take the process's memory above that many bytes; those
    that it shares with others (`shared`) do not count. A table of the smallest size that a search can use is
    exempt from both rules. `spare` is called to release an idle prover when memory is short, and returns whether
    there was one.
    """

    def __init__(self, limit: int | None = None, searches: int = 1) -> None:
        self._lock = threading.Lock()
        self._limit = limit
        self._charged = 0
        self._returned: deque[int] = deque()
        self.searches = searches
        self.resident: int | None = None
        self.shared = 0
        self.spare: Callable[[], bool] = lambda: False

    @property
    def limit(self) -> int:
        """The limit in bytes, by default from ATHANOR_MEMORY_MB."""
        return memory_megabytes() * MEGABYTE if self._limit is None else self._limit

    @limit.setter
    def limit(self, size: int | None) -> None:
        self._limit = size

    @property
    def part(self) -> int:
        """The maximum size of one table, in bytes."""
        return self.limit // (2 * self.searches)

    @property
    def used(self) -> int:
        """The bytes in use now."""
        with self._lock:
            self._settle()
            return self._charged

    def charge(self, size: int, *, least: bool = False) -> bool:
        """Count `size` bytes as used, after releasing idle provers if needed. Returns False if there is no room.

        The caller sets `least` for the smallest table that it can use.
        """
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
        """Whether the process would exceed `resident` with another `size` bytes."""
        if self.resident is None:
            return False
        now = resident()
        return now is not None and now - self.shared + size > self.resident

    def release(self, size: int) -> None:
        """Count `size` bytes as free. Takes no lock, since memory may be freed at any moment."""
        self._returned.append(size)

    def _settle(self) -> None:
        while self._returned:
            self._charged -= self._returned.popleft()


TABLE_BUDGET = TableBudget()


_FEWEST_WORDS = 1 << 15  # of a table
_LEAST_HUGE = 4 * MEGABYTE  # from this size on, huge pages pay: fewer TLB misses


def new_table(
    sizes: Sequence[int], dtype: DTypeLike = np.int64, *, budget: TableBudget = TABLE_BUDGET
) -> NDArray[Any]:
    """Allocate a zeroed table with the first of `sizes` that fits in memory.

    `sizes` are numbers of items, largest first. Raises MemoryError if not even the last one fits.
    """
    width = np.dtype(dtype).itemsize
    for size in sizes:
        wanted = max(1, size) * width
        if budget.charge(wanted, least=size == sizes[-1]):
            memory = _mapped(wanted, budget)
            if memory is not None:
                return np.frombuffer(memory, dtype)
    raise MemoryError(
        f"no memory is left for a table of {sizes[-1] * width // MEGABYTE:,} MiB: searches hold "
        f"{budget.used // MEGABYTE:,} of the {budget.limit // MEGABYTE:,} MiB that their tables may take"
    )


def powers_of_two(megabytes: int) -> list[int]:
    """Return possible sizes, in words, of a table of at most `megabytes` MiB, largest first.

    Tables of these sizes consist of whole cache lines, so that buckets can be aligned to them.
    """
    words = 1 << (megabytes << 17).bit_length() - 1
    return [words >> part for part in range(words.bit_length()) if words >> part >= _FEWEST_WORDS]


def _mapped(size: int, budget: TableBudget) -> mmap.mmap | None:
    """Map `size` bytes of zeroed memory, which the caller has charged to `budget`.

    If the system refuses, counts them as free again and returns None.
    """
    private = {"flags": mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS} if hasattr(mmap, "MAP_ANONYMOUS") else {}
    try:
        memory = mmap.mmap(-1, size, **private)
    except (OSError, MemoryError):
        budget.release(size)
        return None
    # Memory is freed with the last array that views it.
    weakref.finalize(memory, budget.release, size).atexit = False
    if size >= _LEAST_HUGE and hasattr(mmap, "MADV_HUGEPAGE"):
        memory.madvise(mmap.MADV_HUGEPAGE)
    return memory


# ----------------------------------------------------------------------------------------------------
# The provers of all games, lent to one analysis at a time.
#
# A prover keeps a large table between questions. An analysis borrows a prover and returns it; the next analysis of
# the same game gets the prover returned last. So there are never more provers than simultaneous analyses. Idle
# ones are released when another table needs their memory, and after a while.


IDLE_SECONDS = 60.0
_MEGABYTES_A_SECOND = 128  # of a table; no search fills it faster


class HasTable(Protocol):
    """A prover with a table, which may be smaller than requested."""

    @property
    def table(self) -> Words: ...


P = TypeVar("P", bound=HasTable)


@dataclass(frozen=True, slots=True, eq=False)
class _Idle:
    """An idle prover, its pool, the table size that was requested in MiB, and when it became idle."""

    pool: object
    prover: HasTable
    megabytes: int
    since: float


class IdleProvers:
    """The idle provers of all pools, in the order in which they were returned."""

    def __init__(self, budget: TableBudget = TABLE_BUDGET) -> None:
        self.budget = budget
        budget.spare = self.drop_oldest
        self._lock = threading.Lock()
        self._idle: list[_Idle] = []

    def take(self, pool: object, megabytes: int) -> HasTable | None:
        """Take the prover that was last returned to `pool` with this table size; None if there is none."""
        self.drop(idle_for=IDLE_SECONDS)
        with self._lock:
            for idle in reversed(self._idle):
                if idle.pool is pool and idle.megabytes == megabytes:
                    self._idle.remove(idle)
                    return idle.prover
        return None

    def put(self, pool: object, prover: HasTable, megabytes: int) -> None:
        """Keep a prover for reuse, unless a new one would now get a larger table."""
        size = 2 * prover.table.nbytes
        if size > megabytes * MEGABYTE or size > self.budget.part:
            with self._lock:
                self._idle.append(_Idle(pool, prover, megabytes, time.monotonic()))

    def drop_oldest(self) -> bool:
        """Release the prover that has been idle longest; False if there is none."""
        with self._lock:
            dropped = self._idle[:1]
            del self._idle[:1]
        return bool(dropped)

    def drop(self, pool: object = None, *, idle_for: float = 0.0) -> None:
        """Release the provers of `pool`, by default of all pools, that have been idle for `idle_for` seconds."""
        latest = time.monotonic() - idle_for
        with self._lock:
            kept = [idle for idle in self._idle if idle.since > latest or pool not in (None, idle.pool)]
            dropped, self._idle = self._idle, kept
        del dropped  # not under the lock: freeing large tables takes time


IDLE_PROVERS = IdleProvers()


class Pool(Generic[P]):
    """A pool of provers, which are made by `make(megabytes)` when none is idle. Thread-safe.

    Their tables have the configured size, but at most `most` MiB.
    """

    def __init__(
        self, make: Callable[[int], P], *, most: int | None = None, idle: IdleProvers = IDLE_PROVERS
    ) -> None:
        self._make = make
        self._most = most
        self._idle = idle

    @contextmanager
    def lend(self, seconds: float | None = None) -> Iterator[P]:
        """Lend a prover for exclusive use in the with block, with a table of the size configured now.

        The table is smaller if memory is scarce, or if the search may take only a few `seconds`: a search writes
        all over its table from the start, and it takes the system 50 ms to over a second to provide hundreds of
        pages of 2 MiB, which nothing can interrupt. Raises MemoryError if not even the smallest table fits.
        """
        size = table_megabytes() if self._most is None else min(table_megabytes(), self._most)
        if seconds is not None:
            size = min(size, _fitting(seconds))
        prover = cast(P | None, self._idle.take(self, size))
        if prover is None:
            prover = self._make(size)
        try:
            yield prover
        finally:
            self._idle.put(self, prover, size)

    def clear(self) -> None:
        """Release the pool's idle provers and their memory."""
        self._idle.drop(self)


def _fitting(seconds: float) -> int:
    """Table size in MiB for a search of this many seconds: a power of two, so that there are few sizes."""
    megabytes = int(min(max(seconds, 0.0) * _MEGABYTES_A_SECOND, 1 << 30))
    return 1 << max(1, megabytes).bit_length() - 1
