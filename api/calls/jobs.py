"""`/v1/jobs`: work that outlasts its request, submitted, looked at, followed, cancelled, tried again, deleted."""

from __future__ import annotations

import ipaddress
from collections.abc import Callable, Iterator
from functools import cache
from typing import Any

from flask import Blueprint, Response, request

from api.bodies.job_models import JobRequest, Jobs, JobsQuery, ResultsQuery
from api.calls.following import Followers, Following, as_events, as_lines
from api.calls.questions import answered, asker
from api.config import Config
from api.http.body import read_json, read_query, validated
from api.http.errors import response
from api.http.streams import NDJSON
from athanor.jobs.store import JobError

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


def blueprint(config: Config, followers: Followers) -> Blueprint:
    """The routes of jobs. The store is opened with the first request."""
    routes = Blueprint("jobs", __name__)

    @cache
    def store() -> Any:
        from athanor.jobs import Store

        return Store()

    @routes.errorhandler(JobError)
    def refused(found: JobError) -> Response:
        status = _STATUS.get(found.code, 422)
        headers = {"Retry-After": _BUSY_SECONDS} if status == 503 else None
        message = found.message.replace(store().path, "the file of jobs")  # where it is, is nobody's business
        return response(status, found.code, message, found.path, headers)

    @routes.post("/v1/jobs")
    def submit() -> Response:
        asked = validated(JobRequest, read_json(request))
        job, _ = store().submit(
            asked.kind, _units(asked, config), title=asked.title, key=asked.key, client=asker().client
        )
        return answered(job)

    @routes.get("/v1/jobs")
    def listed() -> Response:
        query = read_query(JobsQuery)
        return answered(Jobs(jobs=tuple(store().jobs(most=query.most, client=_owner()))))

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

    options = {name: getattr(asked, name) for name in ("model", "player", "worlds", "seed")}
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
    answer.call_on_close(following.close)
    return answer
