"""The toy game of `tests.tricks.toy` as a plain game: its models, and a game without search."""

from __future__ import annotations

from functools import cache
from typing import Annotated, ClassVar, Literal

from pydantic import Discriminator, Field, Tag, TypeAdapter

from solver.tricks import PlainTrickGame, moves, plain
from solver.tricks.plain import Record as PlainRecord
from solver.tricks.positions import Model
from tests.tricks.toy import Toy

Small = Annotated[int, Field(ge=1, le=6)]


@cache
def toy(seats: int, suits: int, ranks: int, trumps: bool) -> Toy:
    return Toy(seats, suits, ranks, trumps)


class ToyFields(Model):
    """The fields that make the rules."""

    game: Literal["toy"] = "toy"
    seats: Annotated[int, Field(ge=2, le=5)]
    suits: Annotated[int, Field(ge=1, le=5)]
    ranks: Small
    trumps: bool = False

    @property
    def trick_rules(self) -> Toy:
        return toy(self.seats, self.suits, self.ranks, self.trumps)

    @property
    def about(self) -> list[tuple[str, str]]:
        return [("Trumps", "yes" if self.trumps else "no")]


class View(plain.View, ToyFields):
    """A view of the toy game."""


class KnownPosition(plain.KnownPosition, ToyFields):
    """A position of the toy game."""

    view_type: ClassVar[type[plain.View]] = View


Position = Annotated[
    Annotated[KnownPosition, Tag("all-known")] | Annotated[View, Tag("seen")], Discriminator(plain.kind)
]
ADAPTER: TypeAdapter[KnownPosition | View] = TypeAdapter(Position)


class Record(PlainRecord, ToyFields):
    """Finished rounds of the toy game."""

    match_rounds: ClassVar[int] = 2


def deal(
    seed: int, *, number: int = 0, players: int | None = None, variant: str | None = None
) -> plain.KnownPosition:
    """A deal with three suits of four cards."""
    seats = moves.dealt_players("toy", players, (2, 5), 3)
    trumps = moves.dealt_variant("toy", variant, ("plain", "trumps")) == "trumps"
    rules = toy(seats, 3, 4, trumps)
    return plain.deal(KnownPosition, rules, seed, number, seats=seats, suits=3, ranks=4, trumps=trumps)


class ToyGame(PlainTrickGame):
    package = __name__
    name = "toy"
    title = "Toy"
    players = (2, 5)
    places = {
        "position_type": f"{__name__}:Position",
        "record_type": f"{__name__}:Record",
        "deal": f"{__name__}:deal",
    }


GAME = ToyGame()
