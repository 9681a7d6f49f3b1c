"""Which table of values judges a position: its own composition DP, or the one of a full deck."""

from __future__ import annotations

from functools import cache

from solver.common.control import Control
from solver.games.alchemy.cards.rules import Variant
from solver.games.alchemy.hidden_stock.composition import Composition, outcomes
from solver.games.alchemy.hidden_stock.stock import HiddenStock, counts_of
from solver.search.budget import Part

_SHARE = 0.6  # of what is left of a limit
_OUTCOMES_A_SECOND = 2e9  # more than any machine does: a DP that can't be done in time is not begun


@cache
def static_table(rules: Variant) -> Composition:
    """The DP of a full deck: a policy for when there is no time to solve the position's own."""
    table = Composition(rules, rules.cap, [4] * rules.ranks, [0] * rules.ranks)
    while not table.step(1 << 40)[0]:
        pass
    return table


def table_of(stock: HiddenStock, control: Control) -> Composition:
    """The DP of the position itself, solved, if a share of the limit suffices for it; else that of a full deck."""
    variant, turn = stock.variant, stock.turn
    seconds, nodes = control.seconds_left(), control.nodes_left()
    work = outcomes(variant, turn.cap, len(stock.unseen))
    hopeless = seconds is not None and work > _OUTCOMES_A_SECOND * seconds
    if hopeless or (nodes is not None and work > _SHARE * nodes):
        return static_table(variant)
    table = Composition(variant, turn.cap, stock.counts, counts_of(turn.line, variant.ranks))
    solved = control.drive(table.step, until=Part(control, _SHARE).until, stage="composition DP")
    return table if solved else static_table(variant)
