"""A file of jobs, whose units are claimed in chunks and each answered once, even if a process is killed.

It is a SQLite file with a write-ahead log. Its large tables have a row per job, per unit, and per line of results.
A trigger keeps the number of a job's units in each state in the job's row, so that they need not be counted.

A process that works on units is a *holder*, with a number of its own and a lease, which it renews. A running unit
names its holder, and only the holder may store its answer. When a lease has expired, the holder's units are
requeued; if it was only suspended, its late results are refused. So no unit is lost or counted twice.

Leases use the monotonic clock, which all processes of a machine share and nobody can set. After a restart of the
machine, that clock starts again, and an old lease may end far in its future. So a lease also counts as expired
if it ends later than one granted now would.
"""

from __future__ import annotations

import hashlib
import json
import logging
import os
import secrets
import shutil
import sqlite3
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from typing import Annotated, Any, Literal, NamedTuple

from pydantic import Field

from athanor.jobs.settings import default_path, kept_days, store_megabytes
from solver.answers import Answer
from solver.errors import AthanorError
from solver.language import say

log = logging.getLogger(__name__)

WAITING, RUNNING, DONE, FAILED, CANCELLED = range(5)  # the states of a unit
STATES = ("waiting", "running", "done", "failed", "cancelled")

LEASE_SECONDS = 10.0
MOST_ATTEMPTS = 5  # after this many worker deaths, a unit fails
MOST_UNITS = 1_000_000  # of a job
MOST_JOBS = 10_000  # in a store
MOST_JOBS_OF_A_CLIENT = 1_000
MOST_UNITS_OF_A_CLIENT = 1_000_000
_PART_OF_A_CLIENT = 4  # a client may fill a quarter of the size limit
_LONGEST_KEY = 200  # characters; also of a title

_FORMAT = 5  # version of the tables, kept in the file
_MEGABYTE = 1 << 20
_PAGE_BYTES = 4096
_BUSY_SECONDS = 20.0  # how long a transaction waits for those of other processes
_LOG_PART = 8  # of the size limit, an eighth is left to the write-ahead log
_LEAST_LOG = 1 << 18
_UNBOUND_LOG = 64 * _MEGABYTE  # without a size limit
_SPARE_BYTES = 4 * _MEGABYTE  # reserved for deleting a job when the disk is full
_SWEPT_ROWS = 5_000  # deleted at once
_PAGE_ROWS = 1_000  # results read at once
_POLL_SECONDS = 0.25

_COMPACT: dict[str, Any] = {"ensure_ascii": False, "separators": (",", ":")}
_DAY_SECONDS = 86_400.0

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
    deaths INTEGER NOT NULL DEFAULT 0, holder INTEGER);
CREATE UNIQUE INDEX units_of_job ON units (job, number);
CREATE INDEX units_waiting ON units (job, number) WHERE state = 0;
CREATE INDEX units_held ON units (holder) WHERE state = 1;
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
CREATE TABLE holders (id INTEGER PRIMARY KEY, until REAL NOT NULL);
"""


Status = Literal["waiting", "running", "done", "failed", "cancelled"]


class JobError(AthanorError):
    """A job that cannot be submitted, found, changed or kept.

    Codes: ``no_job``, ``conflict``, ``too_large``, ``share_full``, ``not_yours``; and for the job file:
    ``store_full``, ``store_damaged``, ``store_busy``, ``store_unreadable``. Messages don't name the file, since a
    service shows them to strangers.
    """


_Moment = Annotated[str, Field(json_schema_extra={"format": "date-time"})]


class Counts(Answer):
    """The number of a job's units in each state."""

    waiting: Annotated[int, Field(description="Units not started yet, or to be restarted.")]
    running: Annotated[int, Field(description="Units in progress.")]
    done: Annotated[int, Field(description="Units answered.")]
    failed: Annotated[int, Field(description="Units that failed; their results have the error.")]
    cancelled: Annotated[int, Field(description="Units cancelled.")]


class Job(Answer):
    """A job and its progress. Its status is `failed` if it has ended and some units failed."""

    id: Annotated[str, Field(description="The ID of the job; it can't be guessed.")]
    kind: Annotated[
        str, Field(description="The kind of question: analyze, hint, solve, deal, survey or generate.")
    ]
    title: Annotated[str, Field(description="The title given by the sender; may be empty.")]
    key: Annotated[
        str | None,
        Field(description="The key given by the sender, which makes a repeated request return the same job."),
    ]
    status: Annotated[Status, Field(description="The state of the job.")]
    total: Annotated[int, Field(description="The number of units.")]
    units: Annotated[Counts, Field(description="The number of units in each state.")]
    created: Annotated[_Moment, Field(description="When the job was submitted (ISO 8601, UTC).")]
    ended: Annotated[
        _Moment | None, Field(description="When the last unit ended (ISO 8601, UTC); null until then.")
    ]
    reason: Annotated[str | None, Field(description="Why the service cancelled the job; null if it did not.")] = (
        None
    )

    @property
    def over(self) -> bool:
        """Whether the job has ended: no unit is waiting or running."""
        return self.units.waiting == self.units.running == 0


class Result(Answer):
    """A line of a job's results; `id` increases in order of arrival, and `unit` is the unit's index, from 0."""

    id: int
    unit: int
    result: Annotated[
        dict[str, Any],
        Field(description="The answer, without `seconds`, or an object with the key `error`."),
    ]


class Outcome(NamedTuple):
    """The outcome of a unit: its lines of JSON, whether it failed, and the processor time used, in seconds."""

    lines: Sequence[str]
    failed: bool
    cpu: float = 0.0


class Open(NamedTuple):
    """A job that has not ended: its number, its client, and how many of its units are waiting and running."""

    job: int
    client: str
    waiting: int
    running: int


class Chunk(NamedTuple):
    """Units of a job claimed by a holder, as (number, question)."""

    job: int
    client: str
    units: list[tuple[int, str]]


# Called with all jobs that have not ended, oldest first; yields jobs, and how many units of each to claim.
Plan = Callable[[list[Open]], Iterable[tuple[Open, int]]]


class Figures(NamedTuple):
    """Statistics of a job file: units by state, age of the oldest unfinished job (s), and size (bytes)."""

    waiting: int = 0
    running: int = 0
    failed: int = 0
    oldest: float = 0.0
    bytes: int = 0


def error_line(code: str, message: str) -> str:
    """Return the result line of a failed unit."""
    return json.dumps({"error": {"code": code, "path": "", "message": message}}, **_COMPACT)


class File:
    """A SQLite file with the tables of a store, created on first use. Thread-safe.

    With a limit in `megabytes`, the file stays below it; so does its write-ahead log, unless a transaction needs a
    longer one for itself. Methods raise JobError if the file or its disk makes their work impossible.
    """

    def __init__(self, path: str, megabytes: int | None) -> None:
        self.path = path
        self.bound = None if megabytes is None else megabytes * _MEGABYTE
        self._most_log = _UNBOUND_LOG if self.bound is None else max(_LEAST_LOG, self.bound // _LOG_PART)
        self._idle: deque[sqlite3.Connection] = deque()

    @contextmanager
    def reading(self, begin: str = "BEGIN") -> Iterator[sqlite3.Connection]:
        """Open a transaction that sees a single state of the file.

        Keep the transaction short: until it ends, the write-ahead log only grows.
        """
        with self._connected() as db:
            db.execute(begin)
            try:
                yield db
                db.execute("COMMIT")
            finally:
                if db.in_transaction:  # SQLite itself ends it when the disk is full
                    db.execute("ROLLBACK")

    @contextmanager
    def writing(self, begin: str = "BEGIN IMMEDIATE") -> Iterator[sqlite3.Connection]:
        """Open a write transaction, which is on disk after the with block, or rolled back if the block fails.

        The log is emptied into the file first if it has grown long.
        """
        if self._log_bytes() > self._most_log // 2:
            self._empty_log()
        with self.reading(begin) as db:
            yield db

    def size(self) -> int:
        """Return the size of the file and its log in bytes."""
        return _stat(self.path)[1] + self._log_bytes()

    def state(self) -> tuple[int, ...]:
        """Return a value that changes when the file is written to.

        Two writes within a few milliseconds may count as one.
        """
        return _stat(self.path) + _stat(f"{self.path}-wal")

    def check(self) -> None:
        """Check the whole file. Raises JobError if it is damaged."""
        with self.reading() as db:
            (found,) = db.execute("PRAGMA quick_check(1)").fetchone()
        if found != "ok":
            message = say("the file of jobs is damaged ({problem}); move it away to continue", problem=found)
            raise JobError("store_damaged", message)

    def keep_spare(self) -> None:
        """Reserve disk space for `use_spare`, if the file has a size limit and the disk has enough space."""
        spare = f"{self.path}-spare"
        if self.bound is None or os.path.exists(spare):
            return
        with suppress(OSError):
            if shutil.disk_usage(os.path.dirname(os.path.abspath(self.path))).free > 2 * _SPARE_BYTES:
                with open(spare, "xb") as file:
                    file.write(bytes(_SPARE_BYTES))

    def use_spare(self) -> bool:
        """Release the reserved disk space and empty the log into the file; return False if none was reserved."""
        try:
            os.unlink(f"{self.path}-spare")
        except OSError:
            return False
        self._empty_log()
        return True

    def close(self) -> None:
        while self._idle:
            self._idle.pop().close()

    def _log_bytes(self) -> int:
        return _stat(f"{self.path}-wal")[1]

    def _empty_log(self) -> None:
        with self._connected() as db:
            db.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()

    @contextmanager
    def _connected(self) -> Iterator[sqlite3.Connection]:
        try:
            try:
                db = self._idle.pop()
            except IndexError:
                db = self._opened()
            try:
                yield db
            except sqlite3.Error:
                db.close()  # a damaged file may have been moved away meanwhile
                raise
            except BaseException:
                self._idle.append(db)
                raise
            self._idle.append(db)
        except sqlite3.Error as found:
            raise self._fault(found) from found

    def _opened(self) -> sqlite3.Connection:
        folder = os.path.dirname(os.path.abspath(self.path))
        try:
            os.makedirs(folder, mode=0o700, exist_ok=True)
        except OSError as found:
            message = say("the folder of the file of jobs cannot be made: {problem}", problem=found.strerror)
            raise JobError("store_unreadable", message) from None
        db = sqlite3.connect(self.path, timeout=_BUSY_SECONDS, isolation_level=None, check_same_thread=False)
        try:
            db.row_factory = sqlite3.Row
            for pragma in (
                f"page_size={_PAGE_BYTES}",
                "journal_mode=WAL",
                "synchronous=FULL",
                "secure_delete=OFF",
            ):
                db.execute(f"PRAGMA {pragma}").fetchall()
            if self.bound is not None:
                pages = max(1, (self.bound - self._most_log) // _PAGE_BYTES)
                db.execute(f"PRAGMA max_page_count={pages}").fetchall()
            if _version(db) != _FORMAT:
                self._make(db)
        except BaseException:
            db.close()
            raise
        return db

    def _make(self, db: sqlite3.Connection) -> None:
        """Create the tables in a new file. Raises JobError if the file has other tables."""
        db.execute("BEGIN IMMEDIATE")
        version = _version(db)
        if version == 0 and db.execute("SELECT 1 FROM sqlite_master").fetchone() is None:
            for statement in _TABLES.split(";\n"):
                db.execute(statement)
            db.execute(f"PRAGMA user_version = {_FORMAT}")
        elif version != _FORMAT:  # else another process has just created it
            db.execute("ROLLBACK")
            message = say("the file of jobs was made by another version of Athanor; move it away to continue")
            raise JobError("store_unreadable", message)
        db.execute("COMMIT")

    def _fault(self, found: sqlite3.Error) -> JobError:
        """Convert an SQLite error about the file or its disk to a JobError."""
        name = getattr(found, "sqlite_errorname", "")
        if name == "SQLITE_FULL":
            message = say(
                "the file of jobs cannot grow: the disk is full, or the file has reached the size "
                "that ATHANOR_JOBS_MB allows; delete jobs or make room, and try again"
            )
            return JobError("store_full", message)
        if name.startswith(("SQLITE_CORRUPT", "SQLITE_NOTADB", "SQLITE_FORMAT")):
            message = say(
                "the file of jobs is damaged, or is not one ({problem}); move it away to continue", problem=found
            )
            return JobError("store_damaged", message)
        if name.startswith(("SQLITE_BUSY", "SQLITE_LOCKED", "SQLITE_PROTOCOL")):
            message = say("another process has been using the file of jobs for too long; try again")
            return JobError("store_busy", message)
        return JobError("store_unreadable", say("the file of jobs cannot be used: {problem}", problem=found))


class Store:
    """The jobs in a file, by default the user's own. Safe for several threads and processes.

    The file is created on first use; `megabytes` is its size limit, by default from ATHANOR_JOBS_MB; None means no
    limit but the disk. Every method raises JobError if the file is damaged or the disk is full; further reasons
    are stated where there are any. `clock` is a monotonic clock in seconds.
    """

    def __init__(
        self,
        path: str | os.PathLike[str] | None = None,
        *,
        megabytes: int | Literal["as set"] | None = "as set",
        clock: Callable[[], float] = time.monotonic,
        attempts: int = MOST_ATTEMPTS,
    ) -> None:
        self.path = default_path() if path is None else os.fspath(path)
        self.file = File(self.path, store_megabytes() if megabytes == "as set" else megabytes)
        self._clock = clock
        self._attempts = attempts

    def close(self) -> None:
        """Close the file."""
        self.file.close()

    # Methods for senders of jobs.

    def submit(
        self,
        kind: str,
        payloads: Iterable[str],
        *,
        title: str = "",
        key: str | None = None,
        client: str = "",
        most: int = MOST_UNITS,
    ) -> tuple[Job, bool]:
        """Store a job with these units, as made by `payloads`; return it, and whether it is new.

        If `client` has already submitted a job with this `key` and the same units, that job is returned. Units
        are gathered in a temporary table, so any number of them takes little memory, and nobody waits meanwhile.

        Raises JobError: ``wrong_size`` without units, ``too_large`` for more than `most` units or a long title or
        key, ``conflict`` if the client's job with this `key` has other units, ``share_full`` or ``store_full`` if
        there is no room.
        """
        for name, text in (("title", title), ("key", key)):
            if text is not None and len(text) > _LONGEST_KEY:
                raise JobError(
                    "too_large",
                    say("the {name} has at most {longest_key} characters", name=name, longest_key=_LONGEST_KEY),
                    name,
                )
        digest = hashlib.blake2b(kind.encode("utf-8", "surrogatepass"))
        total = size = 0

        def arriving() -> Iterator[tuple[str]]:
            nonlocal total, size
            for payload in payloads:
                if total == most:
                    message = say("a job has at most {most_units:,} units", most_units=most)
                    raise JobError("too_large", message, "questions")
                digest.update(b"\n" + payload.encode("utf-8", "surrogatepass"))
                total += 1
                size += len(payload)
                yield (payload,)

        self.file.keep_spare()
        with self.file.writing("BEGIN") as db:  # which locks the file at the first change to it
            db.execute("CREATE TEMP TABLE IF NOT EXISTS arrived (payload TEXT NOT NULL)")
            db.executemany("INSERT INTO arrived VALUES (?)", arriving())
            if not total:
                raise JobError("wrong_size", say("a job has at least one question"), "questions")
            new = db.execute(
                "INSERT INTO jobs (id, kind, title, key, digest, client, created, total, waiting, bytes) "
                "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (client, key) DO NOTHING",
                (
                    secrets.token_hex(8), kind, title, key, digest.hexdigest(), client, time.time(), total, total,
                    size,
                ),
            )  # fmt: skip
            if new.rowcount:
                job = _row(db, new.lastrowid)
                db.execute(
                    "INSERT INTO units (job, number, payload) SELECT ?, rowid - 1, payload FROM arrived",
                    (job["number"],),
                )
                if db.execute("SELECT count(*) FROM jobs").fetchone()[0] > MOST_JOBS:
                    message = say("there are {most_jobs:,} jobs already; delete some", most_jobs=MOST_JOBS)
                    raise JobError("store_full", message)
                self._check_share(db, client)
            else:
                job = db.execute("SELECT * FROM jobs WHERE client = ? AND key = ?", (client, key)).fetchone()
                if job["digest"] != digest.hexdigest():
                    message = say("the job {known} has this key and other questions", known=job["id"])
                    raise JobError("conflict", message, "key")
            db.execute("DELETE FROM arrived")
            return _job(job), bool(new.rowcount)

    def jobs(self, *, most: int = 100, client: str | None = None, before: str | None = None) -> list[Job]:
        """Return up to `most` jobs, newest first, of all clients or of one.

        With `before`, returns only jobs that are older than the one with this id.
        """
        with self.file.reading() as db:
            number = None if before is None else _found(db, before)["number"]
            rows = db.execute(
                "SELECT * FROM jobs WHERE (? IS NULL OR client = ?) AND (? IS NULL OR number < ?) "
                "ORDER BY number DESC LIMIT ?",
                (client, client, number, number, most),
            ).fetchall()
        return [_job(row) for row in rows]

    def job(self, name: str) -> Job:
        """Return the job with this id. Raises JobError if there is none, as do all methods below with a `name`."""
        with self.file.reading() as db:
            return _job(_found(db, name))

    def results(self, name: str, *, after: int = 0, most: int = _PAGE_ROWS) -> list[Result]:
        """Return up to `most` results in order of arrival, starting after the result with id `after`."""
        with self.file.reading() as db:
            rows = db.execute(
                "SELECT id, unit, text FROM results WHERE job = ? AND id > ? ORDER BY id LIMIT ?",
                (_found(db, name)["number"], after, most),
            ).fetchall()
        return [Result(id=row["id"], unit=row["unit"], result=json.loads(row["text"])) for row in rows]

    def ordered(self, name: str) -> Iterator[tuple[int, str]]:
        """Yield (unit, result line) for all results, in the order of the units."""
        last = (-1, 0)
        while True:
            with self.file.reading() as db:
                rows = db.execute(
                    "SELECT unit, id, text FROM results WHERE job = ? AND (unit, id) > (?, ?) "
                    "ORDER BY unit, id LIMIT ?",
                    (_found(db, name)["number"], *last, _PAGE_ROWS),
                ).fetchall()
            if not rows:
                return
            for row in rows:
                yield row["unit"], row["text"]
            last = (rows[-1]["unit"], rows[-1]["id"])

    def follow(self, name: str, *, after: int = 0) -> Iterator[Result]:
        """Yield every result after the one with id `after`, as it arrives, until the job has ended."""
        while True:
            job = self.job(name)
            found = self.results(name, after=after)
            yield from found
            if found:
                after = found[-1].id
            elif job.over:
                return
            else:
                time.sleep(_POLL_SECONDS)

    def cancel(self, name: str, *, client: str | None = None) -> Job:
        """Cancel a job's waiting and running units; finished ones are kept.

        Raises JobError, ``not_yours``, if `client` is given and the job belongs to another client.
        """
        with self.file.writing() as db:
            number = _own(db, name, client)["number"]
            _cancel(db, number, None)
            return _job(_row(db, number))

    def retry(self, name: str, *, client: str | None = None) -> Job:
        """Requeue failed and cancelled units, and remove the results of failed ones. Raises as `cancel` does."""
        with self.file.writing() as db:
            row = _own(db, name, client)
            number = row["number"]
            self._check_share(db, row["client"])
            db.execute(
                "DELETE FROM results WHERE job = ? AND unit IN "
                "(SELECT number FROM units WHERE job = ? AND state = ?)",
                (number, number, FAILED),
            )
            db.execute(
                "UPDATE units SET state = ?, deaths = 0 WHERE job = ? AND state IN (?, ?)",
                (WAITING, number, FAILED, CANCELLED),
            )
            db.execute("UPDATE jobs SET reason = NULL WHERE number = ?", (number,))
            return _job(_row(db, number))

    def delete(self, name: str, *, client: str | None = None) -> Job:
        """Delete a job and its results, finished or not; return its last state. Raises as `cancel` does.

        This works on a full disk, too, since the store has reserved a little space.
        """
        try:
            return self._deleted(name, client)
        except JobError as found:
            if found.code not in ("store_full", "store_unreadable") or not self.file.use_spare():
                raise
            return self._deleted(name, client)

    def prune(self, *, days: int | None = None) -> int:
        """Delete the jobs that ended more than `days` days ago; return their number.

        Also remove what a process that was killed has left of the jobs that it was deleting.
        """
        oldest = time.time() - (kept_days() if days is None else days) * _DAY_SECONDS
        with self.file.writing() as db:
            count = db.execute("DELETE FROM jobs WHERE waiting + running = 0 AND ended < ?", (oldest,)).rowcount
            gone = db.execute("SELECT job FROM units UNION SELECT job FROM results EXCEPT SELECT number FROM jobs")
            numbers = [row["job"] for row in gone]
        for number in numbers:
            self._sweep(number)
        return count

    def figures(self) -> Figures:
        """Return the numbers of waiting, running and failed units, and the size of the store."""
        with self.file.reading() as db:
            row = db.execute(
                "SELECT coalesce(sum(waiting), 0), coalesce(sum(running), 0), coalesce(sum(failed), 0), "
                "min(CASE WHEN waiting + running > 0 THEN created END) FROM jobs"
            ).fetchone()
        oldest = 0.0 if row[3] is None else max(0.0, time.time() - row[3])
        return Figures(row[0], row[1], row[2], oldest, self.file.size())

    # Methods for holders of units.

    def leave(self, holder: int) -> None:
        """End a holder's lease. Its unfinished units are requeued as if they had never started."""
        with self.file.writing() as db:
            db.execute(
                "UPDATE units SET state = ?, holder = NULL WHERE holder = ? AND state = 1", (WAITING, holder)
            )
            db.execute("DELETE FROM holders WHERE id = ?", (holder,))

    def open(self) -> list[Open]:
        """Return the jobs that have waiting or running units, oldest first."""
        with self.file.reading() as db:
            return _open(db)

    def exchange(
        self,
        holder: int,
        done: Sequence[tuple[Chunk, Sequence[Outcome] | None]] = (),
        plan: Plan = lambda jobs: (),
    ) -> list[Chunk]:
        """Store the outcomes of chunks, and claim the new ones that `plan` yields, in one transaction.

        If there are fewer outcomes than units in a chunk, they belong to its first units, and the others are
        requeued. With None instead of outcomes, the chunk's worker died: its units are requeued, and fail if that
        happens too often. What the holder no longer holds is left as it is.

        The holder's lease is renewed, and the units of holders whose leases have expired are requeued.
        """
        now = self._clock()
        with self.file.writing() as db:
            db.execute("INSERT OR REPLACE INTO holders VALUES (?, ?)", (holder, now + LEASE_SECONDS))
            dead = "SELECT id FROM holders WHERE NOT until BETWEEN ? AND ?"
            for (other,) in db.execute(dead, (now, now + LEASE_SECONDS)).fetchall():
                self._lose(db, "holder = ?", (other,))
                db.execute("DELETE FROM holders WHERE id = ?", (other,))
            for chunk, outcomes in done:
                self._keep(db, holder, chunk, outcomes)
            return [_claim(db, holder, job, most) for job, most in plan(_open(db))]

    def _deleted(self, name: str, client: str | None) -> Job:
        with self.file.writing() as db:
            row = _own(db, name, client)
            db.execute("DELETE FROM jobs WHERE number = ?", (row["number"],))
        self._sweep(row["number"])
        return _job(row)

    def _sweep(self, number: int) -> None:
        """Remove the units and results of a deleted job, in transactions short enough for others to wait for."""
        for table in ("units", "results"):
            block = f"SELECT rowid FROM {table} WHERE job = ? LIMIT {_SWEPT_ROWS}"
            while True:
                with self.file.writing() as db:
                    if not db.execute(f"DELETE FROM {table} WHERE rowid IN ({block})", (number,)).rowcount:
                        break

    def _check_share(self, db: sqlite3.Connection, client: str) -> None:
        """Raise JobError if a client exceeds its share of a store with a size limit."""
        if self.file.bound is None or not client:
            return
        jobs, units, size = db.execute(
            "SELECT count(*), coalesce(sum(total), 0), coalesce(sum(bytes), 0) FROM jobs WHERE client = ?",
            (client,),
        ).fetchone()
        part = self.file.bound // _PART_OF_A_CLIENT
        for found, most, what in (
            (jobs, MOST_JOBS_OF_A_CLIENT, say("{count:,} jobs", count=MOST_JOBS_OF_A_CLIENT)),
            (units, MOST_UNITS_OF_A_CLIENT, say("{count:,} units", count=MOST_UNITS_OF_A_CLIENT)),
            (size, part, say("{count:,} kB of questions and results", count=part // 1000)),
        ):
            if found > most:
                raise JobError(
                    "share_full",
                    say("a client may keep {what}: delete some of your jobs, and try again", what=what),
                )

    def _keep(self, db: sqlite3.Connection, holder: int, chunk: Chunk, outcomes: Sequence[Outcome] | None) -> None:
        """Store the outcomes of a chunk's first units, and requeue the others."""
        ours = "holder = ? AND job = ? AND number BETWEEN ? AND ?"
        which = (holder, chunk.job, chunk.units[0][0], chunk.units[-1][0])
        if outcomes is None:
            self._lose(db, ours, which)
            return
        size = 0
        for (unit, _), found in zip(chunk.units, outcomes, strict=False):
            held = db.execute(
                "UPDATE units SET state = ?, holder = NULL WHERE job = ? AND number = ? AND holder = ?",
                (FAILED if found.failed else DONE, chunk.job, unit, holder),
            )
            if held.rowcount:
                db.executemany(
                    "INSERT INTO results (job, unit, text) VALUES (?, ?, ?)",
                    [(chunk.job, unit, line) for line in found.lines],
                )
                size += sum(map(len, found.lines))
        db.execute("UPDATE jobs SET bytes = bytes + ? WHERE number = ?", (size, chunk.job))
        db.execute(f"UPDATE units SET state = ?, holder = NULL WHERE {ours}", (WAITING, *which))
        try:
            self._check_share(db, chunk.client)
        except JobError as full:
            if db.execute("SELECT 1 FROM jobs WHERE number = ? AND waiting > 0", (chunk.job,)).fetchone():
                _cancel(db, chunk.job, full.message)

    def _lose(self, db: sqlite3.Connection, ours: str, which: Sequence[int]) -> None:
        """Requeue running units whose worker died, chosen by the condition `ours`; fail those tried too often."""
        message = say(
            "{row} workers ended before finishing this; there may be too little memory", row=self._attempts
        )
        last = f"{ours} AND deaths + 1 >= ?"
        db.execute(
            f"INSERT INTO results (job, unit, text) SELECT job, number, ? FROM units WHERE {last}",
            (error_line("worker_died", message), *which, self._attempts),
        )
        db.execute(f"UPDATE units SET state = ?, holder = NULL WHERE {last}", (FAILED, *which, self._attempts))
        db.execute(
            f"UPDATE units SET state = ?, holder = NULL, deaths = deaths + 1 WHERE {ours}", (WAITING, *which)
        )


def _version(db: sqlite3.Connection) -> int:
    found: int = db.execute("PRAGMA user_version").fetchone()[0]
    return found


def _stat(path: str) -> tuple[int, int]:
    """Return when a file was last written to (ns), and its size; zeros if there is none."""
    try:
        found = os.stat(path)
    except OSError:
        return 0, 0
    return found.st_mtime_ns, found.st_size


def _open(db: sqlite3.Connection) -> list[Open]:
    wanted = "SELECT number, client, waiting, running FROM jobs WHERE waiting + running > 0 ORDER BY number"
    return [Open(*row) for row in db.execute(wanted)]


def _claim(db: sqlite3.Connection, holder: int, job: Open, most: int) -> Chunk:
    """Claim up to `most` units of a job with waiting ones.

    A unit whose worker died is claimed alone, so that only it is to blame if that happens again.
    """
    rows = db.execute(
        "SELECT number, payload, deaths FROM units WHERE job = ? AND state = 0 ORDER BY number LIMIT ?",
        (job.job, most),
    ).fetchall()
    fresh = next((place for place, unit in enumerate(rows) if unit["deaths"]), len(rows))
    rows = rows[: max(1, fresh)]
    db.execute(
        "UPDATE units SET state = ?, holder = ? WHERE job = ? AND state = 0 AND number BETWEEN ? AND ?",
        (RUNNING, holder, job.job, rows[0]["number"], rows[-1]["number"]),
    )
    return Chunk(job.job, job.client, [(unit["number"], unit["payload"]) for unit in rows])


def _cancel(db: sqlite3.Connection, number: int, reason: str | None) -> None:
    db.execute(
        "UPDATE units SET state = ?, holder = NULL WHERE job = ? AND state IN (?, ?)",
        (CANCELLED, number, WAITING, RUNNING),
    )
    db.execute("UPDATE jobs SET reason = ? WHERE number = ?", (reason, number))


def _row(db: sqlite3.Connection, number: int | None) -> sqlite3.Row:
    found: sqlite3.Row = db.execute("SELECT * FROM jobs WHERE number = ?", (number,)).fetchone()
    return found


def _found(db: sqlite3.Connection, name: str) -> sqlite3.Row:
    found: sqlite3.Row | None = db.execute("SELECT * FROM jobs WHERE id = ?", (name,)).fetchone()
    if found is None:
        raise JobError("no_job", say("there is no job {name}; it may have been deleted", name=name[:40]))
    return found


def _own(db: sqlite3.Connection, name: str, client: str | None) -> sqlite3.Row:
    row = _found(db, name)
    if client is not None and row["client"] != client:
        raise JobError(
            "not_yours", say("only the client that submitted a job, or an administrator, may change it")
        )
    return row


def _job(row: sqlite3.Row) -> Job:
    counts = {name: row[name] for name in STATES}
    over = row["waiting"] == row["running"] == 0
    return Job(
        **{name: row[name] for name in ("id", "kind", "title", "key", "total", "reason")},
        status=_status(**counts),
        units=Counts(**counts),
        created=_moment(row["created"]),
        ended=_moment(row["ended"]) if over and row["ended"] is not None else None,
    )


def _status(waiting: int, running: int, done: int, failed: int, cancelled: int) -> Status:
    if running or (waiting and (done or failed)):
        return "running"
    if waiting:
        return "waiting"
    if cancelled:
        return "cancelled"
    return "failed" if failed else "done"


def _moment(seconds: float) -> str:
    return datetime.fromtimestamp(seconds, UTC).isoformat(timespec="seconds").replace("+00:00", "Z")
