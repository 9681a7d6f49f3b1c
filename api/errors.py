"""The errors of the service, sent as ``{"error": {"code", "path", "message"}}``."""

from __future__ import annotations

import json
import logging
import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib import resources
from typing import Self

from flask import Flask, Response, g
from werkzeug.exceptions import HTTPException
from werkzeug.routing import RequestRedirect

from solver.errors import AthanorError, Fault, error_object
from solver.language import say
from solver.search.memory import TABLE_BUDGET

log = logging.getLogger(__name__)
_LONGEST = 500  # characters of a message or path, so that an answer never repeats a megabyte of input
_FREED_SECONDS = "2"  # after which other searches may have released memory
_CODES = {
    400: "bad_request",
    401: "unauthorized",
    404: "not_found",
    405: "method_not_allowed",
    409: "conflict",
    413: "too_large",
    415: "unsupported_media_type",
    429: "too_many_requests",
    431: "headers_too_large",
    500: "internal_error",
    501: "not_implemented",
    507: "store_full",
}


@dataclass(frozen=True)
class Documented:
    """A code of errors: its HTTP status, what it means, an example of the error, and a request that gets it.

    `settings` are variables of the service that the request needs. A code that no request gets alone has `when`
    instead: the circumstances that lead to it.
    """

    code: str
    status: int
    meaning: str
    message: str
    when: str = ""
    settings: Mapping[str, str] = field(default_factory=dict)
    request: str = ""
    headers: Mapping[str, str] = field(default_factory=dict)
    body: str | None = None
    type: str = ""
    path: str = ""

    @property
    def all_headers(self) -> Mapping[str, str]:
        """The request's headers, with the type of its body."""
        kind = self.type or ("application/json" if self.body is not None else "")
        return {**({"Content-Type": kind} if kind else {}), **self.headers}

    @property
    def answer(self) -> str:
        """The example's error, without the id of its request."""
        described = error_object([Fault(self.code, self.message, self.path)])
        return json.dumps({"error": described}, ensure_ascii=False)


@cache
def documented() -> tuple[Documented, ...]:
    """All codes of errors that the service sends, by HTTP status."""
    text = resources.files("api").joinpath("errors.toml").read_text(encoding="utf-8")
    return tuple(Documented(code, **error) for code, error in tomllib.loads(text).items())


class ServiceError(AthanorError):
    """An error with its own HTTP status. Other AthanorErrors are the sender's fault and get status 422."""

    status = 422
    headers: Mapping[str, str] = {}

    def under(self, prefix: str) -> Self:
        """Override `AthanorError.under`: return the error unchanged, since it is not about a key of the body."""
        return self

    def within(self, prefix: str) -> Self:
        """Override `AthanorError.within`: return the error unchanged, since it is not about a key of the body."""
        return self


class UnreadableError(ServiceError):
    """The body cannot be parsed: it is not UTF-8, or not in the format that its media type says."""

    status = 400


class TooLargeError(ServiceError):
    """The body has too many bytes, values or keys."""

    status = 413


class MediaTypeError(ServiceError):
    status = 415


class UnauthorizedError(ServiceError):
    """The request has no valid token (RFC 6750)."""

    status = 401

    def __init__(self, code: str, message: str) -> None:
        super().__init__(code, message)
        fault = ', error="invalid_token"' if code == "invalid_token" else ""
        self.headers = {"WWW-Authenticate": f'Bearer realm="athanor"{fault}'}


class ForbiddenError(ServiceError):
    """The header `Host` is not a name of the service, or the request comes from another site's page."""

    status = 403


class NotFoundError(ServiceError):
    status = 404


class RetryError(ServiceError):
    """The request may succeed if it is sent again in about `seconds`."""

    def __init__(self, code: str, message: str, seconds: int = 1) -> None:
        super().__init__(code, message)
        self.headers = {"Retry-After": str(seconds)}


class BusyError(RetryError):
    """The service is too busy for the request, or not ready for it yet."""

    status = 503


class LimitError(RetryError):
    """The client has reached its limits."""

    status = 429


def shortened(text: str) -> str:
    return text if len(text) <= _LONGEST else text[: _LONGEST - 1] + "…"


def error_text(
    code: str, message: str, path: str = "", request: str | None = None, others: Sequence[Fault] = ()
) -> str:
    """Return an error and the `others` as one line of JSON, with the id of the `request` if there is one.

    The JSON is escaped to ASCII, since the request may have contained half of a surrogate pair.
    """
    faults = [Fault(code, message, path), *others]
    data = error_object([Fault(fault.code, shortened(fault.message), shortened(fault.path)) for fault in faults])
    return json.dumps({"error": data | ({} if request is None else {"request_id": request})})


def response(
    status: int,
    code: str,
    message: str,
    path: str = "",
    headers: Mapping[str, str] | None = None,
    others: Sequence[Fault] = (),
) -> Response:
    text = error_text(code, message, path, g.get("request_id"), others)
    return Response(text, status, dict(headers or {}), mimetype="application/json")


def of_status(status: int, detail: str = "") -> tuple[str, str]:
    """Return the code and message of an error that only has an HTTP status."""
    messages = {
        404: say("there is nothing at this address; /openapi.json lists what there is"),
        405: say("this address does not take that method"),
        413: say("the body is larger than the service takes"),
        500: say("the service failed at this; the failure is in its log"),
    }
    phrase = messages.get(status) or detail
    return _CODES.get(status, "http_error"), re.sub(r"\s+", " ", phrase) or f"HTTP status {status}"


def _of_solver(error: AthanorError) -> Response:
    status, headers = (error.status, error.headers) if isinstance(error, ServiceError) else (422, {})
    return response(status, error.code, error.message, error.path, headers, error.others)


def _of_http(error: HTTPException) -> Response | HTTPException:
    if isinstance(error, RequestRedirect):
        return error
    status = error.code or 500
    code, message = of_status(status, error.description or "")
    kept = {name: value for name, value in error.get_headers() if name in ("Allow", "Retry-After")}
    return response(status, code, message, headers=kept)


def of_failure(error: Exception) -> tuple[int, str, str]:
    """Return the HTTP status, code and message of an error that is not the sender's fault.

    If the system refused memory or a thread, idle memory is released for the next request. Anything else is a bug
    in the service, which the caller has to log.
    """
    if isinstance(error, MemoryError):
        problem = str(error) or say("the system refuses more memory")
    elif isinstance(error, RuntimeError) and "can't start new thread" in str(error):
        problem = say("the system can't start more threads")
    else:
        return 500, *of_status(500)
    while TABLE_BUDGET.spare():
        pass
    return 503, "out_of_memory", say("{problem}; try again later", problem=problem)


def line_of_failure(error: Exception, what: str) -> str:
    """Return an error as one line of JSON. A bug in the service is logged as a failure of `what`."""
    status, code, message = of_failure(error)
    if status == 500:
        log.error("%s failed", what, exc_info=error)
    return error_text(code, message)


def register(app: Flask) -> None:
    """Register handlers that send every error of the app in the documented form."""

    def of_bug(error: Exception) -> Response:
        status, code, message = of_failure(error)
        if status == 503:
            return response(status, code, message, headers={"Retry-After": _FREED_SECONDS})
        app.logger.error("a request failed", exc_info=error)
        return response(status, code, message)

    app.register_error_handler(AthanorError, _of_solver)
    app.register_error_handler(HTTPException, _of_http)
    app.register_error_handler(Exception, of_bug)
