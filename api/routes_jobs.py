"""The routes under `/v1/jobs`, for work that outlasts its request: submit, view, follow, cancel, retry, delete."""

from __future__ import annotations

import ipaddress
import logging
from collections.abc import Callable
from functools import cache, partial
from typing import Any

from flask import Blueprint, Response, request, url_for

from api.bodies import read_as_search, read_json, read_query, say_if_cut, seconds_of, validated
from api.config import Config
from api.errors import response
from api.job_followers import Event, Followers, as_event, as_line
from api.metrics import JobStore
from api.models import JOB_OPTIONS, JobRequest, Jobs, JobsQuery, ResultsQuery
from api.responses import NDJSON, json_response
from api.search_pool import SearchPool
from api.searches import MOST_UNITS, about, job_units
from api.streams import as_search, asker
from athanor.jobs import Store
from athanor.jobs.file import JobError
from solver.limits import Limit

log = logging.getLogger(__name__)

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
    "workers_failed": 503,
}
_BUSY_SECONDS = "2"


def blueprint(config: Config, searches: SearchPool, jobs: JobStore) -> Blueprint:
    """The routes of jobs. The job store is opened by the first request, and `jobs` is its last known state."""
    routes = Blueprint("jobs", __name__)
    followers = Followers(searches.stopping)

    @cache
    def store() -> Any:
        return Store()

    @routes.errorhandler(JobError)
    def refused(error: JobError) -> Response:
        status = _STATUS.get(error.code, 422)
        if status >= 500:
            log.error("a request about jobs failed: %s", error.message)
        headers = {"Retry-After": _BUSY_SECONDS} if status == 503 else None
        return response(status, error.code, error.message, error.path, headers)

    @routes.post("/v1/jobs")
    def submit() -> Response:
        asked = validated(JobRequest, read_json(request))
        key = request.headers.get("Idempotency-Key") if asked.key is None else asked.key
        options = {name: getattr(asked, name) for name in JOB_OPTIONS}
        if asked.limit != Limit():
            options["limit"] = asked.limit.model_dump(exclude_none=True)
        reading = partial(job_units, asked.kind, asked.questions, options, config.max_seconds)
        units = read_as_search(reading, request.content_length or 0, partial(as_search, config, searches))
        say_if_cut([asked.limit.seconds, *map(seconds_of, asked.questions)], config.max_seconds)
        if jobs.fault is not None and jobs.fault.code != "store_full":  # they would never be done
            raise jobs.fault
        job, new = store().submit(
            asked.kind, units, title=asked.title, key=key, client=asker().client, most=MOST_UNITS
        )
        answer = json_response(job)
        if new:
            answer.status_code = 201
            answer.headers["Location"] = url_for("jobs.shown", job=job.id)
        return answer

    @routes.get("/v1/jobs")
    def listed() -> Response:
        query = read_query(JobsQuery)
        if query.before is not None:
            with about("before"):
                store().job(query.before)
        jobs = store().jobs(most=query.limit + 1, client=_owner(), before=query.before)
        following = jobs[query.limit - 1].id if len(jobs) > query.limit else None
        return json_response(Jobs(jobs=tuple(jobs[: query.limit]), next=following))

    @routes.get("/v1/jobs/<job>")
    def shown(job: str) -> Response:
        return json_response(store().job(job))

    @routes.delete("/v1/jobs/<job>")
    def deleted(job: str) -> Response:
        return json_response(store().delete(job, client=_owner()))

    @routes.post("/v1/jobs/<job>/cancel")
    def cancelled(job: str) -> Response:
        return json_response(store().cancel(job, client=_owner()))

    @routes.post("/v1/jobs/<job>/retry")
    def retried(job: str) -> Response:
        return json_response(store().retry(job, client=_owner()))

    @routes.get("/v1/jobs/<job>/results")
    def results(job: str) -> Response:
        query = read_query(ResultsQuery)
        return followed(job, query.after, as_line, NDJSON, to_the_end=query.stream)

    @routes.get("/v1/jobs/<job>/events")
    def events(job: str) -> Response:
        last = request.headers.get("Last-Event-ID", "")
        after = int(last) if last.isdecimal() and len(last) < 19 else 0
        return followed(job, after, as_event, EVENTS, to_the_end=True)

    def followed(job: str, after: int, form: Callable[[Event], str], kind: str, *, to_the_end: bool) -> Response:
        return followers.response(store(), job, after, asker(), form, kind, to_the_end=to_the_end)

    return routes


def _owner() -> str | None:
    """Return the client whose jobs the request may list and change, or None for an administrator, who may do so
    with all jobs.

    Administrators are the client with the token called `admin` and, without tokens, any client on this machine.
    """
    client = asker().client
    if client == ADMINISTRATOR:
        return None
    try:
        return None if ipaddress.ip_address(client).is_loopback else client
    except ValueError:
        return client
