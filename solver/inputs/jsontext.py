"""JSON text as data, strictly: what JSON readers disagree about is refused, never guessed."""

from __future__ import annotations

import json
from typing import Any, NoReturn

from solver.inputs.errors import PositionError


def loads(text: str | bytes, what: str = "position") -> Any:
    """The data of a JSON text. `what` is how messages call it.

    Raises PositionError ("invalid_json") that says where the text is broken, or that it holds NaN, the same key
    twice in one object, or half a character; bytes must be UTF-8, with or without a byte order mark.
    """

    def broken(message: str) -> PositionError:
        return PositionError("invalid_json", message)

    def constant(name: str) -> NoReturn:
        raise broken(f"the {what} is not JSON: {name} is no number of JSON")

    def members(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        found: dict[str, Any] = {}
        for key, value in pairs:
            if key in found:
                raise broken(f"the key {key!r} is there twice in one object")
            found[key] = value
        return found

    try:
        plain = text.decode("utf-8-sig") if isinstance(text, bytes) else text
    except UnicodeDecodeError as found:
        message = f"the {what} is not UTF-8: {found.reason} at byte {found.start}"
        raise PositionError("invalid_text", message) from None
    if not plain.strip():
        raise broken(f"the {what} is empty")
    try:
        data = json.loads(plain, object_pairs_hook=members, parse_constant=constant)
        if "\\u" in plain:
            json.dumps(data, ensure_ascii=False).encode()
    except RecursionError:
        raise broken(f"the {what} is nested too deeply") from None
    except UnicodeEncodeError:
        raise broken(f"the {what} has half a character (a surrogate without its other half)") from None
    except ValueError as found:
        raise broken(f"the {what} is not JSON: {found}") from None
    return data
