"""The learned player of King × Alchemy at work, as a kernel: what it finds each play worth.

That is what the network makes of the play (`play_inputs`), and what the plausible player finds it worth (`policy`)
times the network's `trust`: points that it brings more than others of the same choice.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from solver.games.king.cards.deck import CARDS
from solver.games.king.fast_rules.kernel import PLAYERS, STATE_WORDS
from solver.games.king.players.card_values import CardValues
from solver.games.king.players.learned.context_inputs import context_inputs
from solver.games.king.players.learned.hand_inputs import Sight
from solver.games.king.players.learned.play_inputs import PLAY_INPUTS, play_inputs
from solver.games.king.players.learned.reach import REACH
from solver.games.king.players.policy import MOST_PLAYS, Plays, Room, play_values
from solver.hints.learned import forward
from solver.hints.learned.forward import Inputs, evaluate_further, evaluate_shared, inputs
from solver.hints.learned.network import Network, Singles
from solver.kernels.arrays import Floats, Words
from solver.kernels.jit import lean


class Brain(NamedTuple):
    """The network, its `trust` in the plausible player (one number), and that one's `prepared` weights."""

    net: Network
    trust: Floats
    play: Plays


class Thought(NamedTuple):
    """Room to think: what the network is told, its layers, and what each play is found worth."""

    told: Inputs
    shared: Singles
    layers: forward.Room
    worth: Floats


def thought(net: Network) -> Thought:
    """Room for the network."""
    shared = np.zeros(len(net.first_bias), np.float32)
    return Thought(inputs(PLAY_INPUTS), shared, forward.room(net), np.zeros(MOST_PLAYS))


def sight(values: CardValues, node: Words, piles: Words, voids: Words) -> Sight:
    """A round as a seat sees it (`Sight`)."""
    return Sight(values, node, piles, voids, np.zeros(2 * CARDS), np.zeros(REACH))


def no_sight(values: CardValues) -> Sight:
    """Room for a round with these values, whose book is copied."""
    players = int(values.deal[PLAYERS])
    own = values._replace(book=values.book.copy())
    return sight(own, np.zeros(STATE_WORDS, np.int64), np.zeros(players, np.int64), np.zeros(players, np.int64))


@lean
def think(
    brain: Brain, seen: Sight, seat: int, hand: int, unseen: int, count: int, room: Room, mind: Thought
) -> None:
    """Write what each of the first `count` plays in the codes of `room` is found worth to `mind.worth`.

    `hand` and `unseen` are masks. The plausible player's values are written to `room`.
    """
    play_values(seen.values, seen.node, seat, hand, unseen, brain.play, count, room)
    most = room.values[0]
    for place in range(1, count):
        most = max(most, room.values[place])
    context_inputs(seen, seat, hand, unseen, room, most, mind.told)
    evaluate_shared(brain.net, mind.told, mind.shared)
    for place in range(count):
        play_inputs(seen, seat, hand, unseen, room, place, most, mind.told)
        evaluate_further(brain.net, mind.shared, mind.told, mind.layers)
        mind.worth[place] = mind.layers.out[0] + brain.trust[0] * room.values[place]
