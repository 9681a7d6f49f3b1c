"""Small networks: what they give, and how they are kept."""

from __future__ import annotations

import numpy as np
import pytest

from training.network import Network, kept, network, outputs


def _net(seed: int, inputs: int = 7, first: int = 5, second: int = 4, out: int = 3) -> Network:
    random = np.random.default_rng(seed)
    shapes = [(inputs, first), (first,), (first, second), (second,), (second, out), (out,)]
    return Network(*(random.standard_normal(shape).astype(np.float32) for shape in shapes))


def _by_terms(net: Network, row: np.ndarray) -> list[np.float32]:
    """One number at a time, from the definition."""
    values = list(row)
    for layer in range(3):
        weights, bias = net[2 * layer], net[2 * layer + 1]
        found = []
        for unit in range(len(bias)):
            total = bias[unit]
            for place, value in enumerate(values):
                total = np.float32(total + np.float32(value * weights[place, unit]))
            found.append(total if layer == 2 else max(total, np.float32(0)))
        values = found
    return values


def test_each_bit_is_that_of_the_sums_in_their_order() -> None:
    random = np.random.default_rng(3)
    rows = (random.standard_normal((20, 7)) * (random.random((20, 7)) < 0.5)).astype(np.float32)
    net = _net(1)
    found = outputs(net, rows)
    assert found.dtype == np.float32
    assert [list(row) for row in found] == [_by_terms(net, row) for row in rows]


def test_what_is_kept_comes_back() -> None:
    net = _net(2)
    arrays = kept(net)
    again = network(arrays)
    assert all(array.dtype == np.float16 for array in arrays.values())
    assert all(array.dtype == np.float32 for array in again)
    assert all(np.allclose(one, other, rtol=1e-3, atol=1e-6) for one, other in zip(net, again, strict=True))
    assert all((one == other).all() for one, other in zip(again, network(kept(again)), strict=True))


def test_weights_that_half_precision_cannot_hold_are_refused() -> None:
    net = _net(2)
    net.second[1, 2] = 1e5
    with pytest.raises(ValueError, match="second has weights"):
        kept(net)
