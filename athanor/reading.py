"""What callers give for a position, a record or a limit, read into the solver's objects."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from solver.inputs.errors import PositionError, RequestError

if TYPE_CHECKING:
    from pydantic import BaseModel

    from solver.common.control import Limit
    from solver.protocol import game as rules

    # Text is a line, such as ``kirin seat=2 hand=…``, or JSON.
    PositionLike = BaseModel | Mapping[str, Any] | str | bytes
    RecordLike = BaseModel | Mapping[str, Any] | str | bytes


def position_of(given: PositionLike) -> BaseModel:
    """The position or view that is given as an object, a dict, a line of text or JSON text.

    Raises PositionError with the path of what is wrong.
    """
    from solver.positions import parse_position

    return _read(given, "position", parse_position)


def record_of(given: RecordLike) -> BaseModel:
    """The finished round or match that is given as an object, a dict or text. Raises PositionError."""
    from solver.positions import parse_record

    return _read(given, "record", parse_record)


def _read(given: PositionLike, what: str, parse: Callable[[object], BaseModel]) -> BaseModel:
    from pydantic import BaseModel

    if isinstance(given, str | bytes):
        return parse(data_of(given, what))
    if isinstance(given, BaseModel | dict):
        return parse(given)
    if isinstance(given, Mapping):
        return parse(dict(given))
    raise PositionError("wrong_type", f"a {what} is an object, a dict or text, not {type(given).__name__}")


def data_of(text: str | bytes, what: str = "position") -> Any:
    """JSON-like data for a line of text or JSON text. Raises PositionError for what is neither."""
    from solver.inputs.jsontext import loads
    from solver.notation.lines import is_line
    from solver.positions import read_line

    if isinstance(text, bytes):
        with suppress(UnicodeDecodeError):
            text = text.decode("utf-8-sig")
    return read_line(text) if isinstance(text, str) and is_line(text) else loads(text, what)


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
