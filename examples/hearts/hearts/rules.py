"""The rules of Hearts in plain Python. A card is a number: 13 times its suit, plus its rank."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Self

from solver.common import mask
from solver.tricks.rules import PlainRules

SUITS = "CDHS"
RANKS = "23456789TJQKA"
SEATS = 4
DECK = tuple(suit + rank for suit in SUITS for rank in RANKS)  # in canonical order
IN_SUIT = tuple(0x1FFF << len(RANKS) * suit for suit in range(len(SUITS)))
ALL = sum(IN_SUIT)
HEARTS = IN_SUIT[SUITS.index("H")]
QUEEN = 1 << DECK.index("SQ")
TWO = 1 << DECK.index("C2")
MOST_POINTS = 26


def suit_of(card: int) -> int:
    return card // len(RANKS)


def cost(cards: int) -> int:
    """The points that a set of cards costs: 1 for each heart, 13 for the queen of spades."""
    return (cards & HEARTS).bit_count() + 13 * (cards & QUEEN).bit_count()


@dataclass(frozen=True)
class Hearts(PlainRules):
    """The rules of a trick: the `first` one or a later one, before or after a heart was played (`broken`).

    With `moon`, who takes all points loses none, and the others lose them all.
    """

    moon: bool = True
    broken: bool = False
    first: bool = True

    players = SEATS
    deck = DECK
    hand_size = len(RANKS)

    def _duties(self, trick: Sequence[int]) -> tuple[int, ...]:
        """Sets of cards: a hand must play one of the first set of which it has any."""
        harmless = ALL & ~(HEARTS | QUEEN)
        if trick:
            suit = IN_SUIT[suit_of(trick[0])]
            return (suit & harmless, suit, harmless, ALL) if self.first else (suit, ALL)
        if self.first:
            return TWO, harmless, ALL & ~HEARTS, ALL
        return (ALL,) if self.broken else (ALL & ~HEARTS, ALL)

    def playable(self, hand: int, trick: Sequence[int]) -> int:
        return next((hand & cards for cards in self._duties(trick) if hand & cards), 0)

    def excluded(self, trick: Sequence[int], play: int) -> int:
        missing = 0
        for cards in self._duties(trick):
            if cards >> play & 1:
                break
            missing |= cards
        return missing

    def winner(self, trick: Sequence[int]) -> int:
        """The place of the highest card of the suit led."""
        strengths = [(suit_of(card) == suit_of(trick[0]), card) for card in trick]
        return strengths.index(max(strengths))

    def after(self, trick: Sequence[int]) -> Self:
        return replace(self, broken=self.broken or mask(trick) & HEARTS != 0, first=False)

    def points(self, won: Sequence[int]) -> tuple[int, ...]:
        """What each seat has lost so far, as numbers below 0."""
        costs = [cost(pile) for pile in won]
        if self.moon and MOST_POINTS in costs:
            return tuple(0 if lost else -MOST_POINTS for lost in costs)
        return tuple(-lost for lost in costs)
