"""The kinds of players that a hint reckons with: nobody knows how the others choose, so none is taken for granted.

Each seat is of one of three kinds. Which one its own picks and plays tell, as they tell of its cards
(`likelihood`); in each sampled world a seat draws its plays as these kinds do, each as often as the seat is likely
to be of it there.

* The *trained* player is the one of `policy`, by the weights that were learned by self-play.
* The *thrifty* player weighs what a play brings now against what it would keep: the chance to win, times the
  points and recipes of the card and of those that it could take, and the chance to be the bottom, times the worst
  card on the table, less a price for a high card of a suit, for a trump and for the Dancer.
* Who *looks ahead* does what hints do, as far as it can be told: its plays by a small network (`ahead`, made by
  ``python -m training.king.watching``), its picks by weights (``python -m benchmarks.king_watching``).
"""

from __future__ import annotations

import numpy as np

from solver.games.king.players.ahead import ahead
from solver.games.king.players.features import (
    BOTTOM_TABLE,
    FEATURES,
    IS_DANCER,
    IS_TRUMP,
    NUMBER,
    TRUMP_NUMBER,
    WINS_LATER,
    WINS_OWN,
    WINS_TABLE,
)
from solver.games.king.players.pick_policy import (
    PICK_DANCER,
    PICK_FEATURES,
    PICK_NUMBER,
    PICK_OWN,
    PICK_TRUMP,
    PICK_TRUMP_NUMBER,
)
from solver.games.king.players.policy import (
    CONTEXTS,
    KINDS,
    Plays,
    prepared,
)
from solver.games.king.players.weights import PICK, PLAY, SEEN_PICK

EXPECTED = np.full(KINDS, 1 / KINDS)  # how many players of each kind are expected
MIXED = np.array([0.1, 0.1, 0.1])  # the share of each kind's choices that is taken to be made at random

# The thrifty player's prices in points: for the highest card of a suit of eleven, lower ones in proportion to
# their numbers; for the lowest trump, and how much more for the highest; for the Dancer.
_HIGHEST, _TRUMP, _TRUMPS, _DANCER = 2.4, 1.725, 1.38, 3.0
_LOWEST = _HIGHEST / 11
_PER_POINT = 2.0  # how surely it takes what is worth a point more: the weight of a point in its softmax


def _thrifty_play() -> tuple[float, ...]:
    weights = np.zeros((CONTEXTS, 2, FEATURES))
    for feature in (WINS_OWN, WINS_TABLE, WINS_LATER, BOTTOM_TABLE):
        weights[:, 0, feature] = 1.0
    # Prices are those above the price of a suit's lowest card, which changes no choice.
    weights[:, 0, NUMBER] = _LOWEST - _HIGHEST
    weights[:, 0, IS_TRUMP] = _LOWEST - _TRUMP
    weights[:, 0, TRUMP_NUMBER] = -_TRUMPS
    weights[:, 0, IS_DANCER] = _LOWEST - _DANCER
    return tuple(_PER_POINT * weights.ravel())


def _thrifty_pick() -> tuple[float, ...]:
    weights = np.zeros(PICK_FEATURES)
    weights[PICK_OWN] = 1.0
    weights[PICK_NUMBER] = _LOWEST - _HIGHEST
    weights[PICK_TRUMP] = _LOWEST - _TRUMP
    weights[PICK_TRUMP_NUMBER] = -_TRUMPS
    weights[PICK_DANCER] = _LOWEST - _DANCER
    return tuple(_PER_POINT * weights)


# The weights of all kinds, one kind after the other.
PICKS = (PICK, _thrifty_pick(), SEEN_PICK)
PLAYS = (PLAY, _thrifty_play())  # who looks ahead goes by a network
ALL_PLAYS = Plays(np.concatenate([prepared(weights) for weights in PLAYS]), ahead())
ALL_PICKS = np.array(PICKS).ravel()
for _array in (ALL_PLAYS.weights, *ALL_PLAYS.ahead, ALL_PICKS):
    _array.flags.writeable = False
