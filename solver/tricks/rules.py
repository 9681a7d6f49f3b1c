"""Interfaces by which a trick game states its rules to the shared code.

Seats count from 0 clockwise. A card is a number; a set of cards is a mask, bit c for card c. A *play* is a card
as it is played: the number itself in most games, or a value with more information (such as a joker with the suit
named for it).
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Generic, NamedTuple, Self, TypeVar

from solver.common import mask, members
from solver.language import say

P = TypeVar("P")
R = TypeVar("R")

Masks = tuple[int, ...]  # one mask per seat


@dataclass(frozen=True, slots=True)
class Trick(Generic[P]):
    """A trick: its plays in order, the first by `leader`. `path` is their place in the position."""

    leader: int
    plays: tuple[P, ...]
    path: str

    def by_seat(self, players: int) -> Iterator[tuple[int, P, str]]:
        """Yield each play as its seat, the play, and its path."""
        for index, play in enumerate(self.plays):
            yield (self.leader + index) % players, play, f"{self.path}[{index}]"

    @property
    def whole_path(self) -> str:
        """The path of the whole trick, including its leader and other keys."""
        return self.path.removesuffix(".cards")


class Finish(NamedTuple, Generic[R]):
    """The result of a full trick.

    `leader` leads the next one, `gains` pairs seats with masks of the cards they get, and `rules` hold from now
    on.
    """

    leader: int
    gains: Sequence[tuple[int, int]]
    rules: R


class TrickRules(ABC, Generic[P]):
    """The rules in force during one trick. Objects are immutable and compare by value.

    They include what can differ between positions, such as a trump suit; if a trick changes them, `finish`
    returns the new ones.
    """

    as_played: int = 0  # the mask of the cards that were played, or whose trick was taken, against the rules

    @property
    @abstractmethod
    def players(self) -> int:
        """The number of seats."""

    @abstractmethod
    def name(self, card: int) -> str:
        """The text of a card, such as ``D6``."""

    def members(self, cards: int) -> Iterable[int]:
        """The cards of a mask, in canonical order; by default that of their numbers."""
        return members(cards)

    @abstractmethod
    def card(self, play: P) -> int:
        """The index in the deck of the card that is played."""

    def play_text(self, play: P) -> str:
        """The text of a play; by default that of its card."""
        return self.name(self.card(play))

    @abstractmethod
    def excluded(self, trick: Sequence[P], play: P) -> int:
        """The mask of cards that a seat can't have held if it legally added `play` to `trick`.

        The mask is 0 if the play follows the lead or, with `trick` empty, may be led from any hand.
        """

    @abstractmethod
    def finish(self, trick: Trick[P]) -> Finish[Self]:
        """Return the result of a full trick. Raises a fault if the trick's own data break the rules."""

    # Words of messages: "seat 1 could not play S1 to D3 (ascending): B4 in hand had to follow".

    def lead_text(self, lead: P) -> str:
        """How messages name what was led: the text of the play, unless overridden."""
        return self.play_text(lead)

    @property
    def in_force(self) -> str:
        """Text that messages add in parentheses after a play, such as "ascending"; empty if there is none."""
        return ""

    @property
    def fields(self) -> Mapping[str, object]:
        """What positions say about the rules in force, such as ``{"direction": "ascending"}``."""
        return {}

    def duty(self, lead: P, **told: object) -> str:
        """Return the message that a seat did not follow `lead` although it could have.

        `told` has the values for the message: `seat`, `play`, `card` (one that would have followed), and `where`
        (a text that says where this card turned up later).
        """
        return say("{seat:who} could not play {play}: {card} {where} had to follow", **told)


class CardRules(TrickRules[int]):
    """Rules of games in which a play is a card, and the winner takes the whole trick."""

    @property
    @abstractmethod
    def deck(self) -> tuple[str, ...]:
        """The texts of all cards, by their numbers."""

    @property
    @abstractmethod
    def hand_size(self) -> int:
        """The number of cards that each seat plays in a round, which is the number of tricks."""

    @abstractmethod
    def playable(self, hand: int, trick: Sequence[int]) -> int:
        """The mask of cards of a hand that may be played to an unfinished trick, or led if it is empty."""

    @abstractmethod
    def winner(self, trick: Sequence[int]) -> int | None:
        """The index in a trick (0 for the lead) of the winning card; None if nobody takes it.

        If nobody does, the cards are discarded, and the same seat leads again. In an unfinished trick it is the
        card that is winning so far; hints use this to find the cards that would beat it.
        """

    def after(self, trick: Sequence[int]) -> Self:
        """The rules after a full trick: the same, unless tricks change them."""
        return self

    @property
    def all_cards(self) -> int:
        """The mask of all cards of the deck."""
        return (1 << len(self.deck)) - 1

    @property
    def numbers(self) -> Mapping[str, int]:
        """The number of each card, by its text."""
        return _numbers(self.deck)

    def name(self, card: int) -> str:
        return self.deck[card]

    def names(self, cards: int) -> tuple[str, ...]:
        """The texts of a mask's cards, in canonical order."""
        return tuple(self.deck[card] for card in self.members(cards))

    def card(self, play: int) -> int:
        return play

    def no_card(self, text: str) -> str:
        """Return the message that `text` is not a card."""
        return say(
            "{text!r} is not a card; cards are like {first} and {last}",
            text=text,
            first=self.deck[0],
            last=self.deck[-1],
        )

    def excluded(self, trick: Sequence[int], play: int) -> int:
        """The mask of all cards that would have followed (or could be led); 0 if `play` is one of them.

        This is right if a hand with any of these may play exactly these, and any other hand may play anything.
        A game with chained duties (follow, else trump) must override it.
        """
        follows = self.playable(self.all_cards, trick)
        return 0 if follows >> play & 1 else follows

    def finish(self, trick: Trick[int]) -> Finish[Self]:
        turn = self.winner(trick.plays)
        rules = self.after(trick.plays)
        if turn is None:
            return Finish(trick.leader, (), rules)
        taker = (trick.leader + turn) % self.players
        return Finish(taker, ((taker, mask(trick.plays)),), rules)


CardRulesT = TypeVar("CardRulesT", bound=CardRules)


@dataclass(frozen=True)
class CardState(Generic[CardRulesT]):
    """A round of a game with `CardRules` and every card known, in plain Python: slow but simple.

    `hands` and `won` (the piles) are masks by seat. `trick` has the cards of the unfinished trick in play order,
    the first by `leader`. All other cards are out of play. States compare by value and are hashable.
    """

    rules: CardRulesT
    hands: Masks
    leader: int
    trick: tuple[int, ...]
    won: Masks

    @property
    def to_move(self) -> int:
        """The seat that plays the next card."""
        return (self.leader + len(self.trick)) % len(self.hands)

    @property
    def over(self) -> bool:
        return not any(self.hands)

    def moves(self) -> list[int]:
        """The cards that may be played, in canonical order; none once the round is over."""
        return list(self.rules.members(self.rules.playable(self.hands[self.to_move], self.trick)))

    def after(self, card: int) -> CardState[CardRulesT]:
        """The state after a legal card. The last card of a trick ends it, which may change the rules."""
        seat = self.to_move
        hands = tuple(hand & ~(1 << card) if other == seat else hand for other, hand in enumerate(self.hands))
        trick = (*self.trick, card)
        if len(trick) < len(hands):
            return CardState(self.rules, hands, self.leader, trick, self.won)
        leader, gains, rules = self.rules.finish(Trick(self.leader, trick, "trick"))
        won = list(self.won)
        for taker, cards in gains:
            won[taker] |= cards
        return CardState(rules, hands, leader, (), tuple(won))


@dataclass(frozen=True)
class PlainRules(CardRules):
    """Rules of a plain game (`solver.tricks.plain`), whose score depends only on the cards won.

    A game derives a dataclass, whose fields are what can differ between positions.
    """

    as_played: int = field(default=0, kw_only=True)

    @abstractmethod
    def points(self, won: Sequence[int]) -> tuple[int, ...]:
        """Each seat's score for the cards won (masks by seat); partners each get the score of their side."""


@cache
def _numbers(deck: tuple[str, ...]) -> Mapping[str, int]:
    return {text: card for card, text in enumerate(deck)}
