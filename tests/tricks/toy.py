"""A toy game of tricks: suits of any number of cards, follow suit if you can, the highest card led wins or trumps.

Two cards of a suit are told apart by their ranks, 0 the lowest. Suit 0 is trump in a game with trumps.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Annotated, ClassVar, Literal

from pydantic import Field, TypeAdapter

from solver.common import mask, members
from solver.tricks import PlainTrickGame, moves, plain
from solver.tricks.plain import Record as PlainRecord
from solver.tricks.positions import Model
from solver.tricks.rules import PlainRules

SUIT_LETTERS = "abcde"


@dataclass(frozen=True)
class Toy(PlainRules):
    """The rules for so many seats, suits, and cards of a suit; with `last`, suit 0 is led last."""

    seats: int
    suits: int
    ranks: int
    trumps: bool = False
    last: bool = False

    @property
    def players(self) -> int:
        return self.seats

    @property
    def deck(self) -> tuple[str, ...]:
        return tuple(f"{SUIT_LETTERS[suit]}{rank}" for suit in range(self.suits) for rank in range(self.ranks))

    @property
    def hand_size(self) -> int:
        return self.suits * self.ranks // self.seats

    def points(self, won: Sequence[int]) -> tuple[int, ...]:
        return tuple(pile.bit_count() // self.seats for pile in won)

    def suit(self, card: int) -> int:
        return card // self.ranks

    def of_suit(self, suit: int) -> int:
        return mask(range(suit * self.ranks, (suit + 1) * self.ranks))

    def playable(self, hand: int, trick: Sequence[int]) -> int:
        if trick:
            return hand & self.of_suit(self.suit(trick[0])) or hand
        return hand & ~self.of_suit(0) or hand if self.last else hand

    def winner(self, trick: Sequence[int]) -> int | None:
        trumped = [place for place, card in enumerate(trick) if self.trumps and self.suit(card) == 0]
        led = [place for place, card in enumerate(trick) if self.suit(card) == self.suit(trick[0])]
        return max(trumped or led, key=lambda place: trick[place])


def whole_round(rules: Toy, hands: Sequence[int], choose: Sequence[int]) -> list[tuple[int, tuple[int, ...]]]:
    """The tricks (leader, cards) of a round from full hands, seat 0 leading; `choose` picks the legal cards."""
    left, choices, leader = list(hands), iter(choose), 0
    tricks = []
    while all(left):
        trick: list[int] = []
        for place in range(rules.seats):
            seat = (leader + place) % rules.seats
            legal = list(members(rules.playable(left[seat], trick)))
            card = legal[next(choices) % len(legal)]
            left[seat] &= ~(1 << card)
            trick.append(card)
        tricks.append((leader, tuple(trick)))
        place_won = rules.winner(trick)
        assert place_won is not None
        leader = (leader + place_won) % rules.seats
    return tricks


# ----------------------------------------------------------------------------------------------------
# As a plain game: its models, and a game without search.


Small = Annotated[int, Field(ge=1, le=6)]


@cache
def toy(seats: int, suits: int, ranks: int, trumps: bool, last: bool = False) -> Toy:
    return Toy(seats, suits, ranks, trumps, last)


class ToyFields(Model):
    """The fields that make the rules."""

    game: Literal["toy"] = "toy"
    seats: Annotated[int, Field(ge=2, le=5)]
    suits: Annotated[int, Field(ge=1, le=5)]
    ranks: Small
    trumps: bool = False
    last: bool = False

    @property
    def trick_rules(self) -> Toy:
        return toy(self.seats, self.suits, self.ranks, self.trumps, self.last)


class Round(plain.Round, ToyFields):
    """What somebody knows of a round of the toy game."""


ADAPTER = TypeAdapter(Round)


class Record(PlainRecord, ToyFields):
    """Finished rounds of the toy game."""

    match_rounds: ClassVar[int] = 2


def deal(seed: int, *, number: int = 0, players: int | None = None, variant: str | None = None) -> Round:
    """A deal with three suits of four cards."""
    seats = players or 3
    trumps = moves.dealt_variant("toy", variant, ("plain", "trumps")) == "trumps"
    rules = toy(seats, 3, 4, trumps)
    return plain.deal(Round, rules, seed, number, seats=seats, suits=3, ranks=4, trumps=trumps)


class ToyGame(PlainTrickGame):
    package = __name__
    name = "toy"
    title = "Toy"
    players = (2, 5)
    places = {
        "position_type": f"{__name__}:Round",
        "record_type": f"{__name__}:Record",
        "deal": f"{__name__}:deal",
    }


GAME = ToyGame()
