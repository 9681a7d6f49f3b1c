"""Positions, records and deals of Hearts. Most of it comes from `solver.tricks.plain`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Annotated, Any, ClassVar, Literal

from pydantic import Field

from hearts.rules import ALL, HEARTS, TWO, Hearts
from solver.common import mask
from solver.rounds_in_play import Round as InPlay
from solver.tricks import moves, plain
from solver.tricks.match import TrickPlaying
from solver.tricks.positions import Model, Past


class Fields(Model):
    """The fields that Hearts adds to a plain game; they say which rules are in force."""

    game: Literal["hearts"]
    moon: Annotated[
        bool,
        Field(
            title="Shooting the moon", description="who takes all points loses none, and the others lose them all"
        ),
    ] = True

    @property
    def trick_rules(self) -> Hearts:
        """The rules of the first trick."""
        return Hearts(self.moon)


class Round(plain.Round, Fields):
    """What somebody knows of a round."""

    @property
    def start(self) -> Past[int, Any]:
        """What is known before the first trick given; without any, the missing cards were played earlier."""
        past = super().start
        if self.history or self.hands is None:
            return past
        there = sum(self.hand_masks) | mask(self.plays)
        rules = replace(
            self.trick_rules,
            broken=HEARTS & ~there != 0,
            first=there == ALL,
            as_played=past.rules.as_played,
        )
        return replace(past, rules=rules)


class Record(plain.Record, Fields):
    """The rounds of a match, at most four."""

    match_rounds: ClassVar[int] = 4


def deal(seed: int, *, number: int = 0, players: int | None = None, variant: str | None = None) -> Round:
    """Deal thirteen cards to each seat. The same seed and number make the same deal."""
    moon = moves.dealt_variant("Hearts", variant, ("moon", "no-moon")) == "moon"
    dealt = plain.deal(Round, Hearts(moon), seed, number, game="hearts", moon=moon)
    leader = next(seat for seat, hand in enumerate(dealt.hand_masks) if hand & TWO)
    return dealt.model_copy(update={"leader": leader})


class HeartsPlaying(TrickPlaying):
    """Rounds in which the holder of `C2` leads the first trick."""

    def first_leader(self, dealt: Any, before: Sequence[InPlay]) -> int:
        leader: int = dealt.leader
        return leader

    def next_leader(self, end: Any) -> Mapping[str, int]:
        return {}
