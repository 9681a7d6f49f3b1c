"""Scores entered into `solver.hints.ranking.Sums` batch by batch."""

from __future__ import annotations

import numpy as np

from solver.hints.ranking import Sums
from solver.kernels.words import Floats


def sums_of(scores: Floats, weights: Floats | None = None, *, chained: bool = False, batch: int = 7) -> Sums:
    """Scores by world and move, added in batches."""
    sums = Sums(scores.shape[1], 2)
    weights = np.ones(len(scores)) if weights is None else weights
    for start in range(0, len(scores), batch):
        part = scores[start : start + batch]
        results = np.stack([part, part**2], axis=2)
        sums.add(results, weights[start : start + batch].copy(), chained=chained)
    return sums
