"""What an analysis of a trick game proves: the value, and every optimal move."""

from __future__ import annotations

from solver.protocol.answers import Analysis, Proved, Value


def proved(answer: Analysis) -> Proved:
    """The value where it is proved, and every optimal move of the seat to move where these are.

    Under `maxn` every move that ties with the best on own score and on the total of the others is optimal.
    """
    value = answer.value if answer.bounds is not None and answer.bounds[0] == answer.bounds[1] else None
    if len(answer.moves) <= 1:
        return Proved(value=value, best=tuple(entry.move for entry in answer.moves))
    worths = [_worth(entry.bounds, answer) for entry in answer.moves]
    floor = max(low for low, _ in worths)
    standing = [index for index, (_, high) in enumerate(worths) if high >= floor]
    if any(worths[index][0] != worths[index][1] for index in standing):
        return Proved(value=value, best=None)  # one that still stands may be better or worse than it seems
    return Proved(value=value, best=tuple(answer.moves[index].move for index in standing))


Worth = tuple[int, int]  # compared: own points (or against whom they are), then the total of the others negated


def _worth(bounds: tuple[Value, Value], answer: Analysis) -> tuple[Worth, Worth]:
    """The least and the most that a move is proved to be worth to the seat to move."""
    low, high = bounds
    if isinstance(low, tuple) and isinstance(high, tuple):
        seat = answer.to_move
        return (low[seat], -_others(high, seat)), (high[seat], -_others(low, seat))
    assert isinstance(low, int)
    assert isinstance(high, int)
    if answer.model == "ally" or answer.player == answer.to_move:
        return (low, 0), (high, 0)
    return (-high, 0), (-low, 0)


def _others(scores: tuple[int, ...], seat: int) -> int:
    return sum(scores) - scores[seat]
