"""A rule player of kirin that learned nothing: what a play brings now, less a price for what it gives up.

It counts the cards of its colour on the table and in its hand, times the chance to win them, less prices for a
card of its colour, for a trump and for beating what it need not beat. The prices, in cards won, are those of a
random hill climb of 70 steps, each judged by 12,000 rounds of one such player against three trained ones. The card
to set aside is chosen as the trained player does.
"""

from __future__ import annotations

import numpy as np

from solver.games.kirin.players import (
    BEATS_TABLE,
    CONTEXTS,
    FEATURES,
    HEIGHT,
    OWN_CARD,
    TRUMP,
    TURNS,
    WINS,
    WINS_OWN_CARD,
    WINS_OWN_TABLE,
    WINS_TRICKS_LEFT,
)
from solver.kernels.arrays import Floats

PRICES = {
    WINS_OWN_TABLE: 1.33,
    WINS_OWN_CARD: 1.0,
    WINS: 0.29,
    OWN_CARD: -0.72,
    TRUMP: -0.83,
    BEATS_TABLE: -0.37,
    TURNS: 0.15,
    HEIGHT: 0.12,
}
_COMING = 0.05  # of its colour, for each seat that is still to play: times the share of the unseen cards
_PER_CARD = 8.0  # how surely it takes what is worth a card more: the weight of a card in its softmax


def _weights() -> Floats:
    weights = np.zeros((CONTEXTS, 2, FEATURES))
    for feature, price in PRICES.items():
        weights[:, 0, feature] = price
    for played in range(CONTEXTS):
        weights[played, 0, WINS_TRICKS_LEFT] = _COMING * (CONTEXTS - 1 - played)
    return _PER_CARD * weights.ravel()


THRIFTY = _weights()
