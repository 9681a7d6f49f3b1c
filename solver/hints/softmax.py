"""From the values of choices to chances: a plausible player draws in proportion to exp(value)."""

from __future__ import annotations

from math import exp

from solver.kernels.arrays import Floats
from solver.kernels.jit import lean


@lean
def to_chances(count: int, out: Floats) -> None:
    """Turn the first `count` values of `out` into the probabilities of a softmax."""
    most = out[0]
    for place in range(1, count):
        most = max(most, out[place])
    total = 0.0
    for place in range(count):
        out[place] = exp(out[place] - most)
        total += out[place]
    for place in range(count):
        out[place] /= total
