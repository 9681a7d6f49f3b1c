"""The learned player of King × Alchemy at a pick and at a taking, as kernels: what it finds each of them worth.

That is what a network makes of it (`share_inputs`), and what the plausible player finds it worth times the
network's `trust`: points that it leads to.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from solver.games.king.fast_rules.kernel import BEST, winning_card
from solver.games.king.players.card_values import CardValues
from solver.games.king.players.learned.hand_inputs import Sight
from solver.games.king.players.learned.share_inputs import (
    GIVEN,
    PICK_INPUTS,
    TAKE_INPUTS,
    Trial,
    copy_round,
    pick_inputs,
    taking_inputs,
    takings,
)
from solver.games.king.players.learned.thinking import no_sight
from solver.games.king.players.pick_policy import pick_values
from solver.games.king.players.policy import MOST_PLAYS, Plays, Room, new_room
from solver.games.king.players.take_policy import share_out
from solver.hints.learned import forward
from solver.hints.learned.forward import evaluate, inputs
from solver.hints.learned.network import Network
from solver.kernels.arrays import Floats
from solver.kernels.bits import popcount
from solver.kernels.jit import lean


class Head(NamedTuple):
    """A network that judges picks or takings, and its `trust` in the plausible player (one number)."""

    net: Network
    trust: Floats


class Heads(NamedTuple):
    """What judges picks and takings, and the weights by which the trained player picks and plays (`prepared`)."""

    pick: Head
    take: Head
    picking: Floats
    play: Plays


def trial(values: CardValues, net: Network) -> Trial:
    """Room for a network of this size."""
    most = max(PICK_INPUTS, TAKE_INPUTS)
    return Trial(no_sight(values), new_room(), inputs(most), forward.room(net), np.zeros(MOST_PLAYS))


@lean
def judge_picks(heads: Heads, seen: Sight, seat: int, hand: int, unseen: int, room: Room, trial: Trial) -> int:
    """Write the cards of a hand to the codes of `room`, what each is found worth as a pick to `trial.worth`.

    Returns how many there are. `hand` and `unseen` are masks. The plausible player's values are written to `room`.
    """
    count = pick_values(seen.values, seat, hand, heads.picking, room)
    best = room.values[0]
    for place in range(1, count):
        best = max(best, room.values[place])
    for place in range(count):
        pick_inputs(seen, seat, hand, unseen, room, place, best, heads.play, trial)
        evaluate(heads.pick.net, trial.told, trial.layers)
        trial.worth[place] = trial.layers.out[0] + heads.pick.trust[0] * room.values[place]
    return int(count)


@lean
def list_takings(seen: Sight, hand: int, room: Room, trial: Trial) -> int:
    """Write the `takings` of a judged full trick to the codes of `room`; return how many there are.

    Its values are 1 for what the plausible player takes, and 0 for the others.
    """
    node, after = seen.node, trial.after
    count = takings(seen, popcount(hand), room.codes, trial)
    copy_round(seen, after)
    share_out(after.values, after.node, after.piles, popcount(hand), -1, -1)
    winner = node[BEST]
    taken = after.piles[winner] & ~seen.piles[winner] & ~(1 << winning_card(seen.values.deal, node, 0))
    for place in range(count):
        room.values[place] = 1.0 if room.codes[place] & ((1 << GIVEN) - 1) == taken else 0.0
    return int(count)


@lean
def judge_takings(heads: Heads, seen: Sight, hand: int, unseen: int, room: Room, trial: Trial) -> int:
    """Write the `takings` of a judged full trick to the codes of `room`, their worth to `trial.worth`.

    Returns how many there are; the winner holds `hand`.
    """
    count = list_takings(seen, hand, room, trial)
    for place in range(count):
        by_rule = room.values[place]
        taking_inputs(seen, hand, unseen, room.codes[place], by_rule > 0.0, heads.play, trial)
        evaluate(heads.take.net, trial.told, trial.layers)
        trial.worth[place] = trial.layers.out[0] + heads.take.trust[0] * by_rule
    return count
