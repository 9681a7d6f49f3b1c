"""Reading positions, records and limits as callers give them, and playing the moves in a line of text."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from athanor.asking import PositionLike, Read, RecordLike, Search
from solver import registry
from solver.errors import MoveError, PositionError, RequestError
from solver.language import say, translated
from solver.registry import game_of
from solver.texts import decoded, game_typed

if TYPE_CHECKING:
    from solver.answers import AnyPosition
    from solver.limits import Control, Limit


_BEFORE_JSON = ("", "{", "[", '"')


def position_of(position: PositionLike) -> AnyPosition:
    """Read a position or view from a dict, a line of text, JSON text, or an object.

    Keys that follow from the rest may be omitted, and are checked if given. Raises PositionError with the path of
    the wrong key or card.
    """
    from solver.positions import parse_position

    if isinstance(position, Read):
        known: AnyPosition = position.position
        return known
    return parse_position(data_of(position))


def record_of(record: RecordLike) -> AnyPosition:
    """Read a finished round or match from an object, a dict or text. Raises PositionError."""
    from solver.positions import parse_record

    if isinstance(record, Read):
        known: AnyPosition = record.position
        return known
    return parse_record(data_of(record, "record"))


def data_of(given: PositionLike, what: str = "position") -> Any:
    """Parse a line of text or JSON text into JSON-like data; dicts and objects stay as they are.

    Raises PositionError for anything else; its message calls the input `what`.
    """
    from pydantic import BaseModel

    from solver.codec import is_line, moves_in, not_a_line
    from solver.positions import parse_position, read_line
    from solver.strict_json import is_json, typed_json

    if isinstance(given, bytes):
        given = decoded(given)
    if isinstance(given, str) and is_json(given):
        return typed_json(given, what)
    if isinstance(given, str):
        if not is_line(given):
            if given.strip()[:1] in _BEFORE_JSON:
                return typed_json(given, what)
            raise not_a_line(given, what, is_game=game_typed(given) in registry.names())
        moves = moves_in(given)
        return all_played(parse_position(read_line(given)), moves) if moves else read_line(given)
    if isinstance(given, BaseModel | dict):
        return given
    if isinstance(given, Mapping):
        return dict(given)
    raise PositionError(
        "wrong_type",
        say("a {what} is an object, a dict or text, not {type}", what=translated(what), type=type(given).__name__),
    )


def limit_of(limit: Limit | None, seconds: float | None, nodes: int | None) -> Limit:
    """Return `limit`, or one made from `seconds` and `nodes`.

    Raises RequestError if `limit` is given together with `seconds` or `nodes`, or for a value out of range.
    """
    from solver.limits import Limit
    from solver.validation import validated

    if limit is None and seconds is None and nodes is None:
        return Limit()
    if limit is None:
        return validated(Limit.model_validate, {"seconds": seconds, "nodes": nodes}, RequestError)
    if seconds is not None or nodes is not None:
        raise RequestError("conflict", say("give limit, or seconds and nodes, but not both"), "limit")
    return limit


def control_of(search: Search, threads: int = 1) -> Control:
    """Return the control of a search with these keywords. Raises RequestError as `limit_of` does."""
    from solver.limits import Control

    if "control" in search:
        return search["control"]
    limit = limit_of(search.get("limit"), search.get("seconds"), search.get("nodes"))
    return Control(limit, search.get("cancel"), search.get("progress"), threads)


def all_played(position: AnyPosition, texts: Sequence[str]) -> AnyPosition:
    """Play every event in `texts`. Raises MoveError with the path of the wrong one, such as ``moves[2]``."""
    at = 0
    while at < len(texts):
        try:
            position, used = game_of(position).observe(position, texts[at:])
        except MoveError as error:
            raise error.under(f"moves[{at}]") from None
        at += used
    return position
