"""A small network that tells what somebody chooses, asked for every choice in every sampled world, as kernels.

It is told what all moves of a choice have alike, and then each move's own inputs. One hidden layer of `UNITS`
units, which end in max(0, x), and beside it a weighted sum of the own inputs; there is one set of weights for each
context, such as the place in a trick. A move is chosen as often as a softmax of what the network gives tells.

The numbers are float32, added in the order that is written here, with one rounding after each product and each
sum; so they are the same on every machine. The rows of weights are unrolled: then several units are summed at
once, which takes a third of the time (30 ns for 28 inputs).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from solver.hints.learned.network import Singles
from solver.kernels.bits import unsigned
from solver.kernels.template import Instances

UNITS = 16  # of the hidden layer
SHARED = OWN = 0  # stand for the game's: how many inputs there are, both multiples of four
_ZERO = np.float32(0.0)


class Chooser(NamedTuple):
    """The weights, by context, input and unit: of the `shared` inputs and of a move's `own` ones, with the hidden
    layer's `bias`; then by context and unit those of the `last` layer, and by context and own input those of the
    `line` beside it.
    """

    shared: Singles
    bias: Singles
    own: Singles
    last: Singles
    line: Singles


class ChooserRoom(NamedTuple):
    """What the kernels write to: the inputs of a choice and of a move, what the former make of the hidden layer,
    and that layer.
    """

    shared: Singles
    own: Singles
    sums: Singles
    hidden: Singles


def chooser_of(arrays: Mapping[str, Any]) -> Chooser:
    """The network of these weights, by their names. It is only read, so kernels know all networks as one kind."""
    found = Chooser(*(np.ascontiguousarray(arrays[name], np.float32).ravel() for name in Chooser._fields))
    for array in found:
        array.flags.writeable = False
    return found


NOTHING = chooser_of({name: np.zeros(0) for name in Chooser._fields})  # nobody is told by a network


def read(path: Path) -> Chooser:
    """The network that was written to a file."""
    with np.load(path) as arrays:
        return chooser_of(arrays)


def think_of_choice(net: Chooser, context: int, room: ChooserRoom) -> None:
    """Write to the sums of `room` what its shared inputs make of the hidden layer. A template."""
    inputs = room.shared
    at = context * SHARED * UNITS
    for unit in range(UNITS):
        total = net.bias[unsigned(context * UNITS + unit)]
        for row in range(0, SHARED, 4):
            first = at + row * UNITS + unit
            one = inputs[unsigned(row)] * net.shared[unsigned(first)]
            two = inputs[unsigned(row + 1)] * net.shared[unsigned(first + UNITS)]
            three = inputs[unsigned(row + 2)] * net.shared[unsigned(first + 2 * UNITS)]
            four = inputs[unsigned(row + 3)] * net.shared[unsigned(first + 3 * UNITS)]
            total += (one + two) + (three + four)
        room.sums[unsigned(unit)] = total


def think_of_move(net: Chooser, context: int, room: ChooserRoom) -> float:
    """The value of the move whose inputs are in `room`, after `think_of_choice`. A template."""
    inputs, hidden = room.own, room.hidden
    at = context * OWN * UNITS
    for unit in range(UNITS):
        total = room.sums[unsigned(unit)]
        for row in range(0, OWN, 4):
            first = at + row * UNITS + unit
            one = inputs[unsigned(row)] * net.own[unsigned(first)]
            two = inputs[unsigned(row + 1)] * net.own[unsigned(first + UNITS)]
            three = inputs[unsigned(row + 2)] * net.own[unsigned(first + 2 * UNITS)]
            four = inputs[unsigned(row + 3)] * net.own[unsigned(first + 3 * UNITS)]
            total += (one + two) + (three + four)
        hidden[unsigned(unit)] = max(total, _ZERO) * net.last[unsigned(context * UNITS + unit)]
    for half in (8, 4):  # sums of two units each, several at once
        for unit in range(half):
            hidden[unsigned(unit)] += hidden[unsigned(half + unit)]
    one, two, three, four = hidden[0], hidden[1], hidden[2], hidden[3]
    at = context * OWN
    for row in range(0, OWN, 4):
        one += inputs[unsigned(row)] * net.line[unsigned(at + row)]
        two += inputs[unsigned(row + 1)] * net.line[unsigned(at + row + 1)]
        three += inputs[unsigned(row + 2)] * net.line[unsigned(at + row + 2)]
        four += inputs[unsigned(row + 3)] * net.line[unsigned(at + row + 3)]
    return float((one + two) + (three + four))


def chooser_kernels(
    game: str, shared: int, own: int
) -> tuple[Callable[[Chooser, int, Any], None], Callable[[Chooser, int, Any], float]]:
    """`think_of_choice` and `think_of_move` for so many inputs. Compiles nothing yet."""
    assert shared % 4 == own % 4 == 0
    made = Instances(game, {"SHARED": shared, "OWN": own})
    return made.of(think_of_choice), made.of(think_of_move)
