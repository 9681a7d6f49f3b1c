"""Sampled rounds that decide a match: who wins it, in place of the round's points."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from solver.hints.paired import Sums
from solver.hints.ranking import lead, order
from solver.hints.words import alike, share
from solver.kernels.arrays import Floats


def judge_by_match(results: Floats, before: Sequence[int], seat: int, scores: int) -> None:
    """Put into the first statistic, in place of the points, 1 where the match is won or shared, and 0 elsewhere.

    `before` has the points of the rounds before, by seat. From the statistic `scores` on, `results` (worlds,
    moves, statistics) has the round's points of each seat; the own points go behind them.
    """
    behind = scores + len(before)
    totals = results[..., scores:behind] + np.array(before)
    results[..., behind] = results[..., 0]
    results[..., 0] = totals[..., seat] >= totals.max(axis=-1)


def deciding(texts: Sequence[str], sums: Sums) -> str:
    """The reason in the round that decides a match: the chances to win it, or to share the win.

    `texts` are the moves in canonical order; the first statistic of `sums` is whether the match is won or shared.
    """
    ahead = lead(sums, len(texts))
    best = order(sums, len(texts))[0]
    text = f"With {texts[best]} the match is won, or shared, in {share(float(sums.means[best, 0]))}"
    if ahead is None:
        return f"{text} of the sampled deals; it is the only legal move."
    second, other = texts[ahead.second], share(float(sums.means[ahead.second, 0]))
    if not ahead.clear:
        return f"{text} of the sampled deals; {alike(texts, sums, f'{100 * ahead.gap:.0f}% of them')}"
    return f"{text} of the sampled deals, with {second}, the next best, in {other}."
