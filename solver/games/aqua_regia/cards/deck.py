"""Aqua Regia's decks: metals and what each does in each field, which are data.

A metal's number is its place in the deck's file; the weakest is 0.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, Literal

from solver.games.aqua_regia.cards.readings import USUAL, AquaReadings

if TYPE_CHECKING:
    from solver.games.aqua_regia.cards.deck_data import DeckData

FieldName = Literal["water", "vapor", "acid", "aqua-regia"]
FIELDS: tuple[FieldName, ...] = ("water", "vapor", "acid", "aqua-regia")  # in the order in which they change
WATER, VAPOR, ACID, AQUA_REGIA = range(len(FIELDS))


@dataclass(frozen=True, slots=True)
class Metal:
    """A metal; `reactivity` by field: 0 can't be played, 1 singly, 2 or more also in multiples."""

    symbol: str
    name: str
    reactivity: tuple[int, int, int, int]


@dataclass(frozen=True)
class Deck:
    """A valid deck: the metals from the weakest to the strongest, `copies` cards of each.

    `readings` says how the rules are read that it is played by.
    """

    name: str
    title: str
    copies: int
    metals: tuple[Metal, ...]
    readings: AquaReadings = USUAL

    @cached_property
    def index(self) -> Mapping[str, int]:
        """The number of each metal, by its symbol."""
        return {metal.symbol: number for number, metal in enumerate(self.metals)}

    @cached_property
    def reactivity(self) -> tuple[tuple[int, ...], ...]:
        """A row a field, a column a metal."""
        return tuple(tuple(metal.reactivity[field] for metal in self.metals) for field in range(len(FIELDS)))

    @property
    def size(self) -> int:
        """How many metals there are."""
        return len(self.metals)

    @property
    def cards(self) -> int:
        """How many cards there are."""
        return len(self.metals) * self.copies

    def numbers(self, symbols: Iterable[str]) -> tuple[int, ...]:
        """The metals of symbols that were validated before."""
        return tuple(self.index[symbol] for symbol in symbols)

    def symbols(self, metals: Iterable[int]) -> list[str]:
        return [self.metals[metal].symbol for metal in metals]

    def counts(self, metals: Iterable[int]) -> tuple[int, ...]:
        """How many cards of each metal there are among `metals`."""
        found = [0] * len(self.metals)
        for metal in metals:
            found[metal] += 1
        return tuple(found)

    def rows(self) -> list[dict[str, str]]:
        """The metals for a person: the cells of a table, by column."""
        return [
            {"metal": metal.symbol, "name": metal.name}
            | {field: str(reactivity) for field, reactivity in zip(FIELDS, metal.reactivity, strict=True)}
            for metal in self.metals
        ]


@lru_cache(maxsize=64)
def read_by(deck: Deck, readings: AquaReadings) -> Deck:
    """The same cards, played by these readings of the rules."""
    return deck if readings == deck.readings else replace(deck, readings=readings)


def members(counts: Iterable[int]) -> list[int]:
    """The cards that `counts` counts, the weakest first."""
    return [metal for metal, count in enumerate(counts) for _ in range(count)]


def of_data(data: DeckData) -> Deck:
    """The deck that validated data describe."""
    metals = []
    for metal in data.metal:
        row = metal.reactivity
        metals.append(
            Metal(metal.symbol, metal.name or metal.symbol, (row.water, row.vapor, row.acid, row.aqua_regia))
        )
    return Deck(data.name, data.title or data.name, data.copies, tuple(metals))
