"""The operations on jobs."""

from __future__ import annotations

from api.calls.jobs import EVENTS
from api.http.streams import NDJSON
from api.openapi import examples
from api.openapi.operations import READING, Part, json_content, operation
from api.openapi.schemas import ref

_LOOKING = (403, 404, 500, 503)
_CHANGING = (*_LOOKING, 507)


def paths(schemas: Part) -> Part:
    """The addresses of jobs, by the schemas of what they take."""
    job = json_content(ref("Job"))
    line = {"type": "string", "description": "Lines of JSON: a `ResultLine` each."}
    event = {
        "type": "string",
        "description": "Events `result` and `progress`, and at last `end`; the data of each is a `ResultLine`. "
        "The id of an event is that of its result: sent as `Last-Event-ID`, it lets the stream go on behind it.",
    }
    submit = operation(
        "submitJob",
        "Submit a job",
        "jobs",
        job,
        (*READING, 409, 429, 503, 507),
        body=json_content(ref("JobRequest"), examples.jobs()),
    )
    listed = operation("jobs", "The newest jobs", "jobs", json_content(ref("Jobs")), (403, 422, 500, 503))
    listed["parameters"] = _query(schemas["JobsQuery"])
    results = operation("jobResults", "The results of a job", "jobs", {NDJSON: {"schema": line}}, (*_LOOKING, 422))
    results["parameters"] = _query(schemas["ResultsQuery"])
    events = operation("jobEvents", "A job, followed", "jobs", {EVENTS: {"schema": event}}, _LOOKING)
    found = {
        "": {
            "get": operation("job", "How far a job is", "jobs", job, _LOOKING),
            "delete": operation("deleteJob", "Forget a job and its results", "jobs", job, _CHANGING),
        },
        "/cancel": {"post": operation("cancelJob", "Do no more of a job", "jobs", job, _CHANGING)},
        "/retry": {"post": operation("retryJob", "Do again what failed or was cancelled", "jobs", job, _CHANGING)},
        "/results": {"get": results},
        "/events": {"get": events},
    }
    name = {"name": "job", "in": "path", "required": True, "schema": {"type": "string"}}
    return {
        "/v1/jobs": {"get": listed, "post": submit},
        **{f"/v1/jobs/{{job}}{below}": {"parameters": [name], **methods} for below, methods in found.items()},
    }


def _query(schema: Part) -> list[Part]:
    return [
        {"name": name, "in": "query", "description": told["description"], "schema": told}
        for name, told in schema["properties"].items()
    ]
