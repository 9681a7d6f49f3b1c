"""From a state of the rules to the words of the search."""

from __future__ import annotations

import numpy as np

from solver.games.kirin.cards.rules import SEATS, State
from solver.games.kirin.fast_rules.kernel import (
    ALLIES,
    BEST,
    DEAL_WORDS,
    DIRECTION,
    HANDS,
    LEADER,
    LIVE,
    ORDER,
    OWN,
    PLAYED,
    PLAYER,
    STANDARD,
    STATE_WORDS,
    TRICK,
)
from solver.games.kirin.fast_rules.order import CARDS, COLOUR_SETS, INNER, RANKED, STRONGER, to_inner
from solver.kernels.arrays import Words


def deal_words(state: State, player: int, colour: int, *, allies: bool) -> Words:
    """The constants of the deal that `state` belongs to, for a player who collects `colour`.

    A hand has its cards on the table too, so that they have an owner; what was won before is nowhere.
    No part of the search is on.
    """
    deal = np.zeros(DEAL_WORDS, np.int64)
    deal[PLAYER] = player
    deal[OWN] = COLOUR_SETS[colour]
    deal[ALLIES] = int(allies)
    for seat, hand in enumerate(state.hands):
        deal[HANDS + seat] = to_inner(hand)
    for place, card in enumerate(state.trick):
        deal[HANDS + (state.leader + place) % SEATS] |= 1 << INNER[card]
    return deal


def node_words(state: State) -> Words:
    """The node of a state, with no question yet."""
    node = np.zeros(STATE_WORDS, np.int64)
    best = -1
    for place, card in enumerate(state.trick):
        inner = INNER[card]
        node[TRICK] |= 1 << inner
        node[ORDER] |= (inner + 1) << 6 * place
        beaten = best < 0 or int(STRONGER[state.direction * CARDS + best]) >> inner & 1
        if RANKED >> inner & 1 and beaten:
            best = inner
    for hand in state.hands:
        node[LIVE] |= to_inner(hand)
    node[LEADER] = state.leader
    node[DIRECTION] = state.direction
    node[PLAYED] = len(state.trick)
    node[STANDARD] = INNER[state.trick[0]] if state.trick else -1
    node[BEST] = best
    return node
