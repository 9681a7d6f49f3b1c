"""The kinds of players that a hint reckons with: nobody knows how the others choose, so none is taken for granted.

Each seat is of one of four kinds. Which one its own choices tell, as they tell of its cards (`likelihood`); in
each sampled world a seat chooses as these kinds do, each as often as the seat is likely to be of it there.

* The *trained* player is the one of `policy`, by the weights that were learned by self-play.
* Who *looks ahead* does what hints do, as far as weights can say (``python -m benchmarks.aqua_watching``).
* The *greedy* player plays whenever it can, the most cards of the weakest metal, and makes pairs by exchanges.
* A *random* player makes any choice as often as any other.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from solver.games.aqua_regia.hints.policy import WEIGHTS
from solver.games.aqua_regia.hints.weights import AHEAD, GREEDY, PLAYER
from solver.kernels.arrays import Floats

TRAINED = 0  # the first of any kinds


class Kinds(NamedTuple):
    """Kinds of players: the `weights` of `policy`, a row a kind; the share of each kind's choices that is taken to
    be made at random; and how many players of each kind are `expected`, as shares of all.
    """

    weights: Floats
    at_random: Floats
    expected: Floats


def _kinds(*rows: tuple[tuple[float, ...], float, float]) -> Kinds:
    kinds = Kinds(*(np.array(column) for column in zip(*rows, strict=True)))
    for array in kinds:
        array.flags.writeable = False
    return kinds


KINDS = _kinds((PLAYER, 0.1, 0.25), (AHEAD, 0.1, 0.25), (GREEDY, 0.1, 0.25), ((0.0,) * WEIGHTS, 1.0, 0.25))
ONLY_TRAINED = _kinds((PLAYER, 0.1, 1.0))
