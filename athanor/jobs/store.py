"""A file of jobs, whose units are claimed in chunks and each answered once, even if a process is killed.

It is a SQLite file with a write-ahead log. Its large tables have a row per job, per unit, and per line of results.
A trigger keeps the number of a job's units in each state in the job's row, so that they need not be counted.

A process that works on units is a *holder*: a row with a lease, which it renews. A running unit names its holder,
and only the holder may store its answer. When a lease has expired, the holder's units are requeued; if it was only
suspended, its late results are refused. So no unit is lost or counted twice.

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
ARRIVING, KEPT, DELETED = range(3)  # the stages of a job: being written, written, being deleted

LEASE_SECONDS = 10.0
MOST_ATTEMPTS = 5  # after this many worker deaths, a unit fails
MOST_UNITS = 1_000_000  # of a job
MOST_JOBS = 10_000  # in a store
MOST_JOBS_OF_A_CLIENT = 1_000
MOST_UNITS_OF_A_CLIENT = 1_000_000
_PART_OF_A_CLIENT = 4  # a client may fill a quarter of the size limit
_LONGEST_KEY = 200  # characters; also of a title

_FORMAT = 4  # version of the tables, kept in the file
_MEGABYTE = 1 << 20
_PAGE_BYTES = 4096
_BUSY_SECONDS = 20.0  # how long a transaction waits for those of other processes
_LOG_PART = 8  # the write-ahead log gets an eighth of the size limit
_LEAST_LOG = 1 << 18
_UNBOUND_LOG = 64 * _MEGABYTE  # without a size limit
_SPARE_BYTES = 4 * _MEGABYTE  # reserved for deleting a job when the disk is full
_BLOCK_UNITS, _BLOCK_BYTES = 2_000, 1 << 19  # submitted in one transaction
_PURGE_ROWS, _PURGE_SECONDS = 5_000, 2.0
_PAGE_ROWS = 1_000  # results read at once
_POLL_SECONDS = 0.25

_COMPACT: dict[str, Any] = {"ensure_ascii": False, "separators": (",", ":")}
_DAY_SECONDS = 86_400.0
_TOLERANCE_SECONDS = 3_600.0  # changes of the clock by this much are normal: leap seconds, corrections

_TABLES = """
CREATE TABLE jobs (
    number INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, stage INTEGER NOT NULL, kind TEXT NOT NULL,
    title TEXT NOT NULL, key TEXT, digest TEXT NOT NULL DEFAULT '', client TEXT NOT NULL,
    total INTEGER NOT NULL DEFAULT 0, waiting INTEGER NOT NULL DEFAULT 0, running INTEGER NOT NULL DEFAULT 0,
    done INTEGER NOT NULL DEFAULT 0, failed INTEGER NOT NULL DEFAULT 0, cancelled INTEGER NOT NULL DEFAULT 0,
    bytes INTEGER NOT NULL DEFAULT 0, created REAL NOT NULL, ended REAL, reason TEXT);
CREATE UNIQUE INDEX jobs_by_key ON jobs (client, key) WHERE stage = 1 AND key IS NOT NULL;
CREATE INDEX jobs_with_work ON jobs (number) WHERE waiting + running > 0;
CREATE INDEX jobs_on_their_way ON jobs (stage) WHERE stage <> 1;
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
CREATE TABLE holders (id INTEGER PRIMARY KEY AUTOINCREMENT, until REAL NOT NULL);
CREATE TABLE clock (wall REAL NOT NULL, monotonic REAL NOT NULL);
"""

_WITH_WORK = "waiting + running > 0 AND stage = 1"  # the condition of the index

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
    """A job with waiting units: its number, the client that submitted it, and how many units are waiting."""

    job: int
    client: str
    waiting: int


class Chunk(NamedTuple):
    """Units of a job claimed by a holder, as (number, question)."""

    job: int
    client: str
    units: list[tuple[int, str]]


# Called with all jobs that have waiting units, oldest first; yields jobs, and how many units of each to claim.
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

    With a limit in `megabytes`, the file and its write-ahead log stay below it. Methods raise JobError if the file
    or its disk makes their work impossible.
    """

    def __init__(self, path: str, megabytes: int | None) -> None:
        self.path = path
        self.bound = None if megabytes is None else megabytes * _MEGABYTE
        self.most_log = _UNBOUND_LOG if self.bound is None else max(_LEAST_LOG, self.bound // _LOG_PART)
        self._idle: deque[sqlite3.Connection] = deque()

    @contextmanager
    def reading(self) -> Iterator[sqlite3.Connection]:
        """Open a transaction that sees a single state of the file.

        Keep the transaction short: until it ends, the write-ahead log only grows.
        """
        with self._transaction("BEGIN") as db:
            yield db

    @contextmanager
    def writing(self, *, shrinks: bool = False) -> Iterator[sqlite3.Connection]:
        """Open a write transaction, which is on disk after the with block, or rolled back if the block fails.

        The log is truncated first if it has grown long. If it is too long and readers prevent this, only a
        transaction that frees space (`shrinks`) may write; others raise JobError.
        """
        if self._log_bytes() > self.most_log // 2:
            with self._connected() as db:
                db.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
            if self._log_bytes() > self.most_log and not shrinks:
                raise JobError("store_busy", say("the file of jobs has been read for too long; try again"))
        with self._transaction("BEGIN IMMEDIATE") as db:
            yield db

    def size(self) -> int:
        """Return the size of the file and its log in bytes."""
        return _size(self.path) + self._log_bytes()

    def state(self) -> tuple[int, ...]:
        """Return a value that changes when the file is written to.

        Two writes within a few milliseconds may count as one.
        """
        return _written(self.path) + _written(f"{self.path}-wal")

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
        with self._connected() as db:
            db.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
        return True

    def close(self) -> None:
        while self._idle:
            self._idle.pop().close()

    def _log_bytes(self) -> int:
        return _size(f"{self.path}-wal")

    @contextmanager
    def _transaction(self, begin: str) -> Iterator[sqlite3.Connection]:
        with self._connected() as db:
            db.execute(begin)
            try:
                yield db
                db.execute("COMMIT")
            finally:
                if db.in_transaction:  # SQLite itself ends it when the disk is full
                    db.execute("ROLLBACK")

    @contextmanager
    def _connected(self) -> Iterator[sqlite3.Connection]:
        try:
            try:
                db = self._idle.pop()
            except IndexError:
                db = self._opened()
            try:
                yield db
            finally:
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
                pages = max(1, (self.bound - self.most_log) // _PAGE_BYTES)
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

        If `client` has already submitted a job with this `key` and the same units, that job is returned. Units are
        written as they are generated, so any number of them takes little memory, and the job becomes visible when
        all are stored.

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
        blocks = _blocks(payloads, most, digest)
        with self.file.reading() as db:
            known = _with_key(db, client, key)
        number = 0
        try:
            if known is None:
                for block in blocks:
                    self.file.keep_spare()
                    with self.file.writing() as db:
                        number = number or _begin(db, kind, title, client)
                        self._append(db, number, client, block)
                if not number:
                    raise JobError("wrong_size", say("a job has at least one question"), "questions")
                with self.file.writing() as db:
                    known = _with_key(db, client, key)  # another process may have submitted the same meanwhile
                    if known is None:
                        db.execute(
                            "UPDATE jobs SET stage = ?, key = ?, digest = ?, waiting = total WHERE number = ?",
                            (KEPT, key, digest.hexdigest(), number),
                        )
                        return _job(_row(db, number)), True
            deque(blocks, maxlen=0)
            if known["digest"] != digest.hexdigest():
                raise JobError(
                    "conflict", say("the job {known} has this key and other questions", known=known["id"]), "key"
                )
        except BaseException:
            if number:
                with suppress(JobError):
                    self._discard(number)
            raise
        if number:
            self._discard(number)
        return self.job(known["id"]), False

    def jobs(self, *, most: int = 100, client: str | None = None, before: str | None = None) -> list[Job]:
        """Return up to `most` jobs, newest first, of all clients or of one.

        With `before`, returns only jobs that are older than the one with this id.
        """
        with self.file.reading() as db:
            number = None if before is None else _found(db, before)["number"]
            rows = db.execute(
                "SELECT * FROM jobs WHERE stage = ? AND (? IS NULL OR client = ?) AND (? IS NULL OR number < ?) "
                "ORDER BY number DESC LIMIT ?",
                (KEPT, client, client, number, number, most),
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
        with self.file.writing(shrinks=True) as db:
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
        with self.file.reading() as db:
            row = _own(db, name, client)
        try:
            self._discard(row["number"])
        except JobError as found:
            if found.code not in ("store_full", "store_unreadable") or not self.file.use_spare():
                raise
            self._discard(row["number"])
        return _job(row)

    def figures(self) -> Figures:
        """Return the numbers of waiting, running and failed units, and the size of the store."""
        with self.file.reading() as db:
            row = db.execute(
                "SELECT coalesce(sum(waiting), 0), coalesce(sum(running), 0), coalesce(sum(failed), 0), "
                "min(CASE WHEN waiting + running > 0 THEN created END) FROM jobs WHERE stage = ?",
                (KEPT,),
            ).fetchone()
        oldest = 0.0 if row[3] is None else max(0.0, time.time() - row[3])
        return Figures(row[0], row[1], row[2], oldest, self.file.size())

    # Methods for holders of units.

    def enter(self) -> int:
        """Register a new holder, and return its number."""
        with self.file.writing(shrinks=True) as db:
            return self._lease(db, None)

    def leave(self, holder: int) -> None:
        """Unregister a holder. Its unfinished units are requeued as if they had never started."""
        with self.file.writing(shrinks=True) as db:
            db.execute(
                "UPDATE units SET state = ?, holder = NULL WHERE holder = ? AND state = 1", (WAITING, holder)
            )
            db.execute("DELETE FROM holders WHERE id = ?", (holder,))

    def bury(self, *, but: int = 0) -> int:
        """Requeue the units of holders whose leases have expired, except `but`; return the number of units."""
        now = self._clock()
        expired = "FROM holders WHERE id <> ? AND NOT until BETWEEN ? AND ?"
        which = (but, now, now + LEASE_SECONDS)
        with self.file.reading() as db:
            if db.execute(f"SELECT 1 {expired}", which).fetchone() is None:
                return 0
        with self.file.writing() as db:
            count = 0
            for (holder,) in db.execute(f"SELECT id {expired}", which).fetchall():
                count += self._lose(db, "holder = ?", (holder,))
                db.execute("DELETE FROM holders WHERE id = ?", (holder,))
            return count

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
        """
        with self.file.writing() as db:
            self._lease(db, holder)
            for chunk, outcomes in done:
                self._keep(db, holder, chunk, outcomes)
            jobs = db.execute(
                f"SELECT number, client, waiting FROM jobs WHERE {_WITH_WORK} AND waiting > 0 ORDER BY number"
            ).fetchall()
            return [_claim(db, holder, job, most) for job, most in plan([Open(*row) for row in jobs])]

    def at_work(self) -> set[int]:
        """Return the numbers of the jobs with running units."""
        with self.file.reading() as db:
            return {row[0] for row in db.execute(f"SELECT number FROM jobs WHERE {_WITH_WORK} AND running > 0")}

    def waiting(self) -> int:
        """Return the number of waiting units."""
        with self.file.reading() as db:
            (found,) = db.execute(f"SELECT sum(waiting) FROM jobs WHERE {_WITH_WORK}").fetchone()
        return found or 0

    def left(self) -> bool:
        """Whether any unit is waiting or running."""
        return bool(self.waiting() or self.at_work())

    def prune(
        self,
        *,
        days: int | None = None,
        wall: Callable[[], float] = time.time,
        monotonic: Callable[[], float] = time.monotonic,
    ) -> int:
        """Delete the jobs that ended more than `days` days ago; return their number.

        Jobs that were never written completely are deleted after a day. Age is measured with the wall clock, which
        can be changed. So this clock is first compared with its last reading and with the monotonic clock. If it
        has jumped, a warning is logged, and nothing is deleted.
        """
        now, steady = wall(), monotonic()
        oldest = now - (kept_days() if days is None else days) * _DAY_SECONDS
        found, jumped = 0, 0.0
        with self.file.writing(shrinks=True) as db:
            last = db.execute("SELECT wall, monotonic FROM clock").fetchone()
            db.execute("DELETE FROM clock")
            db.execute("INSERT INTO clock VALUES (?, ?)", (now, steady))
            if last is not None:
                jumped = _jump(now - last["wall"], steady - last["monotonic"])
            if not jumped:
                found = db.execute(
                    "UPDATE jobs SET stage = ? WHERE (stage = ? AND waiting + running = 0 AND ended < ?) "
                    "OR (stage = ? AND created < ?)",
                    (DELETED, KEPT, oldest, ARRIVING, now - _DAY_SECONDS),
                ).rowcount
        if jumped:
            direction = "back" if jumped < 0 else "forward"
            hours = abs(jumped) / 3600
            log.error("the clock was set %s by %.1f hours: no job is deleted for its age now", direction, hours)
        self._purge()
        return found

    def _discard(self, number: int) -> None:
        with self.file.writing(shrinks=True) as db:
            db.execute("UPDATE jobs SET stage = ? WHERE number = ?", (DELETED, number))
        self._purge(_PURGE_SECONDS)

    def _purge(self, seconds: float = float("inf")) -> None:
        """Remove the rows of deleted jobs, in small transactions, for at most `seconds` seconds."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            with self.file.reading() as db:
                row = db.execute("SELECT number FROM jobs WHERE stage = ?", (DELETED,)).fetchone()
            if row is None:
                return
            with self.file.writing(shrinks=True) as db:
                for table in ("results", "units"):
                    chosen = f"SELECT rowid FROM {table} WHERE job = ? LIMIT ?"
                    wanted = (row["number"], _PURGE_ROWS)
                    if db.execute(f"DELETE FROM {table} WHERE rowid IN ({chosen})", wanted).rowcount:
                        break
                else:
                    db.execute("DELETE FROM jobs WHERE number = ?", (row["number"],))

    def _lease(self, db: sqlite3.Connection, holder: int | None) -> int:
        values = (holder, self._clock() + LEASE_SECONDS)
        return db.execute("INSERT OR REPLACE INTO holders VALUES (?, ?)", values).lastrowid or 0

    def _append(self, db: sqlite3.Connection, number: int, client: str, block: Sequence[str]) -> None:
        first = _row(db, number)["total"]
        db.executemany(
            "INSERT INTO units (job, number, payload) VALUES (?, ?, ?)",
            [(number, place, payload) for place, payload in enumerate(block, first)],
        )
        db.execute(
            "UPDATE jobs SET total = total + ?, bytes = bytes + ? WHERE number = ?",
            (len(block), sum(map(len, block)), number),
        )
        self._check_share(db, client)

    def _check_share(self, db: sqlite3.Connection, client: str) -> None:
        """Raise JobError if a client exceeds its share of a store with a size limit."""
        if self.file.bound is None or not client:
            return
        jobs, units, size = db.execute(
            "SELECT count(*), coalesce(sum(total), 0), coalesce(sum(bytes), 0) FROM jobs "
            "WHERE client = ? AND stage <> ?",
            (client, DELETED),
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
            if _row(db, chunk.job)["waiting"]:
                _cancel(db, chunk.job, full.message)

    def _lose(self, db: sqlite3.Connection, ours: str, which: Sequence[int]) -> int:
        """Requeue running units whose worker died, chosen by the condition `ours`; fail those tried too often.

        Returns their number.
        """
        message = say(
            "{row} workers ended before finishing this; there may be too little memory", row=self._attempts
        )
        last = f"{ours} AND deaths + 1 >= ?"
        db.execute(
            f"INSERT INTO results (job, unit, text) SELECT job, number, ? FROM units WHERE {last}",
            (error_line("worker_died", message), *which, self._attempts),
        )
        failed = db.execute(
            f"UPDATE units SET state = ?, holder = NULL WHERE {last}", (FAILED, *which, self._attempts)
        ).rowcount
        requeued = db.execute(
            f"UPDATE units SET state = ?, holder = NULL, deaths = deaths + 1 WHERE {ours}", (WAITING, *which)
        ).rowcount
        return failed + requeued


def _version(db: sqlite3.Connection) -> int:
    found: int = db.execute("PRAGMA user_version").fetchone()[0]
    return found


def _size(path: str) -> int:
    try:
        return os.stat(path).st_size
    except OSError:
        return 0


def _written(path: str) -> tuple[int, ...]:
    try:
        found = os.stat(path)
    except OSError:
        return ()
    return found.st_mtime_ns, found.st_size


def _blocks(payloads: Iterable[str], most: int, digest: Any) -> Iterator[list[str]]:
    """Group units into blocks, one per transaction, updating `digest` with every unit read.

    Raises JobError for more than `most` units.
    """
    waiting: list[str] = []
    size = 0
    for number, payload in enumerate(payloads):
        if number == most:
            raise JobError(
                "too_large", say("a job has at most {most_units:,} units", most_units=most), "questions"
            )
        digest.update(b"\n" + payload.encode("utf-8", "surrogatepass"))
        waiting.append(payload)
        size += len(payload)
        if len(waiting) == _BLOCK_UNITS or size > _BLOCK_BYTES:
            yield waiting
            waiting, size = [], 0
    if waiting:
        yield waiting


def _begin(db: sqlite3.Connection, kind: str, title: str, client: str) -> int:
    """Insert a job without units, and return its number."""
    if db.execute("SELECT count(*) FROM jobs WHERE stage <> ?", (DELETED,)).fetchone()[0] >= MOST_JOBS:
        raise JobError("store_full", say("there are {most_jobs:,} jobs already; delete some", most_jobs=MOST_JOBS))
    return (
        db.execute(
            "INSERT INTO jobs (id, stage, kind, title, client, created) VALUES (?, ?, ?, ?, ?, ?)",
            (secrets.token_hex(8), ARRIVING, kind, title, client, time.time()),
        ).lastrowid
        or 0
    )


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


def _with_key(db: sqlite3.Connection, client: str, key: str | None) -> sqlite3.Row | None:
    found: sqlite3.Row | None = db.execute(
        "SELECT * FROM jobs WHERE stage = 1 AND client = ? AND key = ?", (client, key)
    ).fetchone()
    return found


def _row(db: sqlite3.Connection, number: int) -> sqlite3.Row:
    found: sqlite3.Row = db.execute("SELECT * FROM jobs WHERE number = ?", (number,)).fetchone()
    return found


def _found(db: sqlite3.Connection, name: str) -> sqlite3.Row:
    found: sqlite3.Row | None = db.execute(
        "SELECT * FROM jobs WHERE id = ? AND stage = ?", (name, KEPT)
    ).fetchone()
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


def _jump(passed: float, steady: float) -> float:
    """Return by how many seconds the wall clock was changed since the last reading, 0 if it can be trusted.

    `passed` and `steady` are the seconds since then by the wall clock and by the monotonic clock.
    """
    if passed < -_TOLERANCE_SECONDS:
        return passed
    restarted = steady < 0
    return passed if not restarted and passed - steady > _TOLERANCE_SECONDS else 0.0


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
