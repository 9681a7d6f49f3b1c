"""The reading of Alchemy's rulebook that tables dispute, as an option."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from solver.notation.schema import OrText
from solver.protocol.readings import ANY_ON, Option, Readings


class AlchemyReadings(Readings):
    """Which disputed readings of Alchemy's rules are in force; all are off unless given."""

    alternative_without_cap_loss: Annotated[
        Option, Field(description="alternative goes on with lines of two cards and of one, and is lost with none")
    ] = False


RulesField = Annotated[AlchemyReadings | None, ANY_ON, OrText("alternative_without_cap_loss")]
