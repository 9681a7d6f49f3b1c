"""What a game whose cards are data declares of its decks, so that decks can be listed, named and written down."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from functools import cached_property
from importlib import resources
from typing import Any, Generic, Protocol, TypeVar

from pydantic import TypeAdapter

from solver.inputs.findings import validated


class AnyDeck(Protocol):
    """What every game's decks have; the rest is the game's own."""

    @property
    def name(self) -> str: ...
    @property
    def title(self) -> str: ...
    def rows(self) -> list[dict[str, str]]:
        """The cards for a person: the cells of a table, by column."""


D = TypeVar("D", bound=AnyDeck)
D_co = TypeVar("D_co", bound=AnyDeck, covariant=True)


class WrittenDeck(Protocol[D_co]):
    """A validated deck as users write it, in TOML or inside a position."""

    @property
    def deck(self) -> D_co: ...


@dataclass(frozen=True, eq=False)
class DeckKind(Generic[D]):
    """The decks of one game.

    `key` names the array of tables that only files of this game's decks have, such as ``card`` for ``[[card]]``.
    `data` is the pydantic type of a deck as users write it; what it validates is a `WrittenDeck`. The game's house
    deck is the file `house_file` in the folder ``decks`` of its `package`.
    """

    game: str
    key: str
    data: Any
    package: str
    house_file: str

    def written(self, data: object) -> WrittenDeck[D]:
        """A deck from TOML- or JSON-like data. Raises PositionError that names the card and the field."""
        found: WrittenDeck[D] = validated(self._adapter.validate_python, data)
        return found

    def read(self, data: object) -> D:
        """As `written`, ready for use."""
        return self.written(data).deck

    @cached_property
    def house(self) -> D:
        """The deck that is shipped, and meant where a position names none."""
        file = resources.files(self.package).joinpath("decks", self.house_file)
        return self.read(tomllib.loads(file.read_text(encoding="utf-8")))

    @cached_property
    def _adapter(self) -> TypeAdapter[Any]:
        return TypeAdapter(self.data)
