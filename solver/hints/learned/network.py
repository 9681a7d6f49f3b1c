"""Small neural networks: three layers of float32 numbers.

A network gives the same bits on every machine: each output is a sum in the order of its terms, with one rounding
after each product and one after each sum, and there is no other operation but the maximum with 0. So nothing is
left to a library of linear algebra, which orders its sums as suits the processor.
"""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Singles = NDArray[np.float32]
MOST_BYTES = 1_000_000  # of a network's weights


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


def write(net: Network, path: Path, **further: Singles) -> None:
    """Write a network's arrays to a file, by their names, and further ones. Raises a ValueError for too many."""
    arrays = {**net._asdict(), **further}
    if sum(array.nbytes for array in arrays.values()) > MOST_BYTES:
        raise ValueError(f"{path} would have more than {MOST_BYTES:,} bytes")
    np.savez(path, allow_pickle=False, **arrays)


def read(path: Path) -> tuple[Network, dict[str, Singles]]:
    """The network that was written to a file, and the further arrays by their names."""
    with np.load(path) as arrays:
        found = dict(arrays)
    return Network(*(found.pop(name) for name in Network._fields)), found
