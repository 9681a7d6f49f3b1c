"""Optional rules for disputed readings of a rulebook; all are off by default.

A game has a subclass of `Readings` with a field for each option; positions store it under ``rules``. With all
options off, the rulings in the game's ``rules.md`` apply.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, TypeVar

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    GetJsonSchemaHandler,
    ValidationError,
    model_serializer,
    model_validator,
)
from pydantic.json_schema import JsonSchemaValue
from pydantic_core import CoreSchema

from solver.answer_tables import Rows
from solver.codec import RULES, Names, OrText
from solver.errors import Fault, PositionError, RequestError
from solver.language import say, translated
from solver.validation import refuse, validated, with_names

P = TypeVar("P", bound=BaseModel)
R = TypeVar("R", bound="Readings")

Option = Annotated[bool, Field(strict=True)]


class Readings(BaseModel):
    """A game's optional rules. The description of each field says, in a sentence, what applies when it is on."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    @model_validator(mode="before")
    @classmethod
    def _known(cls, data: Any) -> Any:
        names = cls.model_fields
        unknown = [key for key in data if key not in names] if isinstance(data, Mapping) else []
        refuse(
            Fault("unknown_key", with_names(say("there is no option {key!r}", key=key), str(key), names), str(key))
            for key in unknown
        )
        return data

    @property
    def on(self) -> tuple[str, ...]:
        """The names of the options that are on, in the order of the fields."""
        return tuple(name for name in type(self).model_fields if getattr(self, name))

    @model_serializer
    def _only_on(self) -> dict[str, bool]:
        return dict.fromkeys(self.on, True)

    @classmethod
    def __get_pydantic_json_schema__(cls, schema: CoreSchema, handler: GetJsonSchemaHandler) -> JsonSchemaValue:
        # Output has the same keys as input: without this, the schema would show the serializer's own type.
        inner = {**schema, "serialization": None} if "serialization" in schema else schema
        return handler({key: value for key, value in inner.items() if value is not None})


def _unless_all_off(readings: Readings | None) -> Readings | None:
    return readings if readings is not None and readings.on else None


# Runs after the model in a position's field: an object with nothing on equals no object.
ANY_ON = AfterValidator(_unless_all_off)


def options_of(readings: type[Readings]) -> dict[str, str]:
    """Return the description of each of a game's optional rules, by name."""
    return {name: field.description or "" for name, field in readings.model_fields.items()}


def named(value: Any) -> Any:
    """Convert a string of option names to a mapping; return anything else unchanged, to be checked later."""
    return RULES.tidied(value, Names(()))


def readings_in(kind: type[R], given: object) -> R:
    """Read the options in JSON-like data; all are off if it cannot be read."""
    if not given:
        return kind()
    try:
        return kind.model_validate(given)
    except ValidationError:
        return kind()


# Options that callers send apart from the position.
SentRules = Annotated[dict[str, Option], BeforeValidator(named), OrText("declared_counts")]


def with_rules(position: P, rules: Mapping[str, bool] | None, game: str) -> P:
    """Return the position with these options. Raises PositionError for an option that the game does not have.

    Raises RequestError if this kind of position has no options.
    """
    if not rules:
        return position
    none = RequestError("not_offered", say("{game} has no optional rules here", game=game), "rules")
    if "rules" not in type(position).model_fields:
        raise none
    data = position.model_dump(exclude_none=True) | {"rules": named(rules)}
    try:
        return validated(type(position).model_validate, data)
    except PositionError as error:
        if (error.code, error.path) == ("unknown_key", "rules"):  # it is one of other kinds of positions
            raise none from None
        raise


def rows_of(position: BaseModel) -> Rows:
    """Return the options of a position as rows for display; empty if all are off."""
    rules = getattr(position, "rules", None)
    if not isinstance(rules, Readings):
        return []
    said = options_of(type(rules))
    return [(say("Rules"), "; ".join(f"{translated(said[name])} ({name})" for name in rules.on))]
