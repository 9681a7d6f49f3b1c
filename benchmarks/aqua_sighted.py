"""Players of Aqua Regia's arena who see hidden cards: what perfect inference would bring to a hint.

They judge moves as a hint does, but by games that trained rule players play on, and every world is the game as it
lies: for `sighted` with the stock in its order, which nobody could infer; for `but-stock` only all hands, the
stock shuffled anew in each world.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from solver.games.aqua_regia import moves
from solver.games.aqua_regia.hint import SAMPLER
from solver.games.aqua_regia.network import Foresight
from solver.games.aqua_regia.players import ONLY_TRAINED
from solver.games.aqua_regia.position import KnownPosition, View
from solver.games.aqua_regia.rollouts import Games, Setting, new_game, try_moves
from solver.games.aqua_regia.rules import Move
from solver.kernels.arrays import Floats, Words
from solver.kernels.jit import kernel
from solver.kernels.rng import below, start
from solver.limits import Control, Limit


@kernel
def play_truth(
    setting: Setting,
    foresight: Foresight,
    hands: Words,
    stock: Words,
    shuffled: bool,
    seed: int,
    first: int,
    results: Floats,
    noted: Words,
) -> None:
    """As `rollouts.play_worlds`, with these hands (a row a seat, a count a metal) and this stock in every world.

    A stock that is `shuffled` keeps its first card where the view gives it as drawn.
    """
    random = np.zeros(1, np.int64)
    game = new_game(setting)
    known = 1 if setting.drawn >= 0 else 0
    for world in range(results.shape[0]):
        start(random, seed, first + world)
        game.stock[:] = stock
        for last in range(len(stock) - 1 if shuffled else 0, known, -1):  # Fisher and Yates
            other = known + below(random, last + 1 - known)
            game.stock[last], game.stock[other] = game.stock[other], game.stock[last]
        try_moves(setting, foresight, hands, game, random, results[world], noted[world])


class Lying(Games):
    """Games of a view, all from the position as it lies."""

    def __init__(
        self, position: KnownPosition, view: View, moves: Sequence[Move], seed: int, shuffled: bool
    ) -> None:
        super().__init__(view, moves, seed, ONLY_TRAINED, foresees=False)
        self.chained = False
        deck = position.metals
        self._hands = np.array([deck.counts(deck.numbers(hand)) for hand in position.hands], np.int64)
        self._stock = np.array(deck.numbers(position.stock), np.int64)
        self._shuffled = shuffled

    def _play(self, setting: Setting, first: int, results: Floats, noted: Words) -> None:
        truth = self._hands, self._stock, self._shuffled
        play_truth(setting, self.ahead(), *truth, self._seed, first, results, noted)


def sighted(position: KnownPosition, view: View, limit: Limit, seed: int, *, shuffled: bool) -> Move:
    """The move of a seat which sees the position, but not the order of a stock that is `shuffled`."""
    legal: list[Move] = list(moves.legal_moves(view))
    if len(legal) == 1:
        return legal[0]

    def rollouts(view: View, moves: Sequence[Move], seed: int) -> Lying:
        return Lying(position, view, moves, seed, shuffled)

    found = replace(SAMPLER, rollouts=rollouts, ending=None, prior=None, because=None).hint(
        view, Control(limit), seed=seed
    )
    return next(move for move in legal if SAMPLER.text(view, move) == found.best)
