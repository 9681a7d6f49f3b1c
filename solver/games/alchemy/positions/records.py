"""What `score` takes of alchemy: a recorded solitaire, the piles of a duel, or a duel's score sheet."""

from __future__ import annotations

from typing import Annotated, ClassVar, Literal, Self

from pydantic import AfterValidator, Field, model_validator

from solver.games.alchemy.cards.deck import JOKER, card, points
from solver.games.alchemy.cards.readings import RulesField
from solver.games.alchemy.cards.rules import Variant
from solver.games.alchemy.positions.fields import Cards, Model, check_rules, places, ranks_of, refuse_surplus
from solver.games.alchemy.positions.known import solitaire_of
from solver.games.alchemy.positions.race import winner_of
from solver.inputs.faults import fault
from solver.protocol.showing.sheets import Scores, Sheet, with_sheet

_MOST_MOVES = 1000  # of a record
_MOST_ROUNDS = 1000  # of a match


class SolitaireRecord(Model):
    """A solitaire as it was played: the shuffled deck (the line first), and the moves."""

    game: Literal["alchemy"]
    variant: Literal["solo", "alternative"]
    rules: RulesField = None
    deck: Cards
    moves: Annotated[tuple[Annotated[str, Field(strict=True)], ...], Field(max_length=_MOST_MOVES, fail_fast=True)]

    @property
    def solitaire(self) -> Variant:
        """The variant by the rules that are in force."""
        return solitaire_of(self.variant, self.rules)

    @property
    def deck_ranks(self) -> tuple[int, ...]:
        return ranks_of(self.deck)

    @model_validator(mode="after")
    def _check(self) -> Self:
        check_rules(self.rules, self.variant)
        for path, rank in places("deck", self.deck):
            if rank == JOKER or rank > self.solitaire.ranks:
                raise fault("illegal_card", f"{card(rank)} is not in the deck of {self.variant}", path)
        refuse_surplus(places("deck", self.deck))
        if len(self.deck) != len(self.solitaire.deck):
            raise fault("wrong_size", f"the deck of {self.variant} has {len(self.solitaire.deck)} cards", "deck")
        return self


Piles = tuple[Cards, Cards]


def _check_piles(piles: Piles) -> Piles:
    refuse_surplus(place for seat, pile in enumerate(piles) for place in places(f"[{seat}]", pile))
    return piles


class DuelRound(Model):
    """The two players' piles at the end of a round."""

    piles: Annotated[Piles, AfterValidator(_check_piles)]

    @property
    def points(self) -> tuple[int, int]:
        first, second = (points(ranks_of(pile)) for pile in self.piles)
        return first, second


class DuelRecord(Model):
    """The rounds of a duel so far, in order; a single round is a list of one."""

    game: Literal["alchemy"]
    variant: Literal["duel"]
    rounds: Annotated[tuple[DuelRound, ...], Field(max_length=_MOST_ROUNDS, fail_fast=True)]


_MOST = 92  # points of a round: 4 kings 8, 4 aces together 10, 44 other cards, and 3 jokers 30


class DuelSheet(Sheet):
    """A score sheet of duels: the points of each round, until one player has won the race."""

    game: Literal["alchemy"]
    variant: Literal["duel"]

    seats: ClassVar[tuple[int, int]] = (2, 2)

    @classmethod
    def fault_of(cls, played: Scores) -> str | None:
        if sum(played) > _MOST:
            return f"the cards and three jokers are worth {_MOST} points in all, not {sum(played)}"
        return None

    @classmethod
    def is_over(cls, rounds: int, totals: Scores) -> bool:
        first, second = totals
        return winner_of((first, second)) is not None


Record = with_sheet(Annotated[SolitaireRecord | DuelRecord, Field(discriminator="variant")], DuelSheet)
