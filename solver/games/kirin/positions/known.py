"""Positions and views of a round of kirin as users send them, validated."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import Annotated, ClassVar, Literal, Self

from pydantic import Field, model_validator

from solver.common.masks import mask
from solver.games.kirin.cards.deck import CARDS, DIRECTIONS, colour
from solver.games.kirin.cards.rules import NOTHING, SEATS, TRICKS, Masks, Order, State, points
from solver.games.kirin.positions.fields import (
    Card,
    Cards,
    FourHands,
    History,
    Seat,
    TrickCards,
    four,
    history_places,
    number,
    numbers,
    tricks_of,
)
from solver.inputs.faults import fault
from solver.positions import Shown
from solver.tricks.fields import Model, places, refuse_doubles, spread
from solver.tricks.history import Past
from solver.tricks.positions import KnownParts, RoundParts, ViewParts
from solver.tricks.rules import Trick

Seen = Past[int, Order]


class _Round(RoundParts[int, Order]):
    """What a position and a view of a round share."""

    @property
    def players(self) -> int:
        return SEATS

    @property
    def whole_hand(self) -> int:
        return TRICKS

    @property
    def plays(self) -> tuple[int, ...]:
        return numbers(self.trick)


class KnownPosition(Shown, Model, _Round, KnownParts[int, Order]):
    """A round with every card known, at any card of any trick.

    `won` may be left out or incomplete; cards that are nowhere are out of play. `history`, the finished
    tricks from the first one on, is optional: only what a player has seen (a view) needs it.
    """

    game: Literal["kirin"]
    direction: Literal["ascending", "descending"]
    leader: Seat
    trick: TrickCards = ()
    hands: FourHands
    declared: Annotated[Cards, Field(min_length=SEATS, max_length=SEATS)]
    won: FourHands = ((), (), (), ())
    history: History | None = None

    after_what: ClassVar[str] = " once one is set aside"

    @property
    def tells_history(self) -> bool:
        return self.history is not None

    @cached_property
    def tricks(self) -> tuple[Trick[int], ...]:
        return tricks_of(self.history or ())

    @property
    def start(self) -> Seen:
        if self.history is not None:
            return Past(Order(), self.tricks[0].leader if self.tricks else self.leader, NOTHING)
        won = four(mask(numbers(pile)) for pile in self.won)
        return Past(Order(DIRECTIONS.index(self.direction)), self.leader, won)

    @property
    def held(self) -> tuple[tuple[int, ...], ...]:
        return tuple(map(numbers, self.hands))

    @cached_property
    def state(self) -> State:
        direction = DIRECTIONS.index(self.direction)
        return State(four(self.hand_masks), self.leader, direction, self.plays, four(self.past.won))

    @property
    def colours(self) -> Masks:
        """The colour that each seat collects."""
        return four(colour(number(card)) for card in self.declared)

    @property
    def points(self) -> Masks:
        """The points that each seat has won already."""
        return points(self.past.won, self.colours)

    def replayed(self) -> Seen:
        past = super().replayed()
        if self.history is None:
            return past
        right = DIRECTIONS[past.rules.direction]
        if right != self.direction:
            raise fault("conflict", f"by the history the direction is {right}, not {self.direction}", "direction")
        for seat, pile in enumerate(self.won):
            for path, text in places(f"won[{seat}]", pile):
                if not past.won[seat] >> number(text) & 1:
                    raise fault("conflict", f"by the history seat {seat} has not won {text}", path)
        return past

    def _all_places(self) -> Iterator[tuple[str, str]]:
        yield from spread("hands", self.hands)
        yield from places("declared", self.declared)
        yield from places("trick", self.trick)
        yield from history_places(self.history) if self.history else spread("won", self.won)

    @model_validator(mode="after")
    def _check(self) -> Self:
        refuse_doubles(self._all_places())
        self.check_sizes()
        self.check_hands()
        return self


class View(Shown, Model, _Round, ViewParts[int, Order]):
    """What one player sees during the round; won piles, direction and forced plays follow from `history`."""

    game: Literal["kirin"]
    seat: Seat
    hand: Cards
    declared: Card
    leader: Seat
    trick: TrickCards = ()
    history: History = ()

    @cached_property
    def tricks(self) -> tuple[Trick[int], ...]:
        return tricks_of(self.history)

    @property
    def start(self) -> Seen:
        return Past(Order(), self.tricks[0].leader if self.tricks else self.leader, NOTHING)

    @property
    def cards_held(self) -> tuple[int, ...]:
        return numbers(self.hand)

    @property
    def all_cards(self) -> int:
        return (1 << CARDS) - 1

    @property
    def seen_elsewhere(self) -> int:
        return 1 << number(self.declared)

    def _all_places(self) -> Iterator[tuple[str, str]]:
        yield from places("hand", self.hand)
        yield "declared", self.declared
        yield from places("trick", self.trick)
        yield from history_places(self.history)

    @model_validator(mode="after")
    def _check(self) -> Self:
        refuse_doubles(self._all_places())
        if len(self.history) == TRICKS and self.trick:
            raise fault("wrong_size", f"a round has {TRICKS} tricks, and all are in the history", "trick")
        self.check_size()
        self.check_hidden_hands()
        return self
