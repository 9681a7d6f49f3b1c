"""How often players of Aqua Regia go out first, in many games, as a kernel."""

from __future__ import annotations

import numpy as np

from solver.games.aqua_regia.game_words import COPIES
from solver.games.aqua_regia.network import Thought
from solver.kernels.arrays import Floats, Words
from solver.kernels.jit import kernel
from solver.kernels.rng import start
from training.aqua_regia.playing import Players, Table, deal_cards, play_out


@kernel
def score(
    with_players: Players, table: Table, mind: Thought, kinds: Words, seed: int, first: int, results: Floats
) -> None:
    """Play deals number `first` and on, each turned through all seats.

    `kinds` are those of the players; `results` has a row a deal, in it for each seating (the seat of the first
    player) 1 where that player goes out first, else 0.
    """
    game = table.sight.game
    players, metals = game.hands.shape
    random = np.zeros(1, np.int64)
    cards = np.zeros(metals * game.scalars[COPIES], np.int64)
    for number in range(len(results)):
        for seating in range(players):
            start(random, seed, first + number)
            for seat in range(players):
                table.kinds[seat] = kinds[(seat - seating + players) % players]
            deal_cards(table, number % players, cards, random)
            results[number, seating] = 1.0 if play_out(with_players, table, random, mind) == seating else 0.0
