"""`/v1/jobs`: work that outlasts its request, submitted, looked at, followed, cancelled, tried again, deleted.

A follower has a thread of its own (`api.listener`), which sleeps until the file of jobs has been written to, so
hundreds cost little. Whoever is turned away, or is cut off after ten minutes, asks again for what came after the
last result.
"""

from __future__ import annotations

import ipaddress
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any, Literal

from flask import Blueprint, Response, request

from api.access import stand_back
from api.config import Config
from api.errors import BusyError, error_text, line_of_failure, response
from api.models import JobRequest, Jobs, JobsQuery, ResultLine, ResultsQuery
from api.reading import read_json, read_query, validated
from api.responses import NDJSON, answered
from api.search_pool import Asker, Searches
from api.streams import LONGEST_SECONDS, asker
from athanor.jobs.store import JobError
from solver.errors import AthanorError
from solver.language import say

if TYPE_CHECKING:
    from athanor.jobs import Job, Result, Store

_LOOK_SECONDS = 0.25
_SURE_SECONDS = 2.0  # between two looks at a file that seems not to have been written to
_BEAT_SECONDS = 10.0  # between two signs of life where nothing happens
_MOST_FOLLOWERS = 500
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
                message = say(
                    "too many follow jobs already; try again in {retry_seconds} s", retry_seconds=_RETRY_SECONDS
                )
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
        spoken = looked = time.monotonic()
        known: Job | None = None
        job = self._store.job(self._job)
        state: tuple[int, ...] | None = None
        while True:
            now = self._store.file.state()
            if now != state or time.monotonic() - looked > _SURE_SECONDS:
                state, looked = now, time.monotonic()
                job = self._store.job(self._job)
                results = self._store.results(self._job, after=self._after, most=_AT_ONCE)
                for result in results:
                    self._after = result.id
                    yield Told("result", result)
                if len(results) == _AT_ONCE:
                    state = None
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


EVENTS = "text/event-stream"
ADMINISTRATOR = "token:admin"
_STATUS = {
    "no_job": 404,
    "not_yours": 403,
    "share_full": 429,
    "conflict": 409,
    "too_large": 413,
    "store_full": 507,
    "store_damaged": 500,
    "store_unreadable": 500,
    "store_busy": 503,
}
_BUSY_SECONDS = "2"
_MOST_UNITS = 10_000  # of a job that is sent: a million deals


def blueprint(config: Config, searches: Searches) -> Blueprint:
    """The routes of jobs. The store is opened with the first request."""
    routes = Blueprint("jobs", __name__)
    followers = Followers(_MOST_FOLLOWERS, searches.stopping)

    @cache
    def store() -> Any:
        from athanor.jobs import Store

        return Store()

    @routes.errorhandler(JobError)
    def refused(found: JobError) -> Response:
        status = _STATUS.get(found.code, 422)
        headers = {"Retry-After": _BUSY_SECONDS} if status == 503 else None
        return response(status, found.code, found.message, found.path, headers)

    @routes.post("/v1/jobs")
    def submit() -> Response:
        asked = validated(JobRequest, read_json(request))
        key = asked.key or request.headers.get("Idempotency-Key")
        units = _units(asked, config)
        job, new = store().submit(asked.kind, units, title=asked.title, key=key, client=asker().client)
        answer = answered(job)
        if new:
            answer.status_code = 201
            answer.headers["Location"] = f"/v1/jobs/{job.id}"
        return answer

    @routes.get("/v1/jobs")
    def listed() -> Response:
        query = read_query(JobsQuery)
        found = store().jobs(most=query.most + 1, client=_owner(), before=query.before)
        following = found[query.most - 1].id if len(found) > query.most else None
        return answered(Jobs(jobs=tuple(found[: query.most]), next=following))

    @routes.get("/v1/jobs/<job>")
    def shown(job: str) -> Response:
        return answered(store().job(job))

    @routes.delete("/v1/jobs/<job>")
    def deleted(job: str) -> Response:
        return answered(store().delete(job, client=_owner()))

    @routes.post("/v1/jobs/<job>/cancel")
    def cancelled(job: str) -> Response:
        return answered(store().cancel(job, client=_owner()))

    @routes.post("/v1/jobs/<job>/retry")
    def retried(job: str) -> Response:
        return answered(store().retry(job, client=_owner()))

    @routes.get("/v1/jobs/<job>/results")
    def results(job: str) -> Response:
        query = read_query(ResultsQuery)
        following = followers.follow(store(), job, query.after, asker(), to_the_end=query.stream == "1")
        return _streamed(following, as_lines, NDJSON)

    @routes.get("/v1/jobs/<job>/events")
    def events(job: str) -> Response:
        last = request.headers.get("Last-Event-ID", "")
        after = int(last) if last.isdecimal() and len(last) < 19 else 0
        return _streamed(followers.follow(store(), job, after, asker(), to_the_end=True), as_events, EVENTS)

    return routes


def _units(asked: JobRequest, config: Config) -> Iterator[str]:
    """The units of a job that was sent, each within the limits of the service."""
    from athanor.jobs.questions import payloads

    options = {name: getattr(asked, name) for name in ("model", "player", "worlds", "seed", "others")}
    options |= {"seconds": asked.limit.seconds, "nodes": asked.limit.nodes}
    return payloads(asked.kind, asked.questions, options, most_seconds=config.max_seconds, most_units=_MOST_UNITS)


def _owner() -> str | None:
    """Whose jobs are listed and may be changed: the client's own, or all (None) for an administrator.

    That is the client with the token called `admin` or, where no tokens are asked for, one on this machine.
    """
    client = asker().client
    if client == ADMINISTRATOR:
        return None
    try:
        return None if ipaddress.ip_address(client).is_loopback else client
    except ValueError:
        return client


def _streamed(following: Following, form: Callable[[Following], Iterator[str]], kind: str) -> Response:
    answer = Response(form(following), content_type=kind)
    answer.headers["X-Accel-Buffering"] = "no"  # a proxy passes each line on at once
    answer.call_on_close(following.close)
    return answer
