"""The switches of King × Alchemy's search: which of its parts are on (see `solver.search.switches`)."""

from __future__ import annotations

from solver.search.switches import Switches

_switches = Switches("table", "history", "related", "relaxing", "probing")

CEILING = _switches.own("ceiling")  # an upper bound by all the cards in play
FLOOR = _switches.own("floor")  # a lower bound by what is won
MERGED = _switches.own("merged")  # piles that compound alike are one
NAMES = _switches.own("names")  # names of the Dancer that are worth the same as another are left out
RANKED = _switches.own("ranked")  # an upper bound by who can take what from whom
LAST = _switches.own("last")  # the last trick without a search
CONTEXTS = _switches.own("contexts")  # situations have histories of their own
WITHIN = _switches.own("within")  # the upper bound in the middle of a trick, too
SURE = _switches.own("sure")  # a lower bound by the tricks that a leader is sure of

SWITCHES = _switches.named
ALL_SWITCHES = _switches.everything
