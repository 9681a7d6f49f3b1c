"""Positions and views of a round of kirin as users send them, validated."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import Annotated, Any, ClassVar, Literal, Self

from pydantic import Field, model_validator

from solver.games.kirin.cards.deck import ASCENDING, DIRECTIONS, colour
from solver.games.kirin.cards.readings import RulesField
from solver.games.kirin.cards.rules import SEATS, TRICKS, Masks, Order, State, points
from solver.games.kirin.positions.fields import (
    Card,
    Cards,
    FourHands,
    History,
    Seat,
    TrickCards,
    four,
    number,
)
from solver.inputs.faults import all_of, fault
from solver.notation.schema import CARD_LIST, DEALT
from solver.positions import Shown
from solver.tricks.cards import CardKnown, CardView
from solver.tricks.fields import Model, places, refuse_doubles, spread
from solver.tricks.history import Past
from solver.tricks.match import OfMatch


class KnownPosition(Shown, Model, CardKnown[Order]):
    """A round with every card known, at any card of any trick.

    `won` may be left out or incomplete; cards that are nowhere are out of play. `history`, the finished
    tricks from the first one on, is optional: only what a player has seen (a view) needs it.
    """

    game: Literal["kirin"]
    rules: RulesField = None
    direction: Literal["ascending", "descending"]
    leader: Seat
    trick: TrickCards = ()
    hands: FourHands
    declared: Annotated[Cards, Field(min_length=SEATS, max_length=SEATS)]
    won: FourHands = ((), (), (), ())
    history: History | None = None

    after_what: ClassVar[str] = " once one is set aside"
    inferred: ClassVar[frozenset[str]] = frozenset({"direction", "leader", "hands"})
    instead: ClassVar[Mapping[str, Any]] = {"dealt": DEALT}

    @property
    def trick_rules(self) -> Order:
        return Order() if self.tells_history else Order(DIRECTIONS.index(self.direction))

    @property
    def is_fresh(self) -> bool:
        return super().is_fresh and self.direction == DIRECTIONS[ASCENDING]

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
        """The points that each seat has won already, in tricks."""
        return points(self.past.won, self.colours)

    def rules_in_fields(self, rules: Order) -> dict[str, object]:
        return {"direction": DIRECTIONS[rules.direction]}

    def check_told(self, past: Past[int, Order]) -> None:
        right = DIRECTIONS[past.rules.direction]
        if right != self.direction:
            raise fault("conflict", f"by the history the direction is {right}, not {self.direction}", "direction")
        super().check_told(past)

    @model_validator(mode="after")
    def _check(self) -> Self:
        everywhere = [*spread("hands", self.hands), *places("declared", self.declared), *self.played_places]
        all_of(lambda: refuse_doubles(everywhere), self.check_sizes, then=[self.check_hands])
        return self


_BESIDES = "Follows from the history; what is given is checked against it."
CHECKED_DIRECTION = {"type": "string", "enum": [*DIRECTIONS], "description": _BESIDES}
CHECKED_PILES = {"type": "array", "items": CARD_LIST, "description": _BESIDES}


class View(Shown, OfMatch, CardView[Order]):
    """What one player sees during the round; won piles, direction and forced plays follow from `history`."""

    game: Literal["kirin"]
    rules: RulesField = None
    seat: Seat
    hand: Cards
    declared: Card
    leader: Seat
    trick: TrickCards = ()
    history: History = ()

    inferred: ClassVar[frozenset[str]] = frozenset({"leader", "hand"})
    instead: ClassVar[Mapping[str, Any]] = {"dealt": DEALT, "direction": CHECKED_DIRECTION, "won": CHECKED_PILES}

    @property
    def trick_rules(self) -> Order:
        return Order()

    @property
    def seen_elsewhere(self) -> int:
        return 1 << number(self.declared)

    @model_validator(mode="after")
    def _check(self) -> Self:
        everywhere = [*places("hand", self.hand), ("declared", self.declared), *self.played_places]
        checks = lambda: refuse_doubles(everywhere), self._check_tricks, self.check_size
        all_of(*checks, lambda: self.check_match(SEATS), then=[self.check_hidden_hands])
        return self

    def _check_tricks(self) -> None:
        if len(self.history) == TRICKS and self.trick:
            raise fault("wrong_size", f"a round has {TRICKS} tricks, and all are in the history", "trick")
