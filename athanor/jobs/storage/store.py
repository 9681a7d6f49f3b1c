"""The jobs of a store: submitted, listed, looked at, cancelled, tried again, deleted."""

from __future__ import annotations

import hashlib
import json
import os
import secrets
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import Connection, Row, delete, func, insert, select, update

from athanor.jobs.errors import JobError
from athanor.jobs.storage.claims import Claims, end
from athanor.jobs.storage.models import Counts, Job, Result, Status
from athanor.jobs.storage.places import default_path
from athanor.jobs.storage.tables import (
    CANCELLED,
    DONE,
    FAILED,
    JOBS,
    RESULTS,
    RUNNING,
    STATES,
    UNITS,
    WAITING,
    Database,
    most_megabytes,
)

MOST_JOBS = 10_000  # of a store
_LONGEST_KEY = 200  # characters; of a title, too
_AT_ONCE = 1_000  # units that are put into one statement
_POLL_SECONDS = 0.25


class Store:
    """The jobs in a file, by default the user's own. May be used from any thread, and by several processes.

    The file is made when it is first used; `megabytes` is how large it may grow. Every method raises JobError: for
    a file that is damaged, for a full disk, and where it says so.
    """

    def __init__(self, path: str | os.PathLike[str] | None = None, *, megabytes: int | None = None) -> None:
        self.path = default_path() if path is None else os.fspath(path)
        self.database = Database(self.path, most_megabytes() if megabytes is None else megabytes)
        self.claims = Claims(self.database)

    def submit(
        self, kind: str, payloads: Sequence[str], *, title: str = "", key: str | None = None, client: str = ""
    ) -> tuple[Job, bool]:
        """Keep a job of these units, made by `athanor.jobs.questions.payloads`; and whether it is new.

        The same `key` of the same `client` is the job that there is already; with other units it is an error.
        """
        _check_sizes(payloads, title, key)
        digest = hashlib.blake2b("\n".join([kind, *payloads]).encode("utf-8", "surrogatepass")).hexdigest()
        with self.database.writing() as connection:
            if key is not None:
                found = connection.execute(
                    select(JOBS).where(JOBS.c.client == client, JOBS.c.key == key)
                ).one_or_none()
                if found is not None:
                    if found.digest != digest:
                        raise JobError("conflict", f"the job {found.id} has this key and other questions", "key")
                    return _job(connection, found), False
            if (connection.scalar(select(func.count()).select_from(JOBS)) or 0) >= MOST_JOBS:
                raise JobError("store_full", f"there are {MOST_JOBS:,} jobs already; delete some")
            values = {
                "id": secrets.token_hex(8),
                "kind": kind,
                "title": title,
                "key": key,
                "digest": digest,
                "client": client,
                "total": len(payloads),
                "created": time.time(),
                "cpu": 0.0,
            }
            row = connection.execute(insert(JOBS).values(values).returning(JOBS)).one()
            for first in range(0, len(payloads), _AT_ONCE):
                rows = [
                    {"job": row.number, "number": number, "payload": payload, "state": WAITING, "attempts": 0}
                    for number, payload in enumerate(payloads[first : first + _AT_ONCE], first)
                ]
                connection.execute(insert(UNITS), rows)
            return _job(connection, row), True

    def jobs(self, *, most: int = 100, client: str | None = None) -> list[Job]:
        """The newest jobs, the newest first; all, or those of a client."""
        wanted = select(JOBS).order_by(JOBS.c.number.desc()).limit(most)
        with self.database.reading() as connection:
            rows = connection.execute(wanted if client is None else wanted.where(JOBS.c.client == client)).all()
            return [_job(connection, row) for row in rows]

    def job(self, name: str) -> Job:
        """The job of this id. Raises JobError where there is none, as do the others."""
        with self.database.reading() as connection:
            return _job(connection, _found(connection, name))

    def results(self, name: str, *, after: int = 0, most: int = 1_000) -> list[Result]:
        """The first results after one, in the order in which they came."""
        with self.database.reading() as connection:
            number = _found(connection, name).number
            wanted = (
                select(RESULTS)
                .where(RESULTS.c.job == number, RESULTS.c.id > after)
                .order_by(RESULTS.c.id)
                .limit(most)
            )
            rows = connection.execute(wanted).all()
        return [Result(id=row.id, unit=row.unit, result=json.loads(row.text)) for row in rows]

    def ordered(self, name: str) -> Iterator[tuple[int, str]]:
        """Each line of the results with its unit, in the order of the units."""
        with self.database.reading() as connection:
            number = _found(connection, name).number
            wanted = (
                select(RESULTS.c.unit, RESULTS.c.text)
                .where(RESULTS.c.job == number)
                .order_by(RESULTS.c.unit, RESULTS.c.id)
            )
            for row in connection.execute(wanted):
                yield row.unit, row.text

    def cpu(self) -> dict[str, tuple[str, float]]:
        """Of each job that a client sent: whose it is, and the seconds of processor time that its units took."""
        wanted = select(JOBS.c.id, JOBS.c.client, JOBS.c.cpu).where(JOBS.c.client != "")
        with self.database.reading() as connection:
            return {row.id: (row.client, row.cpu) for row in connection.execute(wanted)}

    def follow(self, name: str, *, after: int = 0, poll: float = _POLL_SECONDS) -> Iterator[Result]:
        """Every result after one, as it comes, until the job has ended."""
        while True:
            job = self.job(name)
            found = self.results(name, after=after)
            yield from found
            if found:
                after = found[-1].id
            elif job.over:
                return
            else:
                time.sleep(poll)

    def cancel(self, name: str) -> Job:
        """Do no more of a job: what waits and what runs is cancelled, what is done is kept."""
        with self.database.writing() as connection:
            row = _found(connection, name)
            _change(connection, row.number, (WAITING, RUNNING), CANCELLED)
            end(connection, row.number)
            return _job(connection, _found(connection, name))

    def retry(self, name: str) -> Job:
        """Do again what failed or was cancelled. The results of what failed are taken away."""
        with self.database.writing() as connection:
            row = _found(connection, name)
            failed = select(UNITS.c.number).where(UNITS.c.job == row.number, UNITS.c.state == FAILED)
            connection.execute(delete(RESULTS).where(RESULTS.c.job == row.number, RESULTS.c.unit.in_(failed)))
            if _change(connection, row.number, (FAILED, CANCELLED), WAITING):
                connection.execute(update(JOBS).where(JOBS.c.number == row.number).values(ended=None))
            return _job(connection, _found(connection, name))

    def delete(self, name: str) -> None:
        """Forget a job and its results, whether or not it has ended."""
        with self.database.writing() as connection:
            number = _found(connection, name).number
            connection.execute(delete(JOBS).where(JOBS.c.number == number))

    def close(self) -> None:
        """Let go of the file."""
        self.database.close()


def _check_sizes(payloads: Sequence[str], title: str, key: str | None) -> None:
    if not payloads:
        raise JobError("wrong_size", "a job has at least one question", "questions")
    for name, text in (("title", title), ("key", key)):
        if text is not None and len(text) > _LONGEST_KEY:
            raise JobError("too_large", f"the {name} has at most {_LONGEST_KEY} characters", name)


def _found(connection: Connection, name: str) -> Row[Any]:
    found = connection.execute(select(JOBS).where(JOBS.c.id == name)).one_or_none()
    if found is None:
        raise JobError("no_job", f"there is no job {name[:40]}; it may have been deleted")
    return found


def _change(connection: Connection, job: int, before: tuple[int, ...], after: int) -> int:
    """Change the state of a job's units; how many were changed. Claims on them end."""
    return connection.execute(
        update(UNITS)
        .where(UNITS.c.job == job, UNITS.c.state.in_(before))
        .values(state=after, token=None, until=None, worker=None, attempts=0)
    ).rowcount


def _job(connection: Connection, row: Row[Any]) -> Job:
    wanted = select(UNITS.c.state, func.count()).where(UNITS.c.job == row.number).group_by(UNITS.c.state)
    counts = Counter({row[0]: row[1] for row in connection.execute(wanted)})
    return Job(
        id=row.id,
        kind=row.kind,
        title=row.title,
        key=row.key,
        status=_status(counts),
        total=row.total,
        units=Counts(**{name: counts[state] for state, name in enumerate(STATES)}),
        created=_moment(row.created),
        ended=None if row.ended is None else _moment(row.ended),
    )


def _status(counts: Counter[int]) -> Status:
    if counts[RUNNING] or (counts[WAITING] and (counts[DONE] or counts[FAILED])):
        return "running"
    if counts[WAITING]:
        return "waiting"
    if counts[CANCELLED]:
        return "cancelled"
    return "failed" if counts[FAILED] else "done"


def _moment(seconds: float) -> str:
    return datetime.fromtimestamp(seconds, UTC).isoformat(timespec="seconds").replace("+00:00", "Z")
