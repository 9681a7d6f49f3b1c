"""A deck as users write it, in TOML or inside a position, validated."""

from __future__ import annotations

from functools import cached_property
from typing import Annotated, Any, Self

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, model_validator

from solver.games.aqua_regia.cards.deck import FIELDS, Deck, of_data
from solver.inputs.deck_data import Text, entry_at, introduced
from solver.inputs.faults import fault
from solver.protocol.deck_kind import DeckKind

MOST_METALS = 118  # as many as there are elements
MOST_COPIES = 99
_RESERVED = ("pass",)  # words of moves


def _word(text: str) -> str:
    if not text.isprintable() or any(mark.isspace() or mark == ">" for mark in text) or text in _RESERVED:
        raise fault("wrong_text", f"{text!r} must be printable, without spaces and >, and not the word pass")
    return text


Symbol = Annotated[str, Field(strict=True, min_length=1, max_length=8, examples=["Zn"]), AfterValidator(_word)]
Name = Annotated[str, Field(strict=True, min_length=1, max_length=40, examples=["house"]), AfterValidator(_word)]


def _fields(given: tuple[str, ...]) -> tuple[str, ...]:
    if given != FIELDS:
        raise fault("unknown_value", f"the fields are {', '.join(FIELDS)}, in this order")
    return given


Fields = Annotated[tuple[str, ...], Field(fail_fast=True), AfterValidator(_fields)]
Reactivity = Annotated[int, Field(ge=0, le=9, strict=True)]


class _Model(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", serialize_by_alias=True)


class ReactivityData(_Model):
    """What a metal does in each field: 0 can't be played, 1 singly, 2 or more also in multiples."""

    water: Reactivity
    vapor: Reactivity
    acid: Reactivity
    aqua_regia: Annotated[Reactivity, Field(alias="aqua-regia")]


class MetalData(_Model):
    """One metal. Every metal can be played in at least one field."""

    symbol: Symbol
    name: Text | None = None
    reactivity: ReactivityData

    @model_validator(mode="after")
    def _check(self) -> Self:
        row = self.reactivity
        if not any((row.water, row.vapor, row.acid, row.aqua_regia)):
            message = f"no field lets {self.symbol} out: its reactivity is 0 in all of {', '.join(FIELDS)}"
            raise fault("never_playable", message, "reactivity")
        return self


def _of_metal(data: Any, path: str) -> str:
    metal, rest = entry_at(data, path, "metal")
    symbol = metal.get("symbol")
    if not isinstance(symbol, str) or rest in ("", ".symbol"):
        return ""
    field = rest.removeprefix(".reactivity.")
    return f"metal {symbol}, {field}: " if field in FIELDS else f"metal {symbol}: "


class DeckData(_Model):
    """A deck: its metals from the weakest to the strongest, and how many cards there are of each.

    `fields` are always water, vapor, acid and aqua-regia, in the order in which they change.
    """

    name: Name
    title: Text | None = None
    fields: Fields = FIELDS
    copies: Annotated[int, Field(ge=1, le=MOST_COPIES, strict=True)] = 4
    metal: Annotated[tuple[MetalData, ...], Field(min_length=1, max_length=MOST_METALS, fail_fast=True)]

    @cached_property
    def deck(self) -> Deck:
        return of_data(self)

    @model_validator(mode="after")
    def _check(self) -> Self:
        places: dict[str, int] = {}
        for place, metal in enumerate(self.metal):
            if metal.symbol in places:
                message = f"{metal.symbol} is metal[{places[metal.symbol]}] already"
                raise fault("duplicate_card", message, f"metal[{place}].symbol")
            places[metal.symbol] = place
        return self


CheckedDeck = Annotated[DeckData, introduced(_of_metal)]

KIND: DeckKind[Deck] = DeckKind(
    game="aqua-regia",
    key="metal",
    data=CheckedDeck,
    package="solver.games.aqua_regia",
    house_file="aqua-regia-house.toml",
)


def house() -> Deck:
    """The deck of our own that is shipped."""
    return KIND.house
