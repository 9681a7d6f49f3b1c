"""What the network sees that judges which card to set aside, and what it says.

The rounds that hints sample are played on as the plausible player would, in the asking seat too, and it is not a
good player. The network tells how much more a seat scores that plays its own cards as the learned player does, so
that this can be added to what the sampled rounds say (``python -m benchmarks.kirin_asides``).
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from solver.games.kirin.deck import CARDS
from solver.games.kirin.position import DeclareView
from solver.games.kirin.rules import SEATS
from solver.hints.network import Network, Singles, outputs
from solver.kernels.arrays import Floats, Words

# Inputs of a card set aside: the cards kept; the ranks of those of its colour; its own rank; its colour; who
# leads, counted from the seat that asks on. Cards in deck numbering.
KEPT = 0
KEPT_RANKS = KEPT + CARDS
RANK = KEPT_RANKS + 9
COLOUR = RANK + 9
LEADS = COLOUR + 4
INPUTS = LEADS + SEATS
# Outputs: the points of a seat that sets the card aside and plays as the learned player does; how many more that
# is than if it played as the plausible player does.
POINTS, MORE = range(2)
OUTPUTS = 2


def seen(hands: Words, leads: Words) -> Singles:
    """The inputs of each card of hands, a row of cards each: by hand and card.

    `leads` says of each hand who leads, counted from the own seat on.
    """
    count, size = hands.shape
    row, place = np.arange(count)[:, None], np.arange(size)[None]
    found = np.zeros((count, size, INPUTS), np.float32)
    for held in hands.T:
        found[np.arange(count), :, held] = 1
    found[row, place, hands] = 0
    suits = found[:, :, :CARDS].reshape(count, size, 4, 9)
    found[:, :, KEPT_RANKS:RANK] = suits[row, place, hands // 9]
    for inputs in (RANK + hands % 9, COLOUR + hands // 9, LEADS + leads[:, None]):
        found[row, place, inputs] = 1
    return found


def judged(net: Network, view: DeclareView, cards: Sequence[int]) -> Floats:
    """The network's outputs for each of the nine cards of the hand, a row a card in the order of `cards`."""
    hand = np.array([cards], np.int64)
    leads = np.array([(view.leader - view.seat) % SEATS], np.int64)
    return outputs(net, seen(hand, leads)[0]).astype(np.float64)
