"""What Kirin's answers say, in the types of every game: values are points of a round."""

from __future__ import annotations

from typing import Any

from solver.protocol.answers import Analysis, Answer, MoveValue

Scores = tuple[int, int, int, int]  # one score a seat
Points = int | Scores  # one player's (paranoid, ally), or everybody's (maxn)
Bounds = tuple[int, int] | tuple[Scores, Scores]  # least and most; of everybody's scores, seat by seat


class KirinMove(MoveValue):
    """A card that may be played (or set aside), and the points that it leads to in the whole round."""

    value: Points | None
    bounds: Bounds


class KirinAnalysis(Analysis):
    """The value of a round with every card known: the points of `player`, or under `maxn` of each seat."""

    value: Points | None
    bounds: Bounds | None
    moves: tuple[KirinMove, ...]


def with_more(value: Any, extra: int) -> Any:
    """A value, or values in tuples, with so many points more; None stays None."""
    if isinstance(value, tuple):
        return tuple(with_more(one, extra) for one in value)
    return None if value is None else value + extra


def with_points(analysis: KirinAnalysis, extra: int) -> KirinAnalysis:
    """The same analysis where every seat has so many points more, whatever is played."""

    def more(value: Any) -> Any:
        return with_more(value, extra)

    moves = tuple(
        move.model_copy(update={"value": more(move.value), "bounds": more(move.bounds)}) for move in analysis.moves
    )
    changes = {"value": more(analysis.value), "bounds": more(analysis.bounds), "moves": moves}
    return analysis.model_copy(update=changes)


class KirinScore(Answer):
    """The points of each round and in all, seat by seat.

    `winners` has every seat with the highest total, since ties share; None before the third round is over.
    """

    game: str
    declared_counts: bool
    rounds: tuple[Scores, ...]
    totals: Scores
    winners: tuple[int, ...] | None
    finished: bool
