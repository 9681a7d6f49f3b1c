"""The rules of Whist in plain Python. A card is a number: 13 times its suit, plus its rank."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from solver.tricks.rules import PlainRules

SUITS = "CDHS"
RANKS = "23456789TJQKA"
SEATS = 4
MOST_CARDS = 8  # in a hand
DECK = tuple(suit + rank for suit in SUITS for rank in RANKS)  # in canonical order


def suit_of(card: int) -> int:
    return card // len(RANKS)


@dataclass(frozen=True)
class Whist(PlainRules):
    """The rules with `trump` as the suit of trumps, a number from 0 to 3; None: no suit is trumps."""

    trump: int | None

    players = SEATS
    deck = DECK
    hand_size = MOST_CARDS

    def playable(self, hand: int, trick: Sequence[int]) -> int:
        """The cards of the suit led, if the hand has any; else all of it."""
        followers = hand & (0x1FFF << len(RANKS) * suit_of(trick[0])) if trick else 0
        return followers or hand

    def winner(self, trick: Sequence[int]) -> int:
        """The place of the highest trump or, if there is none, of the highest card of the suit led."""

        strengths = [(suit_of(card) == self.trump, suit_of(card) == suit_of(trick[0]), card) for card in trick]
        return strengths.index(max(strengths))

    def points(self, won: Sequence[int]) -> tuple[int, ...]:
        """The tricks of each seat's side."""
        tricks = [pile.bit_count() // SEATS for pile in won]
        return tuple(tricks[seat] + tricks[(seat + 2) % SEATS] for seat in range(SEATS))
