"""Players of kirin's arena who judge cards by the learned networks in the worlds that a hint samples.

For each card one or more of these are worked out, in each likely world, by the same random numbers: what the round
brings where the own seat goes on as the plausible player, as in a hint; what this trick brings, and the critic,
who sees every card, expects at the own next choice; and what the round brings where the own seat plays as the
learned player. The others always play as plausible players. The mean of a card is their sum by `shares`. The
critic is `critic.npz` in the folder of ``make train``.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

import numpy as np

from solver.games.kirin import learned
from solver.games.kirin.hint import Rounds
from solver.games.kirin.learned import Seen, watch
from solver.games.kirin.players import KINDS, LEADER, PLAYED, TABLE_WORDS, open_table, put
from solver.games.kirin.position import DeclareView, View
from solver.games.kirin.rollouts import SCORE, Round, play_on
from solver.games.kirin.worlds import (
    ASIDE,
    GONE,
    HAND,
    POINTS,
    SEAT,
    TRICK_DIRECTION,
    TRICK_LEADER,
    Reading,
    Setting,
    Work,
    begin_chain,
    deals,
    evidence_of,
    new_work,
    open_chain,
    step_chain,
)
from solver.hints.network import read
from solver.hints.sampled import Kept, new_kept
from solver.hints.worlds import STEPS
from solver.kernels.arrays import Floats, Words
from solver.kernels.bits import trailing_zeros
from solver.kernels.jit import kernel, lean
from solver.kernels.rng import start as start_stream
from training.kirin.playing import LEARNED, Desk, Players, chosen, desk, played, players
from training.kirin.records import judge

CRITIC = Path("training/runs/kirin/critic.npz")
BY_RULES, BY_CRITIC, BY_NETWORK = range(3)  # ways to judge a card
POINTS_WORDS = 10


class Table(NamedTuple):
    """Who plays, the round as the seat that asks sees it, and a desk to try a world's cards on."""

    players: Players
    public: Desk
    trial: Desk


@lean
def lay_world(table: Table, hands: Words, aside: Words) -> None:
    """Lay the round on the trial's desk, with the hidden cards of a world. Points count from here on."""
    public, trial = table.public, table.trial
    for word in range(len(public.state)):
        trial.state[word] = public.state[word]
    for word in range(TABLE_WORDS):
        trial.table[word] = public.table[word]
    for word in range(16):
        trial.belief[word] = public.belief[word]
    for seat in range(4):
        trial.state[learned.HANDS + seat] = hands[seat]
        trial.state[learned.ASIDE + seat] = aside[seat]
        trial.state[learned.POINTS + seat] = 0


@lean
def by_network(table: Table, kinds: Words, me: int, card: int, random: Words) -> int:
    """The points of `me` after a card, where it plays on as the learned player at its best."""
    trial = table.trial
    played(table.players, trial, card, True)
    while True:
        seat = (trial.table[LEADER] + trial.table[PLAYED]) & 3
        if trial.state[learned.HANDS + seat] == 0:
            return int(trial.state[learned.POINTS + me])
        played(table.players, trial, chosen(table.players, kinds[seat], trial, random, seat == me), True)


@lean
def by_rules(setting: Setting, round_: Round, work: Work, shares: Floats, card: int, random: Words) -> int:
    """The points that the seat that asks wins after a card, where all play on as plausible players.

    `work` has the hands of the world; it and `round_`, with the same cards set aside, are written to. `shares` are
    those of `play_on`: nobody looks ahead.
    """
    question, tricks = setting.question, setting.tricks
    me = question[SEAT]
    for seat in range(4):
        round_.hands[seat] = work.hands[seat]
    round_.hands[me] &= ~(1 << card)
    round_.points[:] = 0
    open_table(round_.table, question[TRICK_LEADER], question[TRICK_DIRECTION])
    for before in tricks[len(tricks) - 4 :]:
        if before >= 0:
            put(round_.table, before)
    put(round_.table, card)
    play_on(round_, question[GONE] | 1 << card, setting.play, setting.ahead, shares, me, random, work.room)
    return int(round_.points[me])


@kernel
def judge_worlds(
    setting: Setting, kept: Kept, table: Table, shares: Floats, moves: Words, seed: int, first: int, scores: Floats
) -> None:
    """Write the score of each move (a column) in worlds number `first` and on (a row each), steps of one chain."""
    question = setting.question
    random = np.zeros(1, np.int64)
    hands, aside = np.zeros(4, np.int64), np.zeros(4, np.int64)
    points, held = np.zeros(POINTS_WORDS, np.int64), np.zeros(4, np.int64)
    trick, nobody = np.zeros(TABLE_WORDS, np.int64), np.zeros(4)
    evidence = evidence_of(setting)
    reading = Reading(setting, evidence, new_work(hands, aside, trick, kept))
    round_ = Round(held, aside, trick, points)
    me = question[SEAT]
    kinds = np.zeros(4, np.int64)
    kinds[me] = LEARNED
    public = table.public
    public.state[:] = 0
    public.belief[:] = 0.0
    watch(setting, Seen(public.state, public.table, public.belief), public.scratch)
    chain = open_chain(setting, random)
    start_stream(random, seed, first)
    begin_chain(reading, chain)
    for world in range(len(scores)):
        for _ in range(STEPS):
            step_chain(reading, chain)
        hands[me], aside[me] = question[HAND], question[ASIDE]
        for step in range(1, 4):
            other = (me + step) & 3
            hands[other], aside[other] = chain.boxes[step - 1], trailing_zeros(chain.boxes[step + 2])
        follow = random[0]
        for index in range(len(moves)):
            card = moves[index]
            score = float(question[POINTS])
            if shares[BY_RULES] > 0:
                random[0] = follow
                score += shares[BY_RULES] * by_rules(setting, round_, reading.work, nobody, card, random)
            if shares[BY_CRITIC] > 0:
                random[0] = follow
                lay_world(table, hands, aside)
                score += shares[BY_CRITIC] * judge(table.players, table.trial, kinds, card, False, random)
            if shares[BY_NETWORK] > 0:
                random[0] = follow
                lay_world(table, hands, aside)
                score += shares[BY_NETWORK] * by_network(table, kinds, me, card, random)
            scores[world, index] = score


@lru_cache(maxsize=1)
def _players() -> Players:
    policy, trust = learned.policy()
    critic, _ = read(CRITIC)
    return players(policy, critic, float(trust[0]))


class Ahead(Rounds):
    """Rounds of a hint, in which cards are judged by shares of the ways to do so."""

    def __init__(self, view: View, cards: Sequence[int], seed: int, shares: Sequence[float]) -> None:
        super().__init__(deals(view), cards, seed, by_rules=True)
        self._shares = np.array(shares, np.float64)

    def play(self, first: int, results: Floats, weights: Floats) -> None:
        table = Table(_players(), desk(_players()), desk(_players()))
        scores = np.zeros(results.shape[:2])
        judge_worlds(self._setting, new_kept(KINDS), table, self._shares, self._cards, self._seed, first, scores)
        results[:] = 0
        results[:, :, SCORE] = scores


def ahead(
    view: View | DeclareView, cards: Sequence[int], seed: int, *, rules: float, critic: float, network: float
) -> Rounds:
    """The rounds of such a player, by the share of each way; what to set aside is judged as in a hint."""
    if isinstance(view, DeclareView):
        return Rounds(deals(view), cards, seed, by_rules=True)
    return Ahead(view, cards, seed, (rules, critic, network))
