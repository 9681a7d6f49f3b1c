"""The score of a round of King × Alchemy, and of a match of three; equal totals share the win."""

from __future__ import annotations

from pydantic import BaseModel

from solver.common.masks import members
from solver.games.king.cards.deck import Deck
from solver.games.king.cards.rules import ROUNDS
from solver.games.king.compounding.best import best
from solver.games.king.positions.records import KingRecord
from solver.protocol.answers import Answer
from solver.protocol.compounding import Made
from solver.tricks.plain.answers import MatchScore
from solver.tricks.plain.records import leaders_of, totals_of


class Earned(Answer):
    """What a seat's pile is worth: its cards' points, and the bonuses of what is best made of them."""

    seat: int
    vp: int
    bonus: int
    total: int
    recipes: tuple[Made, ...]

    def one_line(self) -> str:
        items = ", ".join(
            f"{made.item} {made.bonus} ({made.card} of {' '.join(made.uses)})" for made in self.recipes
        )
        return f"seat {self.seat}: {self.total} = {self.vp} + {self.bonus}" + (f": {items}" if items else "")


class KingScore(MatchScore):
    """The points of each round and in all, seat by seat; `earned` has them with what was made.

    `winners` has every seat with the highest total, since ties share; None before the third round is over.
    """

    earned: tuple[tuple[Earned, ...], ...]


def earned(deck: Deck, seat: int, pile: int) -> Earned:
    """The worth of the mask of cards that a seat has won."""
    made = best(deck, members(pile))
    return Earned(seat=seat, vp=made.vp, bonus=made.bonus, total=made.total, recipes=made.recipes)


def score(record: BaseModel) -> KingScore:
    """The scores of a record, every pile compounded as well as it can be."""
    assert isinstance(record, KingRecord)
    deck = record.full_deck
    by_round = tuple(
        tuple(earned(deck, seat, pile) for seat, pile in enumerate(record.piles(number)))
        for number in range(len(record.rounds))
    )
    rounds = tuple(tuple(seat.total for seat in played) for played in by_round)
    totals = totals_of(rounds)
    finished = len(rounds) == ROUNDS
    return KingScore(
        game="king",
        rounds=rounds,
        totals=totals,
        winners=leaders_of(totals) if finished else None,
        finished=finished,
        earned=by_round,
    )
