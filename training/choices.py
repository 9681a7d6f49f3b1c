"""Choices that a network learns from: what each move led to, in the deal as it lay. Games fill them by kernels."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from solver.hints.network import Inputs, Singles
from solver.kernels.arrays import Floats, Words
from solver.kernels.jit import lean


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


@lean
def begin_choice(rows: Choices, count: int) -> int:
    """Begin a choice of so many moves; return where they begin. There must be room."""
    row, at = rows.many
    rows.many[0] = row + 1
    rows.many[1] = at + count
    rows.begins[row] = at
    rows.counts[row] = count
    return int(at)


@lean
def note_told(told: Inputs, offset: int, row: Singles) -> None:
    """Write what a network is told to a row, which begins with input number `offset`; the rest of it is 0."""
    for place in range(len(row)):
        row[place] = 0.0
    for index in range(told.many[0]):
        row[told.places[index] - offset] = told.values[index]


@lean
def place_of_best(count: int, worth: Floats) -> int:
    """The place of the highest of the first `count` numbers; the first of equals."""
    best = 0
    for place in range(1, count):
        if worth[place] > worth[best]:
            best = place
    return best
