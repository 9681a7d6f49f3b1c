"""A view of Aqua Regia as the learned player's kernels read it."""

from __future__ import annotations

import numpy as np

from solver.games.aqua_regia.hints import game_kernel
from solver.games.aqua_regia.hints.game_kernel import Game
from solver.games.aqua_regia.hints.learned.sight import Sight
from solver.games.aqua_regia.hints.policy import reactivity_rows
from solver.games.aqua_regia.hints.view_words import table_words
from solver.games.aqua_regia.positions.known import View


def sight_of(view: View) -> Sight:
    """What a view tells; a card that was drawn is in the hand, and no longer in the stock."""
    deck = view.metals
    drawn = int(view.drawn is not None)
    hands, known = (np.zeros((view.players, deck.size), np.int64) for _ in range(2))
    hands[view.seat] = view.held
    for seat in range(view.players):
        known[seat] = deck.counts(deck.numbers(view.known_of(seat)))
    sizes = np.array(view.counts, np.int64)
    sizes[view.seat] += drawn
    piles, scalars = table_words(view)
    scalars[game_kernel.DRAWN] = drawn
    return Sight(Game(reactivity_rows(deck), hands, sizes, piles, scalars, np.zeros(0, np.int64)), known)
