"""Reading positions and records of any game."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache, partial
from typing import TYPE_CHECKING, Annotated, Any, Union, cast

from pydantic import BaseModel, Field, GetCoreSchemaHandler, GetJsonSchemaHandler, TypeAdapter, ValidationError
from pydantic.json_schema import JsonSchemaValue
from pydantic_core import CoreSchema, core_schema

from solver import codec, registry
from solver.answer_tables import Rows, rows_html, rows_text
from solver.answers import ASK, AnyPosition, Compounder
from solver.codec import NotationReader
from solver.common import one_after_another
from solver.errors import PositionError, RequestError
from solver.language import say, translated
from solver.registry import game_of
from solver.texts import game_typed
from solver.validation import refusal, validated

if TYPE_CHECKING:
    from solver.game import Game


@cache
def type_of_all(attribute: str) -> Any:
    """Return the union of every game's "position_type" or "record_type", discriminated by `game`."""
    return _union(attribute, _readable(), _given)


def _data_of(sent: Any) -> Any:
    if not isinstance(sent, str):
        return sent
    try:
        if not codec.is_line(sent):
            raise codec.not_a_line(sent, "position", is_game=game_typed(sent) in registry.names())
        return read_line(sent)
    except PositionError as error:
        raise refusal(error.faults) from None


def _union(attribute: str, names: Sequence[str], kind: Callable[[Game, str], Any]) -> Any:
    types = tuple(kind(registry.game(name), attribute) for name in names)
    return Annotated[Union[types], Field(discriminator="game")]  # noqa: UP007 (built at run time)


def _given(game: Game, attribute: str) -> Any:
    kind = getattr(game, attribute)
    return Annotated[kind, NotationReader(game.notation, kind, game.players_fault)]


@cache
def _readable() -> tuple[str, ...]:
    """Return the names of all games whose positions can be read.

    Games of other packages whose types cannot be combined with the rest are left out.
    """
    guests = registry.guests()
    readable = [name for name in registry.names() if name not in guests]
    for name in guests:
        try:
            assert registry.game(name).notation
            for attribute in ("position_type", "record_type"):
                _refuse_other_tags(TypeAdapter(_union(attribute, [*readable, name], getattr)), name)
        except Exception as error:  # a third-party module may raise anything
            registry.leave_out(name, f"its positions cannot be read: {type(error).__name__}: {error}")
        else:
            readable.append(name)
    return tuple(readable)


def _refuse_other_tags(adapter: TypeAdapter[Any], name: str) -> None:
    """Raise ValueError unless the types accept `name` as the value of ``"game"``."""
    try:
        adapter.validate_python({"game": name})
    except ValidationError as error:
        if error.errors()[0]["type"] == "union_tag_invalid":
            raise ValueError(f"none of them has {name!r} for its game") from None


@cache
def _adapter(attribute: str) -> TypeAdapter[Any]:
    return TypeAdapter(type_of_all(attribute))


@cache
def _own_adapter(attribute: str, game: str) -> TypeAdapter[Any]:
    """Return the validator for one of Athanor's own games, without making other games' types, which is slow."""
    return TypeAdapter(_given(registry.game(game), attribute))


def read_line(text: str) -> dict[str, Any]:
    """Convert a position or record written as a line to JSON-like data. Raises PositionError for other text.

    If the game is unknown, the keys are kept as they are, so that the checks report the game.
    """
    line = codec.parsed(text)
    if not registry.is_own(line.game) and line.game not in _readable():
        return {"game": line.game, **line.pairs}
    return registry.game(line.game).notation.read(line)


def parse_position(data: object) -> AnyPosition:
    """Read a position or view of any game from JSON-like data or a line. Raises PositionError with all faults."""
    return _parse("position_type", data)


def parse_record(data: object) -> AnyPosition:
    """Read a finished round or match of any game from JSON-like data or a line. Raises PositionError."""
    return _parse("record_type", data)


def _parse(attribute: str, data: object) -> AnyPosition:
    sent = read_line(data) if isinstance(data, str) and codec.is_line(data) else data
    return validated(partial(_validate, attribute), sent)


def _validate(attribute: str, sent: object) -> AnyPosition:
    game = sent.get("game") if isinstance(sent, dict) else getattr(sent, "game", None)
    own = isinstance(game, str) and registry.is_own(game)
    if not own and isinstance(sent, dict) and isinstance(game, str) and (typed := game_typed(game)) != game:
        own, game = registry.is_own(typed), typed
        sent = {**sent, "game": typed} if own or typed in _readable() else sent
    adapter = _own_adapter(attribute, game) if own else _adapter(attribute)
    position: AnyPosition = adapter.validate_python(sent)
    return position


@dataclass(frozen=True)
class _OfAnyGame:
    """A placeholder type for the positions or records of all games, whose union is known only at run time.

    The validator of the union takes a long time to build. It is built when the first position is read, once for
    all models. With `text`, which describes that in the JSON schema, one may also be sent as a line of text.
    """

    attribute: str
    text: str = ""

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        written = core_schema.plain_serializer_function_ser_schema(position_data)
        return core_schema.no_info_plain_validator_function(self._read, serialization=written)

    def __get_pydantic_json_schema__(self, schema: CoreSchema, handler: GetJsonSchemaHandler) -> JsonSchemaValue:
        of_data = handler(TypeAdapter(type_of_all(self.attribute)).core_schema)
        return {"oneOf": [of_data, {"type": "string", "description": self.text}]} if self.text else of_data

    def _read(self, sent: Any) -> BaseModel:
        return _validate(self.attribute, _data_of(sent) if self.text else sent)


# Types of fields of other models: a position of any game, and one that may also be sent as a line of text.
PositionField = Annotated[BaseModel, _OfAnyGame("position_type")]
SentPosition = Annotated[
    BaseModel, _OfAnyGame("position_type", "A position as one line of text, like the `text` of answers.")
]
SentRecord = Annotated[BaseModel, _OfAnyGame("record_type", "A record as one line of text.")]


class GamePosition(AnyPosition):
    """Base class of positions, views and records; it must be the first of their base classes.

    ``str`` gives their canonical line, and notebooks show labelled lines.
    """

    def __str__(self) -> str:
        return text_of(self)

    def _repr_html_(self) -> str:
        return rows_html(rows_of(self))


def rows_of(position: BaseModel) -> Rows:
    """Return a position for display, as (label, text) rows that begin with the game's title."""
    game = game_of(position)
    variant = getattr(position, "variant", None)
    title = translated(game.title)
    return [(say("Game"), one_after_another(filter(None, [title, variant]))), *game.describe(position)]


def described(position: BaseModel) -> str:
    """Return a position for display, as text of several lines."""
    return rows_text(rows_of(position))


def text_of(position: BaseModel) -> str:
    """Return the canonical line of a position, view or record.

    `parse_position` or `parse_record` reads it back.
    """
    return game_of(position).notation.write(position)


def position_data(position: BaseModel) -> dict[str, Any]:
    """Return a position as JSON-compatible data that `parse_position` reads back."""
    return position.model_dump(mode="json", exclude_none=True)


def compounder(position: BaseModel) -> Compounder:
    """Return the object that answers the question "compound" for the game of a position.

    Raises RequestError if the position is not a set of cards.
    """
    game = game_of(position)
    if ASK not in game.asks(position):
        raise RequestError(
            "not_offered", say("this position of {name} is not a set of cards to compound", name=game.name)
        )
    return cast(Compounder, game.questions[ASK])
