"""The reading of Kirin's rulebook that tables dispute, as an option."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from solver.notation.schema import OrText
from solver.protocol.readings import ANY_ON, Option, Readings


class KirinReadings(Readings):
    """Which disputed readings of Kirin's rules are in force; all are off unless given."""

    declared_counts: Annotated[
        Option, Field(description="the card set aside counts as won by its owner, a point for everybody")
    ] = False


RulesField = Annotated[KirinReadings | None, ANY_ON, OrText("declared_counts")]


def extra_points(rules: KirinReadings | None) -> int:
    """The points that every seat has beside those of the cards won in tricks."""
    return int(rules is not None and rules.declared_counts)
