"""How likely the plausible player of Aqua Regia (`policy`) makes each legal move, as a kernel.

It plays or passes, and who passes chooses what to exchange. Who can play the last of its cards does.
"""

from __future__ import annotations

from math import exp

from solver.games.aqua_regia.hints.game_kernel import EXCHANGES, PLAYS
from solver.games.aqua_regia.hints.policy import Turn, exchange_value, pass_value, play_value
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
