"""How a match of several rounds stands, as views tell it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Annotated, Any, ClassVar, Self

from pydantic import Field

from solver.answers import Rows
from solver.codec import OrText
from solver.common import one_after_another
from solver.findings import fault
from solver.language import say
from solver.playing import PositionRound
from solver.showing import MOST_POINTS
from solver.tricks.positions import Model, check_entries

_MOST_SEATS = 8
Totals = Annotated[
    tuple[Annotated[int, Field(ge=0, le=MOST_POINTS, strict=True)], ...],
    Field(max_length=_MOST_SEATS),
    OrText("10,9,12,7"),
]
RoundNumber = Annotated[int, Field(ge=1, le=1000, strict=True)]
ForMatch = Annotated[bool, Field(strict=True)]


class OfMatch(Model):
    """What a player sees of the match: the points of the rounds before, by seat, and which round this is.

    In the last round a hint then goes by the chance to win the match, or to share the win. With `for_match` it
    does so in every round; what the rounds after this one bring is then estimated (`solver.hints.match`).
    """

    totals: Totals | None = None
    round: RoundNumber | None = None
    for_match: ForMatch | None = None

    match_rounds: ClassVar[int] = 3

    @property
    def goes_by_match(self) -> bool:
        """Whether hints go by the match: how it stands is known, and this round decides it or they always do."""
        return self.totals is not None and (self.round == self.match_rounds or bool(self.for_match))

    @property
    def rounds_to_come(self) -> int:
        """How many rounds follow this one; none where its number is not told."""
        return 0 if self.round is None else self.match_rounds - self.round

    @property
    def told_of_match(self) -> Mapping[str, Any]:
        """What is told of the match, by keys, for another view of the same round."""
        return {key: getattr(self, key) for key in NOTHING_TOLD}

    def check_match(self, players: int) -> None:
        """Raise a fault for another number of totals than of players, and for a round that a match has not.

        Who plays for the match has to tell how it stands, and which round this is.
        """
        if self.totals is not None:
            check_entries(self.totals, players, "totals")
        if self.round is not None and self.round > self.match_rounds:
            raise fault(
                "out_of_range",
                say(
                    "a match has {match_rounds} rounds, so none is {round}",
                    match_rounds=self.match_rounds,
                    round=self.round,
                ),
                "round",
            )
        for key in ("totals", "round") if self.for_match else ():
            if getattr(self, key) is None:
                message = say(
                    "{key} is missing: to play for the match (for_match) is to know how it stands", key=key
                )
                raise fault("missing_key", message, key)

    @property
    def match_rows(self) -> Rows:
        """For a person: how the match stands, as far as it is told."""
        told = []
        if self.round is not None:
            told.append(say("round {round} of {of}", round=self.round, of=self.match_rounds))
        if self.totals is not None:
            points = one_after_another(
                say("seat {seat} {text}", seat=seat, text=total) for seat, total in enumerate(self.totals)
            )
            told.append(say("points before it: {points}", points=points))
        if self.for_match:
            told.append(say("played for the match"))
        return [(say("Match"), say("; ").join(told))] if told else []


class MatchInPlay(PositionRound):
    """A round of a match whose views are of `OfMatch`: they tell how the match stands."""

    def for_match(self) -> Self:
        standing = self.match or {"totals": (0,) * self.players, "round": 1}
        return replace(self, match={**standing, "for_match": True})


def standing(rounds: Sequence[Sequence[int]]) -> Mapping[str, Any]:
    """What views of a round tell of the match after these rounds, each with a score a seat."""
    if not rounds:
        return {}
    return {"totals": tuple(map(sum, zip(*rounds, strict=True))), "round": len(rounds) + 1}


NOTHING_TOLD: Mapping[str, Any] = {"totals": None, "round": None, "for_match": None}  # by a position
