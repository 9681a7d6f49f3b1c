"""The switches of Kirin's search: which of its parts are on (see `solver.search.switches`)."""

from __future__ import annotations

from solver.search.switches import Switches

_switches = Switches("table", "proof_numbers", "attempts")

EQUIVALENT = _switches.own("equivalent")  # of cards that nothing tells apart one is looked at
CEILING = _switches.own("ceiling")  # an upper bound, by the cards that can be caught
FLOOR = _switches.own("floor")  # a lower bound, by the tricks that are certain
SURE = _switches.own("sure")  # a lower bound, by a trick that nobody can take away
LAST = _switches.own("last")  # the last tricks by nested loops
FORGET = _switches.own("forget")  # proofs that forget what some seats have played

SWITCHES = _switches.named
ALL_SWITCHES = _switches.everything
