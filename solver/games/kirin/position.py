"""`Round`, what somebody knows of a round of Kirin: its keys, its checks, and what follows from it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import cached_property
from itertools import zip_longest
from operator import or_
from typing import Annotated, ClassVar, Literal, Self

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    Field,
    Tag,
)
from pydantic_core import PydanticCustomError

from solver.answers import Analysis, MoveValue, Score
from solver.codec import OrText, texts
from solver.common import mask
from solver.games.kirin.deck import (
    ALL,
    ASCENDING,
    CARDS,
    COLOURS,
    DIRECTIONS,
    NUMBERS,
    colour,
    members,
    name,
    of_colour,
)
from solver.games.kirin.keys import complete, kind_of
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
from solver.tricks.any_round import MISSING, NONE_IF_EMPTY, AnyRound, Keys, amount
from solver.tricks.match import NOTHING_TOLD, OfMatch
from solver.tricks.positions import (
    CardRound,
    Model,
    Past,
    Replay,
    check_entries,
    places,
    refuse_doubles,
    replay,
    spread,
)
from solver.tricks.rules import CardState
from solver.validation import all_of, fault

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
    """A finished trick: its leader, and the four cards in play order. A leader that follows may be missing."""

    leader: Seat = MISSING
    cards: Annotated[Cards, Field(min_length=SEATS, max_length=SEATS)]


History = Annotated[tuple[FinishedTrick, ...], Field(max_length=TRICKS), OrText("3:S1,G2,D4,B6")]
TrickCards = Annotated[Cards, Field(max_length=SEATS - 1)]
AsPlayed = Annotated[Cards | None, NONE_IF_EMPTY]


def _void(text: str) -> str:
    if text.upper() in [*COLOURS]:
        return text.upper()
    if text not in NUMBERS:
        message = say("{text!r} is neither a colour (D S B G) nor a card such as D6", text=text)
        raise fault("illegal_card", message)
    return name(number_of(text))


Void = Annotated[str, Field(strict=True, examples=["D"]), AfterValidator(_void)]
Voids = Annotated[
    dict[Literal["0", "1", "2", "3"], tuple[Void, ...]], Field(max_length=SEATS), OrText("2:D/3:S,B6")
]


Declared = Annotated[
    Annotated[SetAside, Tag("one")]
    | Annotated[tuple[SetAside, ...], Field(max_length=SEATS, fail_fast=True), Tag("several")],
    amount(lambda value: True),
]
Dealt = Annotated[
    Annotated[Cards, Tag("one")] | Annotated[FourHands, Tag("several")],
    amount(lambda value: texts(value) is None),
]


_ONLY_SENT = "dealt tricks counts"  # which follow, and are never kept
_OF = "game totals round for_match rules seat!"
KEYS = Keys(
    {
        "known": "game rules direction? leader? trick hands! declared! won history as_played dealt",
        "known before": "game rules seat! leader! hands! declared dealt",
        "view": f"{_OF} hand! declared! leader? trick history as_played direction won gone voids {_ONLY_SENT}",
        "view before": f"{_OF} leader! hand! dealt",
    },
    kind_of,
    complete,
)


class Round(AnyRound, OfMatch, CardRound[Order]):
    """What somebody knows of a round of Kirin, at any point of any trick or before the first.

    If every card is known, `hands` has the four hands, and `declared` the cards set aside; "" (or null) stands for
    one that a seat has yet to set aside, and `seat` is to do so now. `won` may be left out or incomplete; cards
    that are listed nowhere are out of play. `history` has all finished tricks; it is needed for making views.

    In a view, the other hands are missing: `seat` has this `hand`, and has set `declared` aside. The piles and the
    direction follow from `history`. A player who does not remember everything gives the last tricks, as many as
    are remembered, and the `direction` now in force. Of the earlier tricks, `won` has the cards known to be in a
    pile, `gone` those known to have been played, and `voids` the colours and cards that a seat does not hold.

    What follows from other keys may be left out; it is checked if it is given. `dealt` has the cards dealt,
    instead of those left; `tricks` and `counts` are the numbers of finished tricks and of each hand's cards.
    """

    game: Literal["kirin"]
    rules: RulesField = None
    seat: Seat = MISSING
    direction: Literal["ascending", "descending"] = MISSING
    leader: Seat = MISSING
    trick: TrickCards = MISSING
    hand: Cards = MISSING
    hands: FourHands = MISSING
    dealt: Dealt | None = None
    declared: Declared = MISSING
    won: FourHands = MISSING
    history: History | None = None
    gone: Cards = MISSING
    counts: Annotated[tuple[Annotated[int, Field(strict=True)], ...], Field(max_length=SEATS)] = MISSING
    voids: Voids = MISSING
    as_played: AsPlayed = None
    over_given: int = Field(MISSING, alias="tricks", strict=True, exclude=True)  # follows, so it is never kept

    set_aside: ClassVar[int] = SEATS - 1
    keys: ClassVar[Keys] = KEYS
    finished_trick: ClassVar[type[BaseModel]] = FinishedTrick

    def keep(self, replays: Sequence[Replay[int, Order]]) -> None:
        vars(self)["_replays"] = replays

    def _check(self) -> None:
        if self.hands is not None:
            check_entries(self.declared, SEATS, "declared")
        everywhere = [*(places("hand", self.hand) if self.hands is None else spread("hands", self.hands))]
        if isinstance(self.declared, str):
            everywhere.append(("declared", self.declared))
        elif self.declared:
            everywhere += (card_at for card_at in places("declared", self.declared) if card_at[1] != NOT_YET)
        if self.choosing:
            all_of(lambda: refuse_doubles(everywhere), self._check_choosing, lambda: self.check_match(SEATS))
            return
        everywhere += self.played_places
        all_of(
            lambda: refuse_doubles(everywhere),
            lambda: self.check_tricks(len(self.tricks) + bool(self.trick)),
            self.check_sizes,
            lambda: self.check_match(SEATS),
            then=[self.check_hands],
        )

    def _check_choosing(self) -> None:
        """Raise a fault for a hand of the wrong size, or if the seat to choose has chosen."""
        for seat, hand in enumerate(self.held):
            size = HAND if self.aside[seat] is None else TRICKS
            if hand is not None and len(hand) != size:
                why = say("before") if size == HAND else say("after")
                message = say_many(
                    "{seat:who} {seat:has|have} {count} card; {why} setting one aside a hand has {size}",
                    "{seat:who} {seat:has|have} {count} cards; {why} setting one aside a hand has {size}",
                    len(hand),
                    seat=seat,
                    why=why,
                    size=size,
                )
                raise fault("wrong_size", message, "hand" if self.hands is None else f"hands[{seat}]")
        if self.aside[self.seat] is not None:
            message = say(
                "{seat:who} {seat:is|are} to set a card aside, but {seat:has|have} already set aside {declared}",
                seat=self.seat,
                declared=self.declared[self.seat],
            )
            raise fault("conflict", message, "seat")

    # What follows from the keys.

    @cached_property
    def aside(self) -> tuple[int | None, ...]:
        """The card that each seat has set aside; None if it is hidden, or yet to be chosen."""
        declared: Sequence[str] = self.declared or ""
        if isinstance(self.declared, str):
            declared = [self.declared if seat == self.seat else NOT_YET for seat in range(SEATS)]
        return tuple(NUMBERS.get(text) for text in declared) or (None,) * SEATS

    @property
    def too_many(self) -> str:
        return say("a hand has at most {count} cards once one is set aside", count=self.whole_hand)

    @property
    def choosing(self) -> bool:
        """Whether `seat` is to set a card aside, before the first trick."""
        return not self.declared or (self.hands is not None and NOT_YET in self.declared)

    @property
    def own_colour(self) -> int:
        """The mask of the colour that a view's player collects; 0 before that is chosen."""
        card = self.aside[self.seat]
        return 0 if card is None else of_colour(colour(card))

    @property
    def colours(self) -> Masks:
        """The colour that each seat collects."""
        return four(colour(card or 0) for card in self.aside)

    @cached_property
    def trick_rules(self) -> Order:
        stated = self.hands is not None and self.history is None and self.direction is not None
        direction = DIRECTIONS.index(self.direction) if stated else ASCENDING
        return order_of(self.rules, direction, numbers(self.as_played or ()))

    @cached_property
    def plays(self) -> tuple[int, ...]:
        return numbers(self.trick or ())

    @cached_property
    def hand_masks(self) -> Masks:
        """Each hand as a mask, before the first trick with the card set aside; 0 for a hidden one.

        Nobody else knows yet which cards those are.
        """
        hands = super().hand_masks
        if not self.choosing:
            return four(hands)
        aside = self.aside
        return four(hand if card is None else hand | 1 << card for hand, card in zip_longest(hands, aside))

    @property
    def seat_to_move(self) -> int:
        return self.seat if self.choosing else super().seat_to_move

    @property
    def legal_cards(self) -> list[int]:
        """The cards that may be played or set aside; none in a view while another seat is to move."""
        return [*members(self.hand_masks[self.seat])] if self.choosing else super().legal_cards

    @property
    def is_fresh(self) -> bool:
        return super().is_fresh and self.direction == DIRECTIONS[ASCENDING]

    @cached_property
    def state(self) -> State:
        past = self.past
        return CardState(past.rules, self.hand_masks, self.leader, self.plays, past.won)

    @property
    def points(self) -> Masks:
        """The points that each seat has so far."""
        return points(self.past, self.colours)

    @property
    def derived(self) -> dict[str, object] | None:
        """The fields `direction` and `won` (each seat's pile), which follow from the tricks so far.

        `next_direction` is added if the cards of the current trick would change the direction. None before the
        first trick.
        """
        if self.choosing:
            return None
        rules, won = self.past.rules, self.past.won
        fields = {**rules.fields, "won": [rules.names(pile) for pile in won]}
        following = rules.after(self.plays)
        return fields if following == rules else fields | {"next_direction": DIRECTIONS[following.direction]}

    @property
    def seen_elsewhere(self) -> int:
        return mask(card for card in self.aside if card is not None)

    @property
    def played_places(self) -> Iterator[tuple[str, str]]:
        yield from super().played_places
        if self.in_part:
            yield from spread("won", self.won)
            yield from places("gone", self.gone)

    def after_choice(self, card: int) -> Round:
        """Return what is known after `seat` has set a card of its hand aside.

        The next seat that has yet to do so is to move; in a view, or if there is none, the round begins.
        """
        text = name(card)
        if self.hands is None:
            hand = tuple(held for held in self.hand if held != text)
            return Round(**self.fields("seat", "leader", *NOTHING_TOLD), hand=hand, declared=text)
        declared = tuple(text if seat == self.seat else other for seat, other in enumerate(self.declared))
        hands = tuple(tuple(held for held in hand if held != text) for hand in self.hands)
        others = [(self.seat + step) % SEATS for step in range(1, SEATS)]
        waiting = [seat for seat in others if declared[seat] == NOT_YET]
        if waiting:
            return self.model_copy(update={"seat": waiting[0], "hands": hands, "declared": declared})
        return Round(**self.fields("leader"), hands=hands, declared=declared, history=())

    # Half a memory: the order in force before the first remembered trick may be unknown.

    def void_cards(self, text: str) -> int:
        return of_colour(COLOURS.index(text)) if len(text) == 1 else 1 << number_of(text)

    @property
    def start(self) -> Past[int, Order]:
        return self.replay.start if self.in_part else super().start

    @cached_property
    def _replays(self) -> Sequence[Replay[int, Order]]:
        """The replays of `history`, without `won` and `gone`, for each direction that may have been in force."""
        if not self.in_part:
            return [replay(self.start, self.tricks)]
        leader = self.history[0].leader if self.history else self.leader
        orders = (replace(self.trick_rules, direction=direction) for direction in range(len(DIRECTIONS)))
        return [replay(Past(order, leader, NOTHING), self.tricks) for order in orders]

    @cached_property
    def _possible(self) -> list[Replay[int, Order]]:
        """The replays that lead to the current trick, and with which deals agree.

        Raises PydanticCustomError if there is none.
        """
        if not self.in_part:
            return [*self._replays]
        leading, failure = [], None
        for replayed in self._replays:
            if replayed.fault is not None:
                failure = replayed.fault
                continue
            try:
                past = replayed.past.with_plays(self.current_trick)
                past.check_may_hold(self.seat, past.rules.members(self.hand_mask), lambda: say("in hand"))
            except PydanticCustomError as error:
                failure = error
                continue
            if past.leader == self.leader and DIRECTIONS[past.rules.direction] == self.direction:
                leading.append(replayed)
        if len(leading) > 1:
            possible = []
            for replayed in leading:
                try:
                    self._after(replayed).check_hands()
                except PydanticCustomError as error:
                    failure = error
                else:
                    possible.append(replayed)
            leading = possible
        if not leading:
            message = say(
                "these tricks don't lead to one in which {seat:who} {seat:leads|lead}, {direction}",
                seat=self.leader,
                direction=self.direction,
            )
            raise failure or fault("conflict", message, "history")
        return leading

    def _after(self, replay: Replay[int, Order]) -> Self:
        """Return the view of a player who also knows the order in force before the remembered tricks."""
        view = self.model_copy(update={"seat": self.seat})
        vars(view)["_possible"] = [replay]
        return view

    @property
    def by_order(self) -> list[Self]:
        """This view for each order that may have been in force before the remembered tricks.

        A deal agrees with this view if it agrees with one of these.
        """
        return self._orders or [self]

    @cached_property
    def _orders(self) -> list[Self]:
        return list(map(self._after, self._possible)) if len(self._possible) > 1 else []

    @cached_property
    def replay(self) -> Replay[int, Order]:
        first = self._possible[0]
        if not self.in_part:
            return first
        return replace(first, start=self._with_told(first.start), past=self._with_told(first.past))

    def _with_told(self, past: Past[int, Order]) -> Past[int, Order]:
        """Add the cards of `won` and `gone`."""
        piles = (mask(numbers(pile)) for pile in self.won)
        gone = mask(numbers(self.gone)) & ~sum(past.won)
        return replace(past, won=tuple(map(or_, past.won, piles)), discarded=past.discarded | gone)

    def shown(self, seat: int) -> int:
        if not self.in_part:
            return super().shown(seat)
        shown = ALL
        for replayed in self._possible:  # only what is true in both directions is known
            shown &= replayed.past.with_plays(self.current_trick).excluded(seat)
        return shown


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
