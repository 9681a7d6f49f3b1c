"""Choices of King × Alchemy to learn from, as a kernel: each with what every play led to in the deal as it lay."""

from __future__ import annotations

import numpy as np

from solver.games.king.compounding_kernel import WORK_WORDS
from solver.games.king.deck import CARDS
from solver.games.king.fast_rules import LEADER, PLAYED, PLAYERS, start_trick
from solver.games.king.learned import CONTEXT, PLAY, context_inputs, play_inputs
from solver.games.king.players import ALL, MOST_PLAYS, TRAINED, CardValues, new_room, plays
from solver.hints.policy import draw, to_chances
from solver.kernels.arrays import Floats
from solver.kernels.jit import kernel
from solver.kernels.rng import start as start_stream
from solver.kernels.rng import uniform
from training.choices import Choices, begin_choice, note_told, place_of_best, room_for
from training.king.playing import (
    LEARNED,
    Mind,
    Players,
    Table,
    copy_table,
    deal_hands,
    draw_picks,
    lay_card,
    pick_cards,
    play_out,
    points_won,
    share,
    worth_of,
)

MOST_A_ROUND = 5 * 14


def records(choices: int) -> Choices:
    """Room for so many choices."""
    return room_for(choices, 7 * choices, CONTEXT, PLAY)


@kernel
def record(
    with_players: Players,
    given: CardValues,
    table: Table,
    other: Table,
    mind: Mind,
    mixture: Floats,
    dealt: int,
    seed: int,
    first: int,
    rounds: int,
    rows: Choices,
) -> int:
    """Play rounds number `first` and on until there are `rounds`, or no room; return how many.

    A seat is a player of kind k with the chance `mixture[k]`; that of the learned player stands last. Its choices
    are noted; what a play leads to is found by a round in which learned players play on as trained ones. One of
    ten choices is made at random, by its chances.
    """
    players = given.deal[PLAYERS]
    random = np.zeros(1, np.int64)
    deck = np.zeros(CARDS, np.int8)
    picks = np.zeros(players, np.int64)
    work = np.zeros(WORK_WORDS, np.int64)
    room, spare = new_room(), new_room()
    node = table.sight.node
    told, worth = mind.thought.told, mind.thought.worth
    for number in range(rounds):
        if rows.many[0] + MOST_A_ROUND > len(rows.begins) or rows.many[1] + 14 * MOST_A_ROUND > len(rows.points):
            return number
        start_stream(random, seed, first + number)
        deal_hands(given, table, dealt, deck, random)
        for seat in range(players):
            table.kinds[seat] = draw(len(mixture), mixture, random)
            other.kinds[seat] = TRAINED if table.kinds[seat] == LEARNED else table.kinds[seat]
        start_trick(node, 0, number % players)
        draw_picks(with_players, table, picks, random, room, mind)
        pick_cards(table, picks)
        while True:
            seat = (node[LEADER] + node[PLAYED]) % players
            hand = table.hands[seat]
            if hand == 0:
                break
            count = plays(given.deal, node, hand, room.codes)
            place = 0
            if count > 1:
                worth_of(with_players.brain, table, seat, count, room, mind)
                if table.kinds[seat] != LEARNED:
                    for index in range(count):
                        worth[index] = room.values[index]
                place = place_of_best(count, worth)
                if table.kinds[seat] == LEARNED:
                    unseen = ALL & ~table.gone[0] & ~hand
                    most = room.values[0]
                    for index in range(1, count):
                        most = max(most, room.values[index])
                    row = rows.many[0]
                    at = begin_choice(rows, count)
                    context_inputs(table.sight, seat, hand, unseen, room, most, told)
                    note_told(told, 0, rows.shared[row])
                    for move in range(count):
                        play_inputs(table.sight, seat, hand, unseen, room, move, most, told)
                        note_told(told, CONTEXT, rows.moves[at + move])
                        rows.by_rule[at + move] = room.values[move]
                    for move in range(count):
                        copy_table(table, other)
                        lay_card(other, room.codes[move])
                        if other.sight.node[PLAYED] == players:
                            share(with_players, other, spare, mind)
                        play_out(with_players, other, spare, mind)
                        rows.points[at + move] = points_won(other, seat, work)
                    # `worth` was written to on the way.
                    worth_of(with_players.brain, table, seat, count, room, mind)
                if uniform(random) < 0.1:
                    to_chances(count, worth)
                    place = draw(count, worth, random)
            lay_card(table, room.codes[place])
            if node[PLAYED] == players:
                share(with_players, table, room, mind)
    return rounds


assert MOST_PLAYS == 20
