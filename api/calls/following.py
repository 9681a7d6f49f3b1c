"""Following a job: its results as they come, as lines of JSON or as server-sent events.

A follower keeps a thread that mostly waits, so there are only so many at once. Whoever is turned away, or is cut
off after ten minutes, asks again for what came after the last result.
"""

from __future__ import annotations

import threading
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from api.bodies.job_models import ResultLine
from api.http.errors import BusyError, error_text, line_of_failure
from api.http.searches import Asker
from api.http.streams import LONGEST_SECONDS
from api.scheduling.pool import stand_back
from solver.errors import AthanorError

if TYPE_CHECKING:
    from athanor.jobs import Job, Result, Store

_LOOK_SECONDS = 0.25
_BEAT_SECONDS = 10.0  # between two signs of life where nothing happens
_RETRY_SECONDS = 5
_AT_ONCE = 500  # results that are read at once


@dataclass(frozen=True, slots=True)
class Told:
    """What a follower is told: a result, how far the job is, that nothing has happened, or the end."""

    what: Literal["result", "progress", "beat", "end"]
    of: Result | Job | None = None


class Followers:
    """The followers of all jobs: `most` at once, of one client half of them. `stopping` ends them."""

    def __init__(self, most: int, stopping: threading.Event) -> None:
        self._most = most
        self._stopping = stopping
        self._lock = threading.Lock()
        self._clients: Counter[str] = Counter()

    def follow(self, store: Store, job: str, after: int, asker: Asker, *, to_the_end: bool) -> Following:
        """The results of a job after one: those that there are or, `to_the_end`, also those that come.

        Raises JobError where there is no such job, and BusyError where too many follow already.
        """
        store.job(job)
        with self._lock:
            if self._clients.total() >= self._most or self._clients[asker.client] >= max(1, self._most // 2):
                message = f"too many follow jobs already; try again in {_RETRY_SECONDS} s"
                raise BusyError("busy", message, _RETRY_SECONDS)
            self._clients[asker.client] += 1
        stand_back()
        return Following(self, store, job, after, asker, to_the_end, self._stopping)

    def left(self, client: str) -> None:
        """One follower less."""
        with self._lock:
            self._clients[client] -= 1
            if not self._clients[client]:
                del self._clients[client]


class Following:
    """One follower, until `close`."""

    def __init__(
        self,
        followers: Followers,
        store: Store,
        job: str,
        after: int,
        asker: Asker,
        to_the_end: bool,
        stopping: threading.Event,
    ) -> None:
        self._followers = followers
        self._store = store
        self._job = job
        self._after = after
        self._asker = asker
        self._to_the_end = to_the_end
        self._stopping = stopping
        self._closed = False

    def close(self) -> None:
        """Make room for another."""
        if not self._closed:
            self._closed = True
            self._followers.left(self._asker.client)

    def __iter__(self) -> Iterator[Told]:
        latest = time.monotonic() + LONGEST_SECONDS
        spoken = time.monotonic()
        known: Job | None = None
        while True:
            job = self._store.job(self._job)
            results = self._store.results(self._job, after=self._after, most=_AT_ONCE)
            for result in results:
                self._after = result.id
                yield Told("result", result)
            if len(results) == _AT_ONCE:
                continue
            if job.over or not self._to_the_end or time.monotonic() > latest or self._ended():
                yield Told("end", job)
                return
            if job != known:
                known = job
                yield Told("progress", job)
            elif time.monotonic() - spoken > _BEAT_SECONDS:
                yield Told("beat")
            else:
                self._stopping.wait(_LOOK_SECONDS)
                continue
            spoken = time.monotonic()

    def _ended(self) -> bool:
        return self._stopping.is_set() or (self._asker.disconnected is not None and self._asker.disconnected())


def as_lines(following: Following) -> Iterator[str]:
    """A line for each result, and a last one that tells how far the job is."""
    try:
        for told in following:
            if told.what in ("result", "end"):
                yield _line(told) + "\n"
    except AthanorError as found:
        yield error_text(found.code, found.message, found.path) + "\n"
    except Exception as found:
        yield line_of_failure(found, "following a job") + "\n"


def as_events(following: Following) -> Iterator[str]:
    """Events `result`, `progress`, and at last `end`; those of results have their ids."""
    try:
        for told in following:
            if told.of is None:
                yield ": waiting\n\n"
                continue
            number = f"id: {told.of.id}\n" if told.what == "result" else ""
            yield f"event: {told.what}\n{number}data: {_line(told)}\n\n"
    except AthanorError as found:
        yield f"event: error\ndata: {error_text(found.code, found.message, found.path)}\n\n"
    except Exception as found:
        yield f"event: error\ndata: {line_of_failure(found, 'following a job')}\n\n"


def _line(told: Told) -> str:
    if told.what == "result":
        assert told.of is not None
        return told.of.to_json()
    return ResultLine.model_validate({"job": told.of}).to_json()
