"""Fitting a plausible player's weights to observed choices, by maximum likelihood."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from solver.kernels.words import Floats

STEPS = 600
PULL = 2e-4  # towards the weights that the fit begins with
RATE = 0.08
ADAM = (0.9, 0.99, 1e-8)


@dataclass(frozen=True)
class Choices:
    """Observed choices: the features of the options, their number, and the one chosen."""

    features: NDArray[np.float32]  # by choice, option and feature
    counts: NDArray[np.int64]
    chosen: NDArray[np.int64]


def likely(choices: Choices, weights: Floats, share: float) -> tuple[float, Floats]:
    """The mean log-likelihood of choices, and its gradient with respect to the weights.

    A `share` of the choices is assumed to be made at random.
    """
    values = choices.features @ weights
    values[np.arange(values.shape[1]) >= choices.counts[:, None]] = -np.inf
    chances = np.exp(values - values.max(1, keepdims=True))
    chances /= chances.sum(1, keepdims=True)
    rows = np.arange(len(choices.chosen))
    of_chosen = chances[rows, choices.chosen]
    chance = (1 - share) * of_chosen + share / choices.counts
    slopes = choices.features[rows, choices.chosen] - np.einsum("no,nof->nf", chances, choices.features)
    slopes *= ((1 - share) * of_chosen / chance)[:, None]
    return float(np.log(chance).mean()), slopes.mean(0, dtype=np.float64)


def fitted(parts: list[Choices], start: Floats, share: float) -> Floats:
    """Fit weights to choices by maximum likelihood, with a penalty for their distance from `start`.

    Each part counts by its number of choices. A `share` of the choices is assumed to be made at random.
    """
    weights, first, second = start.copy(), np.zeros_like(start), np.zeros_like(start)
    total = sum(len(part.chosen) for part in parts)
    fast, slow, tiny = ADAM
    for step in range(STEPS):
        gradient = -PULL * (weights - start)
        for part in parts:
            gradient += likely(part, weights, share)[1] * len(part.chosen) / total
        first = fast * first + (1 - fast) * gradient
        second = slow * second + (1 - slow) * gradient**2
        size = RATE * (1 - step / STEPS)
        weights += size * (first / (1 - fast ** (step + 1))) / (np.sqrt(second / (1 - slow ** (step + 1))) + tiny)
    return weights
