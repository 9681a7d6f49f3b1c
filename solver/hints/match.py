"""Hints that maximize the chance to win the match instead of the points of the round.

Before the last round, the points of the coming rounds must be estimated. They are drawn from a sample of whole
rounds by simulated players, which does not depend on this match: all players are equally strong, nobody plays for
the match, and seats are interchangeable, since the leader is unknown. So the chance is an estimate, and the
standard errors of a hint, which cover only the round being played, do not include the error of the sample.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np

from solver.common import Random
from solver.hints.sampled import Rollouts
from solver.kernels.words import Floats, Words

_HANDS, _WORLDS = 64, 8  # of the sample of whole rounds: first hands of a seat, and rounds for each
_SEED = 11
_ENDINGS = 4096  # sampled totals of the coming rounds
_ENDINGS_A_WORLD = 32  # tried with each sampled world, spread evenly over all


@dataclass(frozen=True)
class Match:
    """A match, for judging rounds by the chance of a `seat` to win or share it.

    `before` has the points of the earlier rounds, by seat. In results, the seats' points in the round begin at
    statistic `scores`. `coming` has the points of the rounds after this one, as drawn by `endings`; if it is None,
    this is the last round, and the chance is 1 or 0.
    """

    seat: int
    before: Sequence[int]
    scores: int
    coming: Floats | None = None

    def judge(self, results: Floats, first: int) -> None:
        """Replace the first statistic in `results` (worlds, moves, statistics), the points, by the chance.

        The player's own points are copied to the statistic after the last seat's. `first` is the number of the
        first world.
        """
        behind = self.scores + len(self.before)
        results[..., behind] = results[..., 0]
        numbers = np.arange(first, first + len(results))
        results[..., 0] = self.chances(results[..., self.scores : behind], numbers)

    def chances(self, points: Floats, worlds: Words) -> Floats:
        """Return the chance to win or share the match, an array (worlds, moves).

        `points` has the round's points (worlds, moves, seats). `worlds` has the numbers of the worlds, which
        select the samples of `coming` to use in each world.
        """
        totals = (points + np.array(self.before))[:, :, None]
        if self.coming is not None:
            ways = (worlds[:, None] * _ENDINGS_A_WORLD + np.arange(_ENDINGS_A_WORLD)) % len(self.coming)
            totals = totals + self.coming[ways][:, None]
        winning: Floats = (totals[..., self.seat] >= totals.max(axis=-1)).mean(axis=-1)
        return winning


@lru_cache(maxsize=32)
def coming(
    opening: Callable[..., Rollouts], scores: int, players: int, following: int, *setup: Any
) -> Floats | None:
    """Sampled totals of the `following` rounds to come, as drawn by `endings`; None if there are none.

    The other arguments are those of `whole_rounds`.
    """
    return endings(whole_rounds(opening, scores, players, *setup), following) if following else None


@lru_cache(maxsize=32)
def whole_rounds(opening: Callable[..., Rollouts], scores: int, players: int, *setup: Any) -> Floats:
    """Simulate a sample of whole rounds; return the points of each seat, an array (rounds, seats).

    ``opening(number, seed, *setup)`` makes rollouts for what seat 0 sees before its first choice in deal
    `number`. The seat makes the choice with the best mean over some worlds, and each of these worlds is a round of
    the sample. In the rollouts' results, the seats' points begin at statistic `scores`, in the order of the seats.
    """
    scores_drawn = np.empty((_HANDS, _WORLDS, players))
    for number in range(_HANDS):
        rollouts = opening(number, _SEED, *setup)
        results = np.zeros((_WORLDS, rollouts.moves, scores + players))
        rollouts.play(0, results, np.ones(_WORLDS))
        best = int(np.argmax(results[..., 0].mean(axis=0)))
        scores_drawn[number] = results[:, best, scores:]
    return scores_drawn.reshape(-1, players)


def endings(rounds: Floats, following: int) -> Floats:
    """Draw totals of `following` rounds, an array (samples, seats), from a sample.

    Each sampled round is rotated around the table at random, since the leader is unknown.
    """
    random = Random(_SEED, following)
    players = rounds.shape[1]
    turned = np.stack([np.roll(rounds, turn, axis=1) for turn in range(players)]).reshape(-1, players)
    drawn = [[random.below(len(turned)) for _ in range(_ENDINGS)] for _ in range(following)]
    return np.asarray(turned[np.array(drawn)].sum(axis=0), np.float64)
