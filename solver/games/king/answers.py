"""What King × Alchemy's answers say, in the types of every game: values are the points of a round."""

from __future__ import annotations

from solver.protocol.answers import Analysis, MoveValue

Scores = tuple[int, ...]  # one score a seat
Points = int | Scores  # one player's (paranoid, ally), or everybody's (maxn)
Bounds = tuple[int, int] | tuple[Scores, Scores]  # least and most; of everybody's scores, seat by seat


class KingMove(MoveValue):
    """A card that may be played, or a taking, and the points that it leads to in the whole round."""

    value: Points | None
    bounds: Bounds


class KingAnalysis(Analysis):
    """The value of a round with every card known: the points of `player`, or under `maxn` of each seat.

    Points are those of the cards won and of the best compounding.
    """

    value: Points | None
    bounds: Bounds | None
    moves: tuple[KingMove, ...]
