"""How many points players of King × Alchemy score against each other, in many rounds, as a kernel."""

from __future__ import annotations

import numpy as np

from solver.games.king.compounding_kernel import WORK_WORDS
from solver.games.king.deck import CARDS
from solver.games.king.fast_rules import PLAYERS, start_trick
from solver.games.king.players import CardValues, new_room
from solver.kernels.arrays import Floats, Words
from solver.kernels.jit import kernel
from solver.kernels.rng import start as start_stream
from training.king.playing import Mind, Players, Table, deal_hands, draw_picks, pick_cards, play_out, points_won


@kernel
def score(
    with_players: Players,
    given: CardValues,
    table: Table,
    mind: Mind,
    kinds: Words,
    dealt: int,
    seed: int,
    first: int,
    results: Floats,
) -> None:
    """Play deals number `first` and on, each turned through all seats.

    `kinds` are those of the players; `results` has a row a deal, in it a row a seating (the seat of the first
    player), in it the points by player.
    """
    players = given.deal[PLAYERS]
    random = np.zeros(1, np.int64)
    deck = np.zeros(CARDS, np.int8)
    picks = np.zeros(players, np.int64)
    work = np.zeros(WORK_WORDS, np.int64)
    room = new_room()
    for number in range(len(results)):
        for seating in range(players):
            start_stream(random, seed, first + number)
            deal_hands(given, table, dealt, deck, random)
            for seat in range(players):
                table.kinds[seat] = kinds[(seat - seating + players) % players]
            start_trick(table.sight.node, 0, number % players)
            draw_picks(with_players, table, picks, random, room, mind)
            pick_cards(table, picks)
            play_out(with_players, table, room, mind)
            for seat in range(players):
                results[number, seating, (seat - seating + players) % players] = points_won(table, seat, work)
