"""Small neural networks: three layers of float32 numbers.

A network gives the same bits on every machine: each output is a sum in the order of its terms, with one rounding
after each product and one after each sum, and there is no other operation but the maximum with 0. So nothing is
left to a library of linear algebra, which orders its sums as suits the processor.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Singles = NDArray[np.float32]


class Network(NamedTuple):
    """Weights (a row for each input) and biases of three layers; the first two end in max(0, x)."""

    first: Singles
    first_bias: Singles
    second: Singles
    second_bias: Singles
    third: Singles
    third_bias: Singles


def outputs(net: Network, inputs: Singles) -> Singles:
    """The outputs for each row of inputs, a row each."""
    values = inputs
    for layer in range(0, len(net), 2):
        before, weights = values, net[layer]
        values = np.tile(net[layer + 1], (len(inputs), 1))
        for place in np.flatnonzero(before.any(0)):
            values += before[:, place, None] * weights[place]
        if layer < 4:
            np.maximum(values, np.float32(0), out=values)
    return values


def kept(net: Network) -> dict[str, NDArray[np.float16]]:
    """A network's arrays by their names, in float16. Raises a ValueError for weights beyond 65,504."""
    arrays = {}
    for name, weights in zip(Network._fields, net, strict=True):
        if np.abs(weights).max() > np.finfo(np.float16).max:
            raise ValueError(f"{name} has weights that float16 cannot hold")
        arrays[name] = weights.astype(np.float16)
    return arrays


def network(arrays: Mapping[str, NDArray[np.float16]]) -> Network:
    """The network of what was `kept`, in float32."""
    return Network(*(arrays[name].astype(np.float32) for name in Network._fields))
