"""Learned players among those that hints of Kirin reckon with.

The worlds are those of the hint, from its chain. Each is weighted by how much likelier all that the others did is
where every one of them is a learned player with the chance of a `share`, and a plausible one otherwise, than where
all are plausible ones. What a learned player sets aside is what the plausible one would (`learned.alone`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from benchmarks.kirin_ahead import POINTS_WORDS, by_rules
from solver.games.kirin import learned
from solver.games.kirin.fast_rules import CARDS
from solver.games.kirin.hint import Rounds
from solver.games.kirin.learned import (
    HANDS,
    MOST_SEAT,
    ROUND_WORDS,
    Seen,
    Thought,
    logits,
    open_round,
    policy,
    see,
)
from solver.games.kirin.players import BY_RULES, FEATURES, KINDS, TABLE_WORDS, legal_cards
from solver.games.kirin.position import DeclareView, View
from solver.games.kirin.rollouts import SCORE, Round
from solver.games.kirin.worlds import (
    ASIDE,
    CARD,
    HAND,
    PLAYER,
    POINTS,
    SEAT,
    Evidence,
    Reading,
    Setting,
    begin_chain,
    deals,
    evidence_of,
    judge_kinds,
    new_work,
    open_chain,
    step_chain,
)
from solver.hints.network import Network, inputs, room
from solver.hints.policy import mixed, to_chances
from solver.hints.sampled import Kept, new_kept
from solver.hints.worlds import STEPS
from solver.kernels.arrays import Floats, Words
from solver.kernels.bits import popcount, trailing_zeros
from solver.kernels.jit import kernel, lean
from solver.kernels.rng import start as start_stream

AT_RANDOM = 0.1  # the share of such a player's choices that is taken to be made at random
SHARE = 0.5  # of such players, expected
OTHERS = 3


class Watched(NamedTuple):
    """The network, its trust in the plausible player, and what everybody could see before each play: a row a play,
    as the evidence has them.
    """

    net: Network
    trust: float
    states: Words
    tables: Words
    beliefs: Floats


class Eye(NamedTuple):
    """Room for what a seat sees, and to think."""

    seen: Seen
    thought: Thought


def watched(setting: Setting) -> Watched:
    """What could be seen before each play of a round."""
    net, trust = policy()
    rows = len(setting.tricks) // 6 * 4
    found = Watched(
        net,
        float(trust[0]),
        np.zeros((rows, ROUND_WORDS), np.int64),
        np.zeros((rows, TABLE_WORDS), np.int64),
        np.zeros((rows, 16)),
    )
    lay_sights(setting, new_eye(net), found)
    return found


def new_eye(net: Network) -> Eye:
    """Room for a network."""
    return Eye(
        Seen(np.zeros(ROUND_WORDS, np.int64), np.zeros(TABLE_WORDS, np.int64), np.zeros(16)),
        Thought(np.zeros(FEATURES), np.zeros(CARDS), inputs(MOST_SEAT), room(net)),
    )


@kernel
def lay_sights(setting: Setting, eye: Eye, out: Watched) -> None:
    """Write what could be seen before each play."""
    tricks, seen = setting.tricks, eye.seen
    open_round(seen, tricks[0], tricks[1])
    for row in range(len(out.tables)):
        card = tricks[row // 4 * 6 + 2 + row % 4]
        if card >= 0:
            out.states[row] = seen.state
            out.tables[row] = seen.table
            out.beliefs[row] = seen.belief
            see(seen, -1, card, setting.play, eye.thought.scratch)


@lean
def learned_plays(reading: Reading, watched: Watched, eye: Eye, seat: int, hand: int, aside: int) -> float:
    """How likely a learned player who holds `hand` (a mask) now would have played what the seat did."""
    rows, state, table, out = reading.evidence.seen, eye.seen.state, eye.seen.table, eye.thought.out
    for row in range(len(rows)):
        if rows[row, PLAYER] == seat:
            hand |= 1 << rows[row, CARD]
    chance = 1.0
    for row in range(len(rows)):
        if rows[row, PLAYER] != seat:
            continue
        card = rows[row, CARD]
        for word in range(TABLE_WORDS):
            table[word] = watched.tables[row, word]
        legal = legal_cards(hand, table)
        if legal & (legal - 1) != 0:
            for word in range(ROUND_WORDS):
                state[word] = watched.states[row, word]
            for word in range(16):
                eye.seen.belief[word] = watched.beliefs[row, word]
            state[HANDS + seat] = hand
            state[learned.ASIDE + seat] = aside
            logits(watched.net, watched.trust, eye.seen, reading.evidence.play, eye.thought)
            count = popcount(legal)
            to_chances(count, out)
            chance *= mixed(out[popcount(legal & ((1 << card) - 1))], 1.0, count, AT_RANDOM)
        hand &= ~(1 << card)
    return float(chance)


@lean
def plausible_plays(reading: Reading, seat: int, hand: int, aside: int) -> float:
    """How likely a plausible player would have played what the seat did; see `judge_kinds`."""
    evidence, work = reading.evidence, reading.work
    before = hand
    for row in range(len(evidence.seen)):
        if evidence.seen[row, PLAYER] == seat:
            before |= 1 << evidence.seen[row, CARD]
    judge_kinds(seat, hand, aside, evidence, work)
    whole = work.chances[BY_RULES]
    nothing = Evidence(evidence.seen[:0], evidence.play, evidence.declare, evidence.ahead, evidence.lifts)
    judge_kinds(seat, before, aside, nothing, work)
    return float(whole / work.chances[BY_RULES])


@kernel
def judge_weighted(
    setting: Setting,
    kept: Kept,
    watched: Watched,
    eye: Eye,
    moves: Words,
    seed: int,
    first: int,
    scores: Floats,
    times: Floats,
    worlds: Words,
) -> None:
    """Write the score of each move (a column) in the hint's worlds number `first` and on (a row each).

    `times` gets how many times likelier a learned player than a plausible one would have made the plays of each
    other seat, in turn after the one that asks; `worlds` the hands (masks) and the cards set aside, by seat.
    """
    question = setting.question
    random = np.zeros(1, np.int64)
    hands, aside = np.zeros(4, np.int64), np.zeros(4, np.int64)
    trick = np.zeros(TABLE_WORDS, np.int64)
    round_ = Round(np.zeros(4, np.int64), aside, trick, np.zeros(POINTS_WORDS, np.int64))
    nobody = np.zeros(4)
    evidence = evidence_of(setting)
    reading = Reading(setting, evidence, new_work(hands, aside, trick, kept))
    me = question[SEAT]
    chain = open_chain(setting, random)
    start_stream(random, seed, first)
    begin_chain(reading, chain)
    for world in range(len(times)):
        for _ in range(STEPS):
            step_chain(reading, chain)
        hands[me], aside[me] = question[HAND], question[ASIDE]
        for step in range(1, 4):
            other = (me + step) & 3
            hands[other], aside[other] = chain.boxes[step - 1], trailing_zeros(chain.boxes[step + 2])
            plays = learned_plays(reading, watched, eye, other, hands[other], aside[other])
            times[world, step - 1] = plays / plausible_plays(reading, other, hands[other], aside[other])
        for other in range(4):
            worlds[world, other], worlds[world, 4 + other] = hands[other], aside[other]
        follow = random[0]
        for index in range(len(moves)):
            random[0] = follow
            card = moves[index]
            scores[world, index] = question[POINTS] + by_rules(setting, round_, reading.work, nobody, card, random)


class Mixed(Rounds):
    """Rounds of a hint in worlds that are weighted."""

    def __init__(self, view: View, cards: Sequence[int], seed: int, share: float = SHARE) -> None:
        super().__init__(deals(view), cards, seed, by_rules=True)
        self.share = share
        self._watched = watched(self._setting)

    def play(self, first: int, results: Floats, weights: Floats) -> None:
        scores, times = np.zeros(results.shape[:2]), np.zeros((len(results), OTHERS))
        self.judge(first, scores, times, np.zeros((len(results), 8), np.int64))
        results[:] = 0
        results[:, :, SCORE] = scores
        weights *= np.prod(1 - self.share + self.share * times, axis=1)

    def judge(self, first: int, scores: Floats, times: Floats, worlds: Words) -> None:
        """As `judge_weighted`."""
        eye, watched = new_eye(self._watched.net), self._watched
        judge_weighted(
            self._setting, new_kept(KINDS), watched, eye, self._cards, self._seed, first, scores, times, worlds
        )


def mixing(share: float) -> Callable[[View | DeclareView, Sequence[int], int], Rounds]:
    """What makes the rounds of a hint that expects such a share of learned players."""

    def rounds(view: View | DeclareView, cards: Sequence[int], seed: int) -> Rounds:
        if isinstance(view, DeclareView):
            return Rounds(deals(view), cards, seed, by_rules=True)
        return Mixed(view, cards, seed, share)

    return rounds
