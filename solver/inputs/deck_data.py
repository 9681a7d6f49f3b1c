"""What reading a deck takes, whatever its game: texts in it, and errors that name the card they are about."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Annotated, Any

from pydantic import AfterValidator, Field, ValidationError, WrapValidator

from solver.inputs.faults import fault, refusal
from solver.inputs.findings import findings_of


def _printable(text: str) -> str:
    if not text.isprintable() or not text.strip():
        raise fault("wrong_text", f"{text!r} must be printable text")
    return text


Text = Annotated[str, Field(strict=True, min_length=1, max_length=80), AfterValidator(_printable)]


def introduced(introduction: Callable[[Any, str], str]) -> WrapValidator:
    """A validator of decks that puts an introduction before the message of a finding.

    `introduction` gets the deck's data and the finding's path; what it returns names the card, or is empty.
    """

    def validate(data: Any, handler: Callable[[Any], Any]) -> Any:
        try:
            return handler(data)
        except ValidationError as found:
            raise refusal(
                one._replace(message=introduction(data, one.path) + one.message)
                for one in findings_of(found, data)
            ) from None

    return WrapValidator(validate)


def entry_at(data: Any, path: str, key: str) -> tuple[Mapping[str, Any], str]:
    """The table of the array `key` that a path leads into, and the rest of the path; empty where it does not."""
    place, _, rest = path.removeprefix(f"{key}[").partition("]")
    entries = data.get(key) if isinstance(data, Mapping) else None
    if not path.startswith(f"{key}[") or not isinstance(entries, list | tuple) or not place.isdecimal():
        return {}, ""
    entry = entries[int(place)]
    return (entry, rest) if isinstance(entry, Mapping) else ({}, "")
