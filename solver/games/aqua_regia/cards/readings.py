"""The reading of Aqua Regia's rulebook that tables dispute, as an option."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from solver.notation.schema import OrText
from solver.protocol.readings import ANY_ON, Option, Readings


class AquaReadings(Readings):
    """Which disputed readings of Aqua Regia's rules are in force; all are off unless given."""

    reactivity_one_follows_single: Annotated[
        Option, Field(description="two cards of reactivity 1 may be played on a single card")
    ] = False


USUAL = AquaReadings()
RulesField = Annotated[AquaReadings | None, ANY_ON, OrText("reactivity_one_follows_single")]
