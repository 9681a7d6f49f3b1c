"""Choices of King × Alchemy to learn from, as a kernel: each with what every play led to in the deal as it lay."""

from __future__ import annotations

import numpy as np

from solver.games.king.cards.deck import CARDS
from solver.games.king.compounding.kernel import WORK_WORDS
from solver.games.king.fast_rules.kernel import LEADER, PLAYED, PLAYERS, start_trick
from solver.games.king.players.card_values import CardValues
from solver.games.king.players.kinds import TRAINED
from solver.games.king.players.learned.context_inputs import CONTEXT, context_inputs
from solver.games.king.players.learned.play_inputs import PLAY, play_inputs
from solver.games.king.players.learned.thinking import Thought
from solver.games.king.players.pick_policy import PICK_FEATURES, pick_chances
from solver.games.king.players.policy import ALL, MOST_PLAYS, new_room, plays
from solver.hints.policy import draw, to_chances
from solver.kernels.arrays import Floats
from solver.kernels.jit import kernel
from solver.kernels.rng import start as start_stream
from solver.kernels.rng import uniform
from training.choices import Choices, room_for
from training.king.playing import (
    LEARNED,
    Players,
    Table,
    copy_table,
    deal_hands,
    lay_play,
    pick_cards,
    play_out,
    points_won,
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
    mind: Thought,
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
    for number in range(rounds):
        if rows.many[0] + MOST_A_ROUND > len(rows.begins) or rows.many[1] + 14 * MOST_A_ROUND > len(rows.points):
            return number
        start_stream(random, seed, first + number)
        deal_hands(given, table, dealt, deck, random)
        for seat in range(players):
            kind = draw(len(mixture), mixture, random)
            table.kinds[seat] = kind
            other.kinds[seat] = TRAINED if kind == LEARNED else kind
            rule = 0 if kind == LEARNED else kind
            count = pick_chances(
                table.sight.values, seat, table.hands[seat], with_players.pick[rule * PICK_FEATURES :], room
            )
            picks[seat] = room.codes[draw(count, room.values, random)]
        pick_cards(table, picks)
        start_trick(node, 0, number % players)
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
                        mind.worth[index] = room.values[index]
                for index in range(1, count):
                    if mind.worth[index] > mind.worth[place]:
                        place = index
                if table.kinds[seat] == LEARNED:
                    unseen = ALL & ~table.gone[0] & ~hand
                    most = room.values[0]
                    for index in range(1, count):
                        most = max(most, room.values[index])
                    row, at = rows.many
                    rows.many[0] = row + 1
                    rows.many[1] = at + count
                    rows.begins[row] = at
                    rows.counts[row] = count
                    rows.shared[row] = 0.0
                    context_inputs(table.sight, seat, hand, unseen, room, most, mind.told)
                    for index in range(mind.told.many[0]):
                        rows.shared[row, mind.told.places[index]] = mind.told.values[index]
                    for move in range(count):
                        rows.moves[at + move] = 0.0
                        play_inputs(table.sight, seat, hand, unseen, room, move, most, mind.told)
                        for index in range(mind.told.many[0]):
                            rows.moves[at + move, mind.told.places[index] - CONTEXT] = mind.told.values[index]
                        rows.by_rule[at + move] = room.values[move]
                    for move in range(count):
                        copy_table(table, other)
                        lay_play(other, room.codes[move])
                        play_out(with_players, other, spare, mind)
                        rows.points[at + move] = points_won(other, seat, work)
                    # `mind.worth` was written to on the way.
                    worth_of(with_players.brain, table, seat, count, room, mind)
                if uniform(random) < 0.1:
                    to_chances(count, mind.worth)
                    place = draw(count, mind.worth, random)
            lay_play(table, room.codes[place])
    return rounds


assert MOST_PLAYS == 20
