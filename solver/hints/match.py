"""Sampled rounds on the way to the end of a match: who wins it, in place of the round's points.

Before the last round the rounds to come have to be estimated. Each is taken to be a whole round that plausible
players have played, out of a sample that knows nothing of this match: all are as strong, nobody plays for the
match, and any seat may be that of any player, since who leads is not known. So the chance is an estimate: how far
the sample is off is not in the standard errors of a hint, which belong to the round that it plays on itself.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from solver.common import Random
from solver.hints.sampled import Rollouts
from solver.kernels.words import Floats, Words

_HANDS, _WORLDS = 64, 8  # of the sample of whole rounds: first hands of a seat, and rounds with each
_SEED = 11
_ENDINGS = 4096  # ways in which the rounds to come may end
_ENDINGS_A_WORLD = 32  # that each sampled world is tried with; they part the ways evenly


def judge_by_match(
    results: Floats, before: Sequence[int], seat: int, scores: int, *, first: int = 0, coming: Floats | None = None
) -> None:
    """Put into the first statistic, in place of the points, how likely the match is won or shared.

    `before` has the points of the rounds before, by seat. From the statistic `scores` on, `results` (worlds,
    moves, statistics) has the round's points of each seat; the own points go behind them. `first` is the number of
    the first world. `coming` has the points that the rounds after this one bring, one of their `endings` a row;
    without it none follows, and the chance is 1 or 0.
    """
    behind = scores + len(before)
    results[..., behind] = results[..., 0]
    numbers = np.arange(first, first + len(results))
    results[..., 0] = chances(results[..., scores:behind], before, seat, numbers, coming)


def chances(
    points: Floats, before: Sequence[int], seat: int, numbers: Words, coming: Floats | None = None
) -> Floats:
    """How likely the match is won or shared (worlds, moves) with these points in the round (worlds, moves, seats).

    `numbers` has the numbers of the worlds; the rest is as in `judge_by_match`.
    """
    totals = (points + np.array(before))[:, :, None]
    if coming is not None:
        ways = (numbers[:, None] * _ENDINGS_A_WORLD + np.arange(_ENDINGS_A_WORLD)) % len(coming)
        totals = totals + coming[ways][:, None]
    found: Floats = (totals[..., seat] >= totals.max(axis=-1)).mean(axis=-1)
    return found


def whole_rounds(opening: Callable[[int, int], Rollouts], scores: int, players: int) -> Floats:
    """The points of each seat (rounds, seats) in a sample of whole rounds that plausible players have played.

    ``opening(number, seed)`` plays the worlds of a view of seat 0 before its first choice, in the deal of that
    number; the choice is the one that brings most points on average over the worlds of that hand. From the
    statistic `scores` on, where there is room, the rollouts tell the points of each seat.
    """
    found = np.empty((_HANDS, _WORLDS, players))
    for number in range(_HANDS):
        rollouts = opening(number, _SEED)
        results = np.zeros((_WORLDS, rollouts.moves, scores + players))
        rollouts.play(0, results, np.ones(_WORLDS))
        best = int(np.argmax(results[..., 0].mean(axis=0)))
        found[number] = results[:, best, scores:]
    return found.reshape(-1, players)


def endings(rounds: Floats, following: int) -> Floats | None:
    """What so many rounds bring each seat together (ways, seats), drawn from a sample; None where none follows.

    A round of the sample is turned about the table at random, since who leads it is not known.
    """
    if following == 0:
        return None
    random = Random(_SEED, following)
    players = rounds.shape[1]
    turned = np.stack([np.roll(rounds, turn, axis=1) for turn in range(players)]).reshape(-1, players)
    drawn = [[random.below(len(turned)) for _ in range(_ENDINGS)] for _ in range(following)]
    return np.asarray(turned[np.array(drawn)].sum(axis=0), np.float64)
