"""The parts that every operation of the document is made of."""

from __future__ import annotations

from http import HTTPStatus
from typing import Any

from api.http.errors import of_status
from api.openapi.examples import Examples
from api.openapi.schemas import ref

Part = dict[str, Any]

WHEN = {
    400: "The body cannot be read.",
    401: "The service wants a token (the header `Authorization`), and this is none that it knows.",
    403: "The service has no such name (the header `Host`), or a page of another site asks (`Origin`).",
    404: "There is nothing with this name.",
    408: "The body does not arrive in time.",
    409: "There is a job of this key with other questions.",
    413: "The body is too large.",
    415: "The body is of another type.",
    422: "The body can be read, and breaks the format or the rules; `path` names the offending key.",
    429: "The client has had what its limits allow; `Retry-After` says when to try again.",
    500: "The service failed; its log says why.",
    503: "The game is not ready yet (code `starting`, and `message` says how far it is), or other searches took "
    "all the time that the request allows. `Retry-After` says when to try again.",
    507: "There is no room to keep the job: the disk is full, or the store of the jobs has reached its bound.",
}
READING = (400, 403, 408, 413, 415, 422, 500)
SEARCHING = (*READING, 503)


def operation(
    name: str,
    summary: str,
    tag: str,
    answer: Part,
    errors: tuple[int, ...],
    *,
    body: Part | None = None,
    unguarded: bool = False,
) -> Part:
    """An operation of the document; one that is `unguarded` needs no token even where others do."""
    found: Part = {"operationId": name, "summary": summary, "tags": [tag]}
    if body is not None:
        found["requestBody"] = {"required": True, "content": body}
    if unguarded:
        found["security"] = []
    found["responses"] = {"200": {"description": "The answer.", "content": answer}}
    for status in (*(() if unguarded else (401, 429)), *errors):
        found["responses"][str(status)] = {"$ref": f"#/components/responses/{error_name(status)}"}
    return found


def json_content(schema: Part, found: Examples | None = None) -> Part:
    media: Part = {"schema": schema}
    if found:
        media["examples"] = found
    return {"application/json": media}


def error_name(status: int) -> str:
    return HTTPStatus(status).phrase.title().replace(" ", "")


def error_response(status: int) -> Part:
    found: Part = {"description": WHEN[status], "content": json_content(ref("Error"))}
    if status == HTTPStatus.UNAUTHORIZED:
        found["headers"] = {"WWW-Authenticate": {"description": "Bearer.", "schema": {"type": "string"}}}
    if status in (HTTPStatus.SERVICE_UNAVAILABLE, HTTPStatus.TOO_MANY_REQUESTS):
        found["headers"] = {"Retry-After": {"description": "Seconds.", "schema": {"type": "integer"}}}
    if status == HTTPStatus.INTERNAL_SERVER_ERROR:
        code, message = of_status(status)
        example = {"error": {"code": code, "path": "", "message": message}}
        found["content"]["application/json"]["example"] = example
    return found
