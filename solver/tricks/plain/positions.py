"""A plain game of tricks, ready-made: positions, views, their moves. A game adds its name, rules and extra fields.

    class Whist(Model):
        game: Literal["whist"]
        trump: Suit | None = None

        @property
        def trick_rules(self) -> WhistRules: ...

    class View(plain.View, Whist): ...
    class KnownPosition(plain.KnownPosition, Whist):
        view_type: ClassVar[type[plain.View]] = View

    Position = Annotated[
        Annotated[KnownPosition, Tag("all-known")] | Annotated[View, Tag("seen")], Discriminator(plain.kind)
    ]

So the fields come in the order of the game's own, then `leader`, `trick` and the rest.

The functions below have the signatures of `solver.protocol.game.Game`, so that the game's face can name them by
their places (`solver.tricks.plain.face.PLAIN_GAME`). What a game needs beyond them it writes itself, with the
parts in `solver.tricks.cards`, `moves` and `questions` that these are made of.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Annotated, Any, ClassVar, Self, TypeVar

from pydantic import BaseModel, Field, model_validator

from solver.inputs.faults import all_of, fault
from solver.notation.schema import DEALT, OrText
from solver.positions import Shown
from solver.tricks import moves, questions
from solver.tricks.cards import CardKnown, CardRound, CardView
from solver.tricks.fields import Model, check_entries, check_seat, places, refuse_doubles, spread
from solver.tricks.plain.state import State
from solver.tricks.rules import PlainRules

_MOST_CARDS = 128  # of any list; a deck is a mask of 64 bits

Card = Annotated[str, Field(strict=True, min_length=1, max_length=20)]
Cards = Annotated[tuple[Card, ...], Field(max_length=_MOST_CARDS), OrText("CA C2")]
Piles = Annotated[tuple[Cards, ...], Field(max_length=_MOST_CARDS, fail_fast=True), OrText("CA,C2/CK,C3")]
Seat = Annotated[int, Field(ge=0, strict=True)]


class FinishedTrick(Model):
    """A trick that was played to its end: its leader, and the cards in play order."""

    leader: Seat
    cards: Cards

    inferred: ClassVar[frozenset[str]] = frozenset({"leader"})


History = Annotated[
    tuple[FinishedTrick, ...], Field(max_length=_MOST_CARDS, fail_fast=True), OrText("0:CA,C2,C3,C4")
]


class _Round(Shown, Model, CardRound[PlainRules]):
    """What positions and views share."""

    leader: Seat
    trick: Cards = ()

    def _check_round(self) -> None:
        """The sizes that depend on the number of players, and the texts of the cards that have been played."""
        check_seat(self.leader, self.players, "leader")
        if len(self.trick) >= self.players:
            raise fault("wrong_size", f"an unfinished trick has at most {self.players - 1} cards", "trick")
        for index, trick in enumerate(self.history or ()):
            check_seat(trick.leader, self.players, f"history[{index}].leader")
        tricks = len(self.tricks) + (len(self.plays) > 0)
        if tricks > self.whole_hand:
            path = "trick" if self.trick else "history"
            raise fault("wrong_size", f"a round has {self.whole_hand} tricks, not {tricks}", path)


class KnownPosition(_Round, CardKnown[PlainRules]):
    """A round with every card known, at any card of any trick.

    `won` may be left out or incomplete; cards that are nowhere are out of play. `history`, the finished tricks
    from the first one on, is optional: only what a player has seen (a view) needs it.
    """

    hands: Piles
    won: Piles = ()
    history: History | None = None

    inferred: ClassVar[frozenset[str]] = frozenset({"leader", "hands"})
    instead: ClassVar[Mapping[str, Any]] = {"dealt": DEALT}

    view_type: ClassVar[type[View]]  # the game's view

    @model_validator(mode="after")
    def _check(self) -> Self:
        self._check_round()
        all_of(
            lambda: check_entries(self.hands, self.players, "hands"),
            lambda: check_entries(self.won, self.players, "won") if self.won else None,
        )
        all_of(lambda: self.held, lambda: self.piles_told)
        everywhere = [*spread("hands", self.hands), *self.played_places]
        all_of(lambda: refuse_doubles(everywhere), self.check_sizes, then=[self.check_hands])
        return self

    @cached_property
    def state(self) -> State:
        """The same in plain Python, as analyses take it."""
        past = self.past
        return State(past.rules, self.hand_masks, self.leader, self.plays, past.won)

    @property
    def points(self) -> tuple[int, ...]:
        """The score of each seat so far."""
        return self.trick_rules.points(self.past.won)


class View(_Round, CardView[PlainRules]):
    """What one player sees during the round; who has won what, and who cannot hold what, follow from `history`."""

    seat: Seat
    hand: Cards
    history: History = ()

    inferred: ClassVar[frozenset[str]] = frozenset({"leader", "hand"})
    instead: ClassVar[Mapping[str, Any]] = {"dealt": DEALT}

    @model_validator(mode="after")
    def _check(self) -> Self:
        self._check_round()
        check_seat(self.seat, self.players, "seat")
        assert self.cards_held or not self.hand
        everywhere = [*places("hand", self.hand), *self.played_places]
        all_of(lambda: refuse_doubles(everywhere), self.check_size, then=[self.check_hidden_hands])
        return self


K = TypeVar("K", bound=KnownPosition)
V = TypeVar("V", bound=View)


def kind(data: Any) -> str:
    """Which tag a position has, by its keys: "seen" for a view, "all-known"."""
    if isinstance(data, BaseModel):
        return "seen" if isinstance(data, View) else "all-known"
    return "seen" if isinstance(data, Mapping) and "hand" in data else "all-known"


def _round(position: BaseModel) -> KnownPosition | View:
    assert isinstance(position, KnownPosition | View)
    return position


def as_known(position: BaseModel) -> KnownPosition:
    """The position, when all its cards are known. Raises RequestError for a view."""
    position = _round(position)
    if isinstance(position, View):
        raise questions.hidden_hands("all hands")
    return position


def as_view(position: BaseModel) -> View:
    """The position, when it is what one player sees. Raises RequestError where every card is known."""
    position = _round(position)
    if isinstance(position, KnownPosition):
        raise questions.nothing_hidden()
    return position


def asks(position: BaseModel) -> frozenset[str]:
    """The questions that a position can be asked: of a view, where cards are hidden, a hint."""
    known = isinstance(_round(position), KnownPosition)
    return frozenset({"analyze", "best-move", "value"}) if known else frozenset({"hint"})


def legal_moves(position: BaseModel) -> Sequence[int]:
    """The cards that may be played, in canonical order.

    None when the round is over, and in a view while another seat is to move.
    """
    return moves.legal_cards(_round(position))


def parse_move(position: BaseModel, text: str) -> int:
    """The legal move that a card's text means. Raises MoveError that says why it is none."""
    position = _round(position)
    card = moves.card_of(position.trick_rules, text)
    moves.check_card(position, card)
    return card


def format_move(position: BaseModel, move: int) -> str:
    """The text of a move."""
    return _round(position).trick_rules.name(move)


def play(position: BaseModel, move: int) -> KnownPosition:
    """The position after a legal move.

    Raises MoveError for a move that is not legal, RequestError for a view, where the others' cards are hidden.
    """
    position = _round(position)
    if isinstance(position, View):
        raise questions.view_not_played()
    moves.check_card(position, move)
    return moves.after(position, move, FinishedTrick)


def view(position: BaseModel, seat: int) -> View:
    """What the player in `seat` sees.

    Raises RequestError for a position that does not tell the tricks before (no `history`), and for another seat's
    view of a view.
    """
    position = _round(position)
    questions.check_viewer(seat, position.players, position.seat if isinstance(position, View) else None)
    if isinstance(position, View):
        return position
    history = moves.history_seen(position)
    public = common_fields(position, position.view_type)
    return position.view_type(**public, seat=seat, hand=position.hands[seat], history=history)


def with_hands(kind: type[K], view: View, hands: Sequence[int]) -> K:
    """A view with every card known, as a position of a game's kind: `hands` are masks, by seat.

    That is the way back from `view`. The own hand keeps the order in which the view lists it.
    """
    texts = [view.trick_rules.names(hand) for hand in hands]
    texts[view.seat] = view.hand
    return kind(**common_fields(view, kind), hands=tuple(texts), history=view.history)


def common_fields(one: BaseModel, other: type[BaseModel]) -> dict[str, Any]:
    """The values of the fields that are in both models, but for the history."""
    names = type(one).model_fields.keys() & other.model_fields.keys() - {"history"}
    return {name: getattr(one, name) for name in names}


def deal(kind: type[K], rules: PlainRules, seed: int, number: int = 0, **fields: object) -> K:
    """Deal `number` of a seed as a position of this kind; seat 0 leads. `fields` has the game's own fields."""
    hands = moves.shuffled(len(rules.deck), [rules.hand_size] * rules.players, seed, number)[:-1]
    texts = tuple(tuple(map(rules.name, sorted(hand))) for hand in hands)
    return kind(**{"leader": 0, **fields, "hands": texts, "history": ()})
