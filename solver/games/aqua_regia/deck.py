"""Aqua Regia's decks: the metals, and how each reacts in each field, as data.

Metals are numbered from 0, the weakest, in the order of the deck's file.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from typing import Annotated, Any, Literal, Self

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, model_validator

from solver.codec import OrText
from solver.decks import DeckKind, DeckName, Doubles, Row, TableColumns, chosen, deck_of, number
from solver.display import CardFace
from solver.errors import Fault, PositionError
from solver.language import say, translated
from solver.rule_options import ANY_ON, Option, Readings
from solver.strict_json import Text, entry_at, introduced, readable
from solver.validation import fault, refuse

# ----------------------------------------------------------------------------------------------------
# The disputed reading of Aqua Regia's rulebook, as an option.


class AquaReadings(Readings):
    """Options for rules of Aqua Regia that can be read in two ways; all are off by default."""

    reactivity_one_follows_single: Annotated[
        Option, Field(description="two cards of reactivity 1 may be played on a single card")
    ] = False


USUAL = AquaReadings()
RulesField = Annotated[AquaReadings | None, ANY_ON, OrText("reactivity_one_follows_single")]


_USUAL_COPIES = 4
FieldName = Literal["water", "vapor", "acid", "aqua-regia"]
FIELDS: tuple[FieldName, ...] = ("water", "vapor", "acid", "aqua-regia")  # in order of change
WATER, VAPOR, ACID, AQUA_REGIA = range(len(FIELDS))


def field_name(field: str) -> str:
    """Return the name of a field in sentences."""
    return translated(field.replace("-", " "))


@dataclass(frozen=True, slots=True)
class Metal:
    """A metal and its reactivity in each field: 0, not playable; 1, only singly; 2 or more, also in multiples."""

    symbol: str
    name: str
    reactivity: tuple[int, int, int, int]


@dataclass(frozen=True)
class Deck:
    """A valid deck: the metals from the weakest to the strongest, `copies` cards of each.

    `readings` are the rule options in force.
    """

    name: str
    title: str
    copies: int
    metals: tuple[Metal, ...]
    readings: AquaReadings = USUAL

    @cached_property
    def index(self) -> Mapping[str, int]:
        """The index of each metal in the deck, by its symbol."""
        return {metal.symbol: number for number, metal in enumerate(self.metals)}

    @cached_property
    def reactivity(self) -> tuple[tuple[int, ...], ...]:
        """The reactivities: one row per field, one column per metal."""
        return tuple(tuple(metal.reactivity[field] for metal in self.metals) for field in range(len(FIELDS)))

    @property
    def size(self) -> int:
        """The number of metals."""
        return len(self.metals)

    @property
    def cards(self) -> int:
        """The number of cards in the deck."""
        return len(self.metals) * self.copies

    def numbers(self, symbols: Iterable[str]) -> tuple[int, ...]:
        """Return the index of the metal with each symbol. Raises KeyError for an unknown symbol."""
        return tuple(self.index[symbol] for symbol in symbols)

    def symbols(self, metals: Iterable[int]) -> list[str]:
        return [self.metals[metal].symbol for metal in metals]

    def counts(self, metals: Iterable[int]) -> tuple[int, ...]:
        """Count the cards of each metal; `metals` has the metal of each card, as an index."""
        copies = [0] * len(self.metals)
        for metal in metals:
            copies[metal] += 1
        return tuple(copies)

    def rows(self) -> list[dict[str, str]]:
        """Return the deck as a table for people: one row per metal, with texts by column, and an unusual number of
        copies."""
        copies = {} if self.copies == _USUAL_COPIES else {"copies": str(self.copies)}
        return [
            {"metal": metal.symbol, "name": metal.name}
            | {field: str(reactivity) for field, reactivity in zip(FIELDS, metal.reactivity, strict=True)}
            | copies
            for metal in self.metals
        ]


@lru_cache(maxsize=64)
def read_by(deck: Deck, readings: AquaReadings) -> Deck:
    """Return `deck` with the rule options `readings` in force."""
    return deck if readings == deck.readings else replace(deck, readings=readings)


def members(counts: Iterable[int]) -> list[int]:
    """List each metal's index as often as it has cards in `counts`, the weakest metal first."""
    return [metal for metal, count in enumerate(counts) for _ in range(count)]


def of_data(data: DeckData) -> Deck:
    """Convert validated data to a deck."""
    metals = []
    for metal in data.metal:
        row = metal.reactivity
        metals.append(
            Metal(metal.symbol, metal.name or metal.symbol, (row.water, row.vapor, row.acid, row.aqua_regia))
        )
    return Deck(data.name, data.title or data.name, data.copies, tuple(metals))


# ----------------------------------------------------------------------------------------------------
# Decks as users write them, in TOML or inside a position, validated.


MOST_METALS = 118  # the number of known elements
MOST_COPIES = 99
_RESERVED = ("pass",)  # words of moves


def _word(text: str) -> str:
    if not text.isprintable() or any(mark.isspace() or mark == ">" for mark in text) or text in _RESERVED:
        raise fault(
            "wrong_text", say("{text!r} must be printable, without spaces and >, and not the word pass", text=text)
        )
    return text


Symbol = Annotated[str, Field(strict=True, min_length=1, max_length=8, examples=["Zn"]), AfterValidator(_word)]


def _fields(given: tuple[str, ...]) -> tuple[str, ...]:
    if given != FIELDS:
        raise fault("unknown_value", say("the fields are {names}, in this order", names=", ".join(FIELDS)))
    return given


Fields = Annotated[tuple[str, ...], Field(fail_fast=True), AfterValidator(_fields)]
Reactivity = Annotated[int, Field(ge=0, le=9, strict=True)]


class _Model(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", serialize_by_alias=True)


class ReactivityData(_Model):
    """A metal's reactivity in each field: 0, not playable; 1, only singly; 2 or more, also in multiples."""

    water: Reactivity
    vapor: Reactivity
    acid: Reactivity
    aqua_regia: Annotated[Reactivity, Field(alias="aqua-regia")]


class MetalData(_Model):
    """A metal of a deck. It must be playable in at least one field."""

    symbol: Symbol
    name: Text | None = None
    reactivity: ReactivityData

    @model_validator(mode="after")
    def _check(self) -> Self:
        row = self.reactivity
        if not any((row.water, row.vapor, row.acid, row.aqua_regia)):
            message = say(
                "no field takes {symbol}: its reactivity is 0 in all of {names}",
                symbol=self.symbol,
                names=", ".join(FIELDS),
            )
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
    """A deck: its metals from the weakest to the strongest, and the number of cards of each.

    `fields` are always water, vapor, acid and aqua-regia, in order of change.
    """

    name: DeckName
    title: Text | None = None
    fields: Fields = FIELDS
    copies: Annotated[int, Field(ge=1, le=MOST_COPIES, strict=True)] = _USUAL_COPIES
    metal: Annotated[tuple[MetalData, ...], Field(min_length=1, max_length=MOST_METALS)]

    @cached_property
    def deck(self) -> Deck:
        return of_data(self)

    @model_validator(mode="after")
    def _check(self) -> Self:
        refuse(_doubles(enumerate(self.metal)))
        return self


def _doubles(metals: Iterable[tuple[int, MetalData]]) -> Iterator[Fault]:
    """Yield a fault for each metal whose symbol another one has."""
    symbols = Doubles()
    for row, metal in metals:
        for place, other in symbols.add(metal.symbol, row):
            message = say("{metal} is already metal[{place}]", metal=metal.symbol, place=other)
            yield Fault("duplicate_card", message, f"metal[{place}].symbol")


def _among(data: Any) -> Iterator[Fault]:
    return _doubles(readable(data, "metal", MetalData))


CheckedDeck = Annotated[DeckData, introduced(DeckData, _of_metal, _among)]


_OR_MORE = re.compile(r"\s*(?:\+|or more|以上)$", re.IGNORECASE)  # 2 is as good as 2+, which the rules speak of


def _of_table(rows: Sequence[Row]) -> dict[str, Any]:
    """Convert the rows of a table to a deck's data.

    Raises PositionError for metals that differ in the number of their cards, which is the deck's.
    """
    metals = [
        {
            "symbol": row.get("symbol", ""),
            **({"name": row["name"]} if "name" in row else {}),
            "reactivity": {field: number(_OR_MORE.sub("", row.get(field, "0"))) for field in FIELDS},
        }
        for row in rows
    ]
    counted = [(index, number(row["copies"])) for index, row in enumerate(rows) if "copies" in row]
    for index, copies in counted[1:]:
        if copies != counted[0][1]:
            first = rows[counted[0][0]].get("symbol", "")
            message = say(
                "{copies} cards, but {metal} has {others}: a deck has as many cards of each metal",
                copies=copies,
                metal=first,
                others=counted[0][1],
            )
            raise PositionError("conflict", message, f"metal[{index}].copies")
    return {**({"copies": counted[0][1]} if counted else {}), "metal": metals}


TABLE = TableColumns(
    worded=("name",),
    names={
        "symbol": ("code", "card", "metal", "記号", "元素記号", "元素"),
        "name": ("名前", "名称", "元素名"),
        "water": ("水",),
        "vapor": ("vapour", "steam", "水蒸気", "蒸気"),
        "acid": ("酸",),
        "aqua-regia": ("aqua", "王水"),
        "copies": ("枚数",),
        "strength": ("rank", "強さ", "順位"),
    },
    needed=("symbol", *FIELDS),
    numbers=(*FIELDS, "copies", "strength"),
    order="strength",
    deck=_of_table,
    column_of={f"reactivity.{field}": field for field in FIELDS},
)

KIND: DeckKind[Deck] = DeckKind(
    game="aqua-regia",
    key="metal",
    data=CheckedDeck,
    package="solver.games.aqua_regia",
    house_file="aqua-regia-house.toml",
    table=TABLE,
)


def house() -> Deck:
    """Return the house deck, which comes with the package."""
    return KIND.house


# ----------------------------------------------------------------------------------------------------
# The faces of the metals of a deck.


def faces(variant: str | None, deck: Any) -> tuple[CardFace, ...]:
    """Describe each metal of a deck, the weakest first.

    `deck` is a name, a deck as users write it, or None for the house deck. A metal's rank is its strength, from 1;
    its details are its reactivity in each field.
    """
    deck_shown = deck_of(KIND, chosen(KIND, deck))
    return tuple(
        CardFace(
            card=metal.symbol,
            name=translated(metal.name),
            suit=None,
            rank=str(strength),
            copies=deck_shown.copies,
            details={field: str(value) for field, value in zip(FIELDS, metal.reactivity, strict=True)},
        )
        for strength, metal in enumerate(deck_shown.metals, start=1)
    )
