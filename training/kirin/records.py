"""Rounds that the learned player learns from, as a kernel.

For each choice of a learned seat all its legal cards are judged: the card is played, the others play on until the
seat decides again, and to what it has won by then is added what the critic, who sees all cards, expects from
there.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from solver.games.kirin.fast_rules import CARDS
from solver.games.kirin.learned import HANDS, IMAGES, POINTS
from solver.games.kirin.players import DIRECTION, LEADER, PLAYED, declare_values, draw, legal_cards
from solver.hints.network import Inputs, Singles, evaluate
from solver.hints.policy import to_chances
from solver.kernels.arrays import Words
from solver.kernels.bits import trailing_zeros
from solver.kernels.jit import kernel, lean
from solver.kernels.rng import below, uniform
from solver.kernels.rng import start as start_stream
from training.kirin.full_inputs import full_inputs
from training.kirin.playing import (
    LEARNED,
    RULE,
    THRIFTY_RULE,
    Desk,
    Players,
    chances,
    chosen,
    deal,
    played,
    set_aside,
)

DECISIONS = 7  # of a seat in a round that are recorded: with one card left there is no choice
LAMBDA = 0.95
MOST_A_ROUND = 4 * DECISIONS
ALL_LEARNED, MIXED, THRIFTY_SHARE, RANDOM_ASIDE = 0.04, 0.10, 0.1, 0.3


class Records(NamedTuple):
    """Rows: what a seat saw, its legal cards (1 or 0) and what each is worth; what the critic saw, and what came.

    `many` has how many rows of both kinds there are.
    """

    many: Words
    seen: Singles
    legal: Singles
    worth: Singles
    full: Singles
    came: Singles


def records(most: int, seat_inputs: int, all_inputs: int) -> Records:
    """Room for so many rows of each kind."""

    def rows(width: int) -> NDArray[np.float32]:
        return np.zeros((most, width), np.float32)

    return Records(np.zeros(2, np.int64), rows(seat_inputs), rows(CARDS), rows(CARDS), rows(all_inputs), rows(4))


@lean
def write_row(inputs: Inputs, rows: Singles, row: int) -> None:
    for place in range(rows.shape[1]):
        rows[row, place] = 0.0
    for index in range(inputs.many[0]):
        rows[row, inputs.places[index]] = inputs.values[index]


@lean
def judge(players: Players, desk: Desk, kinds: Words, card: int, watched: bool, random: Words) -> float:
    """Play a card, and on until its seat decides again: what it wins by then and is expected to win after."""
    table = desk.table
    me = (table[LEADER] + table[PLAYED]) & 3
    before = desk.state[POINTS + me]
    played(players, desk, card, watched)
    while True:
        seat = (table[LEADER] + table[PLAYED]) & 3
        hand = desk.state[HANDS + seat]
        if hand == 0:
            return float(desk.state[POINTS + me] - before)
        if seat == me and hand & (hand - 1) != 0:
            break
        played(players, desk, chosen(players, kinds[seat], desk, random, False), watched)
    full_inputs(desk.state, table, desk.full)
    evaluate(players.critic, desk.full, desk.critic)
    return float(desk.state[POINTS + me] - before + desk.critic.out[0])


@lean
def pick_kinds(random: Words, kinds: Words) -> int:
    """Who plays; how many are learned."""
    for seat in range(4):
        kinds[seat] = THRIFTY_RULE if uniform(random) < THRIFTY_SHARE else RULE
    sort = uniform(random)
    kinds[below(random, 4)] = LEARNED
    learned = 0
    for seat in range(4):
        if sort < ALL_LEARNED or (sort < MIXED and uniform(random) < 0.5):
            kinds[seat] = LEARNED
        learned += kinds[seat] == LEARNED
    return learned


@kernel
def record(players: Players, desk: Desk, trial: Desk, seed: int, first: int, rows: Records) -> int:
    """Play rounds number `first` and on, each of a stream of its own, until the rows are full; how many."""
    random = np.zeros(1, np.int64)
    deck = np.zeros(CARDS, np.int8)
    kinds = np.zeros(4, np.int64)
    had = np.zeros(
        (4, DECISIONS, 4)
    )  # by seat and decision: everybody's points then, and what the critic expected
    expected = np.zeros((4, DECISIONS, 4))
    at = np.zeros((4, DECISIONS), np.int64)
    decided = np.zeros(4, np.int64)
    state, table = desk.state, desk.table
    rows.many[:] = 0
    rounds = 0
    while rows.many[0] + MOST_A_ROUND <= len(rows.seen) and rows.many[1] + MOST_A_ROUND <= len(rows.full):
        start_stream(random, seed, first + rounds)
        rounds += 1
        for card in range(CARDS):
            deck[card] = card
        deal(desk, deck, random)
        watched = pick_kinds(random, kinds) > 1
        for seat in range(4):
            hand = state[HANDS + seat]
            declare_values(hand, players.declare, desk.out)
            to_chances(9, desk.out)
            if kinds[seat] == LEARNED and uniform(random) < RANDOM_ASIDE:
                for place in range(9):
                    desk.out[place] = 1.0 / 9
            set_aside(desk, seat, draw(hand, desk.out, random))
            decided[seat] = 0
        while True:
            seat = (table[LEADER] + table[PLAYED]) & 3
            hand = state[HANDS + seat]
            if hand == 0:
                break
            if kinds[seat] != LEARNED or hand & (hand - 1) == 0:
                played(players, desk, chosen(players, kinds[seat], desk, random, False), True)
                continue
            number = decided[seat]
            decided[seat] += 1
            full_inputs(state, table, desk.full)
            evaluate(players.critic, desk.full, desk.critic)
            at[seat, number] = rows.many[1]
            rows.many[1] += 1
            write_row(desk.full, rows.full, at[seat, number])
            for step in range(4):
                had[seat, number, step] = state[POINTS + ((seat + step) & 3)]
                expected[seat, number, step] = desk.critic.out[step]
            legal = legal_cards(hand, table)
            if legal & (legal - 1) == 0:
                played(players, desk, trailing_zeros(legal), True)
                continue
            chances(players, desk)
            card = draw(legal, desk.out, random)
            row = rows.many[0]
            rows.many[0] += 1
            write_row(desk.seen, rows.seen, row)
            for place in range(CARDS):
                rows.legal[row, place] = 0.0
                rows.worth[row, place] = 0.0
            rest = legal
            follow = random[0]  # the same luck for all cards, whose differences are what is learned
            while rest != 0:
                random[0] = follow
                tried = trailing_zeros(rest)
                rest &= rest - 1
                trial.state[:] = state
                trial.table[:] = table
                trial.belief[:] = desk.belief
                image = IMAGES[table[DIRECTION] * CARDS + tried]
                rows.legal[row, image] = 1.0
                rows.worth[row, image] = judge(players, trial, kinds, tried, watched, random)
            played(players, desk, card, True)
        for seat in range(4):
            for step in range(4):
                came = 0.0
                total = float(state[POINTS + ((seat + step) & 3)])
                for number in range(decided[seat] - 1, -1, -1):
                    if number == decided[seat] - 1:
                        came = total - had[seat, number, step]
                    else:
                        came = LAMBDA * came + (1 - LAMBDA) * expected[seat, number + 1, step]
                        came += had[seat, number + 1, step] - had[seat, number, step]
                    rows.came[at[seat, number], step] = came
    return rounds
