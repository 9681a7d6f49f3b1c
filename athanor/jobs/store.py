"""A file of jobs, whose units are claimed in chunks and each answered once, even if a process is killed.

It is a SQLite file with a write-ahead log. Its three large tables have a row per job, per unit, and per line of
results. A job's row also holds the number of its units in each state, so that they need not be counted.

A process that works on units is a *holder*: a row with the name of the process and a lease. A running unit names
its holder, and only the holder may store its answers. If the holder has ended or its lease has expired, its units
are requeued; if it was only suspended, its late results are refused. So no unit is lost or counted twice.

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
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path
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

LEASE_SECONDS = 30.0
MOST_ATTEMPTS = 5  # after this many worker deaths, a unit fails
MOST_JOBS = 10_000  # in a store
MOST_JOBS_OF_A_CLIENT = 1_000
MOST_UNITS_OF_A_CLIENT = 1_000_000
_PART_OF_A_CLIENT = 4  # a client may fill a quarter of the size limit
_LONGEST_KEY = 200  # characters; also of a title

_FORMAT = 3  # version of the tables, kept in the file
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
    number INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, stage INTEGER NOT NULL, holder INTEGER,
    kind TEXT NOT NULL, title TEXT NOT NULL, key TEXT, digest TEXT NOT NULL, client TEXT NOT NULL,
    turn INTEGER NOT NULL, total INTEGER NOT NULL, waiting INTEGER NOT NULL, running INTEGER NOT NULL,
    done INTEGER NOT NULL, failed INTEGER NOT NULL, cancelled INTEGER NOT NULL, bytes INTEGER NOT NULL,
    cpu REAL NOT NULL, created REAL NOT NULL, ended REAL, reason TEXT);
CREATE UNIQUE INDEX jobs_by_key ON jobs (client, key) WHERE stage = 1 AND key IS NOT NULL;
CREATE INDEX jobs_by_turn ON jobs (turn);
CREATE INDEX jobs_with_work ON jobs (client, turn) WHERE waiting > 0;
CREATE INDEX jobs_at_work ON jobs (number) WHERE running > 0;
CREATE INDEX jobs_on_their_way ON jobs (stage) WHERE stage <> 1;
CREATE TABLE units (
    job INTEGER NOT NULL, number INTEGER NOT NULL, payload TEXT NOT NULL, state INTEGER NOT NULL,
    attempts INTEGER NOT NULL, holder INTEGER);
CREATE UNIQUE INDEX units_of_job ON units (job, number);
CREATE INDEX units_waiting ON units (job, number) WHERE state = 0;
CREATE INDEX units_held ON units (holder) WHERE state = 1;
CREATE TABLE results (
    id INTEGER PRIMARY KEY AUTOINCREMENT, job INTEGER NOT NULL, unit INTEGER NOT NULL, text TEXT NOT NULL);
CREATE INDEX results_of_job ON results (job, id);
CREATE INDEX results_of_unit ON results (job, unit);
CREATE TABLE holders (id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL, until REAL NOT NULL);
CREATE TABLE clients (name TEXT PRIMARY KEY, spent REAL NOT NULL, held REAL);
CREATE TABLE clock (wall REAL NOT NULL, monotonic REAL NOT NULL)
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


class Chunk(NamedTuple):
    """Units claimed by a holder, as (number, question).

    `charged` is their estimated processor time in seconds, which is charged to the client until the true time is
    known.
    """

    job: int
    client: str
    units: list[tuple[int, str]]
    charged: float


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
            except sqlite3.Error:
                db.close()
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
            for statement in _TABLES.split(";"):
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
        self, kind: str, payloads: Iterable[str], *, title: str = "", key: str | None = None, client: str = ""
    ) -> tuple[Job, bool]:
        """Store a job with these units, as made by `payloads`; return it, and whether it is new.

        If `client` has already submitted a job with this `key` and the same units, that job is returned. Units are
        written as they are generated, so any number of them takes little memory, and the job becomes visible when
        all are stored.

        Raises JobError: ``wrong_size`` without units, ``too_large`` for a long title or key, ``conflict`` if the
        client's job with this `key` has other units, ``share_full`` or ``store_full`` if there is no room.
        """
        for name, text in (("title", title), ("key", key)):
            if text is not None and len(text) > _LONGEST_KEY:
                raise JobError(
                    "too_large",
                    say("the {name} has at most {longest_key} characters", name=name, longest_key=_LONGEST_KEY),
                    name,
                )
        digest = hashlib.blake2b(kind.encode("utf-8", "surrogatepass"))
        blocks = _blocks(payloads, digest)
        if key is not None:
            with self.file.reading() as db:
                known = _with_key(db, client, key)
            if known is not None:
                deque(blocks, maxlen=0)
                return self._same(known, digest.hexdigest())
        block, number, holder = next(blocks, None), 0, 0
        if block is None:
            raise JobError("wrong_size", say("a job has at least one question"), "questions")
        try:
            while block is not None:
                following = next(blocks, None)
                if following is not None:
                    holder = self.enter(holder)
                with self.file.writing() as db:
                    self.file.keep_spare()
                    begun = number or self._begin(db, kind, title, client, holder)
                    self._append(db, begun, client, block)
                    if following is None:
                        known = None if key is None else _with_key(db, client, key)
                        if known is None:
                            return _arrived(db, begun, key, digest.hexdigest()), True
                block, number = following, begun
            assert known is not None  # another process has submitted the same meanwhile
            self._discard(number)
            return self._same(known, digest.hexdigest())
        except BaseException:
            if number:
                with suppress(JobError):
                    self._discard(number)
            raise
        finally:
            if holder:
                with suppress(JobError):
                    self.leave(holder)

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
            return _job(_cancel(db, _own(db, name, client), None))

    def retry(self, name: str, *, client: str | None = None) -> Job:
        """Requeue failed and cancelled units, and remove the results of failed ones. Raises as `cancel` does."""
        with self.file.writing() as db:
            row = _own(db, name, client)
            number, again = row["number"], row["failed"] + row["cancelled"]
            self._check_share(db, row["client"])
            db.execute(
                "DELETE FROM results WHERE job = ? AND unit IN "
                "(SELECT number FROM units WHERE job = ? AND state = ?)",
                (number, number, FAILED),
            )
            db.execute(
                "UPDATE units SET state = ?, attempts = 0 WHERE job = ? AND state IN (?, ?)",
                (WAITING, number, FAILED, CANCELLED),
            )
            db.execute("UPDATE jobs SET reason = NULL WHERE number = ?", (number,))
            _count(db, number, waiting=again, failed=-row["failed"], cancelled=-row["cancelled"])
            _join(db, number, row["client"])
            return _job(_found(db, name))

    def delete(self, name: str, *, client: str | None = None) -> Job:
        """Delete a job and its results, finished or not; return its last state. Raises as `cancel` does.

        This works on a full disk, too, since the store has reserved a little space.
        """
        try:
            return self._delete(name, client)
        except JobError as found:
            if found.code not in ("store_full", "store_unreadable") or not self.file.use_spare():
                raise
        return self._delete(name, client)

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

    def cpu(self) -> dict[str, tuple[str, float]]:
        """Return, for each job sent by a client, the client and the processor time used, in seconds."""
        with self.file.reading() as db:
            rows = db.execute("SELECT id, client, cpu FROM jobs WHERE client <> ''").fetchall()
        return {row["id"]: (row["client"], row["cpu"]) for row in rows}

    def hold(self, clients: Iterable[str]) -> None:
        """Start no units of these clients for the next `LEASE_SECONDS` seconds; let all other clients go on.

        Running units continue.
        """
        wanted = set(clients)
        with self.file.reading() as db:
            before = db.execute("SELECT 1 FROM clients WHERE held IS NOT NULL").fetchone()
        if not wanted and before is None:
            return
        until = self._clock() + LEASE_SECONDS
        with self.file.writing() as db:
            db.execute("UPDATE clients SET held = NULL")
            db.executemany("UPDATE clients SET held = ? WHERE name = ?", [(until, client) for client in wanted])

    # Methods for holders of units.

    def enter(self, holder: int = 0) -> int:
        """Renew the lease of holder number `holder` or, if this is 0, register a new holder; return its number."""
        with self.file.writing(shrinks=True) as db:
            return self._lease(db, holder)

    def leave(self, holder: int) -> None:
        """Unregister a holder. Its unfinished units are requeued as if they had never started."""
        with self.file.writing(shrinks=True) as db:
            rows = db.execute(
                "SELECT job, number, attempts - 1 AS attempts FROM units WHERE state = ? AND holder = ?",
                (RUNNING, holder),
            ).fetchall()
            _put_back(db, rows)
            db.execute("DELETE FROM holders WHERE id = ?", (holder,))

    def bury(self, *, but: int = 0) -> int:
        """Requeue the units of dead holders and expired leases, except those of holder `but`.

        Returns the number of units.
        """
        now = self._clock()
        with self.file.reading() as db:
            rows = db.execute("SELECT id, name, until FROM holders WHERE id <> ?", (but,)).fetchall()
        lost = [row["id"] for row in rows if gone(row["name"]) or not now <= row["until"] <= now + LEASE_SECONDS]
        count = 0
        for holder in lost:
            with self.file.writing() as db:
                wanted = (RUNNING, holder)
                found = db.execute(
                    "SELECT job, number, attempts FROM units WHERE state = ? AND holder = ?", wanted
                ).fetchall()
                self._return(db, found)
                db.execute("UPDATE jobs SET stage = ? WHERE stage = ? AND holder = ?", (DELETED, ARRIVING, holder))
                db.execute("DELETE FROM holders WHERE id = ?", (holder,))
                count += len(found)
        return count

    def exchange(
        self,
        holder: int,
        done: Sequence[tuple[Chunk, Sequence[Outcome]]] = (),
        wanted: int = 0,
        size: Callable[[int, int], int] = lambda job, waiting: 1,
    ) -> list[Chunk]:
        """Store the outcomes of chunks, and claim up to `wanted` new ones, in one transaction.

        If there are fewer outcomes than units in a chunk, they belong to its first units, and the others are
        requeued. Outcomes of units that the holder no longer holds are dropped. `size` is called with the number
        of a job and how many of its units are waiting; it returns how many of them to claim.
        """
        with self.file.writing() as db:
            self._lease(db, holder)
            for chunk, outcomes in done:
                self._keep(db, holder, chunk, outcomes)
            found: list[Chunk] = []
            while len(found) < wanted and (claimed := self._claim(db, holder, size)) is not None:
                found.append(claimed)
            return found

    def lost(self, holder: int, chunk: Chunk) -> None:
        """Requeue a chunk whose worker died; units tried too often fail."""
        with self.file.writing() as db:
            numbers = _held(db, holder, chunk)
            rows = db.execute(
                "SELECT job, number, attempts FROM units WHERE job = ? AND number BETWEEN ? AND ?",
                (chunk.job, chunk.units[0][0], chunk.units[-1][0]),
            ).fetchall()
            self._return(db, [row for row in rows if row["number"] in numbers])
            _charge(db, chunk.client, -chunk.charged)

    def at_work(self) -> set[int]:
        """Return the numbers of the jobs with running units."""
        with self.file.reading() as db:
            return {row[0] for row in db.execute("SELECT number FROM jobs WHERE running > 0")}

    def waiting(self) -> int:
        """Return the number of units that may be started now."""
        with self.file.reading() as db:
            (found,) = db.execute(f"SELECT sum(j.waiting) {_FREE}", self._now()).fetchone()
        return found or 0

    def left(self) -> bool:
        """Whether any unit is running or may be started now."""
        return bool(self.waiting() or self.at_work())

    def prune(
        self,
        *,
        days: int | None = None,
        wall: Callable[[], float] = time.time,
        monotonic: Callable[[], float] = time.monotonic,
    ) -> int:
        """Delete the jobs that ended more than `days` days ago; return their number.

        Age is measured with the wall clock, which can be changed. So this clock is first compared with its last
        reading and with the monotonic clock. If it has jumped, a warning is logged, and nothing is deleted.
        """
        oldest = wall() - (kept_days() if days is None else days) * _DAY_SECONDS
        with self.file.writing(shrinks=True) as db:
            last = db.execute("SELECT wall, monotonic FROM clock").fetchone()
            db.execute("DELETE FROM clock")
            db.execute("INSERT INTO clock VALUES (?, ?)", (wall(), monotonic()))
            jumped = 0.0 if last is None else _jump(wall() - last["wall"], monotonic() - last["monotonic"])
            found = 0
            if not jumped:
                found = db.execute(
                    "UPDATE jobs SET stage = ? WHERE stage = ? AND ended < ?", (DELETED, KEPT, oldest)
                ).rowcount
            db.execute("DELETE FROM clients WHERE name NOT IN (SELECT client FROM jobs)")
        if jumped:
            direction = "back" if jumped < 0 else "forward"
            hours = abs(jumped) / 3600
            log.error("the clock was set %s by %.1f hours: no job is deleted for its age now", direction, hours)
        self.purge()
        return found

    def purge(self, seconds: float = float("inf")) -> None:
        """Remove the rows of deleted jobs, in small transactions, for at most `seconds` seconds."""
        end = time.monotonic() + seconds
        while True:
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
            if time.monotonic() > end:
                return

    def _now(self) -> tuple[float, float]:
        return self._clock(), self._clock() + LEASE_SECONDS

    def _lease(self, db: sqlite3.Connection, holder: int) -> int:
        values = (holder or None, own_name(), self._clock() + LEASE_SECONDS)
        return db.execute("INSERT OR REPLACE INTO holders VALUES (?, ?, ?)", values).lastrowid or 0

    def _begin(self, db: sqlite3.Connection, kind: str, title: str, client: str, holder: int) -> int:
        if db.execute("SELECT count(*) FROM jobs WHERE stage <> ?", (DELETED,)).fetchone()[0] >= MOST_JOBS:
            raise JobError(
                "store_full", say("there are {most_jobs:,} jobs already; delete some", most_jobs=MOST_JOBS)
            )
        return (
            db.execute(
                "INSERT INTO jobs VALUES "
                "(NULL, ?, ?, ?, ?, ?, NULL, '', ?, 0, 0, 0, 0, 0, 0, 0, 0, 0, ?, NULL, NULL)",
                (secrets.token_hex(8), ARRIVING, holder, kind, title, client, time.time()),
            ).lastrowid
            or 0
        )

    def _append(self, db: sqlite3.Connection, number: int, client: str, block: Sequence[str]) -> None:
        (total,) = db.execute("SELECT total FROM jobs WHERE number = ?", (number,)).fetchone()
        db.executemany(
            "INSERT INTO units VALUES (?, ?, ?, ?, 0, NULL)",
            [(number, place, payload, WAITING) for place, payload in enumerate(block, total)],
        )
        size = sum(map(len, block))
        db.execute(
            "UPDATE jobs SET total = total + ?, bytes = bytes + ? WHERE number = ?", (len(block), size, number)
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

    def _same(self, known: sqlite3.Row, digest: str) -> tuple[Job, bool]:
        if known["digest"] != digest:
            raise JobError(
                "conflict", say("the job {known} has this key and other questions", known=known["id"]), "key"
            )
        return self.job(known["id"]), False

    def _delete(self, name: str, client: str | None) -> Job:
        with self.file.reading() as db:
            row = _own(db, name, client)
        self._discard(row["number"])
        return _job(row)

    def _discard(self, number: int) -> None:
        with self.file.writing(shrinks=True) as db:
            db.execute("UPDATE jobs SET stage = ?, waiting = 0, running = 0 WHERE number = ?", (DELETED, number))
        self.purge(_PURGE_SECONDS)

    def _claim(self, db: sqlite3.Connection, holder: int, size: Callable[[int, int], int]) -> Chunk | None:
        """Claim a chunk from the client that has used the least time; None if no unit is free.

        A client's jobs take turns. A unit whose worker died is claimed alone, so that only it is to blame if that
        happens again.
        """
        row = db.execute(f"SELECT j.* {_FREE} ORDER BY c.spent, j.turn LIMIT 1", self._now()).fetchone()
        if row is None:
            return None
        number = row["number"]
        rows = db.execute(
            "SELECT number, payload, attempts FROM units WHERE job = ? AND state = 0 ORDER BY number LIMIT ?",
            (number, size(number, row["waiting"])),
        ).fetchall()
        fresh = next((place for place, unit in enumerate(rows) if unit["attempts"]), len(rows))
        rows = rows[: max(1, fresh)]
        db.execute(
            "UPDATE units SET state = ?, holder = ?, attempts = attempts + 1 "
            "WHERE job = ? AND state = 0 AND number BETWEEN ? AND ?",
            (RUNNING, holder, number, rows[0]["number"], rows[-1]["number"]),
        )
        answered = row["done"] + row["failed"]
        charged = len(rows) * (row["cpu"] / answered if answered else 1.0)
        _count(db, number, waiting=-len(rows), running=len(rows))
        db.execute("UPDATE jobs SET turn = (SELECT max(turn) + 1 FROM jobs) WHERE number = ?", (number,))
        _charge(db, row["client"], charged)
        return Chunk(number, row["client"], [(unit["number"], unit["payload"]) for unit in rows], charged)

    def _keep(self, db: sqlite3.Connection, holder: int, chunk: Chunk, outcomes: Sequence[Outcome]) -> None:
        held = _held(db, holder, chunk)
        kept = [(unit, found) for (unit, _), found in zip(chunk.units, outcomes, strict=False) if unit in held]
        for state in (DONE, FAILED):
            db.executemany(
                "UPDATE units SET state = ?, holder = NULL WHERE job = ? AND number BETWEEN ? AND ?",
                [
                    (state, chunk.job, first, last)
                    for first, last in _spans(unit for unit, found in kept if found.failed == (state == FAILED))
                ],
            )
        db.executemany(
            "INSERT INTO results (job, unit, text) VALUES (?, ?, ?)",
            [(chunk.job, unit, line) for unit, found in kept for line in found.lines],
        )
        failed = sum(found.failed for _, found in kept)
        cpu = sum(found.cpu for found in outcomes)
        size = sum(len(line) for _, found in kept for line in found.lines)
        _count(db, chunk.job, running=-len(kept), done=len(kept) - failed, failed=failed, cpu=cpu, bytes=size)
        _charge(db, chunk.client, cpu - chunk.charged)
        begun = held.difference(unit for unit, _ in chunk.units[: len(outcomes)])
        if begun:
            rows = [{"job": chunk.job, "number": unit, "attempts": 0} for unit in begun]
            _put_back(db, rows)
        try:
            self._check_share(db, chunk.client)
        except JobError as found:
            row = db.execute("SELECT * FROM jobs WHERE number = ?", (chunk.job,)).fetchone()
            if row["waiting"]:
                _cancel(db, row, found.message)

    def _return(self, db: sqlite3.Connection, rows: Sequence[sqlite3.Row]) -> None:
        """Requeue units whose worker died; fail those tried too often."""
        given_up = [row for row in rows if row["attempts"] >= self._attempts]
        for row in given_up:
            message = say(
                "{row} workers ended before finishing this; there may be too little memory",
                row=row["attempts"],
            )
            line = (row["job"], row["number"], error_line("worker_died", message))
            db.execute(
                "UPDATE units SET state = ?, holder = NULL WHERE job = ? AND number = ?", (FAILED, *line[:2])
            )
            db.execute("INSERT INTO results (job, unit, text) VALUES (?, ?, ?)", line)
            _count(db, row["job"], running=-1, failed=1)
        _put_back(db, [row for row in rows if row["attempts"] < self._attempts])


class Meter:
    """Measures the processor time used by each client's jobs, for enforcing limits."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._known: dict[str, float] | None = None

    def read(self) -> dict[str, float]:
        """Return the processor seconds used by each client since the last call; empty the first time.

        A unit counts when it is done, whichever process did it; work that was killed is not counted. Raises
        JobError.
        """
        now = self._store.cpu()
        used: dict[str, float] = {}
        if self._known is not None:
            for job, (client, seconds) in now.items():
                used[client] = used.get(client, 0.0) + seconds - self._known.get(job, 0.0)
        self._known = {job: seconds for job, (_, seconds) in now.items()}
        return {client: seconds for client, seconds in used.items() if seconds > 0}


# Jobs with waiting units whose clients are not held back; parameters: the time, and the time plus a lease.
_FREE = (
    "FROM jobs j JOIN clients c ON c.name = j.client "
    "WHERE j.waiting > 0 AND j.stage = 1 AND (c.held IS NULL OR c.held <= ? OR c.held > ?)"
)


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


def _blocks(payloads: Iterable[str], digest: Any) -> Iterator[list[str]]:
    """Group units into blocks, one per transaction, updating `digest` with every unit read."""
    waiting: list[str] = []
    size = 0
    for payload in payloads:
        digest.update(b"\n" + payload.encode("utf-8", "surrogatepass"))
        waiting.append(payload)
        size += len(payload)
        if len(waiting) == _BLOCK_UNITS or size > _BLOCK_BYTES:
            yield waiting
            waiting, size = [], 0
    if waiting:
        yield waiting


def _with_key(db: sqlite3.Connection, client: str, key: str) -> sqlite3.Row | None:
    found: sqlite3.Row | None = db.execute(
        "SELECT * FROM jobs WHERE stage = 1 AND client = ? AND key = ?", (client, key)
    ).fetchone()
    return found


def _arrived(db: sqlite3.Connection, number: int, key: str | None, digest: str) -> Job:
    """Mark a job as completely stored, and return it."""
    db.execute(
        "UPDATE jobs SET stage = ?, holder = NULL, key = ?, digest = ?, waiting = total WHERE number = ?",
        (KEPT, key, digest, number),
    )
    row = db.execute("SELECT * FROM jobs WHERE number = ?", (number,)).fetchone()
    _join(db, number, row["client"])
    return _job(row)


def _join(db: sqlite3.Connection, number: int, client: str) -> None:
    """Queue a job after its client's other jobs.

    A client without work starts level with the client that has used the least time: unused time is not saved up.
    """
    db.execute("INSERT OR IGNORE INTO clients VALUES (?, 0, NULL)", (client,))
    busy = "SELECT client FROM jobs WHERE waiting + running > 0 AND stage = 1"
    if not db.execute(f"SELECT 1 FROM ({busy} AND number <> ?) WHERE client = ?", (number, client)).fetchone():
        others = f"SELECT coalesce(min(spent), 0) FROM clients WHERE name IN ({busy}) AND name <> ?"
        db.execute(f"UPDATE clients SET spent = max(spent, ({others})) WHERE name = ?", (client, client))
    db.execute("UPDATE jobs SET turn = (SELECT max(turn) + 1 FROM jobs) WHERE number = ?", (number,))


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


def _cancel(db: sqlite3.Connection, row: sqlite3.Row, reason: str | None) -> sqlite3.Row:
    db.execute(
        "UPDATE units SET state = ?, holder = NULL, attempts = 0 WHERE job = ? AND state IN (?, ?)",
        (CANCELLED, row["number"], WAITING, RUNNING),
    )
    db.execute("UPDATE jobs SET reason = ? WHERE number = ?", (reason, row["number"]))
    both = row["waiting"] + row["running"]
    _count(db, row["number"], waiting=-row["waiting"], running=-row["running"], cancelled=both)
    return _found(db, row["id"])


def _count(db: sqlite3.Connection, job: int, **more: float) -> None:
    """Add to the counts in a job's row. If no unit is waiting or running now, record the time as the job's end."""
    changes = ", ".join(f"{name} = {name} + :{name}" for name in more)
    db.execute(f"UPDATE jobs SET {changes} WHERE number = :job", {**more, "job": job})
    db.execute(
        "UPDATE jobs SET ended = CASE WHEN waiting + running = 0 THEN coalesce(ended, ?) END WHERE number = ?",
        (time.time(), job),
    )


def _charge(db: sqlite3.Connection, client: str, seconds: float) -> None:
    db.execute("UPDATE clients SET spent = spent + ? WHERE name = ?", (seconds, client))


def _held(db: sqlite3.Connection, holder: int, chunk: Chunk) -> set[int]:
    """Return the numbers of a chunk's units that the holder still holds."""
    first, last = chunk.units[0][0], chunk.units[-1][0]
    rows = db.execute(
        "SELECT u.number FROM units u JOIN jobs j ON j.number = u.job WHERE u.job = ? "
        "AND u.number BETWEEN ? AND ? "
        "AND u.state = ? AND u.holder = ? AND j.stage = ?",
        (chunk.job, first, last, RUNNING, holder, KEPT),
    )
    return {row[0] for row in rows}.intersection(number for number, _ in chunk.units)


def _spans(numbers: Iterable[int]) -> list[list[int]]:
    """Group ascending numbers into runs without gaps, each as [first, last]."""
    found: list[list[int]] = []
    for number in numbers:
        if found and found[-1][1] == number - 1:
            found[-1][1] = number
        else:
            found.append([number, number])
    return found


def _put_back(db: sqlite3.Connection, rows: Sequence[Any]) -> None:
    """Requeue running units. A row has a unit's `job` and `number`, and its number of `attempts` from now on."""
    db.executemany(
        "UPDATE units SET state = ?, holder = NULL, attempts = ? WHERE job = ? AND number = ?",
        [(WAITING, row["attempts"], row["job"], row["number"]) for row in rows],
    )
    for job, count in Counter(row["job"] for row in rows).items():
        _count(db, job, waiting=count, running=-count)


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
    return Job(
        id=row["id"],
        kind=row["kind"],
        title=row["title"],
        key=row["key"],
        status=_status(**counts),
        total=row["total"],
        units=Counts(**counts),
        created=_moment(row["created"]),
        ended=None if row["ended"] is None else _moment(row["ended"]),
        reason=row["reason"],
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


# Which process a holder is, and whether it still exists.


def own_name() -> str:
    """Return a unique name for this process, made of its id and start time.

    If the system does not show these, the name is random, and only an expired lease shows that the process has
    ended.
    """
    place, start = _place(), _start(os.getpid())
    if place is None or start is None:
        return secrets.token_hex(8)
    return f"{place}/{os.getpid()}/{start}"


def gone(name: str) -> bool:
    """Whether the process with this name has certainly ended; False if unknown."""
    place, *process = name.rsplit("/", 2)
    if len(process) != 2 or place != _place():
        return False
    return _start(int(process[0])) != process[1]


def _place() -> str | None:
    """Return an id of the system's boot and process namespace, within which process numbers are unique.

    Returns None if the system does not show them.
    """
    try:
        boot = Path("/proc/sys/kernel/random/boot_id").read_text().strip()
        return f"{boot}:{os.readlink('/proc/self/ns/pid')}"
    except OSError:
        return None


def _start(process: int) -> str | None:
    """Return a process's start time, in ticks since the system started; None if it is not running."""
    try:
        text = Path(f"/proc/{process}/stat").read_text()
    except OSError:
        return None
    state, *fields = text.rpartition(")")[2].split()
    return None if state in "ZX" else fields[18]
