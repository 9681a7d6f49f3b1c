"""Positions, views, records and deals of Whist. Most of it comes from `solver.tricks.plain`."""

from __future__ import annotations

from typing import Annotated, ClassVar, Literal

from pydantic import Discriminator, Field, Tag

from solver.tricks import moves, plain
from solver.tricks.positions import Model
from whist.rules import SUITS, Whist

Suit = Literal["C", "D", "H", "S"]


class Fields(Model):
    """The fields that Whist adds to a plain game; they say which rules are in force."""

    game: Literal["whist"]
    trump: Annotated[Suit | None, Field(title="Trumps", description="the suit of trumps; null for none")] = None

    @property
    def trick_rules(self) -> Whist:
        return Whist(None if self.trump is None else SUITS.index(self.trump))

    @property
    def about(self) -> list[tuple[str, str]]:
        return [("Trumps", self.trump or "none")]


class View(plain.View, Fields):
    """What one player sees."""


class KnownPosition(plain.KnownPosition, Fields):
    """A round with every card known."""

    view_type: ClassVar[type[plain.View]] = View


Position = Annotated[
    Annotated[KnownPosition, Tag("all-known")] | Annotated[View, Tag("seen")], Discriminator(plain.kind)
]


class Record(plain.Record):
    """The rounds of a match, at most four: each seat leads first in one of them."""

    game: Literal["whist"]
    trick_rules: ClassVar[Whist] = Whist(None)  # scores do not depend on trumps
    match_rounds: ClassVar[int] = 4


def deal(seed: int, *, number: int = 0, players: int | None = None, variant: str | None = None) -> KnownPosition:
    """Deal eight cards to each seat; twenty stay out of play. The same seed and number make the same deal."""
    trumps = moves.dealt_variant("Whist", variant, ("trumps", "no-trumps")) == "trumps"
    trump = SUITS[number % len(SUITS)] if trumps else None
    return plain.deal(KnownPosition, Whist(None), seed, number, game="whist", trump=trump)
