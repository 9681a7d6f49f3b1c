"""Reading positions and records of any game."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import TYPE_CHECKING, Annotated, Any, Union, cast

from pydantic import BaseModel, Field, TypeAdapter, ValidationError

from solver import registry
from solver.inputs.errors import RequestError
from solver.inputs.findings import validated
from solver.protocol import shown
from solver.protocol.compounding import ASK, Compounder
from solver.protocol.rows import Rows

if TYPE_CHECKING:
    from solver.protocol.game import Game


@cache
def position_type() -> Any:
    """The union of every game's positions and views, discriminated by `game`."""
    return _union("position_type", _readable())


@cache
def record_type() -> Any:
    """The union of every game's finished rounds and matches."""
    return _union("record_type", _readable())


def _union(attribute: str, names: Sequence[str]) -> Any:
    types = tuple(getattr(registry.game(name), attribute) for name in names)
    return Annotated[Union[types], Field(discriminator="game")]  # noqa: UP007 (built at run time)


@cache
def _readable() -> tuple[str, ...]:
    """All games. One of another package whose types cannot be read beside the others' is left out."""
    guests = registry.guests()
    found = [name for name in registry.names() if name not in guests]
    for name in guests:
        try:
            for attribute in ("position_type", "record_type"):
                _refuse_other_tags(TypeAdapter(_union(attribute, [*found, name])), name)
        except Exception as error:  # whatever a stranger's module raises
            registry.leave_out(name, f"its positions cannot be read: {type(error).__name__}: {error}")
        else:
            found.append(name)
    return tuple(found)


def _refuse_other_tags(adapter: TypeAdapter[Any], name: str) -> None:
    """Raise ValueError unless data with ``"game": name`` is read."""
    try:
        adapter.validate_python({"game": name})
    except ValidationError as found:
        if found.errors()[0]["type"] == "union_tag_invalid":
            raise ValueError(f"none of them has {name!r} for its game") from None


@cache
def _adapter(attribute: str) -> TypeAdapter[Any]:
    return TypeAdapter(position_type() if attribute == "position_type" else record_type())


@cache
def _own_adapter(attribute: str, game: str) -> TypeAdapter[Any]:
    """What reads one of Athanor's own games: it needs none of the other games' types, which take long to make."""
    return TypeAdapter(getattr(registry.game(game), attribute))


def parse_position(data: object) -> BaseModel:
    """A position or view of any game from JSON-like data. Raises PositionError with the offending path."""
    return _parse("position_type", data)


def parse_record(data: object) -> BaseModel:
    """A finished round or match of any game from JSON-like data. Raises PositionError."""
    return _parse("record_type", data)


def _parse(attribute: str, data: object) -> BaseModel:
    game = data.get("game") if isinstance(data, dict) else getattr(data, "game", None)
    own = isinstance(game, str) and registry.is_own(game)
    adapter = _own_adapter(attribute, game) if own else _adapter(attribute)
    parsed: BaseModel = validated(adapter.validate_python, data)
    return parsed


def game_of(position: BaseModel) -> Game:
    """The game that a position belongs to."""
    return registry.game(position.game)  # type: ignore[attr-defined]


class Shown:
    """Mixed into the classes of positions and views, before pydantic's: how they show themselves to a person."""

    def __str__(self) -> str:
        return text_of(cast(BaseModel, self))

    def _repr_html_(self) -> str:
        return shown.rows_html(rows_of(cast(BaseModel, self)))


def rows_of(position: BaseModel) -> Rows:
    """A position for a person: labelled lines, the game's title first."""
    game = game_of(position)
    variant = getattr(position, "variant", None)
    return [("Game", f"{game.title}, {variant}" if variant else game.title), *game.describe(position)]


def text_of(position: BaseModel) -> str:
    """A position as text."""
    return shown.rows_text(rows_of(position))


def position_data(position: BaseModel) -> dict[str, Any]:
    """A position as JSON-ready data that `parse_position` reads back."""
    return position.model_dump(mode="json", exclude_none=True, exclude_unset=False)


def compounder(position: BaseModel) -> Compounder:
    """What compounds the cards of a position. Raises RequestError for a position that is no set of cards."""
    game = game_of(position)
    if ASK not in game.asks(position):
        raise RequestError("not_offered", f"this position of {game.name} is no set of cards to compound")
    return cast(Compounder, game.questions[ASK])
