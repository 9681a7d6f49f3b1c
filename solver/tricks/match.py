"""How a match of several rounds stands, as views tell it."""

from __future__ import annotations

from typing import Annotated, ClassVar

from pydantic import Field

from solver.inputs.faults import fault
from solver.notation.schema import OrText
from solver.protocol.rows import Rows
from solver.protocol.sheets import MOST_POINTS
from solver.tricks.fields import Model, check_entries

_MOST_SEATS = 8
Totals = Annotated[
    tuple[Annotated[int, Field(ge=0, le=MOST_POINTS, strict=True)], ...],
    Field(max_length=_MOST_SEATS),
    OrText("10,9,12,7"),
]
RoundNumber = Annotated[int, Field(ge=1, le=1000, strict=True)]


class OfMatch(Model):
    """What a player sees of the match: the points of the rounds before, by seat, and which round this is.

    In the last round a hint then goes by the chance to win the match, or to share the win.
    """

    totals: Totals | None = None
    round: RoundNumber | None = None

    match_rounds: ClassVar[int] = 3

    @property
    def decides(self) -> bool:
        """Whether this round decides the match, and it is known how the match stands."""
        return self.totals is not None and self.round == self.match_rounds

    def check_match(self, players: int) -> None:
        """Raise a fault for another number of totals than of players, and for a round that a match has not."""
        if self.totals is not None:
            check_entries(self.totals, players, "totals")
        if self.round is not None and self.round > self.match_rounds:
            raise fault(
                "out_of_range", f"a match has {self.match_rounds} rounds, so none is {self.round}", "round"
            )

    @property
    def match_rows(self) -> Rows:
        """For a person: how the match stands, as far as it is told."""
        told = [] if self.round is None else [f"round {self.round} of {self.match_rounds}"]
        if self.totals is not None:
            told.append(f"points before it: {', '.join(f'seat {seat} {n}' for seat, n in enumerate(self.totals))}")
        return [("Match", "; ".join(told))] if told else []
