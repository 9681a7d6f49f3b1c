"""Positions of a round of Kirin as users send them, with every card known or as one player sees them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from itertools import repeat
from operator import or_
from typing import Annotated, Any, ClassVar, Literal, Self

from pydantic import AfterValidator, BaseModel, BeforeValidator, Discriminator, Field, Tag, model_validator
from pydantic_core import PydanticCustomError

from solver.answers import Analysis, MoveValue, Score
from solver.codec import CARD_LIST, DEALT, OrText
from solver.common import mask
from solver.findings import all_of, fault
from solver.games.kirin.deck import ALL, ASCENDING, CARDS, COLOURS, DIRECTIONS, NUMBERS, colour, name, of_colour
from solver.games.kirin.rules import (
    HAND,
    NOTHING,
    SEATS,
    TRICKS,
    Masks,
    Order,
    RulesField,
    State,
    four,
    order_of,
    points,
)
from solver.language import say, say_many
from solver.positions import AnyPosition
from solver.tricks.match import OfMatch
from solver.tricks.positions import (
    CardRound,
    Model,
    Past,
    Replay,
    places,
    refuse_doubles,
    replay,
    spread,
)
from solver.tricks.rules import CardState

# ----------------------------------------------------------------------------------------------------
# Parts of Kirin's positions and records: cards, hands, finished tricks.


def _card(text: str) -> str:
    if text not in NUMBERS:
        raise fault(
            "illegal_card",
            say("{text!r} is not a card; a card is a colour D S B G and 1 to 6, T, + or -: D6 ST B+", text=text),
        )
    return text


# The schema of a card's text; both cases are accepted.
_LETTERS = "([DSBGdsbg][1-6Tt+-]|[1-6Tt+-][DSBGdsbg])"
Card = Annotated[
    str,
    Field(strict=True, examples=["D6"], json_schema_extra={"pattern": f"^{_LETTERS}$"}),
    AfterValidator(_card),
]
NOT_YET = ""  # in place of the card that a seat has yet to set aside


SetAside = Annotated[
    str,
    Field(strict=True, examples=["D6"], json_schema_extra={"pattern": f"^({_LETTERS})?$"}),
    BeforeValidator(lambda value: NOT_YET if value is None else value),
    AfterValidator(lambda text: text if text == NOT_YET else _card(text)),
]
Cards = Annotated[tuple[Card, ...], Field(max_length=2 * CARDS), OrText("S1 S4 BT")]
FourHands = Annotated[tuple[Cards, ...], Field(min_length=SEATS, max_length=SEATS), OrText("S1,S4/BT/D6/G+")]
Seat = Annotated[int, Field(ge=0, lt=SEATS, strict=True)]


def number_of(text: str) -> int:
    """Return the index of a card in the deck, given its text, which must be valid."""
    return NUMBERS[text]


def numbers(texts: Iterable[str]) -> tuple[int, ...]:
    return tuple([NUMBERS[text] for text in texts])


class FinishedTrick(Model):
    """A finished trick: its leader, and the four cards in play order."""

    leader: Seat
    cards: Annotated[Cards, Field(min_length=SEATS, max_length=SEATS)]

    inferred: ClassVar[frozenset[str]] = frozenset({"leader"})


History = Annotated[tuple[FinishedTrick, ...], Field(max_length=TRICKS), OrText("3:S1,G2,D4,B6")]
TrickCards = Annotated[Cards, Field(max_length=SEATS - 1)]
AsPlayed = Annotated[Cards | None, AfterValidator(lambda cards: cards or None)]  # an empty list equals none


def _on_table(past: Past[int, Order], trick: Sequence[int]) -> dict[str, object]:
    """Return the fields `direction` and `won` (each seat's pile), which follow from the tricks so far.

    `next_direction` is added if the cards of the current trick would change the direction.
    """
    found = {**past.rules.fields, "won": [past.rules.names(pile) for pile in past.won]}
    following = past.rules.after(trick)
    return found if following == past.rules else found | {"next_direction": DIRECTIONS[following.direction]}


class KnownPosition(AnyPosition, Model, CardRound[Order]):
    """A round with every card known, at any point of any trick.

    `won` may be left out or incomplete; cards that are listed nowhere are out of play. `history` has all finished
    tricks, starting with the first; it is needed only for making views.
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
    as_played: AsPlayed = None

    too_many: ClassVar[str] = "a hand has at most {count} cards once one is set aside"
    inferred: ClassVar[frozenset[str]] = frozenset({"direction", "leader", "hands"})
    instead: ClassVar[Mapping[str, Any]] = {"dealt": DEALT}

    @cached_property
    def trick_rules(self) -> Order:
        direction = ASCENDING if self.history is not None else DIRECTIONS.index(self.direction)
        return order_of(self.rules, direction, numbers(self.as_played or ()))

    @property
    def is_fresh(self) -> bool:
        return super().is_fresh and self.direction == DIRECTIONS[ASCENDING]

    @cached_property
    def state(self) -> State:
        past = self.past
        return CardState(past.rules, self.hand_masks, self.leader, self.plays, past.won)

    @property
    def on_table(self) -> dict[str, object]:
        return _on_table(self.past, self.plays)

    @property
    def colours(self) -> Masks:
        """The colour that each seat collects."""
        return four(colour(number_of(card)) for card in self.declared)

    @property
    def points(self) -> Masks:
        """The points that each seat has so far."""
        return points(self.state, self.colours)

    @model_validator(mode="after")
    def _check(self) -> Self:
        everywhere = [*spread("hands", self.hands), *places("declared", self.declared), *self.played_places]
        all_of(lambda: refuse_doubles(everywhere), self.check_sizes, then=[self.check_hands])
        return self


_BESIDES = "May be omitted: it follows from the history, and a given value is checked against it."
CHECKED_DIRECTION = {"type": "string", "enum": [*DIRECTIONS], "description": _BESIDES}
CHECKED_PILES = {"type": "array", "items": CARD_LIST, "description": _BESIDES}


class View(AnyPosition, OfMatch, CardRound[Order]):
    """What one player sees during the round; piles, direction and forced plays follow from `history`."""

    game: Literal["kirin"]
    rules: RulesField = None
    seat: Seat
    hand: Cards
    declared: Card
    leader: Seat
    trick: TrickCards = ()
    history: History = ()
    as_played: AsPlayed = None

    inferred: ClassVar[frozenset[str]] = frozenset({"leader", "hand"})
    instead: ClassVar[Mapping[str, Any]] = {"dealt": DEALT, "direction": CHECKED_DIRECTION, "won": CHECKED_PILES}

    @cached_property
    def trick_rules(self) -> Order:
        return order_of(self.rules, as_played=numbers(self.as_played or ()))

    @property
    def on_table(self) -> dict[str, object]:
        return _on_table(self.past, self.plays)

    @property
    def seen_elsewhere(self) -> int:
        return 1 << number_of(self.declared)

    @model_validator(mode="after")
    def _check(self) -> Self:
        everywhere = [*places("hand", self.hand), ("declared", self.declared), *self.played_places]
        all_of(
            lambda: refuse_doubles(everywhere),
            self._check_tricks,
            self.check_sizes,
            lambda: self.check_match(SEATS),
            then=[self.check_hands],
        )
        return self

    def _check_tricks(self) -> None:
        if len(self.history) == TRICKS and self.trick:
            raise fault(
                "wrong_size",
                say("a round has {tricks} tricks, and all are in the history", tricks=TRICKS),
                "trick",
            )


def _void(text: str) -> str:
    if text.upper() in [*COLOURS]:
        return text.upper()
    if text not in NUMBERS:
        message = say("{text!r} is neither a colour (D S B G) nor a card such as D6", text=text)
        raise fault("illegal_card", message)
    return name(number_of(text))


Void = Annotated[str, Field(strict=True, examples=["D"]), AfterValidator(_void)]


class Remembered(View):
    """What one player remembers of a round: the hand, the table, and anything else known.

    `history` has the last tricks, as many as are remembered. Of the earlier ones, `won` has the cards known to be
    in a pile, `gone` those known to have been played, whatever pile they are in; `voids` has the colours and cards
    that a seat is known not to hold. The number of cards played follows from the hand.
    """

    direction: Literal["ascending", "descending"]
    won: FourHands = ((),) * SEATS
    gone: Cards = ()
    voids: Annotated[
        dict[Literal["0", "1", "2", "3"], tuple[Void, ...]], Field(max_length=SEATS), OrText("2:D/3:S,B6")
    ] = {}

    instead: ClassVar[Mapping[str, Any]] = {"dealt": DEALT}

    set_aside: ClassVar[int] = SEATS - 1

    def void_cards(self, text: str) -> int:
        return of_colour(COLOURS.index(text)) if len(text) == 1 else 1 << number_of(text)

    @cached_property
    def _starts(self) -> list[Past[int, Order]]:
        """The past before the remembered tricks, without `won` and `gone`, for each direction then in force."""
        leader = self.history[0].leader if self.history else self.leader
        orders = [replace(self.trick_rules, direction=direction) for direction in range(len(DIRECTIONS))]
        return [Past(order, leader, NOTHING) for order in orders]

    @cached_property
    def _replays(self) -> Sequence[Replay[int, Order]]:
        return [replay(start, self.tricks) for start in self._starts]

    def keep(self, replays: Sequence[Replay[int, Order]]) -> None:
        starts = self._starts
        if len(replays) == len(starts) and all(map(Replay.is_of, replays, starts, repeat(self.history))):
            vars(self)["_replays"] = replays

    @cached_property
    def _possible(self) -> list[Replay[int, Order]]:
        """The replays that lead to the current trick, and with which deals agree.

        Raises PydanticCustomError if there is none.
        """
        found, failure = [], None
        for one in self._replays:
            if one.fault is not None:
                failure = one.fault
                continue
            try:
                past = one.past.with_plays(self.current_trick)
                past.check_may_hold(self.seat, past.rules.members(self.hand_mask), lambda: say("in hand"))
            except PydanticCustomError as error:
                failure = error
                continue
            if past.leader == self.leader and DIRECTIONS[past.rules.direction] == self.direction:
                found.append(one)
        if len(found) > 1:
            possible = []
            for one in found:
                try:
                    self._after(one).check_hands()
                except PydanticCustomError as error:
                    failure = error
                else:
                    possible.append(one)
            found = possible
        if not found:
            message = say(
                "these tricks don't lead to one in which {seat:who} {seat:leads|lead}, {direction}",
                seat=self.leader,
                direction=self.direction,
            )
            raise failure or fault("conflict", message, "history")
        return found

    def _after(self, one: Replay[int, Order]) -> Self:
        """Return the view of a player who also knows the order in force before the remembered tricks."""
        view = self.model_copy(update={"seat": self.seat})
        vars(view)["_possible"] = [one]
        return view

    @cached_property
    def by_order(self) -> list[Self]:
        """This view for each order that may have been in force before the remembered tricks.

        A deal agrees with this view if it agrees with one of these.
        """
        return [self] if len(self._possible) == 1 else list(map(self._after, self._possible))

    @cached_property
    def replay(self) -> Replay[int, Order]:
        first = self._possible[0]
        return replace(first, start=self._with_told(first.start), past=self._with_told(first.past))

    def _with_told(self, past: Past[int, Order]) -> Past[int, Order]:
        """Add the cards of `won` and `gone`."""
        piles = (mask(numbers(pile)) for pile in self.won)
        gone = mask(numbers(self.gone)) & ~sum(past.won)
        return replace(past, won=tuple(map(or_, past.won, piles)), discarded=past.discarded | gone)

    @property
    def start(self) -> Past[int, Order]:
        return self.replay.start

    def shown(self, seat: int) -> int:
        shown = ALL
        for one in self._possible:  # only what is true in both directions is known
            shown &= one.past.with_plays(self.current_trick).excluded(seat)
        return shown

    @property
    def played_places(self) -> Iterator[tuple[str, str]]:
        yield from super().played_places
        yield from spread("won", self.won)
        yield from places("gone", self.gone)


# ----------------------------------------------------------------------------------------------------
# Types of answers: values are points of a round.


Scores = tuple[int, int, int, int]  # one score per seat
Points = int | Scores  # one player's (paranoid, ally), or everybody's (maxn)
Bounds = tuple[int, int] | tuple[Scores, Scores]  # least and most; of everybody's scores, seat by seat


class KirinMove(MoveValue):
    """A card that may be played (or set aside), and the final points that it leads to."""

    value: Points | None
    bounds: Bounds


class KirinAnalysis(Analysis):
    """The analysis of a round with every card known.

    Values are the points of `player`, or under `maxn` of each seat.
    """

    value: Points | None
    bounds: Bounds | None
    moves: tuple[KirinMove, ...]


class KirinScore(Score):
    """The points of each round and in total, seat by seat.

    `winners` has the seat with the highest total, or all seats that tie for it. Until the third round is over,
    `winners` is None.
    """

    game: str
    declared_counts: bool
    rounds: tuple[Scores, ...]
    totals: Scores
    winners: tuple[int, ...] | None
    finished: bool


# ----------------------------------------------------------------------------------------------------
# Before the round: positions and views in which a seat sets a card aside.


class DeclarePosition(AnyPosition, Model):
    """A position before the round with all hands known, in which `seat` has to set a card aside.

    A seat whose card is in `declared` has already set it aside and holds eight cards. The others hold nine, and
    have an empty string there (null is accepted; TOML has no null).
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
        """The current hands as masks, eight or nine cards each."""
        return four(mask(numbers(hand)) for hand in self.hands)

    @property
    def hand_masks(self) -> Masks:
        """The hands as masks of nine cards.

        They include cards already set aside, since nobody else knows which cards those are.
        """
        aside = [0 if card is None else 1 << card for card in self.declared_cards]
        return four(hand | card for hand, card in zip(self.masks, aside, strict=True))

    @property
    def declared_cards(self) -> tuple[int | None, ...]:
        return tuple(None if text == NOT_YET else number_of(text) for text in self.declared)

    @property
    def points(self) -> Masks:
        """The points that each seat has so far."""
        return points(Past(order_of(self.rules), self.leader, NOTHING), (0,) * SEATS)

    @property
    def seat_to_move(self) -> int:
        return self.seat

    def after(self, card: int) -> DeclarePosition | KnownPosition:
        """Return the position after `seat` sets `card` from its hand aside.

        The next seat that has yet to set a card aside is to move; if there is none, the round begins.
        """
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
                why = say("before") if size == HAND else say("after")
                message = say_many(
                    "{seat:who} {seat:has|have} {count} card; {why} setting one aside a hand has {size}",
                    "{seat:who} {seat:has|have} {count} cards; {why} setting one aside a hand has {size}",
                    len(hand),
                    seat=seat,
                    why=why,
                    size=size,
                )
                raise fault("wrong_size", message, f"hands[{seat}]")
        if self.declared[self.seat] != NOT_YET:
            message = say(
                "{seat:who} {seat:is|are} to set a card aside, but {seat:has|have} already set aside {declared}",
                seat=self.seat,
                declared=self.declared[self.seat],
            )
            raise fault("conflict", message, "seat")
        return self


class DeclareView(AnyPosition, OfMatch):
    """What one player sees before the round, with nine cards in hand, one of which must be set aside."""

    game: Literal["kirin"]
    rules: RulesField = None
    seat: Seat
    leader: Seat
    hand: Annotated[Cards, Field(min_length=HAND, max_length=HAND)]

    @property
    def seat_to_move(self) -> int:
        return self.seat

    @property
    def hand_mask(self) -> int:
        return mask(numbers(self.hand))

    @model_validator(mode="after")
    def _check(self) -> Self:
        refuse_doubles(places("hand", self.hand))
        self.check_match(SEATS)
        return self


# ----------------------------------------------------------------------------------------------------
# The five kinds of Kirin's positions, distinguished by their keys.


def _kind(data: Any) -> str:
    """The tag of a position's type, found from its keys."""
    if isinstance(data, BaseModel):
        kinds = {
            KnownPosition: "all-known",
            DeclarePosition: "all-known before",
            View: "seen",
            Remembered: "in part",
        }
        return kinds.get(type(data), "seen before")
    if not isinstance(data, Mapping):
        return "all-known"
    keys = set(data)
    if "hand" in keys:
        if "gone" in keys:  # added by the notation if not all tricks are given
            return "in part"
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
    | Annotated[Remembered, Tag("in part")]
    | Annotated[DeclareView, Tag("seen before")],
    Discriminator(_kind),
]
