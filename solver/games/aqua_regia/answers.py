"""What Aqua Regia's answers say, in the types of every game: 1 for who goes out first, 0 for the others."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from solver.protocol.answers import Answer
from solver.tricks.plain.answers import ScoreAnalysis, ScoreMove, Scores


class AquaMove(ScoreMove):
    """A move and the score that it leads to.

    `chance` is only there when the score is not proved: the share of games that the seat to move gained what it
    is after, among those that a Monte-Carlo tree search played on with all cards known. An estimate, no bound.
    """

    chance: Annotated[float, Field(ge=0, le=1)] | None = None


class AquaAnalysis(ScoreAnalysis):
    """The value of a game with every card known: the score of `player`, or under `maxn` of each seat."""

    moves: tuple[AquaMove, ...]


class AquaScore(Answer):
    """Who won each round, 1 for the winner's seat, and how many rounds each seat has won.

    `leaders` has every seat that has won the most, since ties share.
    """

    game: str
    rounds: tuple[Scores, ...]
    totals: Scores
    leaders: tuple[int, ...]
