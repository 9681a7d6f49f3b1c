"""Positions and views of Aqua Regia as users send them, validated."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import Annotated, Any, ClassVar, Self

from pydantic import Field, model_validator

from solver.common.words import counted
from solver.games.aqua_regia.cards.rules import Counts, State, settle
from solver.games.aqua_regia.positions.fields import (
    FEWEST,
    MOST,
    Card,
    Cards,
    Count,
    Hands,
    Seat,
    check_card,
    check_cards,
    check_seat,
)
from solver.games.aqua_regia.positions.public import Public
from solver.inputs.faults import all_of, fault
from solver.tricks.fields import places, spread


class KnownPosition(Public):
    """A game with every card known. No hand is empty; `stock` is in draw order.

    Cards that are nowhere are out of play. `known` and `deal_passes` matter only for what the players see.
    """

    hands: Hands
    stock: Cards = ()

    inferred: ClassVar[frozenset[str]] = frozenset({"field", "turn"})
    instead: ClassVar[Mapping[str, Any]] = {"players": {"type": "integer"}}

    @property
    def players(self) -> int:
        return len(self.hands)

    @property
    def sizes(self) -> tuple[int, ...]:
        return tuple(map(len, self.hands))

    @property
    def stock_size(self) -> int:
        return len(self.stock)

    @property
    def state(self) -> State:
        """The state after what happens by itself; `turn` and `field` may differ from the position's."""
        return settle(self.metals, self.state_as_written)

    @property
    def state_as_written(self) -> State:
        deck = self.metals
        return State(
            hands=tuple(deck.counts(deck.numbers(hand)) for hand in self.hands),
            turn=self.turn,
            field=self.field_number,
            reversed=self.reversed,
            table=deck.numbers(self.table),
            owner=self.owner,
            stock=deck.numbers(self.stock),
            discard=self.pile,
        )

    @property
    def seat_to_move(self) -> int:
        return self.state.turn

    @model_validator(mode="after")
    def _check(self) -> Self:
        where = [*spread("hands", self.hands), *places("stock", self.stock), *self.open_places()]
        all_of(lambda: check_cards(self.metals, where), self._check_hands, then=[self.check_public])
        for seat, hand in enumerate(self.hands):
            self.check_known(seat, hand)
        self.check_history()
        return self

    def _check_hands(self) -> None:
        for path, card in spread("known", self.known or ()):
            check_card(self.metals, path, card)
        for seat, hand in enumerate(self.hands):
            if not hand and not self.gone_out(seat):
                raise fault("wrong_size", f"seat {seat} has no cards: it has won already", f"hands[{seat}]")


class View(Public):
    """What one player sees. `counts` has how many cards each seat holds, this one included.

    `drawn` is for the second half of a pass: the card just drawn, while `hand`, `counts` and `stock_count` are
    still as they were before. Where there are more unseen cards than hidden places, the rest is out of play.
    """

    seat: Seat
    hand: Cards
    counts: Annotated[tuple[Count, ...], Field(min_length=FEWEST, max_length=MOST, fail_fast=True)]
    stock_count: Count
    drawn: Card | None = None

    inferred: ClassVar[frozenset[str]] = frozenset({"field", "turn", "counts", "stock_count"})
    instead: ClassVar[Mapping[str, Any]] = {"players": {"type": "integer"}}

    @property
    def players(self) -> int:
        return len(self.counts)

    @property
    def sizes(self) -> tuple[int, ...]:
        return self.counts

    @property
    def stock_size(self) -> int:
        return self.stock_count

    @property
    def seat_to_move(self) -> int:
        return self.turn

    @property
    def held(self) -> Counts:
        """The hand, the drawn card included, as how many cards of each metal it has."""
        return self.metals.counts(self.metals.numbers((*self.hand, *((self.drawn,) if self.drawn else ()))))

    @cached_property
    def unseen(self) -> Counts:
        """How many cards of each metal are in hidden places or out of play; worked out once."""
        deck = self.metals
        placed = deck.counts(deck.numbers(card for _, card in self._all_places()))
        return tuple(deck.copies - count for count in placed)

    def hidden(self, seat: int) -> int:
        """How many cards of another seat's hand are not known."""
        return self.counts[seat] - len(self.known_of(seat))

    @property
    def hidden_stock(self) -> int:
        """How many cards are left in the stock."""
        return self.stock_count - (self.drawn is not None)

    def _all_places(self) -> Iterator[tuple[str, str]]:
        yield from places("hand", self.hand)
        if self.drawn is not None:
            yield "drawn", self.drawn
        for seat, cards in enumerate(self.known or ()):
            if seat != self.seat:
                yield from places(f"known[{seat}]", cards)
        yield from self.open_places()

    @model_validator(mode="after")
    def _check(self) -> Self:
        all_of(
            lambda: check_cards(self.metals, self._all_places()),
            self._check_own_known,
            lambda: check_seat("seat", self.seat, self.players),
            then=[self.check_public],
        )
        all_of(self._check_counts, self._check_drawn, self.check_history)
        return self

    def _check_own_known(self) -> None:
        if self.known is not None and self.seat < len(self.known):
            check_cards(self.metals, places(f"known[{self.seat}]", self.known[self.seat]))

    def _check_counts(self) -> None:
        if len(self.hand) != self.counts[self.seat]:
            message = f"the hand has {counted(len(self.hand), 'card')}, not {self.counts[self.seat]}"
            raise fault("wrong_size", message, f"counts[{self.seat}]")
        for seat, count in enumerate(self.counts):
            if not count and not self.gone_out(seat):
                raise fault("wrong_size", f"seat {seat} has no cards: it has won already", f"counts[{seat}]")
            held = self.hand if seat == self.seat else self.known_of(seat)
            if len(self.known_of(seat)) > count:
                message = f"more cards of seat {seat} are known than the {count} it holds"
                raise fault("wrong_size", message, f"known[{seat}]")
            self.check_known(seat, held)
        hidden = sum(self.hidden(seat) for seat in range(self.players) if seat != self.seat) + self.hidden_stock
        unseen = sum(self.unseen)
        if hidden > unseen:
            many = counted(hidden, "card")
            message = f"the other hands and the stock have {many} not seen, but no more than {unseen} can be there"
            raise fault("wrong_size", message, "stock_count")

    def _check_drawn(self) -> None:
        if self.drawn is None:
            return
        if self.turn != self.seat:
            raise fault("conflict", f"seat {self.turn} is to move, so seat {self.seat} draws nothing", "drawn")
        if not self.table:
            raise fault("conflict", "the table is empty: the dealer leads and does not pass", "drawn")
        if not self.stock_count:
            raise fault("conflict", "the stock had no card to draw (stock_count is from before)", "drawn")
