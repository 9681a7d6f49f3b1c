"""How far the means of Kirin's hints are off, in points, by the cards in the hand: see `solver.hints.model_error`.

They are of hints of 1,000 games, 40 deals from each seat among each of four kinds of players: trained rule
players, thrifty, greedy and random ones. ``python -m benchmarks.calibration kirin`` prints them.
"""

from __future__ import annotations

from solver.games.kirin.positions.declarations import DeclareView
from solver.games.kirin.positions.known import View
from solver.hints.model_error import error_of

MEASURED = {2: 0.063, 3: 0.084, 4: 0.124, 5: 0.204, 6: 0.273, 7: 0.337, 8: 0.398, 9: 0.433}


def model_error(view: View | DeclareView) -> float | None:
    """The error of the means in points; None for chances to win a match, and by other rules."""
    if view.goes_by_match or view.rules is not None:
        return None
    return error_of(MEASURED, len(view.hand))
