"""The score of a round of King × Alchemy, and of a match of three; equal totals share the win."""

from __future__ import annotations

from pydantic import BaseModel

from solver.answers import Answer
from solver.compounding import Compounding
from solver.games.king.answers import Scores
from solver.games.king.compound import best
from solver.games.king.deck import members
from solver.games.king.records import KingRecord
from solver.games.king.rules import ROUNDS


class KingScore(Answer):
    """The points of each round and in all, seat by seat; `compounding` has what each seat makes in each round.

    `winners` has every seat with the highest total, since ties share; None before the third round is over.
    """

    game: str
    rounds: tuple[Scores, ...]
    totals: Scores
    winners: tuple[int, ...] | None
    finished: bool
    compounding: tuple[tuple[Compounding, ...], ...]


def score(record: BaseModel) -> KingScore:
    """The scores of a record, every round's compounding the best there is."""
    assert isinstance(record, KingRecord)
    deck = record.full_deck
    made = tuple(
        tuple(best(deck, list(members(pile))) for pile in record.piles(number))
        for number in range(len(record.rounds))
    )
    rounds = tuple(tuple(seat.total for seat in played) for played in made)
    totals = tuple(map(sum, zip(*rounds, strict=True)))
    finished = len(rounds) == ROUNDS
    winners = tuple(seat for seat, total in enumerate(totals) if total == max(totals))
    return KingScore(
        game="king",
        rounds=rounds,
        totals=totals,
        winners=winners if finished else None,
        finished=finished,
        compounding=made,
    )
