"""A file of jobs, whose units are claimed in chunks and each answered once, even if a process is killed.

Any process may submit, follow and change jobs. The one that works on them owns the file meanwhile: it claims
units, which are then running, and stores their outcomes. When it dies, its successor finds what was running, and
requeues it. So no unit is lost or counted twice.
"""

from __future__ import annotations

import hashlib
import json
import os
import secrets
import sqlite3
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from typing import Annotated, Any, Literal, NamedTuple

from pydantic import Field

from athanor.jobs.file import File, JobError
from athanor.jobs.settings import default_path, kept_days, store_megabytes
from solver.answers import Answer
from solver.errors import AthanorError
from solver.language import say

WAITING, RUNNING, DONE, FAILED, CANCELLED = range(5)  # the states of a unit
STATES = ("waiting", "running", "done", "failed", "cancelled")

MOST_ATTEMPTS = 5  # after this many worker deaths, a unit fails
MOST_UNITS = 1_000_000  # of a job
MOST_JOBS = 10_000  # in a store
MOST_JOBS_OF_A_CLIENT = 1_000
MOST_UNITS_OF_A_CLIENT = 1_000_000
_PART_OF_A_CLIENT = 4  # a client may fill a quarter of the size limit
_LONGEST_KEY = 200  # characters; also of a title

_SWEPT_ROWS = 5_000  # deleted at once
_PAGE_ROWS = 1_000  # results read at once
_POLL_SECONDS = 0.25
_DAY_SECONDS = 86_400.0

Status = Literal["waiting", "running", "done", "failed", "cancelled"]

_Moment = Annotated[str, Field(json_schema_extra={"format": "date-time"})]


class Counts(Answer):
    """The number of a job's units in each state."""

    waiting: int
    running: int
    done: int
    failed: int
    cancelled: int


class Job(Answer):
    """A job and its progress. Its status is `failed` if it has ended and some units failed."""

    id: str
    kind: str
    title: str
    key: str | None
    status: Status
    total: int
    units: Counts
    created: _Moment
    ended: _Moment | None
    reason: str | None = None

    @property
    def over(self) -> bool:
        """Whether the job has ended: no unit is waiting or running."""
        return self.units.waiting == self.units.running == 0


class Result(Answer):
    """A line of a job's results; `id` increases in order of arrival, and `index` is the unit's number, from 0.

    `result` is the answer, without `seconds`, or an object with the key `error`.
    """

    id: int
    index: int
    result: dict[str, Any]


def as_line(data: Mapping[str, Any]) -> str:
    """Return JSON-like data as a line."""
    return json.dumps(data, ensure_ascii=False, separators=(",", ":"))


class Outcome(NamedTuple):
    """The outcome of a unit: its lines of JSON, and whether it failed."""

    lines: Sequence[str]
    failed: bool

    @classmethod
    def of(cls, rows: Sequence[Mapping[str, Any]]) -> Outcome:
        """Return the outcome of a unit with these rows as its answer; it has failed if one has an ``error``."""
        return cls([as_line(row) for row in rows], any("error" in row for row in rows))

    @classmethod
    def failure(cls, payload: str, error: AthanorError) -> Outcome:
        """Return the outcome of a unit that failed: its error, and the name of its ``question``, if it has one.

        Paths are those of the question as it was sent, without the key `bare` that it was sent without, under the
        unit's `path`.
        """
        unit = json.loads(payload)
        placed = error.within(unit.get("bare", "")).under(unit.get("path", ""))
        return cls.of([{key: unit[key] for key in ("question",) if key in unit} | placed.to_dict()])


class Open(NamedTuple):
    """A job that has not ended: its number, its client, and how many of its units are waiting and running."""

    number: int
    client: str
    waiting: int
    running: int


class Chunk(NamedTuple):
    """Claimed units of a job, as (number, question)."""

    job: int
    client: str
    units: list[tuple[int, str]]


class JobsHeld(Answer):
    """The state of the job store, checked twice a minute."""

    waiting: int
    running: int
    failed: int
    oldest_seconds: float
    bytes: int


class Store:
    """The jobs in a file, by default the user's own with its size limit (ATHANOR_JOBS_MB).

    Safe for several threads and processes. The file is created on first use; `megabytes` limits the size of
    another file than the user's own. Every method raises JobError if the file is damaged or the disk is full;
    further reasons are stated where there are any.
    """

    def __init__(
        self,
        path: str | os.PathLike[str] | None = None,
        *,
        megabytes: int | None = None,
    ) -> None:
        if path is None:
            path, megabytes = default_path(), store_megabytes()
        self.path = os.fspath(path)
        self.file = File(self.path, megabytes)

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

        Raises JobError: ``wrong_size`` without units or for an empty key, ``too_large`` for more than `most` units
        or a long title or key, ``conflict`` if the client's job with this `key` has other units, ``share_full`` or
        ``store_full`` if there is no room.
        """
        for name, text in (("title", title), ("key", key)):
            if text is not None and len(text) > _LONGEST_KEY:
                raise JobError(
                    "too_large",
                    say("the {name} has at most {longest_key} characters", name=name, longest_key=_LONGEST_KEY),
                    name,
                )
        if key == "":
            raise JobError("wrong_size", say("the key is empty"), "key")
        digest = hashlib.blake2b(kind.encode())

        def arriving() -> Iterator[tuple[int, str]]:
            for number, payload in enumerate(payloads):
                if number == most:
                    message = say("a job has at most {most_units:,} units", most_units=most)
                    raise JobError("too_large", message, "questions")
                digest.update(b"\n" + payload.encode())
                yield number, payload

        self.file.keep_spare()
        with self.file.writing("BEGIN") as db:  # which locks the file at the first change to it
            db.execute("CREATE TEMP TABLE arrived (number INTEGER NOT NULL, payload TEXT NOT NULL)")
            db.executemany("INSERT INTO arrived VALUES (?, ?)", arriving())
            total, size = db.execute("SELECT count(*), sum(length(payload)) FROM arrived").fetchone()
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
                    "INSERT INTO units (job, number, payload) SELECT ?, number, payload FROM arrived",
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
            db.execute("DROP TABLE arrived")
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
        return [Result(id=row["id"], index=row["unit"], result=json.loads(row["text"])) for row in rows]

    def ordered(self, name: str) -> Iterator[tuple[int, str]]:
        """Yield (unit, result line) for all results at this moment, in the order of the units."""
        with self.file.reading() as db:
            wanted = "SELECT unit, text FROM results WHERE job = ? ORDER BY unit, id"
            yield from db.execute(wanted, (_found(db, name)["number"],))

    def follow(self, name: str, *, after: int = 0) -> Iterator[Result]:
        """Yield every result after the one with id `after`, as it arrives, until the job has ended."""
        while True:
            job = self.job(name)
            results = self.results(name, after=after)
            yield from results
            if results:
                after = results[-1].id
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

        This works on a full disk, too, since the store has reserved a little space, and frees what the job took.
        """
        with self.file.using_spare():
            with self.file.writing() as db:
                row = _own(db, name, client)
                db.execute("DELETE FROM jobs WHERE number = ?", (row["number"],))
            self._sweep(row["number"])
        return _job(row)

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

    def held(self) -> JobsHeld:
        """Return how many units there are in some states, and the size of the file."""
        with self.file.reading() as db:
            row = db.execute(
                "SELECT coalesce(sum(waiting), 0), coalesce(sum(running), 0), coalesce(sum(failed), 0), "
                "min(CASE WHEN waiting + running > 0 THEN created END) FROM jobs"
            ).fetchone()
        oldest = 0.0 if row[3] is None else max(0.0, time.time() - row[3])
        return JobsHeld(
            waiting=row[0], running=row[1], failed=row[2], oldest_seconds=oldest, bytes=self.file.size()
        )

    # Methods for the process that works on the units.

    @contextmanager
    def owned(self) -> Iterator[None]:
        """Let only this process claim units in the with block. What it has not done by then is requeued.

        What is running already was claimed by a process that died. Raises JobError, ``store_busy``, if another
        process works on the units.
        """
        with self.file.owned():
            self._requeue_running(died=True)
            try:
                yield
            finally:
                with suppress(JobError):  # else the next owner does it
                    self._requeue_running(died=False)

    def open(self) -> list[Open]:
        """Return the jobs that have waiting or running units, oldest first."""
        with self.file.reading() as db:
            wanted = (
                "SELECT number, client, waiting, running FROM jobs WHERE waiting + running > 0 ORDER BY number"
            )
            return [Open(*row) for row in db.execute(wanted)]

    def claim(self, wanted: Iterable[tuple[Open, int]]) -> list[Chunk]:
        """Claim units: of each job, up to the number wanted.

        A unit whose worker died is claimed alone, so that only it is to blame if that happens again.
        """
        chunks = []
        with self.file.writing() as db:
            for job, most in wanted:
                rows = db.execute(
                    "SELECT number, payload, deaths FROM units WHERE job = ? AND state = 0 "
                    "ORDER BY number LIMIT ?",
                    (job.number, most),
                ).fetchall()
                fresh = next((index for index, unit in enumerate(rows) if unit["deaths"]), len(rows))
                units = [(unit["number"], unit["payload"]) for unit in rows[: max(1, fresh)]]
                if units:  # else the job has been cancelled
                    db.execute(
                        "UPDATE units SET state = ? WHERE job = ? AND state = 0 AND number BETWEEN ? AND ?",
                        (RUNNING, job.number, units[0][0], units[-1][0]),
                    )
                    chunks.append(Chunk(job.number, job.client, units))
        return chunks

    def keep(self, done: Iterable[tuple[Chunk, Sequence[Outcome] | None]]) -> None:
        """Store the outcomes of chunks.

        If there are fewer outcomes than units in a chunk, they belong to its first units, and the others are
        requeued. With None instead of outcomes, the chunk's worker died: its units are requeued, and fail if that
        happens too often. What has been cancelled meanwhile is left as it is.
        """
        with self.file.writing() as db:
            for chunk, outcomes in done:
                known = outcomes or ()
                for (unit, _), outcome in zip(chunk.units, known, strict=False):
                    _finish(db, chunk.job, unit, outcome)
                for unit, _ in chunk.units[len(known) :]:
                    _requeue(db, chunk.job, unit, died=outcomes is None)
                try:
                    self._check_share(db, chunk.client)
                except JobError as full:
                    if db.execute("SELECT 1 FROM jobs WHERE number = ? AND waiting > 0", (chunk.job,)).fetchone():
                        _cancel(db, chunk.job, full.message)

    def _requeue_running(self, *, died: bool) -> None:
        with self.file.writing() as db:
            for job, unit in db.execute("SELECT job, number FROM units WHERE state = 1").fetchall():
                _requeue(db, job, unit, died=died)

    def _sweep(self, number: int) -> None:
        """Remove the units and results of a deleted job, in transactions short enough for others to wait for.

        On a full disk, they are made as short as need be.
        """
        most = _SWEPT_ROWS
        for table in ("units", "results"):
            block = f"SELECT rowid FROM {table} WHERE job = ? LIMIT ?"
            gone = 1
            while gone:
                try:
                    with self.file.writing() as db:
                        gone = db.execute(f"DELETE FROM {table} WHERE rowid IN ({block})", (number, most)).rowcount
                except JobError as fault:
                    if fault.code != "store_full" or most == 1:
                        raise
                    most //= 10
                    self.file.empty_log()
        self.file.shrink()

    def _check_share(self, db: sqlite3.Connection, client: str) -> None:
        """Raise JobError if a client exceeds its share of a store with a size limit."""
        if self.file.bound is None or not client:
            return
        jobs, units, size = db.execute(
            "SELECT count(*), coalesce(sum(total), 0), coalesce(sum(bytes), 0) FROM jobs WHERE client = ?",
            (client,),
        ).fetchone()
        part = self.file.bound // _PART_OF_A_CLIENT
        for count, most, what in (
            (jobs, MOST_JOBS_OF_A_CLIENT, say("{count:,} jobs", count=MOST_JOBS_OF_A_CLIENT)),
            (units, MOST_UNITS_OF_A_CLIENT, say("{count:,} units", count=MOST_UNITS_OF_A_CLIENT)),
            (size, part, say("{count:,} kB of questions and results", count=part // 1000)),
        ):
            if count > most:
                raise JobError(
                    "share_full",
                    say("a client may keep {what}: delete some of your jobs, and try again", what=what),
                )


def _finish(db: sqlite3.Connection, job: int, unit: int, outcome: Outcome) -> None:
    """Store the outcome of a unit, if it is running."""
    state = FAILED if outcome.failed else DONE
    held = db.execute("UPDATE units SET state = ? WHERE job = ? AND number = ? AND state = 1", (state, job, unit))
    if held.rowcount:
        lines = [(job, unit, line) for line in outcome.lines]
        db.executemany("INSERT INTO results (job, unit, text) VALUES (?, ?, ?)", lines)


def _requeue(db: sqlite3.Connection, job: int, unit: int, *, died: bool) -> None:
    """Let a unit wait again, if it is running; or fail, if its worker died, once too often."""
    which = "WHERE job = ? AND number = ? AND state = 1"
    if died:
        db.execute(f"UPDATE units SET deaths = deaths + 1 {which}", (job, unit))
        if db.execute(f"SELECT 1 FROM units {which} AND deaths >= ?", (job, unit, MOST_ATTEMPTS)).fetchone():
            message = say(
                "{row} workers ended before finishing this; there may be too little memory", row=MOST_ATTEMPTS
            )
            row = db.execute("SELECT payload FROM units WHERE job = ? AND number = ?", (job, unit)).fetchone()
            _finish(db, job, unit, Outcome.failure(row["payload"], JobError("worker_died", message)))
    db.execute(f"UPDATE units SET state = ? {which}", (WAITING, job, unit))


def _cancel(db: sqlite3.Connection, number: int, reason: str | None) -> None:
    db.execute(
        "UPDATE units SET state = ? WHERE job = ? AND state IN (?, ?)",
        (CANCELLED, number, WAITING, RUNNING),
    )
    db.execute("UPDATE jobs SET reason = ? WHERE number = ?", (reason, number))


def _row(db: sqlite3.Connection, number: int | None) -> sqlite3.Row:
    row: sqlite3.Row = db.execute("SELECT * FROM jobs WHERE number = ?", (number,)).fetchone()
    return row


def _found(db: sqlite3.Connection, name: str) -> sqlite3.Row:
    row: sqlite3.Row | None = db.execute("SELECT * FROM jobs WHERE id = ?", (name,)).fetchone()
    if row is None:
        raise JobError("no_job", say("there is no job {name}; it may have been deleted", name=name[:40]))
    return row


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
