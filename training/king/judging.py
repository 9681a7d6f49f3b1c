"""How many points players of King × Alchemy score against each other, in many rounds, as a kernel."""

from __future__ import annotations

import numpy as np

from solver.games.king.cards.deck import CARDS
from solver.games.king.compounding.kernel import WORK_WORDS
from solver.games.king.fast_rules.kernel import PLAYERS, start_trick
from solver.games.king.players.card_values import CardValues
from solver.games.king.players.learned.thinking import Thought
from solver.games.king.players.pick_policy import PICK_FEATURES, pick_chances
from solver.games.king.players.policy import new_room
from solver.hints.policy import draw
from solver.kernels.arrays import Floats, Words
from solver.kernels.jit import kernel
from solver.kernels.rng import start as start_stream
from training.king.playing import LEARNED, Players, Table, deal_hands, pick_cards, play_out, points_won


@kernel
def score(
    with_players: Players,
    given: CardValues,
    table: Table,
    mind: Thought,
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
                kind = kinds[(seat - seating + players) % players]
                table.kinds[seat] = kind
                rule = 0 if kind == LEARNED else kind
                count = pick_chances(
                    table.sight.values, seat, table.hands[seat], with_players.pick[rule * PICK_FEATURES :], room
                )
                picks[seat] = room.codes[draw(count, room.values, random)]
            pick_cards(table, picks)
            start_trick(table.sight.node, 0, number % players)
            play_out(with_players, table, room, mind)
            for seat in range(players):
                results[number, seating, (seat - seating + players) % players] = points_won(table, seat, work)
