"""What `score` takes of alchemy: a recorded solitaire, the piles of a duel, or a duel's score sheet."""

from __future__ import annotations

from typing import Annotated, ClassVar, Literal

from pydantic import Field

from solver.games.alchemy.positions.known import DuelRecord, SolitaireRecord
from solver.games.alchemy.positions.race import winner_of
from solver.protocol.sheets import Scores, Sheet, with_sheet

_MOST = 82  # points of a round: 4 kings 8, 4 aces together 10, 44 other cards, and 2 jokers 20


class DuelSheet(Sheet):
    """A score sheet of duels: the points of each round, until one player has won the race."""

    game: Literal["alchemy"]
    variant: Literal["duel"]

    seats: ClassVar[tuple[int, int]] = (2, 2)

    @classmethod
    def fault_of(cls, played: Scores) -> str | None:
        if sum(played) > _MOST:
            return f"the cards and two jokers are worth {_MOST} points in all, not {sum(played)}"
        return None

    @classmethod
    def is_over(cls, rounds: int, totals: Scores) -> bool:
        first, second = totals
        return winner_of((first, second)) is not None


Record = with_sheet(Annotated[SolitaireRecord | DuelRecord, Field(discriminator="variant")], DuelSheet)
