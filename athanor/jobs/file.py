"""The SQLite file of jobs: its tables, its transactions, its owner, and what its faults mean.

The tables have a row per job, per unit, and per line of results. Triggers keep, in the job's row, the number of
its units in each state and the size of its questions and results, so that nobody has to count them.

Any process may read the file and change its jobs. Only one at a time, its *owner*, works on the units.
"""

from __future__ import annotations

import os
import shutil
import sqlite3
from collections import deque
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager, suppress

from solver.errors import AthanorError, reason_of
from solver.language import say

_FORMAT = 7  # version of the tables and of the questions in them, kept in the file
_MEGABYTE = 1 << 20
_PAGE_BYTES = 4096  # SQLite's own choice
_BUSY_SECONDS = 20.0  # how long a transaction waits for those of other processes
_LONGEST_LOG = 8 * _MEGABYTE  # of the write-ahead log, beside which only the largest transaction may be
_SPARE_BYTES = 12 * _MEGABYTE  # reserved for deleting jobs when the disk is full: a log, and its pages in the file
_SHRUNK_PAGES = 1_000  # at once

_TABLES = """
CREATE TABLE jobs (
    number INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, kind TEXT NOT NULL, title TEXT NOT NULL,
    key TEXT, digest TEXT NOT NULL, client TEXT NOT NULL, created REAL NOT NULL, ended REAL, reason TEXT,
    total INTEGER NOT NULL, waiting INTEGER NOT NULL, running INTEGER NOT NULL DEFAULT 0,
    done INTEGER NOT NULL DEFAULT 0, failed INTEGER NOT NULL DEFAULT 0, cancelled INTEGER NOT NULL DEFAULT 0,
    bytes INTEGER NOT NULL, UNIQUE (client, key));
CREATE INDEX jobs_with_work ON jobs (number) WHERE waiting + running > 0;
CREATE TABLE units (
    job INTEGER NOT NULL, number INTEGER NOT NULL, payload TEXT NOT NULL, state INTEGER NOT NULL DEFAULT 0,
    deaths INTEGER NOT NULL DEFAULT 0);
CREATE UNIQUE INDEX units_of_job ON units (job, number);
CREATE INDEX units_waiting ON units (job, number) WHERE state = 0;
CREATE INDEX units_running ON units (job, number) WHERE state = 1;
CREATE TRIGGER counted AFTER UPDATE OF state ON units BEGIN
    UPDATE jobs SET
        waiting = waiting + (new.state = 0) - (old.state = 0),
        running = running + (new.state = 1) - (old.state = 1),
        done = done + (new.state = 2) - (old.state = 2),
        failed = failed + (new.state = 3) - (old.state = 3),
        cancelled = cancelled + (new.state = 4) - (old.state = 4),
        ended = CASE WHEN new.state > 1 THEN (julianday('now') - 2440587.5) * 86400 ELSE ended END
    WHERE number = new.job; END;
CREATE TABLE results (
    id INTEGER PRIMARY KEY AUTOINCREMENT, job INTEGER NOT NULL, unit INTEGER NOT NULL, text TEXT NOT NULL);
CREATE INDEX results_of_job ON results (job, id);
CREATE INDEX results_of_unit ON results (job, unit);
CREATE TRIGGER weighed AFTER INSERT ON results BEGIN
    UPDATE jobs SET bytes = bytes + length(new.text) WHERE number = new.job; END;
"""


class JobError(AthanorError):
    """A job that cannot be submitted, found, changed or kept.

    Codes: ``no_job``, ``conflict``, ``too_large``, ``share_full``, ``not_yours``; and for the job file:
    ``store_full``, ``store_damaged``, ``store_busy``, ``store_unreadable``. Messages don't name the file, since a
    service shows them to strangers.
    """


class File:
    """A SQLite file with the tables of jobs, created on first use. Thread-safe.

    With a limit in `megabytes`, the file stays below it. Methods raise JobError if the file or its disk makes
    their work impossible.
    """

    def __init__(self, path: str, megabytes: int | None) -> None:
        self.path = path
        self.bound = None if megabytes is None else megabytes * _MEGABYTE
        self._log = f"{path}-wal"
        self._spare = f"{path}-spare"
        self._idle: deque[sqlite3.Connection] = deque()

    @contextmanager
    def reading(self) -> Iterator[sqlite3.Connection]:
        """Open a transaction that sees a single state of the file.

        Keep the transaction short: until it ends, the write-ahead log only grows.
        """
        with self._connected() as db:
            db.execute("BEGIN")
            yield db
            db.execute("COMMIT")

    @contextmanager
    def writing(self, begin: str = "BEGIN IMMEDIATE") -> Iterator[sqlite3.Connection]:
        """Open a write transaction, which is on disk after the with block, or rolled back if the block fails.

        The log is emptied into the file first if it is long: SQLite itself doesn't do so while somebody reads.
        """
        with self._connected() as db:
            if _bytes(self._log) > _LONGEST_LOG:
                db.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
            db.execute(begin)
            yield db
            db.execute("COMMIT")

    @contextmanager
    def owned(self) -> Iterator[None]:
        """Own the file in the with block. Raises JobError, ``store_busy`` if another process does.

        The owner holds the lock of an empty SQLite file beside it, which ends with the process, however that ends.
        """
        with self.reading():
            pass  # there is such a file, or now it is made
        with ExitStack() as stack:
            try:
                lock = sqlite3.connect(f"{self.path}-owner", timeout=0, isolation_level=None)
                stack.enter_context(closing(lock))
                lock.execute("BEGIN EXCLUSIVE")
            except sqlite3.Error as error:
                if (fault := _fault(error)).code != "store_busy":  # such as a full disk
                    raise fault from error
                message = say("another process, such as `athanor serve`, already works on these jobs")
                raise JobError("store_busy", message) from None
            yield

    def empty_log(self) -> None:
        """Empty the write-ahead log into the file, unless somebody reads; then later transactions do it."""
        with self._connected() as db:
            db.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()

    def shrink(self) -> None:
        """Return the space of what was deleted to the disk."""
        free = 1
        while free:
            with self._connected() as db:
                db.executescript(f"PRAGMA incremental_vacuum({_SHRUNK_PAGES})")  # execute would free a single page
                before, free = free, db.execute("PRAGMA freelist_count").fetchone()[0]
            self.empty_log()
            if free == before:  # a file made by an earlier version keeps its size, and fills the space again
                return

    def size(self) -> int:
        """Return the size of the file and its log in bytes."""
        return _bytes(self.path) + _bytes(self._log)

    def keep_spare(self) -> None:
        """Reserve disk space for `using_spare`, if the file has a size limit and the disk has enough space."""
        with suppress(OSError):
            free = shutil.disk_usage(os.path.dirname(os.path.abspath(self.path))).free
            if self.bound is not None and free > 2 * _SPARE_BYTES:
                self._reserve()

    @contextmanager
    def using_spare(self) -> Iterator[None]:
        """Release the reserved disk space for the with block.

        Deleting needs a little, and so does opening the file; on a full disk there is no other.
        """
        known = os.path.exists(self._spare)
        with suppress(OSError):
            os.unlink(self._spare)
        try:
            yield
        finally:
            if known:
                self._reserve()

    def _reserve(self) -> None:
        try:
            with open(self._spare, "xb") as file:
                file.write(bytes(_SPARE_BYTES))
        except FileExistsError:
            pass
        except OSError:
            with suppress(OSError):
                os.unlink(self._spare)

    def close(self) -> None:
        while self._idle:
            self._idle.pop().close()

    @contextmanager
    def _connected(self) -> Iterator[sqlite3.Connection]:
        try:
            try:
                db = self._idle.pop()
            except IndexError:
                db = self._opened()
            try:
                yield db
            except BaseException:
                db.close()  # which rolls back, and lets go of a damaged file
                raise
            self._idle.append(db)
        except sqlite3.Error as error:
            raise _fault(error) from error

    def _opened(self) -> sqlite3.Connection:
        with suppress(OSError):  # then it cannot be opened
            os.makedirs(os.path.dirname(os.path.abspath(self.path)), mode=0o700, exist_ok=True)
        db = sqlite3.connect(self.path, timeout=_BUSY_SECONDS, isolation_level=None, check_same_thread=False)
        try:
            db.row_factory = sqlite3.Row
            if _version(db) == 0:  # of an old file it would write, and wait for a checkpoint that waits for it
                db.execute("PRAGMA auto_vacuum = INCREMENTAL")
            db.execute("PRAGMA journal_mode = WAL").fetchall()
            db.execute("PRAGMA synchronous = FULL")
            db.execute("PRAGMA secure_delete = OFF").fetchall()  # so that deleting needs little space
            if self.bound is not None:
                db.execute(f"PRAGMA max_page_count = {self.bound // _PAGE_BYTES}").fetchall()
            if _version(db) != _FORMAT:
                _make(db)
        except BaseException:
            db.close()
            raise
        return db


def _version(db: sqlite3.Connection) -> int:
    version: int = db.execute("PRAGMA user_version").fetchone()[0]
    return version


def _make(db: sqlite3.Connection) -> None:
    """Create the tables in a new file. Raises JobError if the file has other tables."""
    db.execute("BEGIN IMMEDIATE")
    version = _version(db)
    if version == 0 and db.execute("SELECT 1 FROM sqlite_master").fetchone() is None:
        for statement in _TABLES.split(";\n"):
            db.execute(statement)
        db.execute(f"PRAGMA user_version = {_FORMAT}")
    elif version != _FORMAT:  # else another process has just created it
        message = say("the file of jobs was made by another version of Athanor; move it away to continue")
        raise JobError("store_unreadable", message)
    db.execute("COMMIT")


def _fault(error: sqlite3.Error) -> JobError:
    """Convert an SQLite error about the file or its disk to a JobError."""
    name, problem = getattr(error, "sqlite_errorname", ""), reason_of(error)
    if name == "SQLITE_FULL":
        message = say(
            "the file of jobs cannot grow: the disk is full, or the file has reached the size "
            "that ATHANOR_JOBS_MB allows; delete jobs or make room, and try again"
        )
        return JobError("store_full", message)
    if name.startswith(("SQLITE_CORRUPT", "SQLITE_NOTADB", "SQLITE_FORMAT")):
        message = say(
            "the file of jobs is damaged, or is not one ({problem}); move it away to continue",
            problem=problem,
        )
        return JobError("store_damaged", message)
    if name.startswith(("SQLITE_BUSY", "SQLITE_LOCKED", "SQLITE_PROTOCOL")):
        message = say("another process has been using the file of jobs for too long; try again")
        return JobError("store_busy", message)
    return JobError("store_unreadable", say("the file of jobs cannot be used: {problem}", problem=problem))


def _bytes(path: str) -> int:
    try:
        return os.path.getsize(path)
    except OSError:
        return 0
