"""How far the chances of Aqua Regia's hints are off, from 0 to 1: see `solver.hints.model_error`.

They are of hints with the house deck, by the number of players and by the cards in the hand. One follows the hints
among others of three kinds: trained rule players, greedy and random ones.
"""

from __future__ import annotations

from solver.games.aqua_regia.positions.known import View
from solver.hints.model_error import error_of

MEASURED: dict[int, dict[int, float]] = {
    2: {
        1: 0.124, 2: 0.147, 3: 0.168, 4: 0.211, 5: 0.248, 6: 0.281, 7: 0.298, 8: 0.313, 9: 0.338, 10: 0.353,
        11: 0.365, 12: 0.348,
    },
    3: {
        1: 0.256, 2: 0.243, 3: 0.249, 4: 0.274, 5: 0.316, 6: 0.367, 7: 0.411, 8: 0.436, 9: 0.457, 10: 0.469,
        11: 0.487, 12: 0.506, 13: 0.527,
    },
    4: {
        1: 0.211, 2: 0.202, 3: 0.188, 4: 0.215, 5: 0.235, 6: 0.321, 7: 0.379, 8: 0.420, 9: 0.454, 10: 0.489,
        11: 0.541, 12: 0.567, 13: 0.577, 14: 0.558,
    },
}  # fmt: skip


def model_error(view: View) -> float | None:
    """The error of the chances to go out first; None for other decks, rules and numbers of players."""
    if view.deck != "house" or view.rules is not None or view.players not in MEASURED:
        return None
    return error_of(MEASURED[view.players], len(view.hand))
