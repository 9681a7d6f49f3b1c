"""The score of a round of King × Alchemy, and of a match of three; equal totals share the win."""

from __future__ import annotations

from pydantic import BaseModel

from solver.common.control import Control
from solver.common.masks import members
from solver.games.king.cards.deck import Deck
from solver.games.king.cards.rules import ROUNDS
from solver.games.king.compounding.best import best_within
from solver.games.king.positions.records import KingRecord, KingSheet
from solver.protocol.answers import Answer
from solver.protocol.compounding import Made
from solver.protocol.showing.sheets import SheetScore, leaders_of, sheet_score, totals_of
from solver.tricks.plain.answers import MatchScore


class Earned(Answer):
    """What a seat's pile is worth: its cards' points, and the bonuses of what is best made of them.

    Only where the limit came before what is best was proved there are `bounds`, the least and the most that the
    total can be; the rest is then the best found.
    """

    seat: int
    vp: int
    bonus: int
    total: int
    recipes: tuple[Made, ...]
    bounds: tuple[int, int] | None = None

    def one_line(self) -> str:
        items = ", ".join(
            f"{made.item} {made.bonus} ({made.card} of {' '.join(made.uses)})" for made in self.recipes
        )
        total = f"{self.total} = {self.vp} + {self.bonus}"
        if self.bounds is not None:
            total = f"{self.bounds[0]} to {self.bounds[1]}, found {total}"
        return f"seat {self.seat}: {total}" + (f": {items}" if items else "")


class KingScore(MatchScore):
    """The points of each round and in all, seat by seat; `earned` has them with what was made.

    `winners` has every seat with the highest total, since ties share; None before the third round is over. Only
    where the limit came before all was proved there is `exact`, and it is False: then points are the best found,
    and there are no winners.
    """

    exact: bool = True
    earned: tuple[tuple[Earned, ...], ...]


AnyScore = KingScore | SheetScore


def earned(deck: Deck, seat: int, pile: int, control: Control) -> Earned:
    """The worth of the mask of cards that a seat has won."""
    made, most = best_within(deck, members(pile), control)
    open_end = {} if made.total == most else {"bounds": (made.total, most)}
    return Earned(seat=seat, vp=made.vp, bonus=made.bonus, total=made.total, recipes=made.recipes, **open_end)


def score(record: BaseModel, control: Control) -> KingScore | SheetScore:
    """The scores of a record, as `record_score`, or of a score sheet."""
    if isinstance(record, KingSheet):
        return sheet_score("king", record)
    assert isinstance(record, KingRecord)
    return record_score(record, control)


def record_score(record: KingRecord, control: Control) -> KingScore:
    """The scores of a record, every pile compounded as well as it can be within the control's limit."""
    deck = record.full_deck
    by_round = tuple(
        tuple(earned(deck, seat, pile, control) for seat, pile in enumerate(record.piles(number)))
        for number in range(len(record.rounds))
    )
    rounds = tuple(tuple(seat.total for seat in played) for played in by_round)
    totals = totals_of(rounds)
    finished = len(rounds) == ROUNDS
    exact = all(seat.bounds is None for played in by_round for seat in played)
    return KingScore(
        game="king",
        rounds=rounds,
        totals=totals,
        winners=leaders_of(totals) if finished and exact else None,
        finished=finished,
        **({} if exact else {"exact": False}),
        earned=by_round,
    )
