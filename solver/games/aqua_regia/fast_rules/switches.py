"""The switches of Aqua Regia's search: which of its parts are on (see `solver.search.switches`)."""

from __future__ import annotations

from solver.search.switches import Switches

_switches = Switches()

RUNS = _switches.own("runs")  # who is sure to go out with one run of cards

SWITCHES = _switches.named
ALL_SWITCHES = _switches.everything
