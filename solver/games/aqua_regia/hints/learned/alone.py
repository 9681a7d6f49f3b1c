"""What the learned player of Aqua Regia does that thinks no further than its network: a hint's first answer.

The network (`policy.npz`; `policy.json` tells how it was made and how well it plays) was taught by games. It
judges plays, passes and exchanges alike. Who can play the last of its cards does.

A choice is the same on every machine: what the network is told is rounded (`forward.tell`), and it adds in an
order of its own (`solver.hints.learned.network`).
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path

import numpy as np

from solver.games.aqua_regia.cards.rules import Move, Play
from solver.games.aqua_regia.hints.learned.sight import Sight
from solver.games.aqua_regia.hints.learned.thinking import Brain, Thought, list_moves, think, thought
from solver.games.aqua_regia.hints.learned.views import sight_of
from solver.games.aqua_regia.hints.view_words import move_words
from solver.games.aqua_regia.hints.weights import PLAYER
from solver.games.aqua_regia.positions.known import View
from solver.hints.leaning import MOST_MOVES, Prior
from solver.hints.learned.network import read
from solver.hints.policy import to_chances
from solver.kernels.jit import kernel

_WEIGHTS = Path(__file__).with_name("policy.npz")
ERROR = 0.02  # of how much better the network finds one move than another
ERROR_IN_WORLDS = 0.01  # of what the critic (`foresight`) expects of a move, on average over worlds
_LEAST = 1e-12  # a chance


@kernel
def alone(brain: Brain, sight: Sight, exchanging: bool, sure: float, mind: Thought) -> int:
    """Write the moves to `mind.moves` and their chances to `mind.worth`; return how many there are.

    `sure` is what the chance to go out first, from 0 to 1, multiplies the log of a move's chance by; it was set by
    hand, and not learned.
    """
    count = list_moves(sight, exchanging, brain.rule, mind)
    think(brain, sight, exchanging, count, mind)
    for place in range(count):
        mind.worth[place] *= sure
    to_chances(count, mind.worth)
    return count


@lru_cache(maxsize=1)
def policy() -> tuple[Brain, float]:
    """The network with its trust, and how sure it is (`alone`)."""
    net, further = read(_WEIGHTS)
    return Brain(net, further["trust"].astype(np.float64), np.array(PLAYER)), float(further["sure"][0])


def is_asked(view: View, moves: Sequence[Move]) -> bool:
    """Whether networks are asked about the legal moves: not where one wins at once, nor about very many."""
    wins = any(isinstance(move, Play) and move.count == len(view.hand) for move in moves)
    return 1 < len(moves) <= MOST_MOVES and not wins


def prior(view: View, moves: Sequence[Move]) -> Prior | None:
    """What the network finds each of the legal moves worth; None where it `is_asked` nothing."""
    if not is_asked(view, moves):
        return None
    return Prior(np.log(np.array(chances(view, moves)) + _LEAST) / policy()[1], ERROR, ERROR_IN_WORLDS)


def chances(view: View, moves: Sequence[Move]) -> list[float]:
    """How likely the learned player makes each of the legal moves; its choice is the likeliest."""
    brain, sure = policy()
    mind = thought(brain.net)
    count = alone(brain, sight_of(view), view.drawn is not None, sure, mind)
    made = dict(zip(map(tuple, mind.moves[:count].tolist()), mind.worth.tolist(), strict=False))
    return [made[move_words(view, move)] for move in moves]
