"""Means over deals with their intervals."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby
from math import sqrt
from typing import TypeVar

import numpy as np

from solver.common.stats import Z95
from solver.inputs.errors import RequestError
from solver.protocol.answers import Answer
from solver.protocol.survey import Row

K = TypeVar("K")


class Estimate(Answer):
    """A mean over deals, ± `half` at 95% (normal; deals are independent); None for fewer than two deals.

    `what` and `model` say of what it is the mean.
    """

    what: str
    model: str = ""
    mean: float
    half: float | None

    @property
    def figure(self) -> str:
        """As a person reads it."""
        return f"{self.mean:.3f}" if self.half is None else f"{self.mean:.3f} ± {self.half:.3f}"

    @property
    def share(self) -> str:
        """As a share of a hundred."""
        return f"{self.mean:.1%}" if self.half is None else f"{self.mean:.1%} ± {self.half:.1%}"


def estimate(what: str, values: Sequence[float], model: str = "") -> Estimate:
    """The mean of one value a deal, at least one."""
    half = Z95 * float(np.std(values, ddof=1)) / sqrt(len(values)) if len(values) > 1 else None
    return Estimate(what=what, model=model, mean=float(np.mean(values)), half=half)


def by_deal(rows: Iterable[Row], key: Sequence[str]) -> Mapping[int, list[Row]]:
    """The rows of each deal, in order. `key` tells its rows apart.

    Raises RequestError for a row that is there twice.
    """
    ordered = sorted(rows, key=lambda row: (row["number"], *(row[name] for name in key)))
    found = {number: list(group) for number, group in groupby(ordered, key=lambda row: int(row["number"]))}
    for number, group in found.items():
        if len({tuple(row[name] for name in key) for row in group}) < len(group):
            raise RequestError("duplicate", f"deal {number} is counted twice")
    return found
