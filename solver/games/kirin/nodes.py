"""From a state of the rules to the words of the search, and the search instantiated for Kirin."""

from __future__ import annotations

from functools import cache

import numpy as np

from solver.games.kirin import bounds, kernel, kernel_forget, kernel_last, kernel_moves
from solver.games.kirin.kernel import (
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
from solver.games.kirin.order import CARDS, COLOUR_SETS, INNER, RANKED, STRONGER, to_inner
from solver.games.kirin.rules import SEATS, State
from solver.search.template import Kernels, Rules, instantiate
from solver.search.threads import of_this_thread
from solver.search.trick import SWITCHES, Words
from solver.search.trick_ab import TABLE
from solver.search.trick_pn import ATTEMPTS, PROOF_NUMBERS
from solver.search.trick_prover import Prover, build

ALL_SWITCHES = (
    kernel_moves.EQUIVALENT
    | bounds.CEILING
    | bounds.FLOOR
    | bounds.SURE
    | TABLE
    | PROOF_NUMBERS
    | ATTEMPTS
    | kernel_last.LAST
    | kernel_forget.FORGET
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
    return build("kirin", {**rules, "estimate": bounds.estimate, "moves": kernel_moves.moves}, _endings)


def _endings(rules: Rules) -> Rules:
    """The search of the last tricks, `finish` and `assured`."""
    names = dict(rules)
    forgets = {"FORGETFUL": True, "estimate": bounds.assures}
    names["forgetful"] = instantiate(kernel_last.tricks, {**names, **forgets}, "kirin_forgetful")
    names["forgetting"] = instantiate(kernel_forget.forgetting, names, "kirin")
    names["assured"] = instantiate(kernel_forget.assured, names, "kirin")
    names["tricks"] = instantiate(kernel_last.tricks, names, "kirin")
    names["finish"] = instantiate(kernel_last.finish, names, "kirin")
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
    kernel_forget.forgettable(deal)
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
