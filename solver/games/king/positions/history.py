"""What the cards played so far tell in King × Alchemy: the rules of a history, and the piles held against it.

A follower whose play neither has the lead suit nor is a trump held no card of that suit ("I don't have it"): to
name the Dancer another suit says it as well.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from solver.common.masks import mask, members
from solver.games.king.cards.deck import SUIT_NAMES, SUITS, Deck
from solver.games.king.cards.rules import Play, Taking, follows, gains, winner
from solver.games.king.cards.text import play_text
from solver.games.king.positions.faults import listed, taking_fault
from solver.inputs.faults import fault
from solver.tricks.history import Past
from solver.tricks.rules import Finish, Trick, TrickRules


@dataclass(frozen=True, slots=True)
class TakenTrick(Trick[Play]):
    """A full trick, and what its winner took and gave."""

    taking: Taking


@dataclass(frozen=True)
class KingRules(TrickRules[Play]):
    """The rules with a deck and a number of players."""

    full_deck: Deck
    seats: int

    @property
    def players(self) -> int:
        return self.seats

    def name(self, card: int) -> str:
        return self.full_deck.cards[card].code

    def card(self, play: Play) -> int:
        return play.card

    def play_text(self, play: Play) -> str:
        return play_text(self.full_deck, play)

    def excluded(self, trick: Sequence[Play], play: Play) -> int:
        suit = trick[0].suit
        return 0 if suit >= SUITS or follows(play, suit) else self.full_deck.of_suit[suit]

    def finish(self, trick: Trick[Play]) -> Finish[KingRules]:
        assert isinstance(trick, TakenTrick)
        deck, plays = self.full_deck, trick.plays
        wrong = taking_fault(deck, plays, trick.taking)
        if wrong is not None:
            where, why = wrong
            raise fault("illegal_taking", why, f"{trick.whole_path}.{where}")
        taker = (trick.leader + winner(deck, plays)) % self.seats
        return Finish(taker, gains(deck, trick.leader, plays, trick.taking), self)

    def lead_text(self, lead: Play) -> str:
        return SUIT_NAMES[lead.suit]

    def duty(self, lead: Play) -> str:
        return f"had to follow, or a trump, or the Dancer named {SUIT_NAMES[lead.suit]}"


Seen = Past[Play, KingRules]


def check_won(past: Seen, won: Sequence[Sequence[int]], *, complete: bool) -> None:
    """Whether the piles agree with the tricks: what was won there, and one card that was picked, a seat.

    With `complete` nothing may be missing. Raises a fault.
    """
    deck, everything = past.rules.full_deck, past.discarded
    for cards in past.won:
        everything |= cards
    for seat, pile in enumerate(won):
        for index, card in enumerate(pile):
            if (everything & ~past.won[seat]) >> card & 1:
                message = f"by the history seat {seat} has not won {deck.cards[card].code}"
                raise fault("conflict", message, f"won[{seat}][{index}]")
    for seat, pile in enumerate(won):
        missing, picked = past.won[seat] & ~mask(pile), mask(pile) & ~past.won[seat]
        if complete and missing:
            message = f"by the history seat {seat} has won {listed(deck, members(missing))} too"
            raise fault("missing_card", message, f"won[{seat}]")
        if picked.bit_count() > 1 or (complete and not picked):
            there = f"{picked.bit_count()}: {listed(deck, members(picked))}" if picked else "none"
            message = (
                f"beside what was won in tricks a pile has the one card picked before; seat {seat} has {there}"
            )
            raise fault("conflict" if picked else "missing_card", message, f"won[{seat}]")
