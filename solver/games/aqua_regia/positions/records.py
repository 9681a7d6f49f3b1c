"""Finished rounds of Aqua Regia, and matches of several, as users send them, validated."""

from __future__ import annotations

from typing import Annotated, ClassVar, Literal, Self

from pydantic import ConfigDict, Field, model_validator

from solver.common.words import counted
from solver.decks import deck_of
from solver.games.aqua_regia.cards.deck_data import KIND
from solver.games.aqua_regia.cards.rules import PLAYERS
from solver.games.aqua_regia.positions.fields import (
    FEWEST,
    MOST,
    Count,
    DeckField,
    Hands,
    Model,
    check_cards,
)
from solver.inputs.faults import fault
from solver.protocol.showing.sheets import MOST_ROUNDS, Scores, Sheet, with_sheet
from solver.tricks.fields import spread


class AquaRound(Model):
    """A finished round: the cards left in each seat's hand (`hands`), or how many they are (`counts`).

    Exactly one seat has none: it went out and won.
    """

    model_config = ConfigDict(json_schema_extra={"minProperties": 1})

    hands: Hands | None = None
    counts: Annotated[tuple[Count, ...], Field(min_length=FEWEST, max_length=MOST, fail_fast=True)] | None = None

    @property
    def left(self) -> tuple[int, ...]:
        """How many cards each seat has left."""
        return self.counts or tuple(map(len, self.hands or ()))

    @model_validator(mode="after")
    def _check(self) -> Self:
        if self.hands is None and self.counts is None:
            raise fault("missing_key", "a round has the cards left (hands) or how many they are (counts)", "hands")
        if self.hands is not None and self.counts is not None:
            message = "a round has the cards left (hands) or how many they are (counts), not both"
            raise fault("conflict", message, "counts")
        out = [seat for seat, count in enumerate(self.left) if not count]
        if len(out) != 1:
            who = f"seats {', '.join(map(str, out))} have none" if out else "every seat has cards"
            key = "hands" if self.counts is None else "counts"
            raise fault("conflict", f"a round ends when the first seat has no cards left, but {who}", key)
        return self


class AquaRecord(Model):
    """The rounds of a match so far, in order; a single round is a list of one."""

    game: Literal["aqua-regia"]
    deck: DeckField = "house"
    rounds: Annotated[tuple[AquaRound, ...], Field(min_length=1, max_length=MOST_ROUNDS, fail_fast=True)]

    @model_validator(mode="after")
    def _check(self) -> Self:
        metals = deck_of(KIND, self.deck)
        for index, played in enumerate(self.rounds):
            path = f"rounds[{index}]"
            check_cards(metals, spread(f"{path}.hands", played.hands or ()))
            if sum(played.left) > metals.cards:
                message = f"the hands have {counted(sum(played.left), 'card')}; the deck has {metals.cards}"
                raise fault("wrong_size", message, path)
            if len(played.left) != len(self.rounds[0].left):
                message = f"{len(played.left)} players; the first round has {len(self.rounds[0].left)}"
                raise fault("wrong_size", message, path)
        return self


class AquaSheet(Sheet):
    """A score sheet of Aqua Regia: 1 for who won a round, 0 for the others. A match has no last round."""

    game: Literal["aqua-regia"]

    seats: ClassVar[tuple[int, int]] = PLAYERS

    @classmethod
    def fault_of(cls, played: Scores) -> str | None:
        if sorted(played) != [0] * (len(played) - 1) + [1]:
            return "one seat wins a round and has 1, the others have 0"
        return None


Record = with_sheet(AquaRecord, AquaSheet)
