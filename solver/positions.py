"""Reading positions and records of any game: pydantic's findings become the contract's errors."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Annotated, Any, TypeVar, Union

from pydantic import BaseModel, Field, TypeAdapter, ValidationError

from solver import registry
from solver.errors import AthanorError, PositionError

_CODES = {
    "extra_forbidden": "unknown_key",
    "missing": "missing_key",
    "union_tag_not_found": "missing_key",
    "union_tag_invalid": "unknown_value",
    "literal_error": "unknown_value",
    "greater_than": "out_of_range",
    "greater_than_equal": "out_of_range",
    "less_than": "out_of_range",
    "less_than_equal": "out_of_range",
    "finite_number": "out_of_range",
    "too_short": "wrong_size",
    "too_long": "wrong_size",
    "string_too_short": "wrong_size",
    "string_too_long": "wrong_size",
}

E = TypeVar("E", bound=AthanorError)
T = TypeVar("T")


@cache
def position_type() -> Any:
    """The union of every game's positions and views, discriminated by `game`."""
    types = tuple(registry.game(name).position_type for name in registry.NAMES)
    return Annotated[Union[types], Field(discriminator="game")]  # noqa: UP007 (built at run time)


@cache
def record_type() -> Any:
    """The union of every game's finished rounds and matches."""
    types = tuple(registry.game(name).record_type for name in registry.NAMES)
    return Annotated[Union[types], Field(discriminator="game")]  # noqa: UP007 (built at run time)


@cache
def _adapter(kind: str) -> TypeAdapter[Any]:
    return TypeAdapter(position_type() if kind == "position" else record_type())


def path_of(location: tuple[int | str, ...], value: object, *, missing: bool = False) -> str:
    """Pydantic's location as a path into `value`, the tags of unions left out: ``hands[2][4]``.

    With `missing` the last step is a key that `value` lacks; elsewhere such a step is a tag.
    """
    path = ""
    for index, step in enumerate(location):
        lacking = missing and index == len(location) - 1
        if isinstance(step, int):
            path += f"[{step}]"
            value = value[step] if isinstance(value, list | tuple) and step < len(value) else None
        elif isinstance(value, Mapping) and (step in value or lacking):
            path += f".{step}" if path else step
            value = value.get(step)
    return path


def error_of(found: ValidationError, value: object, kind: type[E]) -> E:
    """The first finding of a pydantic validation of `value`, as an error of ours."""
    details = found.errors(include_url=False)
    first = next((d for d in details if d["type"] == "extra_forbidden"), details[0])
    context = first.get("ctx", {})
    code = first["type"]
    path = path_of(tuple(first["loc"]), value, missing=code == "missing")
    message = first["msg"]
    if "path" in context:  # one of ours, by `fault`
        own = str(context["path"])
        path += own if not (path and own) or own.startswith("[") else f".{own}"
    elif code in ("union_tag_invalid", "union_tag_not_found"):
        key = str(context["discriminator"]).strip("'")
        path += f".{key}" if path else key
        expected = context.get("expected_tags")
        message = f"unknown {key} {context['tag']!r}; expected {expected}" if expected else f"{key} is missing"
    elif code == "extra_forbidden":
        message = f"unknown key {first['loc'][-1]!r}"
    elif code == "missing":
        message = f"{first['loc'][-1]} is missing"
    return kind(code if "path" in context else _CODES.get(code, "wrong_type"), message, path)


def validated(reader: TypeAdapter[T], data: object) -> T:
    """What a pydantic type makes of JSON-like data. Raises PositionError with the offending path."""
    try:
        return reader.validate_python(data)
    except ValidationError as found:
        raise error_of(found, data, PositionError) from None


def parse_position(data: object) -> BaseModel:
    """A position or view of any game from JSON-like data. Raises PositionError with the offending path."""
    return _parse("position", data)


def parse_record(data: object) -> BaseModel:
    """A finished round or match of any game from JSON-like data. Raises PositionError."""
    return _parse("record", data)


def _parse(kind: str, data: object) -> BaseModel:
    parsed: BaseModel = validated(_adapter(kind), data)
    return parsed


def game_of(position: BaseModel) -> Any:
    """The game that a position belongs to."""
    return registry.game(position.game)  # type: ignore[attr-defined]


def position_data(position: BaseModel) -> dict[str, Any]:
    """A position as JSON-ready data that `parse_position` reads back."""
    return position.model_dump(mode="json", exclude_none=True, exclude_unset=False)
