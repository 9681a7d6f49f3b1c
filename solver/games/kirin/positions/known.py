"""Positions and views of kirin as users send them, validated."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Annotated, Any, Literal, Self

from pydantic import BaseModel, Discriminator, Field, Tag, model_validator

from solver.common.masks import mask
from solver.common.words import counted
from solver.games.kirin.cards.deck import CARDS, DIRECTIONS, colour, name
from solver.games.kirin.cards.rules import HAND, SEATS, TRICKS, Masks, State, points
from solver.games.kirin.positions.fields import (
    NOT_YET,
    Card,
    Cards,
    FinishedTrick,
    FourHands,
    History,
    Model,
    Seat,
    SetAside,
    TrickCards,
    four,
    history_places,
    number,
    numbers,
    places,
    refuse_doubles,
    spread,
    tricks_of,
)
from solver.games.kirin.positions.history import Past, Trick, check_deal_exists, replay, with_trick
from solver.inputs.faults import fault


def _check_leader(history: tuple[FinishedTrick, ...], leader: int) -> Past:
    """The past up to the trick on the table, whose `leader` must be the one that follows from it."""
    if not history:
        return Past(leader)
    past = replay(tricks_of(history))
    if past.leader != leader:
        raise fault("conflict", f"by the history seat {past.leader} leads now, not seat {leader}", "leader")
    return past


class KnownPosition(Model):
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

    @property
    def past(self) -> Past:
        """What is known of the finished tricks: all of it with a `history`, else the piles in `won`."""
        if self.history:
            return replay(tricks_of(self.history))
        return Past(self.leader, DIRECTIONS.index(self.direction), four(mask(numbers(pile)) for pile in self.won))

    @property
    def state(self) -> State:
        hands = four(mask(numbers(hand)) for hand in self.hands)
        return State(hands, self.leader, DIRECTIONS.index(self.direction), numbers(self.trick), self.past.won)

    @property
    def colours(self) -> Masks:
        """The colour that each seat collects."""
        return four(colour(number(card)) for card in self.declared)

    @property
    def points(self) -> Masks:
        """The points that each seat has won already."""
        return points(self.past.won, self.colours)

    @property
    def seat_to_move(self) -> int:
        return (self.leader + len(self.trick)) % SEATS

    def _all_places(self) -> Iterator[tuple[str, str]]:
        yield from spread("hands", self.hands)
        yield from places("declared", self.declared)
        yield from places("trick", self.trick)
        yield from history_places(self.history) if self.history else spread("won", self.won)

    @model_validator(mode="after")
    def _check(self) -> Self:
        refuse_doubles(self._all_places())
        self._check_sizes()
        past = self._check_history() if self.history is not None else self.past
        past = with_trick(past, Trick(self.leader, numbers(self.trick), "trick"))
        for seat, hand in enumerate(self.hands):
            past.shown(seat, numbers(hand), f"in hands[{seat}]")
        return self

    def _check_sizes(self) -> None:
        """Hands are equal but for the cards on the table; the hands' majority says what the size is."""
        played = {(self.leader + place) % SEATS for place in range(len(self.trick))}
        whole = [len(hand) + (seat in played) for seat, hand in enumerate(self.hands)]
        if self.history is not None:
            usual = TRICKS - len(self.history)
        else:
            usual = max(Counter(whole).most_common(1)[0][0], len(self.trick) > 0)
        for seat, size in enumerate(whole):
            if size != usual:
                count = usual - (seat in played)
                source = "the other hands" if self.history is None else "the history"
                message = (
                    f"seat {seat} has {counted(size - (seat in played), 'card')}; by {source} it holds {count}"
                )
                message += ", one of its cards being on the table" if seat in played else ""
                raise fault("wrong_size", message, f"hands[{seat}]")
        if usual > TRICKS:
            raise fault("wrong_size", f"a hand has at most {TRICKS} cards once one is set aside", "hands[0]")

    def _check_history(self) -> Past:
        assert self.history is not None
        past = _check_leader(self.history, self.leader)
        if past.direction != DIRECTIONS.index(self.direction):
            right = DIRECTIONS[past.direction]
            raise fault("conflict", f"by the history the direction is {right}, not {self.direction}", "direction")
        for path, text in spread("won", self.won):
            seat = int(path[4])
            if not past.won[seat] >> number(text) & 1:
                raise fault("conflict", f"by the history seat {seat} has not won {text}", path)
        return past


class DeclarePosition(Model):
    """Before the round, all hands known: which card does `seat` set aside?

    A seat whose card is in `declared` has set it aside already and holds eight cards. The others hold nine,
    and have an empty text there (null is read as one; TOML has no null).
    """

    game: Literal["kirin"]
    seat: Seat
    leader: Seat
    hands: FourHands
    declared: Annotated[tuple[SetAside, ...], Field(min_length=SEATS, max_length=SEATS)] = (NOT_YET,) * SEATS

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


class View(Model):
    """What one player sees during the round; won piles, direction and forced plays follow from `history`."""

    game: Literal["kirin"]
    seat: Seat
    hand: Cards
    declared: Card
    leader: Seat
    trick: TrickCards = ()
    history: History = ()

    @property
    def past(self) -> Past:
        """The finished tricks, and the refusals of these and of the trick on the table."""
        return with_trick(_check_leader(self.history, self.leader), self.table)

    @property
    def table(self) -> Trick:
        return Trick(self.leader, numbers(self.trick), "trick")

    @property
    def seat_to_move(self) -> int:
        return (self.leader + len(self.trick)) % SEATS

    @property
    def unseen(self) -> int:
        """The mask of the cards in the other hands, and of those that the others set aside."""
        seen = [*self.hand, self.declared, *self.trick, *(card for trick in self.history for card in trick.cards)]
        return (1 << CARDS) - 1 & ~mask(numbers(seen))

    def count(self, seat: int) -> int:
        """How many cards `seat` holds."""
        played = any(seat == player for player, _, _ in self.table.plays())
        return TRICKS - len(self.history) - played

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
        size = self.count(self.seat)
        if len(self.hand) != size:
            message = f"the hand has {counted(len(self.hand), 'card')}; after what was played it holds {size}"
            raise fault("wrong_size", message, "hand")
        past = self.past
        past.shown(self.seat, numbers(self.hand), "in hand")
        others = {seat: self.count(seat) for seat in range(SEATS) if seat != self.seat}
        check_deal_exists(past, self.unseen, others)
        return self


class DeclareView(Model):
    """What one player sees before the round, nine cards in hand: which one to set aside?"""

    game: Literal["kirin"]
    seat: Seat
    leader: Seat
    hand: Annotated[Cards, Field(min_length=HAND, max_length=HAND)]

    @property
    def seat_to_move(self) -> int:
        return self.seat

    @model_validator(mode="after")
    def _check(self) -> Self:
        refuse_doubles(places("hand", self.hand))
        return self


def _kind(data: Any) -> str:
    """Which of the four a position is, by its keys."""
    if isinstance(data, BaseModel):
        return {KnownPosition: "all-known", DeclarePosition: "all-known before", View: "seen"}.get(
            type(data), "seen before"
        )
    if not isinstance(data, Mapping):
        return "all-known"
    keys = set(data)
    if "hand" in keys:
        return "seen" if keys & {"declared", "trick", "history"} else "seen before"
    declared = data.get("declared")
    if isinstance(declared, list | tuple) and all(declared):
        return "all-known"
    started = keys & {"direction", "trick", "won", "history"}
    return "all-known before" if "seat" in keys or not started else "all-known"


Position = Annotated[
    Annotated[KnownPosition, Tag("all-known")]
    | Annotated[DeclarePosition, Tag("all-known before")]
    | Annotated[View, Tag("seen")]
    | Annotated[DeclareView, Tag("seen before")],
    Discriminator(_kind),
]
