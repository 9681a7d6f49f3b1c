"""A network's outputs as a kernel, from the inputs that are not 0: those of `network.outputs`, bit for bit."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from solver.hints.learned.network import Network, Singles
from solver.kernels.arrays import Floats, Words
from solver.kernels.jit import lean

_ZERO = np.float32(0.0)
_FINEST = 4096


class Inputs(NamedTuple):
    """The inputs that are not 0: `many[0]` of them, their `places` and their `values`."""

    many: Words
    places: Words
    values: Singles


class Room(NamedTuple):
    """What a pass writes to: both hidden layers, and the outputs."""

    first: Singles
    second: Singles
    out: Singles


def inputs(most: int) -> Inputs:
    """Room for so many inputs."""
    return Inputs(np.zeros(1, np.int64), np.zeros(most, np.int64), np.zeros(most, np.float32))


def room(of: Network) -> Room:
    """Room for a pass of the network."""
    sizes = (of.first_bias, of.second_bias, of.third_bias)
    first, second, third = (np.zeros(len(bias), np.float32) for bias in sizes)
    return Room(first, second, third)


@lean
def add_input(inputs: Inputs, place: int, value: float) -> None:
    """Note an input that is not 0."""
    count = inputs.many[0]
    inputs.places[count] = place
    inputs.values[count] = value
    inputs.many[0] = count + 1


@lean
def tell(inputs: Inputs, place: int, value: float) -> None:
    """Note an input, to the next multiple of 1/4096: powers may differ in the last place between machines."""
    if value != 0.0:
        add_input(inputs, place, int(value * _FINEST + (0.5 if value > 0 else -0.5)) / _FINEST)


@lean
def tell_all(inputs: Inputs, begin: int, row: Floats, count: int) -> None:
    """Note the first `count` numbers of a row as the inputs from `begin` on; no others are noted."""
    inputs.many[0] = 0
    for place in range(count):
        tell(inputs, begin + place, row[place])


@lean
def _next_layer(before: Singles, weights: Singles, bias: Singles, out: Singles) -> None:
    """A layer whose inputs are max(0, x) of the layer before."""
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
    """Add each input's row of weights to the sums in `out`."""
    width = len(out)
    many = inputs.many[0]
    for index in range(
        0, many - 3, 4
    ):  # four rows at a time, which takes half as long; their sums in the same order
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
def evaluate(net: Network, inputs: Inputs, room: Room) -> None:
    """Write the network's outputs to `room.out`."""
    evaluate_shared(net, inputs, room.first)
    _next_layer(room.first, net.second, net.second_bias, room.second)
    _next_layer(room.second, net.third, net.third_bias, room.out)


@lean
def evaluate_shared(net: Network, inputs: Inputs, shared: Singles) -> None:
    """Write to `shared` what some inputs make of the first layer: the same for all moves of a choice."""
    for unit in range(len(shared)):
        shared[unit] = net.first_bias[unit]
    _add_rows(net.first, inputs, shared)


@lean
def evaluate_further(net: Network, shared: Singles, inputs: Inputs, room: Room) -> None:
    """Write the network's outputs to `room.out`: `inputs` come after those that made `shared`."""
    for unit in range(len(shared)):
        room.first[unit] = shared[unit]
    _add_rows(net.first, inputs, room.first)
    _next_layer(room.first, net.second, net.second_bias, room.second)
    _next_layer(room.second, net.third, net.third_bias, room.out)
