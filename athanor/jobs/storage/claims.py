"""Units as workers see them: claimed by one, done once.

A claim is one ``UPDATE … RETURNING``. It gives the unit a fresh token and a lease. Whatever a worker writes about
the unit later names the token, and is nothing if another worker has claimed the unit since. So a worker that was
taken for dead can do no harm, and a result is kept once.

Leases go by the monotonic clock, which all processes of a machine share, and which nobody sets. After a restart of
the machine that clock begins anew, so a lease that ends later than a whole lease from now is of the time before.
"""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from sqlalchemy import ColumnElement, Connection, and_, delete, exists, func, insert, or_, select, update

from athanor.jobs.storage import presence
from athanor.jobs.storage.tables import DONE, FAILED, HELD, JOBS, RESULTS, RUNNING, UNITS, WAITING, Database

LEASE_SECONDS = 30.0
MOST_ATTEMPTS = 5  # a unit that so many workers did not survive is given up


class Claim(NamedTuple):
    """A unit that a worker may do: which, its question, and the token of the claim."""

    id: int
    job: int
    number: int
    payload: str
    token: str


class Outcome(NamedTuple):
    """What a unit came to: its lines of JSON, whether it failed, and the seconds of processor time it took."""

    lines: Sequence[str]
    failed: bool
    cpu: float = 0.0


class Claims:
    """The units of a store. `clock` is a monotonic clock in seconds. All methods raise JobError."""

    def __init__(
        self,
        database: Database,
        *,
        clock: Callable[[], float] = time.monotonic,
        lease: float = LEASE_SECONDS,
        attempts: int = MOST_ATTEMPTS,
    ) -> None:
        self._database = database
        self._clock = clock
        self._lease = lease
        self._attempts = attempts

    def claim(self, worker: str) -> Claim | None:
        """The next unit; None where none waits. Jobs take turns: the unit with the lowest number is next."""
        with self._database.writing() as connection:
            return self._claim(connection, worker)

    def exchange(self, claim: Claim, outcome: Outcome, worker: str) -> tuple[bool, Claim | None]:
        """Keep what a claimed unit came to, and claim the next, in one transaction.

        The first of the pair is False where the claim was no longer valid, and so nothing was kept.
        """
        with self._database.writing() as connection:
            kept = self._finish(connection, claim, outcome)
            return kept, self._claim(connection, worker)

    def exchange_many(self, done: Sequence[tuple[Claim, Outcome]], worker: str, wanted: int) -> list[Claim]:
        """Keep what many units came to, and claim up to so many others, in one transaction."""
        with self._database.writing() as connection:
            for one, outcome in done:
                self._finish(connection, one, outcome)
            found: list[Claim] = []
            while len(found) < wanted and (claim := self._claim(connection, worker)) is not None:
                found.append(claim)
            return found

    def finish(self, claim: Claim, outcome: Outcome) -> bool:
        """Keep what a claimed unit came to; False where the claim was no longer valid."""
        with self._database.writing() as connection:
            return self._finish(connection, claim, outcome)

    def renew(self, claim: Claim) -> bool:
        """Begin the lease anew; False where the unit is no longer this claim's, or its job was cancelled."""
        return self.renew_all([claim]) == 1

    def renew_all(self, claims: Iterable[Claim]) -> int:
        """Begin many leases anew, in one transaction; how many of the claims are still valid."""
        until = self._clock() + self._lease
        with self._database.writing() as connection:
            return sum(
                connection.execute(update(UNITS).where(_held(claim)).values(until=until)).rowcount
                for claim in claims
            )

    def holds(self, claim: Claim) -> bool:
        """Whether the unit is still this claim's."""
        with self._database.reading() as connection:
            return connection.scalar(select(UNITS.c.id).where(_held(claim))) is not None

    def release(self, worker: str) -> int:
        """Put back what a worker holds that runs no more; how many units that were."""
        with self._database.writing() as connection:
            return self._put_back(connection, UNITS.c.worker == worker)

    def bury(self) -> int:
        """Put back what those hold who have gone, and whose leases are over; how many units that were."""
        with self._database.reading() as connection:
            running = connection.execute(
                select(UNITS.c.worker, UNITS.c.until).where(UNITS.c.state == RUNNING)
            ).all()
        now = self._clock()
        lost = {row.worker for row in running if presence.gone(row.worker)}
        if not lost and not any(not now <= row.until <= now + self._lease for row in running):
            return 0
        with self._database.writing() as connection:
            return self._put_back(connection, or_(UNITS.c.worker.in_(lost), self._lapsed()))

    def hold(self, clients: Iterable[str]) -> None:
        """Begin no unit of these clients for the time of a lease, and of others again; what runs goes on."""
        until = self._clock() + self._lease
        rows = [{"client": client, "until": until} for client in set(clients)]
        with self._database.reading() as connection:
            if not rows and connection.scalar(select(HELD.c.client).limit(1)) is None:
                return
        with self._database.writing() as connection:
            connection.execute(delete(HELD))
            if rows:
                connection.execute(insert(HELD), rows)

    def left(self) -> bool:
        """Whether any unit runs, or waits and may be begun."""
        free = or_(UNITS.c.state == RUNNING, and_(UNITS.c.state == WAITING, self._free()))
        wanted = select(UNITS.c.id).where(free)
        with self._database.reading() as connection:
            return connection.scalar(wanted.limit(1)) is not None

    def _claim(self, connection: Connection, worker: str) -> Claim | None:
        token = secrets.token_hex(16)
        lapsed = (
            select(UNITS.c.id)
            .where(UNITS.c.state == RUNNING, self._lapsed(), UNITS.c.attempts < self._attempts, self._free())
            .order_by(UNITS.c.until)
            .limit(1)
        )
        waiting = (
            select(UNITS.c.id)
            .where(UNITS.c.state == WAITING, self._free())
            .order_by(UNITS.c.number, UNITS.c.id)
            .limit(1)
        )
        wanted = (
            update(UNITS)
            .where(UNITS.c.id == func.coalesce(lapsed.scalar_subquery(), waiting.scalar_subquery()))
            .values(
                state=RUNNING,
                token=token,
                until=self._clock() + self._lease,
                worker=worker,
                attempts=UNITS.c.attempts + 1,
            )
            .returning(UNITS.c.id, UNITS.c.job, UNITS.c.number, UNITS.c.payload)
        )
        found = connection.execute(wanted).one_or_none()
        return None if found is None else Claim(found.id, found.job, found.number, found.payload, token)

    def _finish(self, connection: Connection, claim: Claim, outcome: Outcome) -> bool:
        state = FAILED if outcome.failed else DONE
        wanted = update(UNITS).where(_held(claim)).values(state=state, token=None, until=None, worker=None)
        if connection.execute(wanted).rowcount != 1:
            return False
        _keep(connection, claim.job, claim.number, outcome.lines)
        connection.execute(update(JOBS).where(JOBS.c.number == claim.job).values(cpu=JOBS.c.cpu + outcome.cpu))
        end(connection, claim.job)
        return True

    def _put_back(self, connection: Connection, which: ColumnElement[bool]) -> int:
        """Let the running units of which `which` holds wait again, and give up those tried too often."""
        chosen = and_(UNITS.c.state == RUNNING, which)
        given_up = connection.execute(
            update(UNITS)
            .where(chosen, UNITS.c.attempts >= self._attempts)
            .values(state=FAILED, token=None, until=None, worker=None)
            .returning(UNITS.c.job, UNITS.c.number, UNITS.c.attempts)
        ).all()
        for row in given_up:
            _keep(connection, row.job, row.number, [_GIVEN_UP % row.attempts])
            end(connection, row.job)
        put_back = connection.execute(
            update(UNITS).where(chosen).values(state=WAITING, token=None, until=None, worker=None)
        )
        return len(given_up) + put_back.rowcount

    def _free(self) -> ColumnElement[bool]:
        """Whether the client of a unit is not held back."""
        now = self._clock()
        held = select(HELD.c.client).where(HELD.c.until > now, HELD.c.until <= now + self._lease)
        return UNITS.c.job.not_in(select(JOBS.c.number).where(JOBS.c.client.in_(held)))

    def _lapsed(self) -> ColumnElement[bool]:
        now = self._clock()
        return or_(UNITS.c.until < now, UNITS.c.until > now + self._lease)


_GIVEN_UP = (
    '{"error":{"code":"worker_died","path":"","message":"%d workers ended before they had done this; '
    'there may be too little memory"}}'
)


def _held(claim: Claim) -> ColumnElement[bool]:
    return and_(UNITS.c.id == claim.id, UNITS.c.state == RUNNING, UNITS.c.token == claim.token)


def _keep(connection: Connection, job: int, unit: int, lines: Sequence[str]) -> None:
    """Keep a unit's lines, in the place of those of a failed attempt."""
    connection.execute(delete(RESULTS).where(RESULTS.c.job == job, RESULTS.c.unit == unit))
    if lines:
        connection.execute(insert(RESULTS), [{"job": job, "unit": unit, "text": line} for line in lines])


def end(connection: Connection, job: int) -> None:
    """Note that a job has ended, if nothing of it waits or runs."""
    left = exists().where(UNITS.c.job == job, UNITS.c.state.in_((WAITING, RUNNING)))
    connection.execute(
        update(JOBS).where(JOBS.c.number == job, JOBS.c.ended.is_(None), ~left).values(ended=time.time())
    )
