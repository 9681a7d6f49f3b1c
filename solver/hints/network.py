"""Small neural networks: three layers of float32 numbers.

A network gives the same bits on every machine: each output is a sum in a fixed order, rounded after each product
and each sum, and the only other operation is the maximum with 0. Linear algebra libraries are avoided, because the
order in which they sum depends on the processor.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from solver.kernels.jit import Instances, lean
from solver.kernels.words import Floats, Words

Singles = NDArray[np.float32]
MOST_BYTES = 1_000_000  # of a network's weights


class Network(NamedTuple):
    """Weights (one row per input) and biases of three layers; the first two are followed by max(0, x)."""

    first: Singles
    first_bias: Singles
    second: Singles
    second_bias: Singles
    third: Singles
    third_bias: Singles


def outputs(net: Network, inputs: Singles) -> Singles:
    """Return the network's outputs, with one row for each row of `inputs`."""
    values = inputs
    for layer in range(0, len(net), 2):
        before, weights = values, net[layer]
        values = np.tile(net[layer + 1], (len(inputs), 1))
        for unit in np.flatnonzero(before.any(0)):
            values += before[:, unit, None] * weights[unit]
        if layer < 4:
            np.maximum(values, np.float32(0), out=values)
    return values


def write(net: Network, path: Path, **further: Singles) -> None:
    """Write a network's arrays, and further named ones, to a file. Raises ValueError if they are too large."""
    arrays = {**net._asdict(), **further}
    if sum(array.nbytes for array in arrays.values()) > MOST_BYTES:
        raise ValueError(f"{path} would have more than {MOST_BYTES:,} bytes")
    np.savez(path, allow_pickle=False, **arrays)


def read(path: Path) -> tuple[Network, dict[str, Singles]]:
    """Read a network from a file; also return the further arrays by name."""
    with np.load(path) as arrays:
        others = dict(arrays)
    return Network(*(others.pop(name) for name in Network._fields)), others


# ----------------------------------------------------------------------------------------------------
# A network's outputs as a kernel, given the nonzero inputs: bit for bit those of `outputs`.


_ZERO = np.float32(0.0)
_FINEST = 4096


class Inputs(NamedTuple):
    """A sparse vector of inputs: `many[0]` nonzero ones, their `places` and their `values`."""

    many: Words
    places: Words
    values: Singles


class Layers(NamedTuple):
    """Working memory for a forward pass: both hidden layers, and the outputs."""

    first: Singles
    second: Singles
    out: Singles


def inputs(most: int) -> Inputs:
    """Return an empty vector of inputs, with room for `most` nonzero ones."""
    return Inputs(np.zeros(1, np.int64), np.zeros(most, np.int64), np.zeros(most, np.float32))


def new_layers(of: Network) -> Layers:
    """Return working memory for forward passes of a network."""
    sizes = (of.first_bias, of.second_bias, of.third_bias)
    first, second, third = (np.zeros(len(bias), np.float32) for bias in sizes)
    return Layers(first, second, third)


@lean
def add_input(inputs: Inputs, place: int, value: float) -> None:
    count = inputs.many[0]
    inputs.places[count] = place
    inputs.values[count] = value
    inputs.many[0] = count + 1


@lean
def tell(inputs: Inputs, place: int, value: float) -> None:
    """Append an input unless it is 0. It is rounded to 1/4096, since machines may differ in its last bits."""
    if value != 0.0:
        add_input(inputs, place, int(value * _FINEST + (0.5 if value > 0 else -0.5)) / _FINEST)


@lean
def tell_all(inputs: Inputs, begin: int, row: Floats, count: int) -> None:
    """Copy the first `count` numbers of `row` to the inputs from index `begin` on; set all other inputs to 0."""
    inputs.many[0] = 0
    for place in range(count):
        tell(inputs, begin + place, row[place])


@lean
def _next_layer(before: Singles, weights: Singles, bias: Singles, out: Singles) -> None:
    """Compute a layer from the layer before, whose negative values count as 0, and write it to `out`."""
    width = len(bias)
    for unit in range(width):
        out[unit] = bias[unit]
    for row in range(len(before)):
        value = before[row]
        if value > _ZERO:
            for unit in range(width):
                out[unit] += value * weights[row, unit]


@lean
def _add_rows(weights: Singles, inputs: Inputs, out: Singles) -> None:
    """Add each input's row of weights, times its value, to the sums in `out`."""
    width = len(out)
    many = inputs.many[0]
    for index in range(
        0, many - 3, 4
    ):  # four rows at a time, which takes half as long; the sums are in the same order
        one, two, three, four = (
            inputs.places[index],
            inputs.places[index + 1],
            inputs.places[index + 2],
            inputs.places[index + 3],
        )
        first, second, third, fourth = (
            inputs.values[index],
            inputs.values[index + 1],
            inputs.values[index + 2],
            inputs.values[index + 3],
        )
        for unit in range(width):
            total = (out[unit] + first * weights[one, unit]) + second * weights[two, unit]
            out[unit] = (total + third * weights[three, unit]) + fourth * weights[four, unit]
    for index in range(many - many % 4, many):
        row = inputs.places[index]
        value = inputs.values[index]
        for unit in range(width):
            out[unit] += value * weights[row, unit]


@lean
def evaluate(net: Network, inputs: Inputs, room: Layers) -> None:
    """Compute the network's outputs and write them to `room.out`."""
    evaluate_shared(net, inputs, room.first)
    _next_layer(room.first, net.second, net.second_bias, room.second)
    _next_layer(room.second, net.third, net.third_bias, room.out)


@lean
def evaluate_shared(net: Network, inputs: Inputs, shared: Singles) -> None:
    """Write to `shared` the first layer's biases and its sums over the inputs that all moves have in common."""
    for unit in range(len(shared)):
        shared[unit] = net.first_bias[unit]
    _add_rows(net.first, inputs, shared)


@lean
def evaluate_further(net: Network, shared: Singles, inputs: Inputs, room: Layers) -> None:
    """Compute the outputs for `inputs` in addition to those summed in `shared`, and write them to `room.out`."""
    for unit in range(len(shared)):
        room.first[unit] = shared[unit]
    _add_rows(net.first, inputs, room.first)
    _next_layer(room.first, net.second, net.second_bias, room.second)
    _next_layer(room.second, net.third, net.third_bias, room.out)


# ----------------------------------------------------------------------------------------------------
# A small network that predicts somebody's choices, evaluated for every choice in every sampled world, as kernels.
#
# It first gets the inputs shared by all moves of a choice, then each move's own inputs. It has one hidden layer of
# `UNITS` units, which end in max(0, x), and beside it a weighted sum of the move's own inputs; there is one set of
# weights for each context, such as the place in a trick. A move's probability is the softmax of the outputs.
#
# The numbers are float32, added in the order written here, rounded after each product and each sum, so they are
# the same on every machine. The rows of weights are unrolled, so that several units are summed together, which
# takes a third of the time (30 ns for 28 inputs).


UNITS = 16  # of the hidden layer
SHARED = OWN = 0  # placeholders for the game's numbers of inputs, both multiples of four


class Chooser(NamedTuple):
    """The weights of a small network that predicts which move a player chooses, as flat arrays.

    The network has one hidden layer, and separate weights for each context that the game distinguishes. The inputs
    that all moves of a choice share have the weights `shared`, a move's own inputs the weights `own`, both by
    context, input and hidden unit. `bias` has the hidden layer's bias, and `last` the weights of its units in the
    output, both by context and unit. `line` has the weights of own inputs that are added to the output directly,
    by context and input.
    """

    shared: Singles
    bias: Singles
    own: Singles
    last: Singles
    line: Singles


class ChooserScratch(NamedTuple):
    """Working memory of the kernels.

    `shared` has the inputs that all moves of a choice share, and `own` those of one move; `sums` is the shared
    inputs' part of the hidden layer, and `hidden` that layer.
    """

    shared: Singles
    own: Singles
    sums: Singles
    hidden: Singles


def chooser_of(arrays: Mapping[str, Any]) -> Chooser:
    """Make a network from its weights, by name.

    The arrays become read-only, so that all networks have one compiled type.
    """
    chooser = Chooser(*(np.ascontiguousarray(arrays[name], np.float32).ravel() for name in Chooser._fields))
    for array in chooser:
        array.flags.writeable = False
    return chooser


NOTHING = chooser_of({name: np.zeros(0) for name in Chooser._fields})  # no network


def read_chooser(path: Path) -> Chooser:
    with np.load(path) as arrays:
        return chooser_of(arrays)


def think_of_choice(net: Chooser, context: int, room: ChooserScratch) -> None:
    """Write to `room.sums` the hidden layer's bias and its sums over the inputs that all moves share.

    This is a template (see `chooser_kernels`).
    """
    inputs = room.shared
    at = context * SHARED * UNITS
    for unit in range(UNITS):
        total = net.bias[context * UNITS + unit]
        for row in range(0, SHARED, 4):
            first = at + row * UNITS + unit
            one = inputs[row] * net.shared[first]
            two = inputs[row + 1] * net.shared[first + UNITS]
            three = inputs[row + 2] * net.shared[first + 2 * UNITS]
            four = inputs[row + 3] * net.shared[first + 3 * UNITS]
            total += (one + two) + (three + four)
        room.sums[unit] = total


def think_of_move(net: Chooser, context: int, room: ChooserScratch) -> float:
    """Return the network's output for the move whose inputs are in `room.own`.

    Call `think_of_choice` first. This is a template (see `chooser_kernels`).
    """
    inputs, hidden = room.own, room.hidden
    at = context * OWN * UNITS
    for unit in range(UNITS):
        total = room.sums[unit]
        for row in range(0, OWN, 4):
            first = at + row * UNITS + unit
            one = inputs[row] * net.own[first]
            two = inputs[row + 1] * net.own[first + UNITS]
            three = inputs[row + 2] * net.own[first + 2 * UNITS]
            four = inputs[row + 3] * net.own[first + 3 * UNITS]
            total += (one + two) + (three + four)
        hidden[unit] = max(total, _ZERO) * net.last[context * UNITS + unit]
    for half in (8, 4):  # sums of two units each, several together
        for unit in range(half):
            hidden[unit] += hidden[half + unit]
    one, two, three, four = hidden[0], hidden[1], hidden[2], hidden[3]
    at = context * OWN
    for row in range(0, OWN, 4):
        one += inputs[row] * net.line[at + row]
        two += inputs[row + 1] * net.line[at + row + 1]
        three += inputs[row + 2] * net.line[at + row + 2]
        four += inputs[row + 3] * net.line[at + row + 3]
    return float((one + two) + (three + four))


def chooser_kernels(
    game: str, shared: int, own: int
) -> tuple[Callable[[Chooser, int, Any], None], Callable[[Chooser, int, Any], float]]:
    """Instantiate `think_of_choice` and `think_of_move` for these numbers of inputs. Nothing is compiled yet."""
    assert shared % 4 == own % 4 == 0
    instances = Instances(game, {"SHARED": shared, "OWN": own})
    return instances.of(think_of_choice), instances.of(think_of_move)
