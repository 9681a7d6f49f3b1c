"""Choices of Aqua Regia to learn from, as a kernel: each with who went out first after every move."""

from __future__ import annotations

import numpy as np

from solver.games.aqua_regia.game_words import COPIES, NOBODY, TURN
from solver.games.aqua_regia.network import (
    CONTEXT,
    GOES_OUT,
    MOVE,
    Thought,
    choice_inputs,
    list_and_think,
    make_move,
    move_inputs,
    winner_of,
    work_out,
)
from solver.hints.policy import draw as draw_place
from solver.hints.policy import to_chances
from solver.kernels.arrays import Floats, Words
from solver.kernels.jit import kernel, lean
from solver.kernels.rng import below, start, uniform
from training.aqua_regia.playing import (
    LEARNED,
    TRAINED,
    Players,
    Table,
    copy_table,
    deal_cards,
    exchange_by_rule,
    move_by_rule,
    play_out,
)
from training.choices import Choices, begin_choice, note_told, place_of_best, room_for

MOST_TRIED = 10  # moves of a choice: the best half and any others
MOVES_A_CHOICE = 8  # on average fewer
SURE = 20.0  # what the chance to win multiplies the log of a move's chance by, where one is made at random
_AT_RANDOM = 0.1  # of the choices
_NOTED = 0.5  # of the choices


def records(choices: int) -> Choices:
    """Room for so many choices."""
    return room_for(choices, MOVES_A_CHOICE * choices, CONTEXT, MOVE)


@lean
def _put_first(mind: Thought, place: int, other: int) -> None:
    for word in range(3):
        mind.moves[place, word], mind.moves[other, word] = mind.moves[other, word], mind.moves[place, word]
    mind.by_rule[place], mind.by_rule[other] = mind.by_rule[other], mind.by_rule[place]
    mind.worth[place], mind.worth[other] = mind.worth[other], mind.worth[place]


@lean
def choose_tried(count: int, mind: Thought, random: Words) -> int:
    """Bring the moves to be tried to the front, where there are too many to try all; return how many they are."""
    if count <= MOST_TRIED:
        return count
    for place in range(MOST_TRIED):
        other = place
        if place < MOST_TRIED // 2:
            for later in range(place + 1, count):
                if mind.worth[later] > mind.worth[other]:
                    other = later
        else:
            other = place + below(random, count - place)
        _put_first(mind, place, other)
    return MOST_TRIED


@lean
def _note(table: Table, exchanging: bool, count: int, mind: Thought, rows: Choices) -> int:
    """Note the first `count` moves of `mind` as a choice; return where they begin."""
    sight = table.sight
    row = rows.many[0]
    at = begin_choice(rows, count)
    total = work_out(sight, mind.odds)
    choice_inputs(sight, mind.odds, total, exchanging, mind.hand, mind.row, mind.told)
    note_told(mind.told, 0, rows.shared[row])
    for move in range(count):
        move_inputs(sight, mind.odds, mind.moves[move], mind.by_rule[move], mind.hand, mind.row, mind.told)
        note_told(mind.told, CONTEXT, rows.moves[at + move])
        rows.by_rule[at + move] = mind.by_rule[move]
    return at


@lean
def _try_move(players: Players, table: Table, other: Table, move: Words, random: Words, mind: Thought) -> float:
    """1 if the seat to move goes out first after a move, else 0; `other` is where the game is played on."""
    seat = table.sight.game.scalars[TURN]
    copy_table(table, other)
    if make_move(other.sight, move):
        exchange_by_rule(other, players.rules[other.kinds[seat]], random)
    return 1.0 if play_out(players, other, random, mind) == seat else 0.0


@kernel
def record(
    with_players: Players,
    table: Table,
    other: Table,
    mind: Thought,
    mixture: Floats,
    seed: int,
    first: int,
    games: int,
    rows: Choices,
) -> int:
    """Play games number `first` and on until there are `games`, or no room; return how many.

    A seat is a player of kind k with the chance `mixture[k]`; that of the learned player stands last. Of its
    choices some are noted; what a move leads to is found by a game in which learned players play on as trained
    ones. All moves are tried with the same random numbers. One of ten choices is made at random, by what moves are
    worth.
    """
    game = table.sight.game
    players, metals = game.hands.shape
    random, luck = np.zeros(1, np.int64), np.zeros(1, np.int64)
    cards = np.zeros(metals * game.scalars[COPIES], np.int64)
    for number in range(games):
        start(random, seed, first + number)
        for seat in range(players):
            table.kinds[seat] = draw_place(len(mixture), mixture, random)
        deal_cards(table, below(random, players), cards, random)
        exchanging = False
        while winner_of(table.sight) == NOBODY:
            seat = game.scalars[TURN]
            kind = table.kinds[seat]
            if kind != LEARNED:
                move_by_rule(table, with_players.rules[kind], random)
                continue
            count = list_and_think(with_players.brain, table.sight, exchanging, mind)
            place = 0
            if count > 1:
                place = place_of_best(count, mind.worth)
                if mind.worth[place] < GOES_OUT:
                    if uniform(random) < _NOTED:
                        if rows.many[0] == len(rows.begins) or rows.many[1] + MOST_TRIED > len(rows.points):
                            return number
                        count = choose_tried(count, mind, random)
                        at = _note(table, exchanging, count, mind, rows)
                        begin = random[0]
                        for player in range(players):
                            played = table.kinds[player]
                            other.kinds[player] = TRAINED if played == LEARNED else played
                        for move in range(count):
                            luck[0] = begin
                            rows.points[at + move] = _try_move(
                                with_players, table, other, mind.moves[move], luck, mind
                            )
                        place = place_of_best(count, mind.worth)
                    if uniform(random) < _AT_RANDOM:
                        for move in range(count):
                            mind.worth[move] *= SURE
                        to_chances(count, mind.worth)
                        place = draw_place(count, mind.worth, random)
            exchanging = make_move(table.sight, mind.moves[place])
    return games
