"""A ready-made plain trick game: positions, views, moves. A game adds its name, rules and extra fields.

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

With these bases, the game's own fields come first, then `leader`, `trick` and the rest.

The functions below have the signatures of `solver.game.Game`: `solver.tricks.PlainTrickGame` names their places. A
game writes anything else itself, with parts from `solver.tricks.positions`, `moves` and `observing`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import (
    TYPE_CHECKING,
    Annotated,
    Any,
    ClassVar,
    NamedTuple,
    Self,
    TypeVar,
)

import numpy as np
from pydantic import BaseModel, Field, model_validator

from solver.answers import Analysis, MoveValue, Score
from solver.codec import (
    DEALT,
    OrText,
)
from solver.common import mask, members, one_after_another, points_counted
from solver.findings import all_of, fault
from solver.hints.causes import Claim, Noted, Predicate, Told, behind, where
from solver.hints.ranking import Lead
from solver.kernels.words import Words
from solver.language import say, say_many
from solver.positions import AnyPosition
from solver.tricks import moves
from solver.tricks.causes import PREDICATES as TRICK_PREDICATES
from solver.tricks.causes import Pair, Played
from solver.tricks.positions import (
    CardKnown,
    CardRound,
    CardView,
    Model,
    check_entries,
    check_seat,
    places,
    refuse_doubles,
    spread,
)
from solver.tricks.rules import CardState, PlainRules

if TYPE_CHECKING:
    pass


State = CardState[PlainRules]


def points(state: State) -> tuple[int, ...]:
    """The score of each seat so far."""
    return state.rules.points(state.won)


_MOST_CARDS = 128  # in any list; a deck is a mask of 64 bits

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


class _Round(AnyPosition, Model, CardRound[PlainRules]):
    """Shared by positions and views."""

    leader: Seat
    trick: Cards = ()

    def _check_round(self) -> None:
        """Check the sizes that depend on the number of players, and the texts of the cards that were played."""
        check_seat(self.leader, self.players, "leader")
        if len(self.trick) >= self.players:
            raise fault(
                "wrong_size",
                say("an unfinished trick has at most {players} cards", players=self.players - 1),
                "trick",
            )
        for index, trick in enumerate(self.history or ()):
            check_seat(trick.leader, self.players, f"history[{index}].leader")
        tricks = len(self.tricks) + (len(self.plays) > 0)
        if tricks > self.whole_hand:
            path = "trick" if self.trick else "history"
            raise fault(
                "wrong_size",
                say("a round has {whole_hand} tricks, not {tricks}", whole_hand=self.whole_hand, tricks=tricks),
                path,
            )


class KnownPosition(_Round, CardKnown[PlainRules]):
    """A round with every card known, at any card of any trick.

    `won` may be left out or incomplete; cards that are nowhere are out of play. `history` has the finished tricks
    from the first on; it is needed only for making views.
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
        """The round in plain Python, for analyses."""
        past = self.past
        return State(past.rules, self.hand_masks, self.leader, self.plays, past.won)

    @property
    def points(self) -> tuple[int, ...]:
        """The score of each seat so far."""
        return self.trick_rules.points(self.past.won)


class View(_Round, CardView[PlainRules]):
    """What one player sees during the round; each seat's piles and possible cards follow from `history`."""

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
    """The tag of a position by its keys: "seen" for a view, else "all-known"."""
    if isinstance(data, BaseModel):
        return "seen" if isinstance(data, View) else "all-known"
    return "seen" if isinstance(data, Mapping) and "hand" in data else "all-known"


def _round(position: BaseModel) -> KnownPosition | View:
    assert isinstance(position, KnownPosition | View)
    return position


def as_known(position: BaseModel) -> KnownPosition:
    """The position, if all its cards are known. Raises RequestError for a view."""
    position = _round(position)
    if isinstance(position, View):
        raise moves.hidden_hands(say("all hands"))
    return position


def as_view(position: BaseModel) -> View:
    """The position, if it is a view. Raises RequestError if every card is known."""
    position = _round(position)
    if isinstance(position, KnownPosition):
        raise moves.nothing_hidden()
    return position


def asks(position: BaseModel) -> frozenset[str]:
    """The questions that can be asked about a position: a hint for a view, an analysis otherwise."""
    known = isinstance(_round(position), KnownPosition)
    return frozenset({"analyze", "best-move", "value"}) if known else frozenset({"hint"})


def legal_moves(position: BaseModel) -> Sequence[int]:
    """The cards that may be played, in canonical order.

    Empty when the round is over, and in a view while another seat is to move.
    """
    return moves.legal_cards(_round(position))


def parse_move(position: BaseModel, text: str) -> int:
    """The legal move that a card's text means. Raises MoveError with the reason if there is none."""
    position = _round(position)
    card = moves.card_of(position.trick_rules, text)
    moves.check_card(position, card)
    return card


def format_move(position: BaseModel, move: int) -> str:
    """The text of a move."""
    return _round(position).trick_rules.name(move)


def play(position: BaseModel, move: int) -> KnownPosition:
    """The position after a legal move.

    Raises MoveError for an illegal move, RequestError for a view, where other hands are hidden.
    """
    position = _round(position)
    if isinstance(position, View):
        raise moves.view_not_played()
    moves.check_card(position, move)
    return moves.after(position, move, FinishedTrick)


def view(position: BaseModel, seat: int) -> View:
    """What the player in `seat` sees.

    Raises RequestError for a position without its earlier tricks (`history`), and for another seat's view of a
    view.
    """
    position = _round(position)
    moves.check_viewer(seat, position.players, position.seat if isinstance(position, View) else None)
    if isinstance(position, View):
        return position
    history = moves.history_seen(position)
    public = common_fields(position, position.view_type)
    return position.view_type(**public, seat=seat, hand=position.hands[seat], history=history)


def observe(position: BaseModel, texts: Sequence[str]) -> tuple[BaseModel, int]:
    """A view after the first of `texts`, a card played, and 1, the texts used. Raises MoveError."""
    return moves.observe_card(as_view(position), texts[0], FinishedTrick), 1


def possible(position: BaseModel) -> Sequence[str]:
    """The cards that the seat to move could play, given a view."""
    return moves.possible_cards(as_view(position))


def with_hands(kind: type[K], view: View, hands: Sequence[int]) -> K:
    """A view with every card known, as a position of type `kind`: `hands` are masks, by seat.

    The reverse of `view`. The seat's own hand keeps its order.
    """
    texts = [view.trick_rules.names(hand) for hand in hands]
    texts[view.seat] = view.hand
    return kind(**common_fields(view, kind), hands=tuple(texts), history=view.history)


def common_fields(one: BaseModel, other: type[BaseModel]) -> dict[str, Any]:
    """The values of the fields that both models have, except the history."""
    names = type(one).model_fields.keys() & other.model_fields.keys() - {"history"}
    return {name: getattr(one, name) for name in names}


def deal(kind: type[K], rules: PlainRules, seed: int, number: int = 0, **fields: object) -> K:
    """Deal `number` of a seed as a position of type `kind`; seat 0 leads. `fields` has the game's own fields."""
    hands = moves.shuffled(len(rules.deck), [rules.hand_size] * rules.players, seed, number)[:-1]
    texts = tuple(tuple(map(rules.name, sorted(hand))) for hand in hands)
    return kind(**{"leader": 0, **fields, "hands": texts, "history": ()})


# ----------------------------------------------------------------------------------------------------
# Types of answers for games with points: one player's score or each seat's.


Scores = tuple[int, ...]  # one score per seat
Points = int | Scores  # one player's (paranoid, ally), or everybody's (maxn)
Bounds = tuple[int, int] | tuple[Scores, Scores]  # least and most; of everybody's scores, seat by seat


class ScoreMove(MoveValue):
    """A move, and the final score that it leads to."""

    value: Points | None
    bounds: Bounds


class ScoreAnalysis(Analysis):
    """The value of a round with every card known: the score of `player`, or under `maxn` of each seat."""

    value: Points | None
    bounds: Bounds | None
    moves: tuple[ScoreMove, ...]


class MatchScore(Score):
    """The points of each round and in all, seat by seat.

    `winners` has every seat with the highest total, since ties share; None before the last round is over.
    """

    game: str
    rounds: tuple[Scores, ...]
    totals: Scores
    winners: tuple[int, ...] | None
    finished: bool


# ----------------------------------------------------------------------------------------------------
# Possible causes of the lead of a card in a plain game: who can beat it, who has to follow, what is kept back.
#
# Everything comes from the game's rules (`solver.tricks.rules.PlainRules`), so a game gets it for free: a card
# beats the trick if it is `playable` and then the `winner`, and a hand has to follow if it has any of the cards
# that a player with all cards would have to choose from.


class _Cards(NamedTuple):
    """Two compared cards of a view, and the worlds."""

    pair: Pair
    view: View
    other: int
    noted: Noted


def because(
    view: View, cards: Sequence[int], noted: Noted, ahead: Lead, _rollouts: object = None
) -> Sequence[Told]:
    """The causes of a lead (`solver.hints.causes`). `noted` has the hands of each world, as masks by seat."""
    best, other = (_played(view, cards[place], noted) for place in (ahead.best, ahead.second))
    cards_of = _Cards(Pair(best, other, view.past.rules.name), view, cards[ahead.second], noted)
    return behind(_PREDICATES, cards_of, noted, ahead)


def _played(view: View, card: int, noted: Noted) -> Played:
    rules, trick = view.past.rules, (*view.plays, card)
    later = [(view.seat + step) % view.players for step in range(1, view.players - len(view.plays))]
    beaten_by = None
    if rules.winner(trick) == len(view.plays):
        beating = _beating(rules, trick, view.unseen)
        beaten_by = {seat: _playable(rules, noted.words[:, seat], trick) & beating for seat in later}
    follow = rules.playable(rules.all_cards, trick[:1])
    follows = {seat: (noted.words[:, seat] & follow) != 0 for seat in later}
    return Played(rules.name(card), rules.lead_text(trick[0]), beaten_by, follows)


def _kept(cards: _Cards) -> Iterator[Claim]:
    """The next best card, if kept back, cannot be beaten by any other hand when it is led."""
    view, trick = cards.view, (cards.other,)
    rules = view.past.rules
    beating = _beating(rules, trick, view.unseen)
    safe = np.ones(len(cards.noted.words), np.bool_)
    for seat in range(view.players):
        if seat != view.seat:
            safe &= (_playable(rules, cards.noted.words[:, seat], trick) & beating) == 0
    yield where(safe, card=rules.name(cards.other))


_PREDICATES: tuple[Predicate[_Cards], ...] = (
    *(row.of(lambda cards: cards.pair) for row in TRICK_PREDICATES),
    Predicate(
        "kept_is_high",
        "Kept back, {card} can be led later and not be beaten, in {share} of deals.",
        _kept,
        "later",
    ),
)


def _beating(rules: PlainRules, trick: tuple[int, ...], cards: int) -> int:
    """The cards of a mask that would win the trick so far."""
    return mask(card for card in members(cards) if rules.winner((*trick, card)) == len(trick))


def _playable(rules: PlainRules, hands: Words, trick: tuple[int, ...]) -> Words:
    """The cards that each hand may play next to an unfinished trick, as masks."""
    return np.array([rules.playable(hand, trick) for hand in hands.tolist()], np.int64)


# ----------------------------------------------------------------------------------------------------
# Positions of a plain trick game as labelled lines for a person.


Rows = list[tuple[str, str]]
NONE = "–"


def trick_text(leader: int, players: int, texts: Sequence[str]) -> str:
    """The plays of a trick with their seats: seat 3 D6, seat 0 B4."""
    seats = ((leader + place) % players for place in range(len(texts)))
    return one_after_another(
        say("seat {seat} {text}", seat=seat, text=text) for seat, text in zip(seats, texts, strict=True)
    )


def describe(position: BaseModel) -> Rows:
    """The position as labelled lines; `about` has the game's own."""
    assert isinstance(position, KnownPosition | View)
    return _known(position) if isinstance(position, KnownPosition) else _seen(position)


def _known(position: KnownPosition) -> Rows:
    over = not any(position.hands)
    rows = list(position.about)
    for seat, hand in enumerate(position.hand_masks):
        marks = [say_many("{count} point so far", "{count} points so far", position.points[seat])]
        marks += [say("to move")] * (seat == position.seat_to_move and not over)
        rows.append((say("Seat {seat}", seat=seat), f"{_listed(position, hand)}   ({say('; ').join(marks)})"))
    return [*rows, _trick_row(position)]


def _seen(position: View) -> Rows:
    rows = [
        (say("You"), say("seat {seat}", seat=position.seat)),
        (say("Hand"), _listed(position, position.hand_mask)),
        *position.about,
        _trick_row(position),
        tricks_row(len(position.history), position.whole_hand),
    ]
    if position.history:
        last = position.history[-1]
        plays = trick_text(last.leader, position.players, last.cards)
        told = say("{plays}; seat {seat} leads now", plays=plays, seat=position.leader)
        rows.append((say("Last trick"), told))
    points = position.trick_rules.points(position.past.won)
    rows += [
        (say("Seat {seat} won", seat=seat), f"{_listed(position, pile)}   ({points_counted(points[seat])})")
        for seat, pile in enumerate(position.past.won)
        if pile
    ]
    return rows


def _listed(position: KnownPosition | View, cards: int) -> str:
    return " ".join(position.trick_rules.names(cards)) or NONE


def _trick_row(position: KnownPosition | View) -> tuple[str, str]:
    plays = trick_text(position.leader, position.players, position.trick)
    return say("Trick"), plays or say("none yet; seat {seat} leads", seat=position.leader)


def tricks_row(played: int, of: int) -> tuple[str, str]:
    """How many tricks of the round have been played."""
    return say("Tricks"), say("{count} of {of} played", count=played, of=of)
