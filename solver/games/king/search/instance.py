"""The fail-soft trick search instantiated for King × Alchemy."""

from __future__ import annotations

from functools import cache

from solver.games.king.fast_rules import dancer, kernel
from solver.games.king.search import bounds, move_order, sure_winners, upper_bound
from solver.kernels.template import Kernels
from solver.search.threads import of_this_thread
from solver.search.trick_soft import HISTORY, PROBING, RELATED, RELAXING, TABLE
from solver.search.trick_worth import Worths, build

ALL_SWITCHES = (
    bounds.CEILING
    | bounds.FLOOR
    | bounds.MERGED
    | bounds.LAST
    | upper_bound.RANKED
    | upper_bound.WITHIN
    | sure_winners.SURE
    | dancer.NAMES
    | move_order.CONTEXTS
    | TABLE
    | HISTORY
    | RELATED
    | RELAXING
    | PROBING
)


@cache
def kernels() -> Kernels:
    """The trick search with King's rules and bounds."""
    rules = {name: getattr(kernel, name) for name in ("boundary", "size", "maximises", "play")}
    rules |= {name: getattr(bounds, name) for name in ("glance", "bracket", "identify", "relaxed")}
    rules |= {
        "ordered": move_order.ordered,
        "context": move_order.context,
        "probing": move_order.probing,
        "STATE_WORDS": kernel.STATE_WORDS,
        "MOST_MOVES": kernel.MOST_MOVES,
    }
    return build("king", rules)


def worths() -> Worths:
    """This thread's search for King."""
    return of_this_thread("king", lambda: Worths(kernels()))
