"""The trick search for scores instantiated for Kirin, and what it needs to know of a deal."""

from __future__ import annotations

from functools import cache

from solver.games.kirin.cards.rules import State
from solver.games.kirin.fast_rules import encode, kernel
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


def search_words(state: State, player: int, colour: int, *, allies: bool, switches: int = ALL_SWITCHES) -> Words:
    """The words of a deal (see `encode.deal_words`) for a search with these switches on."""
    deal = encode.deal_words(state, player, colour, allies=allies)
    deal[SWITCHES] = switches
    deal[kernel.FORGET_FROM] = kernel.LAST_TRICKS
    forgetting.forgettable(deal)
    return deal
