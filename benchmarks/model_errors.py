"""By how much hints are wrong for what they take the others to be: the tables in `calibrated` of each game.

Rounds of one who follows hints are played among others of several kinds (`benchmarks.calibration`). For each kind
and number of cards in the hand a straight line is put through what was scored by what was said. How far the line
is from "scored as said", root mean square over the hints, is the error of the model there: its mean is what hints
say too much or too little, and its slope what they make of differences between rounds too much or too little. The
luck of the deal is what lies off the line; what it adds to the distance is taken off. Means that are wrong by as
much above as below at the same said mean do not show, so the true error may be larger.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from solver.kernels.arrays import Floats

_FEWEST = 20  # rounds for a line


class Said(NamedTuple):
    """What a hint said: the `mean` of its best move and the error of sampling, of a hand of so many `cards`."""

    cards: int
    mean: float
    stderr: float


class Round(NamedTuple):
    """What hints said in a round, one for each choice, and what was then scored."""

    said: list[Said]
    scored: float


def squared_error(said: Floats, scored: Floats, rounds: int) -> float:
    """The mean square of what a line by least squares differs by from `said`, less what luck makes of it.

    A line has two parameters, and so luck of variance v adds 2 v / n for n independent rounds.
    """
    slope, offset = np.polyfit(said, scored, 1)
    line = offset + slope * said
    luck = float(np.sum((scored - line) ** 2)) / max(len(said) - 2, 1)
    return float(np.mean((said - line) ** 2)) - 2 * luck / rounds


def model_errors(kinds: Mapping[str, Sequence[Round]], most: int = 99) -> dict[int, float]:
    """The model's error by the cards in the hand, over the kinds alike; each number with its neighbours.

    Hands of more than `most` cards count as such of `most`. Numbers with too few rounds are left out.
    """
    counts = sorted(
        {min(said.cards, most) for rounds in kinds.values() for round_ in rounds for said in round_.said}
    )
    found = {}
    for cards in counts:
        squares = []
        for rounds in kinds.values():
            near = [
                (said.mean, round_.scored)
                for round_ in rounds
                for said in round_.said
                if abs(min(said.cards, most) - cards) <= 1
            ]
            there = sum(any(abs(min(said.cards, most) - cards) <= 1 for said in round_.said) for round_ in rounds)
            if there >= _FEWEST and len({mean for mean, _ in near}) > 2:
                means, scores = np.array(near).T
                squares.append(squared_error(means, scores, there))
        if len(squares) == len(kinds):
            found[cards] = float(np.sqrt(max(0.0, float(np.mean(squares)))))
    return found
