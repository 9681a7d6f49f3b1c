"""Positions, records and deals of Whist. Most of it comes from `solver.tricks.plain`."""

from __future__ import annotations

from typing import Annotated, ClassVar, Literal

from pydantic import Field

from solver.tricks import moves, plain
from whist.rules import SUITS, Whist

Suit = Literal["C", "D", "H", "S"]


class Round(plain.Round):
    """What somebody knows of a round, with the field that Whist adds; it says which rules are in force."""

    game: Literal["whist"]
    trump: Annotated[Suit | None, Field(title="Trumps", description="the suit of trumps; null for none")] = None

    @property
    def trick_rules(self) -> Whist:
        return Whist(None if self.trump is None else SUITS.index(self.trump))


class Record(plain.Record):
    """The rounds of a match, at most four: each seat leads first in one of them."""

    game: Literal["whist"]
    trick_rules: ClassVar[Whist] = Whist(None)  # scores do not depend on trumps
    match_rounds: ClassVar[int] = 4


def deal(seed: int, *, number: int = 0, players: int | None = None, variant: str | None = None) -> Round:
    """Deal eight cards to each seat; twenty stay out of play. The same seed and number make the same deal."""
    trumps = moves.dealt_variant("Whist", variant, ("trumps", "no-trumps")) == "trumps"
    trump = SUITS[number % len(SUITS)] if trumps else None
    return plain.deal(Round, Whist(None), seed, number, game="whist", trump=trump)
