"""What users may set of jobs, and what their workers may take of the memory."""

from __future__ import annotations

import contextlib
import os

from solver.errors import whole_number
from solver.search.memory import memory_megabytes, table_megabytes

_MEGABYTES = 1024  # of a store, unless ATHANOR_JOBS_MB says otherwise
_DAYS = 30  # that a job is kept after its end, unless ATHANOR_JOBS_DAYS says otherwise
_BESIDE = 1024  # MiB that a worker may have beside its tables; it needs some 400


def default_path() -> str:
    """Where a user's jobs are: ATHANOR_JOBS, or ``jobs.sqlite`` where the system keeps programs' data."""
    import platformdirs

    found = os.environ.get("ATHANOR_JOBS")
    return found or os.path.join(platformdirs.user_data_dir("athanor", appauthor=False), "jobs.sqlite")


def store_megabytes() -> int:
    """How large a store may grow: ATHANOR_JOBS_MB, by default 1024. Raises RequestError for an unfit value."""
    found = whole_number("ATHANOR_JOBS_MB", 1, 1 << 24, "MiB")
    return _MEGABYTES if found is None else found


def kept_days() -> int:
    """How many days a job is kept after its end: ATHANOR_JOBS_DAYS, 30 by default. Raises RequestError."""
    found = whole_number("ATHANOR_JOBS_DAYS", 1, 36_500, "days")
    return _DAYS if found is None else found


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
