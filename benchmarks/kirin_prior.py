"""What tells a tree over the own decisions in Kirin which cards to try first (`kirin_tree`)."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from solver.games.kirin.fast_rules import CARDS
from solver.games.kirin.learned import MOST_SEAT, ROUND_WORDS, Seen, Thought, logits, policy, see, watch
from solver.games.kirin.players import FEATURES, TABLE_WORDS
from solver.games.kirin.worlds import Setting
from solver.hints.network import Network, inputs, room
from solver.kernels.arrays import Floats, Words
from solver.kernels.bits import popcount
from solver.kernels.jit import kernel, lean

BY_VALUES = (1.0, 0.3)  # points: the weight of a prior by values; these are made so much smaller for it
BY_NETWORK = (1.0, 0.3)  # the same by a network's chances, of whose logarithms it is made


class Prior(NamedTuple):
    """What tells which cards to try: the weight of that, and how much of the values counts; the network where it
    is `asked`, with its trust in the plausible player; the round as it is `seen` at the root, and room for it
    further on and to think.
    """

    exploring: float
    flat: float
    asked: bool
    net: Network
    trust: float
    seen: Seen
    later: Seen
    thought: Thought


def new_prior(setting: Setting, asked: bool) -> Prior:
    """The prior by the learned player's chances if `asked`, or by the plausible player's values."""
    net, trust = policy()
    seen, later = (
        Seen(np.zeros(ROUND_WORDS, np.int64), np.zeros(TABLE_WORDS, np.int64), np.zeros(16)) for _ in range(2)
    )
    thought = Thought(np.zeros(FEATURES), np.zeros(CARDS), inputs(MOST_SEAT), room(net))
    if asked:
        watch_round(setting, seen, thought.scratch)
    return Prior(*(BY_NETWORK if asked else BY_VALUES), asked, net, float(trust[0]), seen, later, thought)


@kernel
def watch_round(setting: Setting, seen: Seen, scratch: Floats) -> None:
    """As `learned.alone.watch`."""
    watch(setting, seen, scratch)


@lean
def lay_prior(prior: Prior, weights: Floats, me: int, cards: Words, count: int, out: Floats) -> None:
    """Write the learned player's values of its cards after the first `count` `cards` since the root."""
    seen, later, thought = prior.seen, prior.later, prior.thought
    for word in range(ROUND_WORDS):
        later.state[word] = seen.state[word]
    for word in range(TABLE_WORDS):
        later.table[word] = seen.table[word]
    for word in range(16):
        later.belief[word] = seen.belief[word]
    for index in range(count):
        see(later, me, cards[index], weights, thought.scratch)
    legal = logits(prior.net, prior.trust, later, weights, thought)
    for place in range(popcount(legal)):
        out[place] = thought.out[place]
