"""The reading of Alchemy's rulebook that tables dispute, and its duel's jokers, as options."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from solver.notation.schema import OrText
from solver.protocol.readings import ANY_ON, Option, Readings


class AlchemyReadings(Readings):
    """Which disputed readings and house rules of Alchemy are in force; all are off unless given."""

    alternative_without_cap_loss: Annotated[
        Option, Field(description="alternative goes on with lines of two cards and of one, and is lost with none")
    ] = False
    house_joker: Annotated[
        Option, Field(description="duel, a house rule: a joker is in the deck from the start")
    ] = False
    one_joker: Annotated[
        Option, Field(description="duel: once a player has 75 points, a joker more is in the deck")
    ] = False
    two_jokers: Annotated[
        Option, Field(description="duel: once a player has 75 points, two jokers more are in the deck")
    ] = False

    @property
    def jokers(self) -> tuple[int, int]:
        """The jokers in the deck of a duel: with both players below 75 points, and from then on."""
        return int(self.house_joker), self.house_joker + self.one_joker + 2 * self.two_jokers


USUAL = AlchemyReadings()
RulesField = Annotated[AlchemyReadings | None, ANY_ON, OrText("alternative_without_cap_loss")]
