"""JSON text as data, strictly: what JSON readers disagree about is refused, never guessed."""

from __future__ import annotations

import json
import re
from typing import Any, NoReturn

from solver.inputs.errors import PositionError
from solver.inputs.tomltext import MOST_KEYS, too_many_keys, too_many_values

_EXACT = 2**53  # below it, doubles hold every whole number
_MOST_DIGITS = 1000  # the time to read a number grows with their square
_TEXT = re.compile(r'"(?>(?:[^"\\]++|\\.)*)"', re.DOTALL)


def loads(text: str | bytes, what: str = "position", most_values: int | None = None) -> Any:
    """The data of a JSON text, with at most so many values. `what` is how messages call it.

    Raises PositionError ("invalid_json") that says where the text is broken, or that it holds NaN, the same key
    twice in one object, or half a character; bytes must be UTF-8, with or without a byte order mark. Raises
    it ("too_large") for too many values, before any is read, and for an object of very many keys.
    """

    def broken(message: str) -> PositionError:
        return PositionError("invalid_json", message)

    def constant(name: str) -> NoReturn:
        raise broken(f"the {what} is not JSON: {name} is no number of JSON")

    def whole(text: str) -> int:
        if len(text) > _MOST_DIGITS:
            raise broken(f"the {what} has a number of more than {_MOST_DIGITS:,} digits")
        return int(text)

    def members(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        if len(pairs) > MOST_KEYS:
            raise too_many_keys()
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
    if most_values is not None and _values(plain) > most_values and _values(_TEXT.sub("", plain)) > most_values:
        raise too_many_values(most_values)
    try:
        data = json.loads(
            plain, object_pairs_hook=members, parse_constant=constant, parse_float=_number, parse_int=whole
        )
        if "\\u" in plain:
            json.dumps(data, ensure_ascii=False).encode()
    except RecursionError:
        raise broken(f"the {what} is nested too deeply") from None
    except UnicodeEncodeError:
        raise broken(f"the {what} has half a character (a surrogate without its other half)") from None
    except ValueError as found:
        raise broken(f"the {what} is not JSON: {found}") from None
    return data


def _number(text: str) -> float:
    """A number with a point or an exponent; a whole one is an integer, as JSON Schema has it: 5.0 is 5."""
    found = float(text)
    return int(found) if found.is_integer() and abs(found) < _EXACT else found


def _values(text: str) -> int:
    """How many values a JSON text may hold: before each is a comma or the beginning of a list or object."""
    return text.count(",") + text.count("[") + text.count("{")
