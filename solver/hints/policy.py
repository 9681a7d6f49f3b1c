"""What the plausible players of all games share: how values of choices become choices, as kernels.

A plausible player looks at its own cards and at what everybody has seen. It gives each choice that it has a value,
a weighted sum of features, and takes a choice with the probability of a softmax: in proportion to exp(value).
`to_chances` and `draw` do so by way of the probabilities, `gumbel` by the noise that makes the choice of the
highest noisy value such a draw (Gumbel 1954). Nobody plays quite like that, so where a hint judges what somebody
was seen to do, a share of the choices counts as made at random: `mixed`.
"""

from __future__ import annotations

from math import exp, log

from solver.kernels.arrays import Floats, Words
from solver.kernels.jit import inlined, lean
from solver.kernels.rng import uniform


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


@lean
def draw(count: int, out: Floats, random: Words) -> int:
    """Draw a place from 0 to `count` - 1 by the probabilities in `out`. `random` is a stream's one word."""
    left = uniform(random)
    place = 0
    while place < count - 1 and left >= out[place]:
        left -= out[place]
        place += 1
    return place


@lean
def gumbel(random: Words) -> float:
    """Noise that, added to each value, makes the choice of the highest sum a draw in proportion to exp(value)."""
    return -log(-log(uniform(random) + 1e-300) + 1e-300)


@inlined
def mixed(made: float, total: float, count: int, share: float) -> float:
    """The chance of a choice whose part is `made` of a `total`, out of `count` choices.

    A `share` (0 to 1) of the choices is made at random, each choice as likely as any other.
    """
    return (1 - share) * made / total + share / count
