"""The Rasch model of item response: how strong solvers are, and how hard puzzles, from who solves what.

A solver of ability a solves a puzzle of difficulty d with probability 1 / (1 + exp(d - a)). Both are fitted
together, by penalized maximum likelihood. See G. Rasch, "Probabilistic models for some intelligence and
attainment tests" (1960).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

SPREAD = 2.0  # standard deviation of difficulties and of abilities that are expected beforehand, in log odds
_TOLERANCE = 1e-9
_STEP = 1.0  # the most that a step changes an estimate
_ROUNDS = 10_000


def fit(solved: Floats) -> tuple[Floats, Floats]:
    """Return the abilities of solvers and the difficulties of puzzles, in log odds; the mean difficulty is near 0.

    `solved` has a row for each solver and a column for each puzzle: the share of tries that were right, from 0 to
    1, or NaN for no try. Where nobody or everybody solves a puzzle, what is expected keeps its difficulty finite.
    """
    abilities, levels = np.zeros(solved.shape[0]), np.zeros(solved.shape[1])
    for _ in range(_ROUNDS):
        before = abilities
        levels = difficulties(solved, abilities)
        abilities = -difficulties(solved.T, -levels)  # the model is the same with the signs turned
        if np.abs(abilities - before).max(initial=0.0) < _TOLERANCE:
            break
    return abilities, levels


def difficulties(solved: Floats, abilities: Floats) -> Floats:
    """Return the difficulties of puzzles that were tried by solvers of known abilities (see `fit`)."""
    tried = ~np.isnan(solved)
    right = np.where(tried, solved, 0.0)
    levels = np.zeros(solved.shape[1])
    for _ in range(_ROUNDS):
        chance = np.where(tried, 1 / (1 + np.exp(levels - abilities[:, None])), 0.0)
        slope = (chance - right).sum(axis=0) - levels / SPREAD**2
        step = np.clip(slope / ((chance * (1 - chance)).sum(axis=0) + 1 / SPREAD**2), -_STEP, _STEP)
        levels = levels + step
        if np.abs(step).max(initial=0.0) < _TOLERANCE:
            break
    return levels
