"""The state of a match of several rounds, as part of views."""

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
from solver.playing import Round
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
    """What a player sees of the match: each seat's points in the earlier rounds, and the number of this round.

    In the last round, a hint maximizes the chance to win or share the match. With `for_match` it does so in every
    round, and estimates the rounds to come (`solver.hints.match`).
    """

    totals: Totals | None = None
    round: RoundNumber | None = None
    for_match: ForMatch | None = None

    match_rounds: ClassVar[int] = 3

    @property
    def goes_by_match(self) -> bool:
        """Whether hints maximize the chance to win the match instead of the score.

        They do if the totals are known and this is the last round or `for_match` is on.
        """
        return self.totals is not None and (self.round == self.match_rounds or bool(self.for_match))

    @property
    def rounds_to_come(self) -> int:
        """The number of rounds after this one; 0 if the number of this round is not given."""
        return 0 if self.round is None else self.match_rounds - self.round

    @property
    def told_of_match(self) -> Mapping[str, Any]:
        """The fields about the match, to be copied to another view of the same round."""
        return {key: getattr(self, key) for key in NOTHING_TOLD}

    def check_match(self, players: int) -> None:
        """Raise a fault for a wrong number of totals, or a round that the match does not have.

        With `for_match`, the totals and the round are required.
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
                    "{key} is missing: playing for the match (for_match) needs the state of the match", key=key
                )
                raise fault("missing_key", message, key)

    @property
    def match_rows(self) -> Rows:
        """The state of the match as labelled lines, as far as it is known."""
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


class MatchInPlay(Round):
    """A round of a match whose views include the state of the match (`OfMatch`)."""

    def for_match(self) -> Self:
        standing = self.match or {"totals": (0,) * self.players, "round": 1}
        return replace(self, match={**standing, "for_match": True})


def standing(rounds: Sequence[Sequence[int]]) -> Mapping[str, Any]:
    """The match fields of a view in the next round; `rounds` has the scores of all seats by round."""
    if not rounds:
        return {}
    return {"totals": tuple(map(sum, zip(*rounds, strict=True))), "round": len(rounds) + 1}


NOTHING_TOLD: Mapping[str, Any] = {"totals": None, "round": None, "for_match": None}  # if a view has no match
