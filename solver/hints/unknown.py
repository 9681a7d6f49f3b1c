"""What it would be worth to know more than a player remembers, by the worlds that a hint has played."""

from __future__ import annotations

from math import sqrt

import numpy as np
from numpy.typing import NDArray

from solver.hints.causes import Noted
from solver.hints.ranking import student

_PRIOR = 4.0  # of the ridge, in worlds
_PARTS = 4  # of the worlds: each is judged by what the others tell
_FEWEST = 8  # chains in a part


def worth_of_knowing(noted: Noted | None, facts: NDArray[np.bool_], best: int) -> tuple[float, float] | None:
    """How much more a player scores on average who knows the `facts` of a world, a row each, and its error.

    Scores are taken to be linear in the facts. What is learned in some chains chooses the moves of the others, so
    luck is not counted as knowledge; it is a lower bound, for a player may learn more from the facts than a line
    does. None where there are too few worlds.
    """
    if noted is None or len(np.unique(noted.batches)) < _PARTS * _FEWEST:
        return None
    inputs = np.concatenate([np.ones((len(facts), 1)), facts - facts.mean(axis=0)], axis=1)
    gains = noted.scores - noted.scores[:, [best]]
    gained = np.zeros(len(facts))
    for part in range(_PARTS):
        here = noted.batches % _PARTS == part
        known, told = inputs[~here], gains[~here]
        weights = np.linalg.solve(known.T @ known + _PRIOR * np.eye(inputs.shape[1]), known.T @ told)
        chosen = np.argmax(inputs[here] @ weights, axis=1)
        gained[here] = gains[here, chosen]
    by_chain = np.bincount(noted.batches, gained) / np.bincount(noted.batches)
    error = float(by_chain.std(ddof=1)) / sqrt(len(by_chain)) * student(len(by_chain) - 1)
    return max(0.0, float(gained.mean())), error
