"""Reading what was sent: strict JSON, strict keys, and errors that name the key."""

from __future__ import annotations

import json
from typing import Any, NoReturn, TypeVar

from flask import Request
from pydantic import BaseModel, ValidationError

from api.errors import MediaTypeError, UnreadableError
from solver.errors import RequestError
from solver.positions import error_of

M = TypeVar("M", bound=BaseModel)

# Beside JSON's own types: what clients call a body when nobody told them what it is.
UNTOLD = frozenset({"", "text/plain", "application/octet-stream", "application/x-www-form-urlencoded"})


def read_text(request: Request) -> str:
    """The body as text. Raises UnreadableError, or MediaTypeError for a compressed body."""
    if request.headers.get("Content-Encoding", "identity") != "identity":
        raise MediaTypeError("unsupported_media_type", "compressed bodies are not read")
    try:
        return request.get_data(cache=False).decode("utf-8-sig")
    except UnicodeDecodeError as found:
        message = f"the body is not UTF-8: {found.reason} at byte {found.start}"
        raise UnreadableError("invalid_text", message) from None


def is_json(mimetype: str) -> bool:
    return mimetype == "application/json" or mimetype.endswith("+json")


def read_json(request: Request) -> Any:
    """The body as data, whatever its type says unless that is clearly something else than JSON."""
    if not (is_json(request.mimetype) or request.mimetype in UNTOLD):
        raise MediaTypeError("unsupported_media_type", f"the body must be JSON, not {request.mimetype}")
    return parse_json(read_text(request))


def parse_json(text: str) -> Any:
    """JSON text as data. Refuses what readers disagree about: NaN, a key that is there twice, half a character."""
    if not text.strip():
        raise _broken("the body is empty")
    try:
        data = json.loads(text, object_pairs_hook=_object, parse_constant=_constant)
        if "\\u" in text:
            json.dumps(data, ensure_ascii=False).encode()
    except RecursionError:
        raise _broken("the body is nested too deeply") from None
    except UnicodeEncodeError:
        raise _broken("the body has half a character (a surrogate without its other half)") from None
    except ValueError as found:
        raise _broken(f"the body is not JSON: {found}") from None
    return data


def _broken(message: str) -> UnreadableError:
    return UnreadableError("invalid_json", message)


def _constant(name: str) -> NoReturn:
    raise _broken(f"the body is not JSON: {name} is no number of JSON")


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        seen: set[str] = set()
        twice = next(key for key, _ in pairs if key in seen or seen.add(key))  # type: ignore[func-returns-value]
        raise _broken(f"the key {twice!r} is there twice in one object")
    return found


def validated(kind: type[M], data: object) -> M:
    """`data` as a request. Raises RequestError with the path of the offending key."""
    if not isinstance(data, dict):
        raise RequestError("wrong_type", "the body must be a JSON object")
    try:
        return kind.model_validate(data)
    except ValidationError as found:
        raise error_of(found, data, RequestError) from None
