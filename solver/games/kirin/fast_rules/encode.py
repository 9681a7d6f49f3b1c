"""From a state of the rules to the words of the search, and the search instantiated for Kirin."""

from __future__ import annotations

from functools import cache

import numpy as np

from solver.games.kirin.cards.rules import SEATS, State
from solver.games.kirin.fast_rules import kernel
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
from solver.games.kirin.search import bounds, forgetting, last_tricks, move_order
from solver.kernels.arrays import Words
from solver.kernels.template import Kernels, Rules, instantiate
from solver.search.threads import of_this_thread
from solver.search.trick import SWITCHES
from solver.search.trick_ab import TABLE
from solver.search.trick_pn import ATTEMPTS, PROOF_NUMBERS
from solver.search.trick_prover import Prover, build

ALL_SWITCHES = (
    move_order.EQUIVALENT
    | bounds.CEILING
    | bounds.FLOOR
    | bounds.SURE
    | TABLE
    | PROOF_NUMBERS
    | ATTEMPTS
    | last_tricks.LAST
    | forgetting.FORGET
)


@cache
def kernels() -> Kernels:
    """The trick search with Kirin's rules and bounds."""
    names = [
        "settle",
        "key",
        "boundary",
        "size",
        "maximises",
        "choices",
        "play",
        "listed",
        "in_play",
        "STATE_WORDS",
        "MOST_MOVES",
        "POINT_BITS",
        "KEY_BITS",
    ]
    rules = {name: getattr(kernel, name) for name in names}
    return build("kirin", {**rules, "estimate": bounds.estimate, "moves": move_order.moves}, _endings)


def _endings(rules: Rules) -> Rules:
    """The search of the last tricks, `finish` and `assured`."""
    names = dict(rules)
    forgets = {"FORGETFUL": True, "estimate": bounds.assures}
    names["forgetful"] = instantiate(last_tricks.tricks, {**names, **forgets}, "kirin_forgetful")
    names["forgetting"] = instantiate(forgetting.forgetting, names, "kirin")
    names["assured"] = instantiate(forgetting.assured, names, "kirin")
    names["tricks"] = instantiate(last_tricks.tricks, names, "kirin")
    names["finish"] = instantiate(last_tricks.finish, names, "kirin")
    return names


def prover() -> Prover:
    """This thread's prover for Kirin."""
    return of_this_thread("kirin", lambda: Prover(kernels()))


def deal_words(state: State, player: int, colour: int, *, allies: bool, switches: int = ALL_SWITCHES) -> Words:
    """The constants of the deal that `state` belongs to, for a player who collects `colour`.

    A hand has its cards on the table too, so that they have an owner; what was won before is nowhere.
    """
    deal = np.zeros(DEAL_WORDS, np.int64)
    deal[SWITCHES] = switches
    deal[PLAYER] = player
    deal[OWN] = COLOUR_SETS[colour]
    deal[ALLIES] = int(allies)
    deal[kernel.FORGET_FROM] = kernel.LAST_TRICKS
    for seat, hand in enumerate(state.hands):
        deal[HANDS + seat] = to_inner(hand)
    for place, card in enumerate(state.trick):
        deal[HANDS + (state.leader + place) % SEATS] |= 1 << INNER[card]
    forgetting.forgettable(deal)
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
