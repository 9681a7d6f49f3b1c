"""Finished rounds of kirin, and matches of up to three, as users send them, validated."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import Annotated, ClassVar, Literal, Self

from pydantic import Field, model_validator

from solver.common.masks import mask, members
from solver.common.words import counted
from solver.games.kirin.cards.deck import CARDS, KIRIN, colour, names
from solver.games.kirin.cards.rules import HAND, NOTHING, ROUNDS, SEATS, TRICKS, Masks, Order
from solver.games.kirin.positions.fields import (
    Cards,
    FourHands,
    History,
    four,
    number,
    numbers,
)
from solver.inputs.faults import fault
from solver.protocol.showing.sheets import Scores, Sheet, with_sheet
from solver.tricks.cards import history_places, read_tricks
from solver.tricks.fields import Model, places, refuse_doubles, spread
from solver.tricks.history import Past, replay


class KirinRound(Model):
    """A finished round: the cards set aside, and the piles in `won` or all eight tricks in `history`.

    Every card has a place. Those in no pile were put aside by a trick of four kirin.
    """

    declared: Annotated[Cards, Field(min_length=SEATS, max_length=SEATS)]
    won: FourHands | None = None
    history: History | None = None

    @property
    def colours(self) -> Masks:
        """The colour that each seat collects."""
        return four(colour(number(card)) for card in self.declared)

    @cached_property
    def piles(self) -> Masks:
        """The cards that each seat has won. Raises a fault for a history that contradicts itself."""
        if self.history is not None:
            start: Past[int, Order] = Past(Order(), self.history[0].leader, NOTHING)
            return four(replay(start, read_tricks(start.rules, self.history)).won)
        return four(mask(numbers(pile)) for pile in self.won or ())

    def _all_places(self) -> Iterator[tuple[str, str]]:
        yield from places("declared", self.declared)
        yield from spread("won", self.won or ())
        yield from history_places(self.history or ())

    @model_validator(mode="after")
    def _check(self) -> Self:
        if self.won is None and self.history is None:
            raise fault("missing_key", "a round has the piles (won) or the tricks (history)", "won")
        if self.won is not None and self.history is not None:
            raise fault("conflict", "a round has the piles (won) or the tricks (history), not both", "history")
        refuse_doubles(self._all_places())
        if self.history is not None and len(self.history) != TRICKS:
            message = f"a finished round has {TRICKS} tricks, not {len(self.history)}"
            raise fault("wrong_size", message, "history")
        piles = self.piles
        if self.history is None:
            self._check_piles(piles)
        return self

    def _check_piles(self, piles: Masks) -> None:
        for seat, pile in enumerate(piles):
            if pile.bit_count() % SEATS:
                message = (
                    f"seat {seat} has {counted(pile.bit_count(), 'card')}; tricks are won whole, four cards each"
                )
                raise fault("wrong_size", message, f"won[{seat}]")
        left = (1 << CARDS) - 1 & ~mask(numbers(self.declared))
        for pile in piles:
            left &= ~pile
        if left & ~KIRIN:
            missing = " ".join(names(members(left & ~KIRIN)))
            raise fault(
                "missing_card", f"only tricks of four kirin are won by nobody, but nobody has {missing}", "won"
            )


class KirinRecord(Model):
    """The rounds of a match so far, in order; a single round is a list of one.

    `declared_counts` is the option by which the card set aside counts as won by its owner.
    """

    game: Literal["kirin"]
    rounds: Annotated[tuple[KirinRound, ...], Field(min_length=1, max_length=ROUNDS, fail_fast=True)]
    declared_counts: Annotated[bool, Field(strict=True)] = False


class KirinSheet(Sheet):
    """A score sheet of kirin: the points of each round."""

    game: Literal["kirin"]

    seats: ClassVar[tuple[int, int]] = (SEATS, SEATS)
    match_rounds: ClassVar[int | None] = ROUNDS

    @classmethod
    def fault_of(cls, played: Scores) -> str | None:
        if max(played) > HAND:
            return f"there are {HAND} cards of a colour, so nobody has {max(played)} points"
        if sum(played) > CARDS:
            return f"there are {CARDS} cards, so that {sum(played)} points are too many in all"
        return None


Record = with_sheet(KirinRecord, KirinSheet)
