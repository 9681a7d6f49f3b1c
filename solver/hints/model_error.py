"""How far the means of hints are off for what they take the players to be, beside the luck of the draw.

The worlds of a hint are finished by players that the others may not be, and by a seat that does not ask again. So
its means are off by something that more worlds do not lessen. How much was measured: rounds of one who follows
hints were played among others of several kinds, and what was said was held against what was scored
(``python -m benchmarks.calibration``). A game keeps what was found in a table, by the cards in the hand.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import hypot

from solver.protocol.answers import SampledHint


def error_of(measured: Mapping[int, float], cards: int) -> float:
    """The error with so many cards in the hand, or with the nearest number that was measured."""
    return measured[min(measured, key=lambda some: (abs(some - cards), some))]


def with_model_error(found: SampledHint, model: float | None) -> SampledHint:
    """A hint that tells the error of its model, and of each mean the error of both; None: it is not known."""
    if model is None:
        return found.model_copy(update={"model_error": None})
    moves = tuple(
        move
        if move.stderr is None
        else move.model_copy(update={"total_error": round(hypot(move.stderr, model), 9)})
        for move in found.moves
    )
    return found.model_copy(update={"moves": moves, "model_error": model})
