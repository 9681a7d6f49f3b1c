"""Finished rounds of King × Alchemy, and matches of up to three, as users send them, validated."""

from __future__ import annotations

from typing import Annotated, ClassVar, Literal, Self

from pydantic import Field, model_validator

from solver.common.masks import mask
from solver.decks import deck_of
from solver.games.king.cards.deck import Deck
from solver.games.king.cards.deck_data import KIND
from solver.games.king.cards.rules import PLAYERS, ROUNDS, TAKEN, TRICKS, Masks
from solver.games.king.positions.fields import DeckField, Hands, piles_at
from solver.inputs.faults import fault
from solver.protocol.showing.sheets import Sheet, with_sheet
from solver.tricks.fields import Model, refuse_doubles, spread


class KingRound(Model):
    """A finished round: the cards that each seat has won, the one picked before the first trick among them."""

    won: Hands


class KingRecord(Model):
    """The rounds of a match so far, in order; a single round is a list of one. All have the same players."""

    game: Literal["king"]
    deck: DeckField = "house"
    rounds: Annotated[tuple[KingRound, ...], Field(min_length=1, max_length=ROUNDS, fail_fast=True)]

    @property
    def full_deck(self) -> Deck:
        """The deck that was played with."""
        return deck_of(KIND, self.deck)

    @property
    def players(self) -> int:
        return len(self.rounds[0].won)

    def piles(self, number: int) -> Masks:
        """The cards that each seat has won in a round."""
        return tuple(mask(pile) for pile in piles_at(self.full_deck, self.rounds[number].won, "won"))

    @model_validator(mode="after")
    def _check(self) -> Self:
        for number, played in enumerate(self.rounds):
            path = f"rounds[{number}].won"
            if len(played.won) != self.players:
                message = f"round 1 had {self.players} players, this one has {len(played.won)}"
                raise fault("wrong_size", message, path)
            piles = piles_at(self.full_deck, played.won, path)
            refuse_doubles(spread(path, piles), self.full_deck.code)
            self._check_sizes(piles, path)
        return self

    def _check_sizes(self, piles: tuple[tuple[int, ...], ...], path: str) -> None:
        """Everybody has picked a card, and of each trick its winner has one card to all but the discarded."""
        for seat, pile in enumerate(piles):
            if not pile:
                raise fault(
                    "missing_card", f"seat {seat} has won the card that it picked, at least", f"{path}[{seat}]"
                )
        players, tricks = self.players, TRICKS[self.players]
        least, most = players + tricks, players + tricks * min(players, 1 + TAKEN + 1)
        count = sum(map(len, piles))
        if not least <= count <= most:
            message = f"{players} players win {least} to {most} cards in a round, picks included, not {count}"
            raise fault("wrong_size", message, path)


class KingSheet(Sheet):
    """A score sheet of King × Alchemy: the points of each round."""

    game: Literal["king"]

    seats: ClassVar[tuple[int, int]] = PLAYERS
    match_rounds: ClassVar[int | None] = ROUNDS


Record = with_sheet(KingRecord, KingSheet)
