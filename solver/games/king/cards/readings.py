"""The readings of King × Alchemy's rulebook that tables dispute, as options."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from solver.protocol.readings import Option, Readings


class KingReadings(Readings):
    """Which disputed readings of King × Alchemy's rules are in force; all are off unless given."""

    late_trump_does_not_lift: Annotated[
        Option, Field(description="only a trump that lies in the trick before the Dancer lifts it")
    ] = False
    no_bottom_when_trumped: Annotated[
        Option, Field(description="where a trump wins and nobody followed, there is no bottom")
    ] = False


USUAL = KingReadings()
