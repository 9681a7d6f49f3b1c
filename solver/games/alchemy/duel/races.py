"""The chance to win a race to 100 from its totals, between rounds: by rounds that were played out beforehand.

A sample of whole rounds tells how likely each result of a round is; backward induction over the totals does the
rest. Who grabs first in a round changes from round to round, and counts as even. Several samples, each of them
solved by itself, tell the error of the mean.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from solver.games.alchemy.cards.deck import JOKER
from solver.games.alchemy.cards.rules import JOKER_TOTAL, SOLITAIRE, WINNING_TOTAL
from solver.games.alchemy.duel import rounds
from solver.games.alchemy.fast_rules.dealing import deal_worlds

Chances = NDArray[np.float64]

SAMPLES = 4
_ROUNDS = 300  # of a sample
_SEED = 5


@lru_cache(maxsize=16)
def chances(early: int, late: int) -> Chances:
    """The chances of player 0 by the totals of both (samples, 100, 100), with so many jokers in the deck.

    `early` are those of a round that begins with both below 75 points, `late` of any other one.
    """
    found = np.zeros((SAMPLES, WINNING_TOTAL, WINNING_TOTAL))
    for sample in range(SAMPLES):
        first, then = (_results(jokers, sample) for jokers in (early, late))
        found[sample] = _solved(first, then)
    return found


def _results(jokers: int, sample: int) -> NDArray[np.int64]:
    """The points of both players in rounds played out (2 * rounds, 2), each result from both sides."""
    cards = np.array([*SOLITAIRE["solo"].deck, *[JOKER] * jokers], np.int8)
    worlds = rounds.fresh(deal_worlds(cards, _SEED + jokers, sample * _ROUNDS, _ROUNDS).astype(np.int64))
    rounds.play_out(worlds, 0)
    return np.concatenate([worlds.points, worlds.points[:, ::-1]])


def _solved(early: NDArray[np.int64], late: NDArray[np.int64]) -> Chances:
    """The chances by the totals, from the results that a round may have."""
    weighed = []
    for results in (early, late):
        pairs, counts = np.unique(results[results.sum(axis=1) > 0], axis=0, return_counts=True)
        weighed.append((pairs[:, 0], pairs[:, 1], counts / counts.sum()))
    most = max(int(pairs.max()) for pairs in (early, late))
    value = ended(np.arange(WINNING_TOTAL + most)[:, None], np.arange(WINNING_TOTAL + most)[None, :])
    for total in range(2 * WINNING_TOTAL - 2, -1, -1):
        mine = np.arange(max(0, total - WINNING_TOTAL + 1), min(WINNING_TOTAL - 1, total) + 1)
        theirs = total - mine
        from_75 = np.maximum(mine, theirs) >= JOKER_TOTAL
        for here, (more, others, weights) in zip((~from_75, from_75), weighed, strict=True):
            after = value[mine[here][:, None] + more, theirs[here][:, None] + others]
            value[mine[here], theirs[here]] = after @ weights
    return value[:WINNING_TOTAL, :WINNING_TOTAL]


def ended(mine: NDArray[np.int64], theirs: NDArray[np.int64]) -> Chances:
    """The chance once one of the totals is 100 or more; a tie plays on, and is even."""
    return np.asarray(0.5 * (1.0 + np.sign(mine - theirs)), np.float64)


def after_round(mine: NDArray[np.int64], theirs: NDArray[np.int64], early: int, late: int) -> Chances:
    """The chance of player 0 with these totals between two rounds (samples, …)."""
    table = chances(early, late)
    inside = WINNING_TOTAL - 1
    over = np.maximum(mine, theirs) >= WINNING_TOTAL
    return np.where(over, ended(mine, theirs), table[:, np.minimum(mine, inside), np.minimum(theirs, inside)])
