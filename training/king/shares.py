"""Picks and takings of King × Alchemy to learn from, as kernels: each with what every way led to in the deal as it
lay."""

from __future__ import annotations

import numpy as np

from solver.games.king.compounding_kernel import WORK_WORDS
from solver.games.king.deck import CARDS
from solver.games.king.fast_rules import BEST, LEADER, PLAYED, PLAYERS, start_trick
from solver.games.king.learned import judge_takings, pick_inputs, taking_inputs
from solver.games.king.players import ALL, CardValues, new_room, pick_values
from solver.hints.policy import draw
from solver.kernels.arrays import Floats
from solver.kernels.jit import kernel
from solver.kernels.rng import start as start_stream
from solver.kernels.rng import uniform
from training.choices import Choices, begin_choice, note_told, place_of_best
from training.king.playing import (
    LEARNED,
    Mind,
    Players,
    Table,
    chosen,
    copy_table,
    deal_hands,
    draw_picks,
    lay_card,
    pick_cards,
    play_out,
    points_won,
    share,
    share_as,
)

MOST_A_ROUND = 14


@kernel
def record_picks(
    players: Players,
    given: CardValues,
    table: Table,
    other: Table,
    mind: Mind,
    mixture: Floats,
    plays_as: int,
    dealt: int,
    seed: int,
    first: int,
    rounds: int,
    rows: Choices,
) -> int:
    """Deal rounds number `first` and on until there are `rounds`, or no room; return how many.

    Of each the pick of one seat, a learned player, is noted, and what each pick leads to: it then plays as one of
    the kind `plays_as`. The other seats are of kind k with the chance `mixture[k]`.
    """
    seats = given.deal[PLAYERS]
    random = np.zeros(1, np.int64)
    deck = np.zeros(CARDS, np.int8)
    picks = np.zeros(seats, np.int64)
    work = np.zeros(WORK_WORDS, np.int64)
    room, spare = new_room(), new_room()
    for number in range(rounds):
        if rows.many[0] == len(rows.begins) or rows.many[1] + dealt > len(rows.points):
            return number
        start_stream(random, seed, first + number)
        deal_hands(given, table, dealt, deck, random)
        seat = int(uniform(random) * seats)
        for one in range(seats):
            table.kinds[one] = draw(len(mixture), mixture, random)
            other.kinds[one] = table.kinds[one]
        start_trick(table.sight.node, 0, number % seats)
        draw_picks(players, table, picks, random, room, mind)
        other.kinds[seat] = plays_as
        hand = table.hands[seat]
        unseen = ALL & ~table.gone[0] & ~hand
        count = pick_values(table.sight.values, seat, hand, players.heads.picking, room)
        at = begin_choice(rows, count)
        best = room.values[0]
        for place in range(1, count):
            best = max(best, room.values[place])
        for place in range(count):
            pick_inputs(table.sight, seat, hand, unseen, room, place, best, players.heads.play, mind.trial)
            note_told(mind.trial.told, 0, rows.moves[at + place])
            rows.by_rule[at + place] = room.values[place]
        for place in range(count):
            copy_table(table, other)
            picks[seat] = room.codes[place]
            pick_cards(other, picks)
            play_out(players, other, spare, mind)
            rows.points[at + place] = points_won(other, seat, work)
    return rounds


@kernel
def record_takings(
    players: Players,
    given: CardValues,
    table: Table,
    other: Table,
    mind: Mind,
    mixture: Floats,
    plays_as: int,
    dealt: int,
    seed: int,
    first: int,
    rounds: int,
    rows: Choices,
) -> int:
    """Play rounds number `first` and on until there are `rounds`, or no room; return how many.

    The takings of learned players are noted, and what each leads to: they then play as those of the kind
    `plays_as`. Seats are of kind k with the chance `mixture[k]`. One of ten takings is any.
    """
    seats = given.deal[PLAYERS]
    random = np.zeros(1, np.int64)
    deck = np.zeros(CARDS, np.int8)
    picks = np.zeros(seats, np.int64)
    work = np.zeros(WORK_WORDS, np.int64)
    room, spare = new_room(), new_room()
    sight = table.sight
    node = sight.node
    for number in range(rounds):
        if rows.many[0] + MOST_A_ROUND > len(rows.begins) or rows.many[1] + 6 * MOST_A_ROUND > len(rows.points):
            return number
        start_stream(random, seed, first + number)
        deal_hands(given, table, dealt, deck, random)
        for seat in range(seats):
            table.kinds[seat] = draw(len(mixture), mixture, random)
        start_trick(node, 0, number % seats)
        draw_picks(players, table, picks, random, room, mind)
        pick_cards(table, picks)
        while True:
            seat = (node[LEADER] + node[PLAYED]) % seats
            if table.hands[seat] == 0:
                break
            lay_card(table, chosen(players, table, seat, room, mind))
            if node[PLAYED] < seats:
                continue
            seat = node[BEST]
            if table.kinds[seat] != LEARNED:
                share(players, table, room, mind)
                continue
            hand = table.hands[seat]
            unseen = ALL & ~table.gone[0] & ~hand
            count = judge_takings(players.heads, sight, hand, unseen, room, mind.trial)
            place = place_of_best(count, mind.trial.worth)
            if count > 1:
                at = begin_choice(rows, count)
                for index in range(count):
                    by_rule = room.values[index]
                    taking_inputs(
                        sight, hand, unseen, room.codes[index], by_rule > 0.0, players.heads.play, mind.trial
                    )
                    note_told(mind.trial.told, 0, rows.moves[at + index])
                    rows.by_rule[at + index] = by_rule
                for one in range(seats):
                    other.kinds[one] = plays_as if table.kinds[one] == LEARNED else table.kinds[one]
                for index in range(count):
                    copy_table(table, other)
                    share_as(other, room.codes[index])
                    play_out(players, other, spare, mind)
                    rows.points[at + index] = points_won(other, seat, work)
                if uniform(random) < 0.1:
                    place = int(uniform(random) * count)
            share_as(table, room.codes[place])
    return rounds
