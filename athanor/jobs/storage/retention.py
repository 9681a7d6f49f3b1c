"""How long jobs are kept: those that ended long ago are deleted, unless the clock can't be trusted.

What is old is told by the wall clock, which somebody may set. So before anything is deleted it is compared with
what it said the last time, and with the monotonic clock of the machine, which nobody sets.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable

from sqlalchemy import Connection, delete, insert, select

from athanor.jobs.errors import JobError
from athanor.jobs.storage.store import Store
from athanor.jobs.storage.tables import CLOCK, JOBS
from solver.errors import whole_number

log = logging.getLogger(__name__)

_DAYS = 30
_DAY_SECONDS = 86_400.0
_TOLERANCE_SECONDS = 3_600.0  # a clock is set by so much without notice: leap seconds, corrections


def kept_days() -> int:
    """How many days a job is kept after its end: ATHANOR_JOBS_DAYS, 30 by default. Raises RequestError."""
    found = whole_number("ATHANOR_JOBS_DAYS", 1, 36_500, "days")
    return _DAYS if found is None else found


def prune(
    store: Store,
    *,
    days: int | None = None,
    wall: Callable[[], float] = time.time,
    monotonic: Callable[[], float] = time.monotonic,
) -> int:
    """Delete the jobs that ended more than so many days ago; how many there were.

    Raises nothing for a clock that has jumped: it is logged, and nothing is deleted before the next look.
    """
    oldest = wall() - (kept_days() if days is None else days) * _DAY_SECONDS
    with store.database.writing() as connection:
        jumped = _jump(connection, wall(), monotonic())
        connection.execute(delete(CLOCK))
        connection.execute(insert(CLOCK).values(id=1, wall=wall(), monotonic=monotonic()))
        if jumped is None:
            wanted = delete(JOBS).where(JOBS.c.ended.is_not(None), JOBS.c.ended < oldest)
            return connection.execute(wanted).rowcount
    log.error("%s", jumped.message)
    return 0


def _jump(connection: Connection, wall: float, monotonic: float) -> JobError | None:
    """What is wrong with the wall clock, by what it said the last time."""
    last = connection.execute(select(CLOCK)).one_or_none()
    if last is None:
        return None
    passed = wall - last.wall
    jumped = passed < -_TOLERANCE_SECONDS
    if monotonic >= last.monotonic:  # else the machine was started since
        jumped = jumped or passed - (monotonic - last.monotonic) > _TOLERANCE_SECONDS
    if not jumped:
        return None
    direction = "back" if passed < 0 else "forward"
    message = f"the clock was set {direction} by {abs(passed) / 3600:.1f} hours: no job is deleted for its age now"
    return JobError("clock_jumped", message)
