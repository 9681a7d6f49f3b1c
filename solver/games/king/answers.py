"""What King × Alchemy's answers say, in the types of every game: values are the points of a round."""

from __future__ import annotations

from solver.tricks.plain.answers import ScoreAnalysis, ScoreMove


class KingMove(ScoreMove):
    """A card that may be played, or a taking, and the points that it leads to in the whole round."""


class KingAnalysis(ScoreAnalysis):
    """The value of a round with every card known: the points of `player`, or under `maxn` of each seat.

    Points are those of the cards won and of the best compounding.
    """

    moves: tuple[KingMove, ...]
