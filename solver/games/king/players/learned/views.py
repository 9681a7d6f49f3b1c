"""A view of King × Alchemy as the learned player's kernels read it."""

from __future__ import annotations

import numpy as np

from solver.games.king.cards.deck import SUITS
from solver.games.king.players.learned.hand_inputs import Sight
from solver.games.king.players.learned.thinking import sight
from solver.games.king.players.setting import setting
from solver.games.king.positions.known import View
from solver.games.king.positions.picks import PickView


def sight_of(view: View | PickView) -> Sight:
    """What a view tells."""
    given = setting(view)
    voids = np.zeros(view.players, np.int64)
    if isinstance(view, PickView):
        return sight(given.values, given.node, np.zeros(view.players, np.int64), voids)
    for seat in range(view.players):
        excluded = view.past.excluded(seat)
        for suit in range(SUITS):
            if excluded & view.full_deck.of_suit[suit]:
                voids[seat] |= 1 << suit
    return sight(given.values, given.node, np.array(view.piles, np.int64), voids)
