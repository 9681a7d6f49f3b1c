"""What the plausible player of Aqua Regia does that thinks no further: a hint's first answer.

It is the player by which hints finish their sampled games (`policy`); its weights were learned by self-play. It
plays or passes, and who passes chooses what to exchange. Who can play the last of its cards does.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import exp

import numpy as np

from solver.games.aqua_regia.cards.rules import Move, Play, next_field
from solver.games.aqua_regia.hints.games import move_words
from solver.games.aqua_regia.hints.policy import Turn, exchange_value, pass_value, play_value, reactivity_rows
from solver.games.aqua_regia.hints.rollouts import EXCHANGES, PLAYS
from solver.games.aqua_regia.hints.weights import PLAYER
from solver.games.aqua_regia.positions.known import View
from solver.kernels.arrays import Floats, Words
from solver.kernels.jit import kernel


@kernel
def alone(
    reactivity: Words, hand: Words, size: int, turn: Turn, moves: Words, weights: Floats, out: Floats
) -> None:
    """Write how likely the player makes each of the legal moves, which are rows in the words of `rollouts`.

    `hand` has a count a metal, with the card drawn where one is, and there are `size` cards to play.
    """
    _field, following, metal, count, draws = turn
    passing = pass_value(draws, weights) if count else -1e300
    best_play, best_exchange = passing, 0.0  # to exchange nothing is worth 0
    for place in range(len(moves)):
        kind, one, other = moves[place, 0], moves[place, 1], moves[place, 2]
        if kind == PLAYS:
            if other == size:
                out[:] = 0.0
                out[place] = 1.0
                return
            value = play_value(reactivity, hand[one], following, metal, count, one, other, weights)
            best_play = max(best_play, value)
        elif kind == EXCHANGES:
            value = exchange_value(reactivity, hand, following, one, other, weights)
            best_exchange = max(best_exchange, value)
        else:
            value = 0.0
        out[place] = value
    plays = passes = exp(passing - best_play) if count else 0.0
    exchanges = 0.0
    for place in range(len(moves)):
        if moves[place, 0] == PLAYS:
            out[place] = exp(out[place] - best_play)
            plays += out[place]
        else:
            out[place] = exp(out[place] - best_exchange)
            exchanges += out[place]
    for place in range(len(moves)):
        out[place] *= 1 / plays if moves[place, 0] == PLAYS else passes / (plays * exchanges)


def chances(view: View, moves: Sequence[Move]) -> list[float]:
    """How likely the plausible player makes each of the legal moves."""
    deck, top = view.metals, view.top or Play(0, 0)
    held = np.array(view.held, np.int64)
    following = next_field(view.field_number, view.reversed)
    turn = Turn(view.field_number, following, top.metal, top.count, int(view.stock_count > 0))
    words = np.array([move_words(view, move) for move in moves], np.int64)
    out = np.empty(len(moves))
    alone(reactivity_rows(deck), held, len(view.hand), turn, words, np.array(PLAYER), out)
    return [float(chance) for chance in out]
