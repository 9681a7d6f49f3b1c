"""What callers give for a position, a record or a limit, read into the solver's objects."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from solver.inputs.errors import PositionError, RequestError

if TYPE_CHECKING:
    from pydantic import BaseModel

    from solver.common.control import Limit
    from solver.protocol import game as rules

    PositionLike = BaseModel | Mapping[str, Any] | str | bytes
    RecordLike = BaseModel | Mapping[str, Any] | str | bytes


def position_of(given: PositionLike) -> BaseModel:
    """The position or view that is given as an object, a dict or JSON text.

    Raises PositionError with the path of what is wrong.
    """
    from solver.positions import parse_position

    return _read(given, "position", parse_position)


def record_of(given: RecordLike) -> BaseModel:
    """The finished round or match that is given as an object, a dict or JSON text. Raises PositionError."""
    from solver.positions import parse_record

    return _read(given, "record", parse_record)


def _read(given: PositionLike, what: str, parse: Callable[[object], BaseModel]) -> BaseModel:
    from pydantic import BaseModel

    from solver.inputs.jsontext import loads

    if isinstance(given, str | bytes):
        return parse(loads(given, what))
    if isinstance(given, BaseModel | dict):
        return parse(given)
    if isinstance(given, Mapping):
        return parse(dict(given))
    raise PositionError("wrong_type", f"a {what} is an object, a dict or JSON text, not {type(given).__name__}")


def rules_of(position: BaseModel) -> rules.Game:
    """The game of a position or record, as the solver knows it."""
    from solver.positions import game_of

    return game_of(position)


def limit_of(limit: Limit | None, seconds: float | None, nodes: int | None) -> Limit:
    """The limit given as a whole, or by its parts. Raises RequestError for both, or for a part out of range."""
    from solver.common.control import Limit
    from solver.inputs.findings import validated

    if limit is None:
        return validated(Limit.model_validate, {"seconds": seconds, "nodes": nodes}, RequestError)
    if seconds is not None or nodes is not None:
        raise RequestError("conflict", "give limit, or seconds and nodes, but not both", "limit")
    return limit
