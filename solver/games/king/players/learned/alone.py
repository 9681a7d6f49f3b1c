"""What the learned player of King × Alchemy does that thinks no further than its network: a hint's first answer.

The network (`policy.npz`; `policy.json` tells how it was made and how well it plays) was taught by rounds of play.
It judges the card that is to be played; what to pick, and what to take and to give, is the plausible player's
choice (`solver.games.king.players.alone`).

A choice is the same on every machine: what the network is told is rounded (`forward.tell`), and it adds in
an order of its own (`solver.hints.learned.network`).
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path

import numpy as np

from solver.games.king.cards.rules import Move
from solver.games.king.players import alone as plausible
from solver.games.king.players.kinds import ALL_PLAYS
from solver.games.king.players.learned.hand_inputs import Sight
from solver.games.king.players.learned.thinking import Brain, Thought, think, thought
from solver.games.king.players.learned.views import sight_of
from solver.games.king.players.policy import Room, new_room, plays
from solver.games.king.players.setting import move_words
from solver.games.king.positions.known import View
from solver.games.king.positions.picks import PickView
from solver.hints.learned.network import read
from solver.hints.policy import to_chances
from solver.kernels.jit import kernel

_WEIGHTS = Path(__file__).with_name("policy.npz")


@kernel
def alone(
    brain: Brain, seen: Sight, seat: int, hand: int, unseen: int, sure: float, room: Room, mind: Thought
) -> int:
    """Write the plays to the codes of `room` and their chances to `mind.worth`; return how many there are.

    `sure` is what a point more multiplies the log of a chance by.
    """
    count = plays(seen.values.deal, seen.node, hand, room.codes)
    think(brain, seen, seat, hand, unseen, count, room, mind)
    for place in range(count):
        mind.worth[place] *= sure
    to_chances(count, mind.worth)
    return count


@lru_cache(maxsize=1)
def policy() -> tuple[Brain, float]:
    """The network with its trust, and how sure it is (`alone`)."""
    net, further = read(_WEIGHTS)
    return Brain(net, further["trust"].astype(np.float64), ALL_PLAYS), float(further["sure"][0])


def chances(view: View | PickView, moves: Sequence[Move]) -> list[float]:
    """How likely the learned player makes each of the legal moves; its choice is the likeliest.

    Of names of the Dancer that lose alike it makes the first.
    """
    if isinstance(view, PickView) or view.trick_is_full:
        return plausible.chances(view, moves)
    brain, sure = policy()
    room, mind = new_room(), thought(brain.net)
    count = alone(brain, sight_of(view), view.seat, view.hand_mask, view.unseen, sure, room, mind)
    made = dict(zip(room.codes[:count].tolist(), mind.worth.tolist(), strict=False))
    return [made.get(move_words(view, move)[0], 0.0) for move in moves]
