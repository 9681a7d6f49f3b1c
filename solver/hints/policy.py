"""Simulated players, shared by all games: kernels that choose moves according to their estimated values.

A simulated player uses its own cards and what everybody has seen. It gives each choice a value, a weighted sum of
features, and draws a choice by softmax: in proportion to exp(value). `to_chances` and `draw_place` compute the
probabilities; `gumbel` gives noise such that the choice with the highest noisy value has the same distribution
(Gumbel 1954). Nobody plays exactly like that, so where a hint judges moves that were seen, a share of all choices
is assumed to be random: `mixed`.
"""

from __future__ import annotations

from math import exp, inf, log

import numpy as np

from solver.kernels.jit import inlined, lean
from solver.kernels.rng import uniform
from solver.kernels.words import Floats, Words


@lean
def to_chances(count: int, out: Floats, least: float = 0.0) -> None:
    """Replace the first `count` values in `out` by their softmax probabilities.

    Choices that are less likely than `least` times the likeliest one get 0.
    """
    most = out[0]
    for place in range(1, count):
        most = max(most, out[place])
    total = 0.0
    for place in range(count):
        share = exp(out[place] - most)
        out[place] = share if share >= least else 0.0
        total += out[place]
    for place in range(count):
        out[place] /= total


@lean
def draw_place(count: int, out: Floats, random: Words) -> int:
    """Draw an index below `count` with the probabilities in `out`.

    `random` is an array of one word, the state of a random number generator.
    """
    left = uniform(random)
    place = 0
    while place < count - 1 and left >= out[place]:
        left -= out[place]
        place += 1
    return place


@lean
def gumbel(random: Words) -> float:
    """Return Gumbel noise.

    If an independent number from it is added to each value, each value has the highest sum with a probability in
    proportion to exp(value).
    """
    return _noise(uniform(random))


@lean
def _noise(share: float) -> float:
    return -log(-log(share + 1e-300) + 1e-300)


_PARTS = 64
_MOST_NOISE = np.array([-log(-log((part + 1) / _PARTS)) + 1e-6 for part in range(_PARTS - 1)] + [inf])


@lean
def noisy(value: float, best: float, random: Words) -> float:
    """Return a value with Gumbel noise added, or minus infinity if that is less than `best`.

    Most values are much lower than the best one so far, and logarithms are slow, so a table rules these out.
    """
    share = uniform(random)
    if value + _MOST_NOISE[int(share * _PARTS)] < best:
        return -inf
    return value + _noise(share)


@inlined
def mixed(made: float, total: float, count: int, share: float) -> float:
    """Return the probability of a choice with weight `made` out of `total`, among `count` choices.

    The player chooses uniformly at random with probability `share`, otherwise in proportion to the weights.
    """
    return (1 - share) * made / total + share / count
