"""States of games of Aqua Regia that a critic learns from, as a kernel: every hand, and who went out first."""

from __future__ import annotations

import numpy as np

from solver.games.aqua_regia.game_words import COPIES, NOBODY, TURN
from solver.games.aqua_regia.network import Thought, full_inputs, move_drawn, winner_of
from solver.hints.network import Inputs, Singles
from solver.kernels.jit import kernel
from solver.kernels.rng import below, start, uniform
from training.aqua_regia.playing import (
    LEARNED,
    TRAINED,
    Players,
    Table,
    deal_cards,
    move_by_rule,
)
from training.aqua_regia.records import SURE
from training.choices import note_told

MOST_A_GAME = 1000  # states noted
_NOTED = 0.1  # of the states in which a seat may play
_WITH_RULES = 0.3  # of the games; in these every other seat, on average, is a trained rule player
_CARELESS = 0.1  # of the learned players' choices are made by `SURE`


@kernel
def record_states(
    with_players: Players,
    table: Table,
    mind: Thought,
    told: Inputs,
    sure: float,
    seed: int,
    first: int,
    rows: Singles,
    won: Singles,
) -> tuple[int, int]:
    """Play games number `first` and on until there is no room; return how many states, and how many games.

    A state is a row of what the critic is told, and in `won` 1 if the seat to move goes out first, else 0. Learned
    players draw their moves: what a move is worth, times `sure`, is the log of its chance.
    """
    game = table.sight.game
    players, metals = game.hands.shape
    random = np.zeros(1, np.int64)
    cards = np.zeros(metals * game.scalars[COPIES], np.int64)
    seats = np.zeros(MOST_A_GAME, np.int64)
    count, number = 0, first
    while count + MOST_A_GAME <= len(rows):
        start(random, seed, number)
        number += 1
        by_rules = uniform(random) < _WITH_RULES
        for seat in range(players):
            table.kinds[seat] = TRAINED if by_rules and uniform(random) < 0.5 else LEARNED
        deal_cards(table, below(random, players), cards, random)
        noted, exchanging = 0, False
        while winner_of(table.sight) == NOBODY:
            seat = game.scalars[TURN]
            if not exchanging and noted < MOST_A_GAME and uniform(random) < _NOTED:
                full_inputs(table.sight, mind.odds, mind.hand, mind.row, told)
                note_told(told, 0, rows[count + noted])
                seats[noted] = seat
                noted += 1
            if table.kinds[seat] != LEARNED:
                move_by_rule(table, with_players.rules[TRAINED], random)
                continue
            times = SURE if uniform(random) < _CARELESS else sure
            exchanging = move_drawn(with_players.brain, table.sight, exchanging, times, random, mind)
        for place in range(noted):
            won[count + place] = 1.0 if seats[place] == winner_of(table.sight) else 0.0
        count += noted
    return count, number - first
