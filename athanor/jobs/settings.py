"""Settings of jobs, and the memory limits of their workers."""

from __future__ import annotations

import contextlib
import os

from solver.errors import whole_number
from solver.search.memory import memory_megabytes, table_megabytes

_MEGABYTES = 1024  # the size limit of a store, unless ATHANOR_JOBS_MB is set
_DAYS = 30  # for which a finished job is kept, unless ATHANOR_JOBS_DAYS is set
_BESIDE = 1024  # MiB that a worker may have besides its tables; it needs some 400


def default_path() -> str:
    """The path of the user's job file: ATHANOR_JOBS, or ``jobs.sqlite`` in the system's program data folder."""
    import platformdirs

    found = os.environ.get("ATHANOR_JOBS")
    return found or os.path.join(platformdirs.user_data_dir("athanor", appauthor=False), "jobs.sqlite")


def store_megabytes() -> int:
    """The size limit of a store: ATHANOR_JOBS_MB, by default 1024. Raises RequestError for an invalid value."""
    found = whole_number("ATHANOR_JOBS_MB", 1, 1 << 24, "MiB")
    return _MEGABYTES if found is None else found


def kept_days() -> int:
    """How many days a finished job is kept: ATHANOR_JOBS_DAYS, 30 by default. Raises RequestError."""
    found = whole_number("ATHANOR_JOBS_DAYS", 1, 36_500, "days")
    return _DAYS if found is None else found


def share_megabytes(workers: int) -> int:
    """The MiB of tables for each of `workers` workers: a share of the limit for all searches.

    It is always enough for tables of the configured size, on which node counts depend.
    """
    return max(2 * table_megabytes(), memory_megabytes() // workers)


def most_megabytes(workers: int) -> int:
    """The MiB that `workers` workers may use in total; the system refuses any of them more than its share."""
    return workers * (share_megabytes(workers) + _BESIDE)


def bound_memory() -> None:
    """Limit this process's memory to its tables and `_BESIDE` MiB more, if the system supports that.

    Then a unit that needs more fails, rather than the system killing some process when memory is full.
    """
    with contextlib.suppress(ImportError, ValueError, OSError):  # Windows, and systems without such a limit
        import resource

        _, hard = resource.getrlimit(resource.RLIMIT_DATA)
        wanted = (memory_megabytes() + _BESIDE) << 20
        resource.setrlimit(resource.RLIMIT_DATA, (wanted if hard < 0 else min(wanted, hard), hard))
