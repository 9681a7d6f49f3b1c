"""Before the round of kirin: positions and views in which a seat sets a card aside."""

from __future__ import annotations

from typing import Annotated, Literal, Self

from pydantic import Field, model_validator

from solver.common.masks import mask
from solver.common.words import counted
from solver.games.kirin.cards.deck import name
from solver.games.kirin.cards.readings import RulesField
from solver.games.kirin.cards.rules import HAND, SEATS, TRICKS, Masks
from solver.games.kirin.positions.fields import (
    NOT_YET,
    Cards,
    FourHands,
    Seat,
    SetAside,
    four,
    number,
    numbers,
)
from solver.games.kirin.positions.known import KnownPosition
from solver.inputs.faults import fault
from solver.positions import Shown
from solver.tricks.fields import Model, places, refuse_doubles, spread
from solver.tricks.match import OfMatch


class DeclarePosition(Shown, Model):
    """Before the round, all hands known: which card does `seat` set aside?

    A seat whose card is in `declared` has set it aside already and holds eight cards. The others hold nine,
    and have an empty text there (null is read as one; TOML has no null).
    """

    game: Literal["kirin"]
    rules: RulesField = None
    seat: Seat
    leader: Seat
    hands: FourHands
    declared: Annotated[tuple[SetAside, ...], Field(min_length=SEATS, max_length=SEATS, fail_fast=True)] = (
        NOT_YET,
    ) * SEATS

    @property
    def masks(self) -> Masks:
        """The hands as they are now, eight or nine cards each."""
        return four(mask(numbers(hand)) for hand in self.hands)

    @property
    def declared_cards(self) -> tuple[int | None, ...]:
        return tuple(None if text == NOT_YET else number(text) for text in self.declared)

    @property
    def seat_to_move(self) -> int:
        return self.seat

    def after(self, card: int) -> DeclarePosition | KnownPosition:
        """The position when `seat` has set `card`, which it holds, aside; the next undeclared seat is asked."""
        text = name(card)
        declared = tuple(text if seat == self.seat else other for seat, other in enumerate(self.declared))
        hands = tuple(tuple(held for held in hand if held != text) for hand in self.hands)
        others = [(self.seat + step) % SEATS for step in range(1, SEATS)]
        waiting = [seat for seat in others if declared[seat] == NOT_YET]
        if waiting:
            return self.model_copy(update={"seat": waiting[0], "hands": hands, "declared": declared})
        return KnownPosition(
            game="kirin",
            rules=self.rules,
            direction="ascending",
            leader=self.leader,
            hands=hands,
            declared=declared,
            history=(),
        )

    @model_validator(mode="after")
    def _check(self) -> Self:
        declared = ((f"declared[{seat}]", text) for seat, text in enumerate(self.declared) if text != NOT_YET)
        refuse_doubles([*spread("hands", self.hands), *declared])
        for seat, hand in enumerate(self.hands):
            size = HAND if self.declared[seat] == NOT_YET else TRICKS
            if len(hand) != size:
                why = "before" if size == HAND else "after"
                message = (
                    f"seat {seat} has {counted(len(hand), 'card')}; {why} setting one aside a hand has {size}"
                )
                raise fault("wrong_size", message, f"hands[{seat}]")
        if self.declared[self.seat] != NOT_YET:
            message = f"seat {self.seat} is asked, but has set {self.declared[self.seat]} aside already"
            raise fault("conflict", message, "seat")
        return self


class DeclareView(Shown, OfMatch):
    """What one player sees before the round, nine cards in hand: which one to set aside?"""

    game: Literal["kirin"]
    rules: RulesField = None
    seat: Seat
    leader: Seat
    hand: Annotated[Cards, Field(min_length=HAND, max_length=HAND)]

    @property
    def seat_to_move(self) -> int:
        return self.seat

    @model_validator(mode="after")
    def _check(self) -> Self:
        refuse_doubles(places("hand", self.hand))
        self.check_match(SEATS)
        return self
