"""Positions and views of a round of King × Alchemy as users send them, validated."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property, reduce
from itertools import zip_longest
from operator import or_
from typing import Annotated, Any, ClassVar, Literal, Self

from pydantic import BaseModel, Discriminator, Field, Tag, model_validator

from solver import decks
from solver.answers import ScoreAnalysis, ScoreMove
from solver.codec import OrText, texts
from solver.common import mask
from solver.decks import deck_of
from solver.errors import Fault
from solver.games.king.deck import CARDS, KIND, USUAL, Deck, DeckData, KingReadings, read_by
from solver.games.king.keys import (
    KingRules,
    Seen,
    TakenTrick,
    cards_at,
    check_gains,
    check_won,
    complete,
    kind_of,
    plays_of,
    taken_trick,
    too_many,
)
from solver.games.king.rules import DEALT, PLAYERS, REMOVED, TRICKS, Masks, Play, State, bottom, winner
from solver.language import say, say_many
from solver.positions import GamePosition
from solver.rule_options import ANY_ON
from solver.tricks.any_round import MISSING, NONE_IF_EMPTY, AnyRound, Keys, amount
from solver.tricks.match import OfMatch
from solver.tricks.positions import (
    Model,
    Past,
    RoundParts,
    check_entries,
    check_seat,
    no_seat,
    places,
    refuse_doubles,
    spread,
)
from solver.validation import all_of, fault, refuse

# ----------------------------------------------------------------------------------------------------
# Parts of King × Alchemy's positions and records: decks, cards, finished tricks.


Card = Annotated[str, Field(strict=True, min_length=1, max_length=20, examples=["F3"])]
Cards = Annotated[tuple[Card, ...], Field(max_length=2 * CARDS), OrText("F3 W11 T2")]
_FEWEST, _MOST = PLAYERS
Hands = Annotated[tuple[Cards, ...], Field(min_length=_FEWEST, max_length=_MOST), OrText("F3,W11/T2/E4")]
Piles = Annotated[tuple[Cards, ...], Field(max_length=2 * _MOST), OrText("F3,W11/T2/E4")]
Seat = Annotated[int, Field(ge=0, lt=_MOST, strict=True)]
TRUMPS = "T"  # in `voids`
DeckField = Annotated[str | DeckData, decks.DeckField(KIND)]

RulesField = Annotated[KingReadings | None, ANY_ON, OrText("late_trump_does_not_lift")]


class FinishedTrick(Model):
    """A finished trick: its leader, the cards in play order, what its winner took and gave.

    `taken` does not include the winner's own card, which it always keeps. If more was given than the rules allow
    (see `as_played`), `also_given` has those cards, and `given_to` the seat that got them instead of the bottom.
    """

    leader: Seat = MISSING
    cards: Annotated[Cards, Field(min_length=_FEWEST, max_length=_MOST)]
    taken: Cards = ()
    given: Card | None = None
    also_given: Cards | None = None
    given_to: Seat | None = None


History = Annotated[
    tuple[FinishedTrick, ...],
    Field(max_length=max(TRICKS.values())),
    OrText("2:F2,F9,E1,W3:take:F2,E1:give:W3"),
]
Dealt = Annotated[
    Annotated[Cards, Tag("one")] | Annotated[Hands, Tag("several")], amount(lambda value: texts(value) is None)
]
Picked = Annotated[
    tuple[Annotated[str, Field(strict=True, max_length=20)], ...], Field(max_length=2 * _MOST), OrText("F3,W11,T2")
]
Void = Annotated[str, Field(strict=True, min_length=1, max_length=20, examples=["F"])]
Voids = Annotated[
    dict[Literal["0", "1", "2", "3", "4"], Annotated[tuple[Void, ...], Field(max_length=CARDS)]],
    Field(max_length=_MOST),
    OrText("2:F/3:W,T"),
]
AsPlayed = Annotated[Cards | None, NONE_IF_EMPTY]


# ----------------------------------------------------------------------------------------------------
# Sets of cards, and rounds.


class CardSet(GamePosition, Model):
    """Cards that a player has won, to be compounded."""

    game: Literal["king"]
    deck: DeckField = "house"
    cards: Annotated[Cards, Field(max_length=CARDS)]

    @property
    def full_deck(self) -> Deck:
        """The deck that the field `deck` names or contains."""
        return deck_of(KIND, self.deck)

    @property
    def numbers(self) -> tuple[int, ...]:
        """The indices of the cards in the deck, in the order listed."""
        return cards_at(self.full_deck, self.cards, "cards")

    @model_validator(mode="after")
    def _check(self) -> Self:
        refuse_doubles(places("cards", self.numbers), self.full_deck.code)
        return self


_ONLY_SENT = "players dealt pick tricks counts"  # which follow, and are never kept
_OF = "totals round for_match game deck rules"
KEYS = Keys(
    {
        "known": "game deck rules leader? trick removed as_played hands! won history players dealt pick",
        "known before": "game deck rules stage seat! leader! hands! won removed players dealt pick",
        "view": f"{_OF} leader? trick removed as_played seat! hand! won? history gone voids {_ONLY_SENT}",
        "view before": f"{_OF} stage seat! leader! hand! removed players dealt",
    },
    kind_of,
    complete,
)


class Round(AnyRound, OfMatch, RoundParts[Play, KingRules]):
    """What somebody knows of a round, at any point of any trick, or before the first, when all pick a card.

    If every card is known, `hands` has all hands. `won` may be left out or incomplete; cards that are not listed
    are out of play. `history` has all finished tricks, from the first on; it is needed only for making views.

    In a view, the other hands are missing: `seat` has this `hand`. `won` has all piles, including the cards picked
    before the first trick; `history` shows who leads, and who could not follow. A player who does not remember
    everything gives the last tricks, as many as are remembered; the cards in `won` that are known to be in a pile
    (the own pile counts as complete); `gone`, cards that are out of the hands, in whatever pile; and `voids`, the
    suits (their letters, and T for trumps) and cards that a seat is known not to hold. `removed` may then be left
    out.

    Before the first trick, `stage` is "pick": `seat` picks a card. Picks are simultaneous and hidden; a seat that
    has picked has its card in `won`, no longer in its hand.

    What follows from other keys may be left out; it is checked if it is given. `players` is their number, `dealt`
    has the cards dealt, instead of those left, `pick` the card that each seat picked; `tricks` and `counts` are
    the numbers of finished tricks and of each hand's cards.
    """

    game: Literal["king"]
    deck: DeckField = "house"
    rules: RulesField = None
    stage: Literal["pick"] = MISSING
    players_given: int = Field(MISSING, alias="players", strict=True, exclude=True)
    leader: Seat = MISSING
    trick: Annotated[Cards, Field(max_length=_MOST)] = MISSING
    removed: Annotated[Cards, Field(max_length=max(REMOVED.values()))] = MISSING
    as_played: AsPlayed = None
    seat: Seat = MISSING
    hand: Cards = MISSING
    hands: Hands = MISSING
    dealt: Dealt = MISSING
    pick: Picked = MISSING
    won: Piles = MISSING
    history: History | None = None
    gone: Cards = MISSING
    counts: Annotated[tuple[Annotated[int, Field(strict=True)], ...], Field(max_length=_MOST)] = MISSING
    voids: Voids = MISSING
    over_given: int = Field(MISSING, alias="tricks", strict=True, exclude=True)  # follows, so it is never kept

    keys: ClassVar[Keys] = KEYS
    every: ClassVar[Sequence[str]] = ("game", "deck", "rules")
    finished_trick: ClassVar[type[BaseModel]] = FinishedTrick

    def _check(self) -> None:
        players, code = self.players, self.full_deck.code
        for key in ("leader", "seat"):
            if getattr(self, key) is not None:
                check_seat(getattr(self, key), players, key)
        if len(self.trick or ()) > players:
            raise fault("wrong_size", say("a trick has at most {players} cards", players=players), "trick")
        if self.won:
            check_entries(self.won, players, "won")
        known = self.viewer is None
        in_hand = spread("hands", self.held) if known else places("hand", self.held[self.seat])
        everywhere = [*in_hand, *places("gone", self.numbers("gone"))]
        everywhere += places("trick", (play.card for play in self.plays))
        everywhere += places("removed", self.numbers("removed"))
        played = [
            card_at for trick in self.tricks for card_at in places(trick.path, (play.card for play in trick.plays))
        ]
        all_of(
            lambda: refuse_doubles([*everywhere, *spread("won", self.piles_told)], code),
            lambda: refuse_doubles([*everywhere, *played], code),
            lambda: self._check_removed(optional=known or self.in_part),
            self._check_voids,
            lambda: self.check_match(players),
            *([self._check_picks] if self.choosing else [self._check_tricks, self.check_sizes]),
            then=[] if self.choosing else [self._check_piles, self.check_hands],
        )

    def _check_removed(self, *, optional: bool) -> None:
        """Raise a fault unless the number of removed cards fits the number of players."""
        removed, players = self.removed or (), self.players
        if len(removed) != REMOVED[players] and (removed or not optional):
            message = say(
                "with {players} players {removed} cards are removed, not {count}",
                players=players,
                removed=REMOVED[players],
                count=len(removed),
            )
            raise fault("wrong_size", message, "removed")

    def _check_tricks(self) -> None:
        self.check_tricks(len(self.tricks) + bool(self.trick))

    def _check_piles(self) -> None:
        """Raise a fault for a card in a wrong pile or, in a view, for piles that lack cards.

        A player who doesn't remember everything need not know the piles.
        """
        if self.in_part:
            check_gains(self.past, self.piles_told)
        elif self.history is not None:
            check_won(self.past, self.piles_told, complete=self.viewer is not None)

    def _check_voids(self) -> None:
        voids = self.voids
        if not voids:
            return
        suits = " ".join((*self.full_deck.suits, TRUMPS))
        wrong = [
            Fault(
                "illegal_card",
                say("{text!r} is neither a suit ({suits}) nor a card of the deck", text=text, suits=suits),
                f"voids.{seat}[{index}]",
            )
            for seat, texts in voids.items()
            for index, text in enumerate(texts)
            if not self._voids_known.keys() & {text, text.upper()}
        ]
        beyond = (seat for seat in voids if int(seat) >= self.players)
        wrong += (Fault("out_of_range", no_seat(int(seat), self.players), f"voids.{seat}") for seat in beyond)
        refuse(wrong)

    def _check_picks(self) -> None:
        """Raise a fault for a hand of the wrong size, or if the seat to pick has picked."""
        for seat, (hand, picked) in enumerate(zip(self.hands or (), self.picked, strict=False)):
            if len(picked) > 1:
                raise fault(
                    "wrong_size",
                    say("{seat:who} {seat:picks|pick} one card, not {count}", seat=seat, count=len(picked)),
                    f"won[{seat}]",
                )
            size = DEALT[self.players] - len(picked)
            if len(hand) != size:
                when = say("after") if picked else say("before")
                message = say_many(
                    "{seat:who} {seat:has|have} {count} card; {when} {seat:its|your} pick a hand has {size}",
                    "{seat:who} {seat:has|have} {count} cards; {when} {seat:its|your} pick a hand has {size}",
                    len(hand),
                    seat=seat,
                    when=when,
                    size=size,
                )
                raise fault("wrong_size", message, f"hands[{seat}]")
        if self.picked[self.seat]:
            message = say(
                "{seat:who} {seat:is|are} to pick, but {seat:has|have} already picked {picked}",
                seat=self.seat,
                picked=self.picked[self.seat][0],
            )
            raise fault("conflict", message, "seat")

    # What follows from the keys.

    @cached_property
    def full_deck(self) -> Deck:
        """The deck, with the rule options in force."""
        return read_by(deck_of(KIND, self.deck), self.rules or USUAL)

    @property
    def players(self) -> int:
        by_hand = (players for players, size in DEALT.items() if size == len(self.hand))
        return len(self.hands or self.won or ()) or next(by_hand)

    @property
    def choosing(self) -> bool:
        """Whether `seat` is to pick a card, before the first trick."""
        return self.stage is not None

    @property
    def whole_hand(self) -> int:
        return TRICKS[self.players]

    @property
    def too_many(self) -> str:
        return too_many(self.players)

    @property
    def all_cards(self) -> int:
        return (1 << CARDS) - 1

    def numbers(self, key: str) -> tuple[int, ...]:
        """The cards of a list."""
        return tuple(map(self.full_deck.index.__getitem__, getattr(self, key) or ()))

    @cached_property
    def plays(self) -> tuple[Play, ...]:
        return plays_of(self.full_deck, self.trick or ())

    @cached_property
    def tricks(self) -> tuple[TakenTrick, ...]:
        tricks = enumerate(self.history or ())
        return tuple(taken_trick(self.full_deck, vars(trick), number) for number, trick in tricks)

    @cached_property
    def held(self) -> tuple[Any, ...]:
        index = self.full_deck.index.__getitem__
        if self.viewer is None:
            return tuple(tuple(map(index, hand)) for hand in self.hands)
        own = self.numbers("hand")
        return tuple(own if seat == self.seat else None for seat in range(self.players))

    @cached_property
    def hand_masks(self) -> Masks:
        """Each hand as a mask, before the first trick with the card picked, which nobody sees yet; 0 if hidden."""
        hands = super().hand_masks
        if not self.choosing:
            return hands
        return tuple(hand | mask(pick or ()) for hand, pick in zip_longest(hands, self.piles_told))

    @property
    def start(self) -> Seen:
        leader = self.history[0].leader if self.history else self.leader
        rules = KingRules(self.full_deck, self.players, mask(self.numbers("as_played")))
        return Past(rules, leader, (0,) * self.players)

    @property
    def trick_is_full(self) -> bool:
        """Whether the trick is complete, so that the next move is its winner's taking."""
        return len(self.trick or ()) == self.players

    @property
    def seat_to_move(self) -> int:
        """The seat that picks, or plays the next card or, for a full trick, its winner."""
        if self.choosing:
            return self.seat
        if not self.trick_is_full:
            return super().seat_to_move
        return (self.leader + winner(self.full_deck, self.plays)) % self.players

    @property
    def derived(self) -> dict[str, object] | None:
        """The seat `bottom` that gets a card of a full trick; None before the trick is full, or if nobody does."""
        turn = bottom(self.full_deck, self.plays) if self.trick_is_full else None
        return None if turn is None else {"bottom": (self.leader + turn) % self.players}

    @property
    def is_fresh(self) -> bool:
        placed = sum(map(len, (*self.hands, *self.won))) + len(self.trick)
        return placed == CARDS - REMOVED[self.players] and all(len(pile) == 1 for pile in self.won)

    @cached_property
    def state(self) -> State:
        return State(self.full_deck, self.hand_masks, self.leader, self.plays, self.piles)

    @property
    def picked(self) -> tuple[Cards, ...]:
        """Before the first trick, the card that each seat has picked, if any."""
        return self.won or ((),) * self.players

    @cached_property
    def piles_told(self) -> tuple[tuple[int, ...], ...]:
        """The cards of the field `won`, in the order listed."""
        return tuple(tuple(map(self.full_deck.index.__getitem__, pile)) for pile in self.won or ())

    @cached_property
    def piles(self) -> Masks:
        """The cards that each seat has won, as masks: those in `won`, and those of the `history`."""
        return tuple(mask(pile or ()) | gained for pile, gained in zip_longest(self.piles_told, self.past.won))

    @property
    def seen_elsewhere(self) -> int:
        return mask((*self.numbers("removed"), *self.numbers("gone"))) | reduce(or_, self.piles)

    def void_cards(self, text: str) -> int:
        return self._voids_known[text if text in self._voids_known else text.upper()]

    @property
    def _voids_known(self) -> Mapping[str, int]:
        """The possible entries of `voids`, each with the mask of the cards that it stands for."""
        deck = self.full_deck
        suits = dict(zip((*deck.suits, TRUMPS), deck.of_suit, strict=False))
        return suits | {code: 1 << card for code, card in deck.index.items()}


# ----------------------------------------------------------------------------------------------------
# Types of answers: values are the points of a round.


class KingMove(ScoreMove):
    """A possible play or taking, and the final points that it leads to."""


class KingAnalysis(ScoreAnalysis):
    """The value of a round with every card known: the points of `player`, or under `maxn` of each seat.

    Points include the cards won and the best compounding.
    """

    moves: tuple[KingMove, ...]


# ----------------------------------------------------------------------------------------------------
# The kinds of King × Alchemy's positions, distinguished by their keys.


def _kind(data: Any) -> str:
    """The tag of a position's type, found from its keys."""
    is_set = "cards" in data if isinstance(data, Mapping) else isinstance(data, CardSet)
    return "a set of cards" if is_set else "a round"


Position = Annotated[
    Annotated[Round, Tag("a round")] | Annotated[CardSet, Tag("a set of cards")], Discriminator(_kind)
]
