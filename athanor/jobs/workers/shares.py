"""What workers of jobs may take of the memory."""

from __future__ import annotations

import contextlib

from solver.search.memory.settings import memory_megabytes, table_megabytes

_BESIDE = 1024  # MiB that a worker may have beside its tables; it needs some 400


def share_megabytes(workers: int) -> int:
    """The MiB of tables that each of so many workers may take: a part of what all searches may take together.

    It is never too little for tables of the size that is set, on which the nodes of a search depend.
    """
    return max(2 * table_megabytes(), memory_megabytes() // workers)


def most_megabytes(workers: int) -> int:
    """The MiB that so many workers may have in all: the system refuses each of them more."""
    return workers * (share_megabytes(workers) + _BESIDE)


def bound_memory() -> None:
    """Have the system refuse this process more than its tables may take and what it needs beside, where it can.

    Then what needs more fails by itself, and not whatever the system would end when the machine's memory is full.
    """
    with contextlib.suppress(ImportError, ValueError, OSError):  # Windows, and systems without such a limit
        import resource

        _, hard = resource.getrlimit(resource.RLIMIT_DATA)
        wanted = (memory_megabytes() + _BESIDE) << 20
        resource.setrlimit(resource.RLIMIT_DATA, (wanted if hard < 0 else min(wanted, hard), hard))
