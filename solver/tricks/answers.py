"""Types of answers for games with points: one player's score, or each seat's."""

from __future__ import annotations

from solver.answers import Analysis, MoveValue, Score

Scores = tuple[int, ...]  # one score per seat
Points = int | Scores  # one player's (paranoid, ally), or everybody's (maxn)
Bounds = tuple[int, int] | tuple[Scores, Scores]  # least and most; of everybody's scores, seat by seat


class ScoreMove(MoveValue):
    """A move, and the final score that it leads to."""

    value: Points | None
    bounds: Bounds


class ScoreAnalysis(Analysis):
    """The value of a round with every card known: the score of `player`, or under `maxn` of each seat."""

    value: Points | None
    bounds: Bounds | None
    moves: tuple[ScoreMove, ...]


class MatchScore(Score):
    """The points of each round and in total, seat by seat.

    `winners` has the seat with the highest total, or all seats that tie for it; it is None until the last round is
    over.
    """

    game: str
    rounds: tuple[Scores, ...]
    totals: Scores
    winners: tuple[int, ...] | None
    finished: bool
