"""Before the first trick of King × Alchemy: the pick of a card, which is won outright; and cards by themselves."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, ClassVar, Literal, Self

from pydantic import Field, model_validator

from solver.common.masks import mask
from solver.common.words import counted
from solver.decks import deck_of
from solver.games.king.cards.deck import CARDS, Deck
from solver.games.king.cards.deck_data import KIND
from solver.games.king.cards.rules import DEALT, REMOVED, Masks
from solver.games.king.positions.fields import (
    INSTEAD,
    Cards,
    DeckField,
    Hands,
    OfDeck,
    Piles,
    Seat,
    cards_at,
    piles_at,
)
from solver.inputs.faults import fault
from solver.positions import Shown
from solver.tricks.fields import Model, check_entries, check_seat, places, refuse_doubles, spread
from solver.tricks.match import OfMatch


class CardSet(Shown, Model):
    """Cards that a player has won: what can be made of them?"""

    game: Literal["king"]
    deck: DeckField = "house"
    cards: Annotated[Cards, Field(max_length=CARDS)]

    @property
    def full_deck(self) -> Deck:
        """The deck that the cards are of."""
        return deck_of(KIND, self.deck)

    @property
    def numbers(self) -> tuple[int, ...]:
        """The cards, as they are listed."""
        return cards_at(self.full_deck, self.cards, "cards")

    @model_validator(mode="after")
    def _check(self) -> Self:
        refuse_doubles(places("cards", self.numbers), self.full_deck.code)
        return self


class PickPosition(Shown, OfDeck):
    """Before the first trick, all hands known: `seat` picks a card. All pick at once, so nobody sees another's.

    A seat that has picked already has its card in `won` and one card less than the others in hand.
    """

    stage: Literal["pick"]
    seat: Seat
    leader: Seat
    hands: Hands
    won: Piles = ()
    removed: Cards = ()

    inferred: ClassVar[frozenset[str]] = frozenset({"stage", "hands"})
    instead: ClassVar[Mapping[str, Any]] = INSTEAD

    @property
    def players(self) -> int:
        return len(self.hands)

    @property
    def masks(self) -> Masks:
        """The hands as they are now."""
        return tuple(mask(hand) for hand in piles_at(self.full_deck, self.hands, "hands"))

    @property
    def picked(self) -> tuple[Cards, ...]:
        """The card that each seat has picked, if it has."""
        return self.won or ((),) * self.players

    @property
    def seat_to_move(self) -> int:
        return self.seat

    @model_validator(mode="after")
    def _check(self) -> Self:
        deck, players = self.full_deck, self.players
        check_seat(self.leader, players, "leader")
        check_seat(self.seat, players, "seat")
        if self.won:
            check_entries(self.won, players, "won")
        where = [*spread("hands", piles_at(deck, self.hands, "hands"))]
        where += spread("won", piles_at(deck, self.won, "won"))
        refuse_doubles([*where, *places("removed", cards_at(deck, self.removed, "removed"))], deck.code)
        check_removed(self.removed, players, optional=True)
        for seat, (hand, picked) in enumerate(zip(self.hands, self.picked, strict=True)):
            if len(picked) > 1:
                raise fault("wrong_size", f"seat {seat} picks one card, not {len(picked)}", f"won[{seat}]")
            size = DEALT[players] - len(picked)
            if len(hand) != size:
                when = "after" if picked else "before"
                message = f"seat {seat} has {counted(len(hand), 'card')}; {when} its pick a hand has {size}"
                raise fault("wrong_size", message, f"hands[{seat}]")
        if self.picked[self.seat]:
            message = f"seat {self.seat} is asked, but has picked {self.picked[self.seat][0]} already"
            raise fault("conflict", message, "seat")
        return self


class PickView(Shown, OfDeck, OfMatch):
    """What one player sees before the first trick: which card of the hand to pick? The hand tells the players."""

    stage: Literal["pick"]
    seat: Seat
    leader: Seat
    hand: Cards
    removed: Cards = ()

    inferred: ClassVar[frozenset[str]] = frozenset({"stage", "hand"})
    instead: ClassVar[Mapping[str, Any]] = INSTEAD

    @property
    def players(self) -> int:
        return next(players for players, size in DEALT.items() if size == len(self.hand))

    @property
    def hand_mask(self) -> int:
        return mask(cards_at(self.full_deck, self.hand, "hand"))

    @property
    def unseen(self) -> int:
        """The mask of the cards in the other hands."""
        return (1 << CARDS) - 1 & ~(self.hand_mask | mask(cards_at(self.full_deck, self.removed, "removed")))

    @property
    def seat_to_move(self) -> int:
        return self.seat

    @model_validator(mode="after")
    def _check(self) -> Self:
        deck = self.full_deck
        hand, removed = cards_at(deck, self.hand, "hand"), cards_at(deck, self.removed, "removed")
        refuse_doubles([*places("hand", hand), *places("removed", removed)], deck.code)
        if len(self.hand) not in DEALT.values():
            sizes = ", ".join(f"{size} of {players} players" for players, size in DEALT.items())
            raise fault("wrong_size", f"a hand before the pick has {sizes}; this one has {len(self.hand)}", "hand")
        check_removed(self.removed, self.players)
        self.check_match(self.players)
        check_seat(self.seat, self.players, "seat")
        check_seat(self.leader, self.players, "leader")
        return self


def check_removed(removed: Cards, players: int, *, optional: bool = False) -> None:
    """As many cards are removed as the number of players asks for."""
    if len(removed) != REMOVED[players] and (removed or not optional):
        message = f"with {players} players {REMOVED[players]} cards are removed, not {len(removed)}"
        raise fault("wrong_size", message, "removed")
