"""Reading positions and records of any game."""

from __future__ import annotations

from functools import cache
from typing import Annotated, Any, Union, cast

from pydantic import BaseModel, Field, TypeAdapter

from solver import registry
from solver.inputs.errors import RequestError
from solver.inputs.findings import validated
from solver.protocol.compounding import ASK, Compounder


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


def parse_position(data: object) -> BaseModel:
    """A position or view of any game from JSON-like data. Raises PositionError with the offending path."""
    return _parse("position", data)


def parse_record(data: object) -> BaseModel:
    """A finished round or match of any game from JSON-like data. Raises PositionError."""
    return _parse("record", data)


def _parse(kind: str, data: object) -> BaseModel:
    parsed: BaseModel = validated(_adapter(kind).validate_python, data)
    return parsed


def game_of(position: BaseModel) -> Any:
    """The game that a position belongs to."""
    return registry.game(position.game)  # type: ignore[attr-defined]


def position_data(position: BaseModel) -> dict[str, Any]:
    """A position as JSON-ready data that `parse_position` reads back."""
    return position.model_dump(mode="json", exclude_none=True, exclude_unset=False)


def compounder(position: BaseModel) -> Compounder:
    """The game of a position that can be compounded. Raises RequestError for any other."""
    game = game_of(position)
    if ASK not in game.asks(position):
        raise RequestError("not_offered", f"this position of {game.name} is no set of cards to compound")
    return cast(Compounder, game)
