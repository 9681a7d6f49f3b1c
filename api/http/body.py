"""Reading what was sent: strict JSON, strict keys, and errors that name the key."""

from __future__ import annotations

from typing import Any, TypeVar

from flask import Request, request
from pydantic import BaseModel

from api.http.errors import MediaTypeError, ServiceError, TooLargeError, UnreadableError
from solver import findings
from solver.errors import AthanorError, PositionError, RequestError
from solver.inputs import loads_json

M = TypeVar("M", bound=BaseModel)

JSON = "application/json"
BODY = "athanor.body"  # the key of the environment by which a body is known again
MOST_VALUES = 50_000  # in a body of JSON: some five hundred puzzles. To read them takes about a fifth of a second,
MOST_TOML_VALUES = 20_000  # and so it does with these in TOML: the collection twice over


def read_text(request: Request) -> str:
    """The body as text. Raises UnreadableError, or MediaTypeError for a compressed body."""
    if request.headers.get("Content-Encoding", "identity") != "identity":
        raise MediaTypeError("unsupported_media_type", "compressed bodies are not read")
    try:
        text = request.get_data(cache=False).decode("utf-8-sig")
    except UnicodeDecodeError as found:
        message = f"the body is not UTF-8: {found.reason} at byte {found.start}"
        raise UnreadableError("invalid_text", message) from None
    request.environ[BODY] = hash(text)
    return text


def check_type(request: Request, *kinds: str) -> str:
    """The body's type, which is one of `kinds`. Raises MediaTypeError.

    A page of another site can send plain text and forms without asking its visitor's browser, and these types
    only when the service agrees beforehand.
    """
    if request.mimetype not in kinds:
        said = request.mimetype or "without a type"
        message = f"the header Content-Type must say {' or '.join(kinds)}; the body is {said}"
        raise MediaTypeError("unsupported_media_type", message)
    return request.mimetype


def read_json(request: Request) -> Any:
    """The body as data. Raises MediaTypeError unless its type is JSON's, and UnreadableError."""
    check_type(request, JSON)
    return parse_json(read_text(request))


def parse_json(text: str) -> Any:
    """JSON text as data, strictly. Raises UnreadableError, and TooLargeError for too many values."""
    try:
        return loads_json(text, "body", MOST_VALUES)
    except PositionError as found:
        raise unread(found) from None


def read_query(kind: type[M]) -> M:
    """What the address says behind the question mark. Raises RequestError for a key twice, too."""
    for key, values in request.args.lists():
        if len(values) > 1:
            raise RequestError("wrong_size", f"{key} is there {len(values)} times", key)
    return validated(kind, request.args.to_dict())


def unread(found: AthanorError, message: str = "") -> ServiceError:
    """The error for a body that could not be read as data at all."""
    kind = TooLargeError if found.code == "too_large" else UnreadableError
    return kind(found.code, message or found.message, found.path)


def validated(kind: type[M], data: object) -> M:
    """`data` as a request. Raises RequestError with the path of the offending key."""
    if not isinstance(data, dict):
        raise RequestError("wrong_type", "the body must be a JSON object")
    return findings.validated(kind.model_validate, data, RequestError)
