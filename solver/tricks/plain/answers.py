"""What answers say about games for points, in the types of every game: one player's score or each seat's."""

from __future__ import annotations

from solver.protocol.answers import Analysis, Answer, MoveValue

Scores = tuple[int, ...]  # one score a seat
Points = int | Scores  # one player's (paranoid, ally), or everybody's (maxn)
Bounds = tuple[int, int] | tuple[Scores, Scores]  # least and most; of everybody's scores, seat by seat


class ScoreMove(MoveValue):
    """A move, and the score that it leads to in the whole round."""

    value: Points | None
    bounds: Bounds


class ScoreAnalysis(Analysis):
    """The value of a round with every card known: the score of `player`, or under `maxn` of each seat."""

    value: Points | None
    bounds: Bounds | None
    moves: tuple[ScoreMove, ...]


class MatchScore(Answer):
    """The points of each round and in all, seat by seat.

    `winners` has every seat with the highest total, since ties share; None before the last round is over.
    """

    game: str
    rounds: tuple[Scores, ...]
    totals: Scores
    winners: tuple[int, ...] | None
    finished: bool
