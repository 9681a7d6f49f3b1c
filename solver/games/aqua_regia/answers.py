"""What Aqua Regia's answers say: a value is 1 for the seat that goes out first and 0 for the others."""

from __future__ import annotations

from solver.answers import Analysis, Answer, MoveValue

Scores = tuple[int, ...]  # one score a seat
Points = int | Scores  # one player's (paranoid, ally), or everybody's (maxn)
Bounds = tuple[int, int] | tuple[Scores, Scores]  # least and most; of everybody's scores, seat by seat


class AquaMove(MoveValue):
    """A move and who goes out first after it; `chance` is an estimate of it, where nothing is proved."""

    value: Points | None
    bounds: Bounds
    chance: float | None = None


class AquaAnalysis(Analysis):
    """Who goes out first with every card known: whether `player` does, or under `maxn` each seat's score."""

    value: Points | None
    bounds: Bounds | None
    moves: tuple[AquaMove, ...]


class AquaScore(Answer):
    """Who won each round, 1 for the winner's seat, and how many rounds each seat has won.

    `leaders` has every seat that has won the most, since ties share.
    """

    game: str
    rounds: tuple[Scores, ...]
    totals: Scores
    leaders: tuple[int, ...]
