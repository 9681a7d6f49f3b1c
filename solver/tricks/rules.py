"""What a game of tricks says about its rules, so that the parts that all of them share can work with it.

Seats count from 0 clockwise. A card is a number, its place in the deck's canonical order; a set of cards is a
mask, bit c for card c. A *play* is a card as it is played: the number itself in most games, or a value that says
more (a Dancer with the suit that it is named).
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Generic, NamedTuple, Self, TypeVar

from solver.common import mask, members
from solver.language import say

P = TypeVar("P")
R = TypeVar("R")

Masks = tuple[int, ...]  # one mask a seat


@dataclass(frozen=True, slots=True)
class Trick(Generic[P]):
    """Plays in order, the first by `leader`; `path` is where they stand in the position."""

    leader: int
    plays: tuple[P, ...]
    path: str

    def by_seat(self, players: int) -> Iterator[tuple[int, P, str]]:
        """Each play with its seat and its path."""
        for place, play in enumerate(self.plays):
            yield (self.leader + place) % players, play, f"{self.path}[{place}]"

    @property
    def whole_path(self) -> str:
        """Where the trick stands in the position, with its leader and what else it has."""
        return self.path.removesuffix(".cards")


class Finish(NamedTuple, Generic[R]):
    """How a full trick ends: who leads next, who gets which mask of its cards, and the rules from then on."""

    leader: int
    gains: Sequence[tuple[int, int]]
    rules: R


class TrickRules(ABC, Generic[P]):
    """The rules in force during one trick. Objects are immutable and compare by value.

    A game whose rules depend on the position (a trump suit, a direction) has them in the object; where a trick
    changes them, `finish` returns the new ones.
    """

    @property
    @abstractmethod
    def players(self) -> int:
        """How many seats there are."""

    @abstractmethod
    def name(self, card: int) -> str:
        """The text of a card."""

    @abstractmethod
    def card(self, play: P) -> int:
        """The card that is played."""

    def play_text(self, play: P) -> str:
        """The text of a play."""
        return self.name(self.card(play))

    @abstractmethod
    def excluded(self, trick: Sequence[P], play: P) -> int:
        """The cards of which a seat shows, by a play next to at least one other, that it holds none.

        0 where the play follows as it should.
        """

    @abstractmethod
    def finish(self, trick: Trick[P]) -> Finish[Self]:
        """How a full trick ends. Raises a fault for what it says about itself that is against the rules."""

    # Words of messages: "seat 1 could not play S1 to D3 (ascending): B4 in hand had to follow".

    def lead_text(self, lead: P) -> str:
        """What had to be followed, when `lead` was led."""
        return self.play_text(lead)

    @property
    def in_force(self) -> str:
        """What a reader must know to see that a card had to follow, in brackets after a blank; or nothing."""
        return ""

    def duty(self, lead: P, **told: object) -> str:
        """The message that a seat did not follow `lead` with a card that it had.

        `told` are the seat, the play, the card and where it is shown later.
        """
        return say("seat {seat} could not play {play}: {card} {where} had to follow", **told)


class CardRules(TrickRules[int]):
    """The rules of a plain game of tricks: a play is a card, and the winner of a trick takes all of it."""

    @property
    @abstractmethod
    def deck(self) -> tuple[str, ...]:
        """The texts of all cards, in canonical order."""

    @property
    @abstractmethod
    def hand_size(self) -> int:
        """How many cards each seat plays in a round: the number of its tricks."""

    @abstractmethod
    def playable(self, hand: int, trick: Sequence[int]) -> int:
        """The mask of the cards of a hand that may be played next to an unfinished trick, which may be empty."""

    @abstractmethod
    def winner(self, trick: Sequence[int]) -> int | None:
        """The place in a trick (0 for the lead) of the card that wins; None when nobody takes it.

        The same seat leads again then, and the cards are discarded. Of an unfinished trick it is the card that
        wins so far: the reasons of hints ask which cards would beat it.
        """

    def after(self, trick: Sequence[int]) -> Self:
        """The rules in force when a full trick is over: these, unless tricks change them."""
        return self

    @property
    def all_cards(self) -> int:
        """The mask of the deck."""
        return (1 << len(self.deck)) - 1

    @property
    def numbers(self) -> Mapping[str, int]:
        """The number of each card, by its text."""
        return _numbers(self.deck)

    def name(self, card: int) -> str:
        return self.deck[card]

    def names(self, cards: int) -> tuple[str, ...]:
        """The texts of a mask's cards, in canonical order."""
        return tuple(self.deck[card] for card in members(cards))

    def card(self, play: int) -> int:
        return play

    def no_card(self, text: str) -> str:
        """The message about a text that names no card."""
        return say(
            "{text!r} is no card; cards are like {first} and {last}",
            text=text,
            first=self.deck[0],
            last=self.deck[-1],
        )

    def excluded(self, trick: Sequence[int], play: int) -> int:
        """All that could be played by a holder of all cards, unless the play is among it.

        That is right where one set of cards has to be played if the hand has any of it, and otherwise anything
        goes. A game of chained duties (follow, else trump) has to say it itself.
        """
        follows = self.playable(self.all_cards, trick)
        return 0 if follows >> play & 1 else follows

    def finish(self, trick: Trick[int]) -> Finish[Self]:
        place = self.winner(trick.plays)
        rules = self.after(trick.plays)
        if place is None:
            return Finish(trick.leader, (), rules)
        taker = (trick.leader + place) % self.players
        return Finish(taker, ((taker, mask(trick.plays)),), rules)


class PlainRules(CardRules):
    """The rules of a plain game (`solver.tricks.plain`): what is won alone tells the score."""

    @abstractmethod
    def points(self, won: Sequence[int]) -> tuple[int, ...]:
        """The score of each seat that has won these masks of cards; partners both have their side's."""


@cache
def _numbers(deck: tuple[str, ...]) -> Mapping[str, int]:
    return {text: card for card, text in enumerate(deck)}
