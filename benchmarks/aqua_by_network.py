"""A player of Aqua Regia's arena who reckons with players who choose as the learned network does.

The worlds are those of the hint. Each is weighted by how much likelier all that the others did is if a share of
players chooses so: in proportion to exp of what the network finds each move worth, a tenth of the choices at
random.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import exp, log
from typing import NamedTuple

import numpy as np

from solver.games.aqua_regia import game_words
from solver.games.aqua_regia.deck import FIELDS
from solver.games.aqua_regia.game_words import CLOSED_PASS, DRAWN, EXCHANGES, OPEN_PASS, PLAYS, SCALARS
from solver.games.aqua_regia.network import (
    Brain,
    Foresight,
    Sight,
    Thought,
    list_moves,
    policy,
    sight_of,
    think,
    thought,
)
from solver.games.aqua_regia.players import KINDS, Kinds
from solver.games.aqua_regia.position import Stuck, View, left_by
from solver.games.aqua_regia.rollouts import (
    Chain,
    Games,
    Setting,
    begin_chain,
    new_chain,
    new_game,
    next_world,
    try_moves,
    with_shares,
)
from solver.games.aqua_regia.rules import Move, Play, added, next_field
from solver.games.aqua_regia.worlds import DRAWS, FIRST, KIND, SEAT, SECOND, SLOT, STUCK, Evidence
from solver.games.aqua_regia.worlds import PLAYS as SEEN_TO_PLAY
from solver.hints.policy import mixed, to_chances
from solver.kernels.arrays import Floats, Words
from solver.kernels.jit import kernel, lean
from solver.kernels.rng import start

AT_RANDOM = 0.1  # the share of such a player's choices that is taken to be made at random
SHARE = 0.5  # of such players, expected


class Public(NamedTuple):
    """What everybody saw before each step of the evidence: scalars and piles as in `rollouts`, the hands' sizes,
    and the cards known of each hand.
    """

    scalars: Words
    piles: Words
    sizes: Words
    known: Words


class Learned(NamedTuple):
    """The network, how sure of its choice it is (`learned.alone`), and what it was told before each step."""

    brain: Brain
    sure: float
    public: Public


def public_of(view: View, steps: int) -> Public:
    """What everybody saw before each of the last steps of the evidence, so many in all, which are the view's."""
    deck, players = view.metals, view.players
    rows, before = len(view.steps), steps - len(view.steps)
    made = Public(
        np.zeros((steps, SCALARS), np.int64),
        np.zeros((steps, 2, deck.size), np.int64),
        np.zeros((steps, players), np.int64),
        np.zeros((steps, players, deck.size), np.int64),
    )
    sizes, stock = list(view.counts), view.stock_count
    for row in reversed(range(rows)):  # sizes and stock from those of now
        step = view.steps[row]
        if not isinstance(step, Stuck):
            stock += step.draws
            sizes[step.seat] += step.move.count if isinstance(step.move, Play) else -int(step.draws)
        made.sizes[before + row] = sizes
        made.scalars[before + row, game_words.STOCKED] = stock
    none = deck.counts([])
    known, table, owner = [none] * players, none, 0
    for row, step in enumerate(view.steps):
        if isinstance(step, Stuck):
            continue
        scalars = made.scalars[before + row]
        scalars[game_words.TURN], scalars[game_words.FIELD] = step.seat, step.field
        scalars[game_words.REVERSED] = int(next_field(step.field, False) != step.following)
        scalars[game_words.OWNER], scalars[game_words.COPIES] = owner, deck.copies
        if step.top is not None:
            scalars[game_words.METAL], scalars[game_words.COUNT] = step.top.metal, step.top.count
        made.piles[before + row] = step.discard, table
        made.known[before + row] = known
        hand = known[step.seat]
        for metal in left_by(step.move):
            hand = added(hand, metal, -1) if hand[metal] else hand
        if isinstance(step.move, Play):
            table, owner = added(table, step.move.metal, step.move.count), step.seat
        elif step.move.taken is not None:
            hand = added(hand, step.move.taken, 1)
        known[step.seat] = hand
        table = none if step.clears else table
    assert len(FIELDS) == 4
    return made


@lean
def lay_sight(public: Public, row: int, hand: Words, sight: Sight) -> None:
    """Write what the seat of a step saw before it."""
    game = sight.game
    seats, metals = sight.known.shape
    for word in range(SCALARS):
        game.scalars[word] = public.scalars[row, word]
    seat = game.scalars[game_words.TURN]
    for metal in range(metals):
        game.piles[0, metal], game.piles[1, metal] = public.piles[row, 0, metal], public.piles[row, 1, metal]
        game.hands[seat, metal] = hand[metal]
        for other in range(seats):
            sight.known[other, metal] = public.known[row, other, metal]
    for other in range(seats):
        game.sizes[other] = public.sizes[row, other]


@lean
def chance_of(
    learned: Learned, sight: Sight, mind: Thought, exchanging: bool, kind: int, one: int, two: int
) -> float:
    """The chance that the network makes a move, in the words of `rollouts`; 0 where it is not legal."""
    count = list_moves(sight, exchanging, learned.brain.rule, mind)
    done = -1
    for place in range(count):
        move = mind.moves[place]
        if move[0] == kind and move[1] == one and move[2] == two:
            done = place
    if done < 0:
        return 0.0
    if count == 1:
        return 1.0
    think(learned.brain, sight, exchanging, count, mind)
    for place in range(count):
        mind.worth[place] *= learned.sure
    to_chances(count, mind.worth)
    return float(mixed(mind.worth[done], 1.0, count, AT_RANDOM))


@lean
def learned_log_likelihood(
    learned: Learned, evidence: Evidence, slots: Words, seat: int, hand: Words, sight: Sight, mind: Thought
) -> float:
    """As `likelihood.log_likelihood`, of a player who chooses as the network does, in a world that is possible."""
    for metal in range(len(hand)):
        hand[metal] = evidence.held[seat, metal]
    for slot in range(evidence.ends[seat, 0], evidence.ends[seat, 1]):
        hand[slots[slot]] += 1
    total = 0.0
    for row in range(len(evidence.steps)):
        step = evidence.steps[row]
        if step[SEAT] != seat or step[KIND] == STUCK:
            continue
        lay_sight(learned.public, row, hand, sight)
        if step[KIND] == SEEN_TO_PLAY:
            total += log(chance_of(learned, sight, mind, False, PLAYS, step[FIRST], step[SECOND]) + 1e-300)
            hand[step[FIRST]] -= step[SECOND]
            continue
        exchanges = EXCHANGES if step[FIRST] >= 0 else CLOSED_PASS
        if step[DRAWS] > 0:
            total += log(chance_of(learned, sight, mind, False, OPEN_PASS, 0, 0) + 1e-300)
            metal = slots[step[SLOT]]
            hand[metal] += 1
            sight.game.hands[seat, metal] += 1
            sight.game.sizes[seat] += 1
            sight.game.scalars[DRAWN] += 1
        chance = chance_of(
            learned, sight, mind, step[DRAWS] > 0, exchanges, max(0, step[FIRST]), max(0, step[SECOND])
        )
        total += log(chance + 1e-300)
        if step[FIRST] >= 0:
            hand[step[FIRST]] -= 1
            hand[step[SECOND]] += 1
    return total


@lean
def weight_of(
    learned: Learned,
    evidence: Evidence,
    chain: Chain,
    seat: int,
    share: float,
    room: Words,
    sight: Sight,
    mind: Thought,
) -> float:
    """By how much likelier what was seen is in the chain's world, if a share of players chooses as the network."""
    weight = 1.0
    for other in range(len(chain.likelihoods)):
        if other != seat:
            found = learned_log_likelihood(learned, evidence, chain.slots, other, room, sight, mind)
            weight *= 1 - share + share * exp(found - chain.likelihoods[other])
    return weight


@kernel
def play_weighted_worlds(
    learned: Learned,
    evidence: Evidence,
    setting: Setting,
    foresight: Foresight,
    sight: Sight,
    mind: Thought,
    share: float,
    seed: int,
    first: int,
    results: Floats,
    weights: Floats,
    noted: Words,
) -> None:
    """`chain.play_likely_worlds`, each world with its weight."""
    chain = new_chain(evidence, setting)
    setting = with_shares(setting, chain.shares)
    start(chain.random, seed, first)
    game = new_game(setting)
    seat = setting.scalars[game_words.TURN]
    begin_chain(seat, evidence, chain)
    room = np.zeros(chain.hands.shape[1], np.int64)
    for world in range(len(results)):
        next_world(evidence, setting, chain, world, game.stock)
        weights[world] *= weight_of(learned, evidence, chain, seat, share, room, sight, mind)
        try_moves(setting, foresight, chain.hands, game, chain.random, results[world], noted[world])


class ByNetwork(Games):
    """The hint's games, in worlds that are weighted."""

    def __init__(
        self, view: View, moves: Sequence[Move], seed: int, kinds: Kinds = KINDS, share: float = SHARE
    ) -> None:
        super().__init__(view, moves, seed, kinds)
        self._view, self._share = view, share
        brain, sure = policy()
        if self._evidence is not None:
            self._learned = Learned(brain, sure, public_of(view, len(self._evidence.steps)))

    def play(self, first: int, results: Floats, weights: Floats) -> None:
        if self._evidence is None:
            super().play(first, results, weights)
            return
        noted = np.empty((len(results), self._words), np.int64)
        sight = sight_of(self._view)
        mind = thought(self._learned.brain.net)
        play_weighted_worlds(
            self._learned,
            self._evidence,
            self.setting,
            self.ahead(),
            sight,
            mind,
            self._share,
            self._seed,
            first,
            results,
            weights,
            noted,
        )
        self.witness.note(first, results, noted)
