"""The learned player of Aqua Regia at work, as a kernel: what it finds each move worth.

That is what the network makes of the move (`move_inputs`), and what the plausible player finds it worth (`policy`)
times the network's `trust`: the chance to go out first that it brings more than others of the same choice.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from solver.games.aqua_regia.cards.deck_data import MOST_METALS
from solver.games.aqua_regia.cards.rules import MOST_AT_ONCE
from solver.games.aqua_regia.hints.game_kernel import (
    CLOSED_PASS,
    COPIES,
    COUNT,
    DISCARD,
    DRAWN,
    EXCHANGES,
    FIELD,
    METAL,
    OPEN_PASS,
    PLAYS,
    STOCKED,
    TURN,
)
from solver.games.aqua_regia.hints.learned.choice_inputs import choice_inputs
from solver.games.aqua_regia.hints.learned.move_inputs import MOVE_INPUTS, move_inputs
from solver.games.aqua_regia.hints.learned.sight import (
    Odds,
    Sight,
    field_after,
    field_step,
    odds,
    work_out,
)
from solver.games.aqua_regia.hints.policy import ON_ONE, exchange_value, pass_value, play_value
from solver.hints.learned import forward
from solver.hints.learned.forward import Inputs, evaluate_further, evaluate_shared, inputs
from solver.hints.learned.network import Network, Singles
from solver.kernels.arrays import Floats, Words
from solver.kernels.jit import lean

MOST_MOVES = MOST_METALS * MOST_AT_ONCE + MOST_METALS * (MOST_METALS - 1) // 2 + 1
GOES_OUT = 1e3  # what a move is worth that wins at once
_LEAST = -20.0  # by rule: what is worse than that is as bad


class Brain(NamedTuple):
    """The network, its `trust` in the plausible player (one number), and that one's weights."""

    net: Network
    trust: Floats
    rule: Floats


class Thought(NamedTuple):
    """Room to think: the moves, in the words of `rollouts`, and what each is worth by rule and in all."""

    moves: Words
    by_rule: Floats
    worth: Floats
    odds: Odds
    hand: Words
    row: Floats
    told: Inputs
    shared: Singles
    layers: forward.Room


def thought(net: Network) -> Thought:
    """Room for the network."""
    return Thought(
        np.zeros((MOST_MOVES, 3), np.int64),
        np.zeros(MOST_MOVES),
        np.zeros(MOST_MOVES),
        odds(),
        np.zeros(MOST_METALS, np.int64),
        np.zeros(MOVE_INPUTS),
        inputs(MOVE_INPUTS),
        np.zeros(len(net.first_bias), np.float32),
        forward.room(net),
    )


@lean
def _enter(mind: Thought, place: int, kind: int, one: int, other: int, value: float) -> int:
    mind.moves[place, 0] = kind
    mind.moves[place, 1] = one
    mind.moves[place, 2] = other
    mind.by_rule[place] = value
    return place + 1


@lean
def _list_plays(sight: Sight, mind: Thought, rule: Floats, following: int) -> int:
    game = sight.game
    scalars, reactivity = game.scalars, game.reactivity
    hand = game.hands[scalars[TURN]]
    metal, count = scalars[METAL], scalars[COUNT]
    least, most = max(count, 1), min(count + 1, MOST_AT_ONCE) if count else MOST_AT_ONCE
    found = 0
    for other in range(metal + 1 if count else 0, len(hand)):
        lets, held = reactivity[scalars[FIELD], other], hand[other]
        single = reactivity[ON_ONE, other] if count == 1 else 1
        for number in range(least, min(held, most if lets > 1 else single if lets == 1 else 0) + 1):
            value = play_value(reactivity, held, following, metal, count, other, number, rule)
            found = _enter(mind, found, PLAYS, other, number, value)
    return found


@lean
def _list_passes(sight: Sight, mind: Thought, rule: Floats, following: int, found: int) -> int:
    """List the ways to end a pass, worth as much more by rule as the best of them is more than the others."""
    game = sight.game
    scalars = game.scalars
    hand = game.hands[scalars[TURN]]
    begin, best = found, 0.0
    found = _enter(mind, found, CLOSED_PASS, 0, 0, 0.0)
    for given in range(len(hand)):
        if hand[given] == 0:
            continue
        for taken in range(given + 1, len(hand)):
            if 0 < game.piles[DISCARD, taken] < scalars[COPIES]:
                value = exchange_value(game.reactivity, hand, following, given, taken, rule)
                best = max(best, value)
                found = _enter(mind, found, EXCHANGES, given, taken, value)
    for place in range(begin, found):
        mind.by_rule[place] -= best
    return found


@lean
def list_moves(sight: Sight, exchanging: bool, rule: Floats, mind: Thought) -> int:
    """Write the legal moves, in canonical order, and their values by rule, the best being 0; return how many.

    `exchanging`: the seat to move has passed and drawn.
    """
    scalars = sight.game.scalars
    following = field_after(scalars, 1, field_step(scalars))
    if exchanging:
        count = _list_passes(sight, mind, rule, following, 0)
    else:
        plays = count = _list_plays(sight, mind, rule, following)
        if scalars[COUNT] > 0:
            draws = int(scalars[DRAWN] < scalars[STOCKED])
            if draws:
                count = _enter(mind, count, OPEN_PASS, 0, 0, 0.0)
            else:
                count = _list_passes(sight, mind, rule, following, count)
            passing = pass_value(draws, rule)
            for place in range(plays, count):
                mind.by_rule[place] += passing
    best = mind.by_rule[0]
    for place in range(1, count):
        best = max(best, mind.by_rule[place])
    for place in range(count):
        mind.by_rule[place] = max(_LEAST, mind.by_rule[place] - best)
    return count


@lean
def think(brain: Brain, sight: Sight, exchanging: bool, count: int, mind: Thought) -> None:
    """Write what each of the first `count` moves of `mind`, as `list_moves` lists them, is worth."""
    game = sight.game
    size = game.sizes[game.scalars[TURN]]
    total = work_out(sight, mind.odds)
    choice_inputs(sight, mind.odds, total, exchanging, mind.hand, mind.row, mind.told)
    evaluate_shared(brain.net, mind.told, mind.shared)
    for place in range(count):
        move = mind.moves[place]
        move_inputs(sight, mind.odds, move, mind.by_rule[place], mind.hand, mind.row, mind.told)
        evaluate_further(brain.net, mind.shared, mind.told, mind.layers)
        mind.worth[place] = mind.layers.out[0] + brain.trust[0] * mind.by_rule[place]
        if move[0] == PLAYS and move[2] == size:
            mind.worth[place] = GOES_OUT
