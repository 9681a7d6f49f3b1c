"""What comes of a move of Aqua Regia up to the own next choice, and what a critic expects from there, as kernels.

The others play as the learned player does, from what each of them sees. The critic (`critic.npz`; `critic.json`
tells how it was made) was taught by games of learned players. It sees every hand, and tells how likely the seat to
move goes out first.
"""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

import numpy as np

from solver.games.aqua_regia.hints.game_kernel import NOBODY, TURN
from solver.games.aqua_regia.hints.learned.alone import policy
from solver.games.aqua_regia.hints.learned.full_inputs import FULL_INPUTS, full_inputs
from solver.games.aqua_regia.hints.learned.moving import move_drawn, winner_of
from solver.games.aqua_regia.hints.learned.sight import Sight
from solver.games.aqua_regia.hints.learned.thinking import Brain, Thought, thought
from solver.hints.learned import forward
from solver.hints.learned.forward import Inputs, evaluate, inputs
from solver.hints.learned.network import Network, read
from solver.kernels.arrays import Words
from solver.kernels.jit import lean

SURE = 150.0  # what the chance to go out first multiplies the log of a move's chance by; it was set by hand
_WEIGHTS = Path(__file__).with_name("critic.npz")


class Foresight(NamedTuple):
    """Who plays and who judges, and room for them; a critic without weights is not asked.

    `known` has what each seat is known to hold where the move is made (a row a seat, a count a metal), and `shown`
    what is known of it later.
    """

    brain: Brain
    critic: Network
    known: Words
    shown: Words
    mind: Thought
    told: Inputs
    room: forward.Room


@lru_cache(maxsize=1)
def critic() -> Network:
    """The network that judges."""
    return read(_WEIGHTS)[0]


@lru_cache(maxsize=1)
def no_critic() -> Network:
    """A critic without weights."""
    return Network(*(array[:0] for array in critic()))


def foresight(known: Words, judge: Network) -> Foresight:
    """Foresight with a critic, where each seat is known to hold what is `known`."""
    brain = policy()[0]
    room = forward.room(judge)
    return Foresight(brain, judge, known, np.zeros_like(known), thought(brain.net), inputs(FULL_INPUTS), room)


@lean
def look_ahead(foresight: Foresight, sight: Sight, seat: int, random: Words) -> int:
    """The others play until a seat has to choose again; the seat that has gone out, or `NOBODY`."""
    scalars = sight.game.scalars
    winner = winner_of(sight)
    while winner == NOBODY and scalars[TURN] != seat:
        if move_drawn(foresight.brain, sight, False, SURE, random, foresight.mind):
            move_drawn(foresight.brain, sight, True, SURE, random, foresight.mind)
        winner = winner_of(sight)
    return winner


@lean
def expected(foresight: Foresight, sight: Sight) -> float:
    """How likely the seat to move goes out first, by the critic."""
    mind = foresight.mind
    full_inputs(sight, mind.odds, mind.hand, mind.row, foresight.told)
    evaluate(foresight.critic, foresight.told, foresight.room)
    return float(min(1.0, max(0.0, foresight.room.out[0])))
