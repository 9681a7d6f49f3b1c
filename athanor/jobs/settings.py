"""Settings of jobs, and memory limits of their workers."""

from __future__ import annotations

import contextlib
import os

from solver.common import user_folder
from solver.errors import whole_number

_BESIDE = 1024  # MiB that a worker may have besides its tables; it needs some 400


def default_path() -> str:
    """Return the path of the user's job file: ATHANOR_JOBS, or ``jobs.sqlite`` in the user's data folder."""
    return os.environ.get("ATHANOR_JOBS") or str(user_folder("data") / "jobs.sqlite")


def store_megabytes() -> int:
    """Return the size limit of a job file in MiB: ATHANOR_JOBS_MB, by default 1024.

    Raises RequestError for an invalid value.
    """
    return whole_number("ATHANOR_JOBS_MB", 1, 1 << 24, "MiB") or 1024


def kept_days() -> int:
    """Return the number of days a finished job is kept: ATHANOR_JOBS_DAYS, by default 30.

    Raises RequestError for an invalid value.
    """
    return whole_number("ATHANOR_JOBS_DAYS", 1, 36_500, "days") or 30


def share_megabytes(workers: int) -> int:
    """Return the MiB of search tables that each of `workers` workers may use, an equal share of the total limit.

    It is always enough for tables of the configured size, on which node counts depend.
    """
    from solver.search.memory import (
        memory_megabytes,
        table_megabytes,
    )  # loads NumPy, which lists of jobs don't need

    return max(2 * table_megabytes(), memory_megabytes() // max(1, workers))


def most_megabytes(workers: int) -> int:
    """Return the total MiB that `workers` workers may use; the system enforces each worker's share."""
    return workers * (share_megabytes(workers) + _BESIDE)


def bound_memory() -> None:
    """Limit the memory of this process to its tables plus `_BESIDE` MiB, if the system supports that.

    A unit that needs more then fails by itself, instead of the system killing some process when memory runs out.
    """
    with contextlib.suppress(ImportError, ValueError, OSError):  # Windows, and systems without such a limit
        import resource

        from solver.search.memory import memory_megabytes

        _, hard = resource.getrlimit(resource.RLIMIT_DATA)
        wanted = (memory_megabytes() + _BESIDE) << 20
        resource.setrlimit(resource.RLIMIT_DATA, (wanted if hard < 0 else min(wanted, hard), hard))
