"""What is left of a limit when a search begins later than it was asked for."""

from __future__ import annotations

import time

from solver.limits import Limit

_LEAST_SECONDS = 0.001  # a search with less would be none


def left_of(limit: Limit, deadline: float | None) -> Limit:
    """The limit with the seconds until `deadline`, a moment of the monotonic clock; without one, as it is."""
    if deadline is None:
        return limit
    return Limit(seconds=max(_LEAST_SECONDS, deadline - time.monotonic()), nodes=limit.nodes)
