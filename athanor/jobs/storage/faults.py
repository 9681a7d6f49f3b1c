"""SQLite's errors in our words."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager

from sqlalchemy.exc import DBAPIError

from athanor.jobs.errors import JobError

_DAMAGED = ("SQLITE_CORRUPT", "SQLITE_NOTADB", "SQLITE_FORMAT")
_BUSY = ("SQLITE_BUSY", "SQLITE_LOCKED", "SQLITE_PROTOCOL")


@contextmanager
def translated(path: str) -> Iterator[None]:
    """Raise JobError for what SQLite says is wrong with the file of a store, or with its disk."""
    try:
        yield
    except (DBAPIError, sqlite3.Error) as found:
        error = found.orig if isinstance(found, DBAPIError) else found
        raise _of_sqlite(error, path) from found


def _of_sqlite(error: BaseException | None, path: str) -> Exception:
    name = getattr(error, "sqlite_errorname", "")
    if name == "SQLITE_FULL":
        message = (
            f"{path} cannot grow: the disk is full, or the jobs have reached the size that ATHANOR_JOBS_MB "
            "allows; delete jobs or make room, and go on"
        )
        return JobError("store_full", message)
    if name.startswith(_DAMAGED):
        return JobError("store_damaged", f"{path} is damaged or no file of jobs ({error}); move it away to go on")
    if name.startswith(_BUSY):
        return JobError("store_busy", f"{path} is in use by another process for too long; try again")
    return JobError("store_unreadable", f"{path} cannot be used: {error}")
