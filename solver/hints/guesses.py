"""Hints from several guesses at what a player missed: asked one after another, and averaged."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from math import sqrt

import numpy as np

from solver.answers import Hint, SampledHint, SampledMove
from solver.hints.ranking import CHANCE, POINTS, Lead, Why, answer, student, sureness
from solver.limits import Control


def in_parts(asks: Sequence[Callable[[Control], Hint]], control: Control) -> list[SampledHint]:
    """Ask several questions one after another, dividing the time and nodes left between them; return their hints.

    Hints without moves are left out.
    """
    nodes, found = control.nodes_left(), []
    for number, ask in enumerate(asks):
        seconds = control.seconds_left()
        until = None if seconds is None else time.monotonic() + seconds / (len(asks) - number)
        with control.part(until=until, nodes=None if nodes is None else max(1, nodes // len(asks))) as part:
            hint = ask(part)
        if isinstance(hint, SampledHint) and hint.moves:
            found.append(hint)
    return found


def averaged(hints: Sequence[SampledHint], control: Control, reason: str, seed: int) -> SampledHint:
    """Return the mean of several hints, each from an equally likely guess at what the player missed.

    Its standard errors are estimated from the differences between the guesses, so at least two are needed.
    """
    first = hints[0]
    means = [{move.move: move.mean for move in hint.moves} for hint in hints]
    lows = [{move.move: move.low for move in hint.moves} for hint in hints]
    shared = [move.move for move in first.moves if all(move.move in one for one in means)]
    table = np.array([[one[move] for move in shared] for one in means])
    order = np.argsort(-table.mean(axis=0), kind="stable")
    worlds, scale = sum(hint.worlds for hint in hints), student(len(hints) - 1) / sqrt(len(hints))
    errors = table.std(axis=0, ddof=1) * scale
    behind = table[:, order[0]][:, None] - table
    behind_errors = behind.std(axis=0, ddof=1) * scale
    moves = tuple(
        SampledMove(
            move=shared[place],
            mean=float(table[:, place].mean()),
            stderr=float(errors[place]),
            behind=float(behind[:, place].mean()),
            behind_stderr=float(behind_errors[place]),
            worlds=worlds,
            method=first.method,
            low=_mean([one[shared[place]] for one in lows]),
        )
        for place in order.tolist()
    )
    unit = CHANCE if first.unit == "chance" else POINTS
    ahead = Lead(0, 1, moves[1].behind, moves[1].behind_stderr or 0.0, moves[0].mean) if len(moves) > 1 else None
    return answer(
        first.game,
        first.to_move or 0,
        moves,
        Why(sureness(ahead, unit), (), reason),
        method=first.method,
        worlds=worlds,
        seed=seed,
        control=control,
        others=first.others,
        unit=first.unit,
        unknown=first.unknown,
    )


def _mean(numbers: Sequence[float | None]) -> float | None:
    """Return the mean; None if a number is missing."""
    known = [number for number in numbers if number is not None]
    return sum(known) / len(known) if len(known) == len(numbers) else None
