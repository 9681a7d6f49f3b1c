"""Choices that a network learns from: what each move led to, in the deal as it lay. Games fill them by kernels."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from solver.hints.learned.network import Singles
from solver.kernels.arrays import Words


class Choices(NamedTuple):
    """Choices: what their moves share; where their moves begin, and how many; of each move its own inputs, its
    value by rule, and the points that its player scored in the end. `many`: how many choices, how many moves.
    """

    many: Words
    shared: Singles
    begins: Words
    counts: Words
    moves: Singles
    by_rule: Singles
    points: Singles


def room_for(choices: int, moves: int, context: int, own: int) -> Choices:
    """Room for so many choices and moves; `context` inputs are shared, `own` of a move."""
    return Choices(
        np.zeros(2, np.int64),
        np.zeros((choices, context), np.float32),
        np.zeros(choices, np.int64),
        np.zeros(choices, np.int64),
        np.zeros((moves, own), np.float32),
        np.zeros(moves, np.float32),
        np.zeros(moves, np.float32),
    )
