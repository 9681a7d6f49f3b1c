"""How far the chances of Aqua Regia's hints are off, from 0 to 1: see `solver.hints.model_error`.

They are of hints with the house deck, by the number of players and by the cards in the hand. One follows the hints
among others of three kinds: trained rule players, greedy and random ones.
"""

from __future__ import annotations

from solver.games.aqua_regia.positions.known import View
from solver.hints.model_error import error_of

MEASURED: dict[int, dict[int, float]] = {
    2: {
        1: 0.161, 2: 0.162, 3: 0.172, 4: 0.198, 5: 0.239, 6: 0.279, 7: 0.317, 8: 0.343, 9: 0.367, 10: 0.379,
        11: 0.392, 12: 0.410, 13: 0.407,
    },
    3: {
        1: 0.215, 2: 0.245, 3: 0.251, 4: 0.282, 5: 0.333, 6: 0.390, 7: 0.425, 8: 0.446, 9: 0.470, 10: 0.487,
        11: 0.495, 12: 0.487, 13: 0.474,
    },
    4: {
        1: 0.156, 2: 0.188, 3: 0.215, 4: 0.230, 5: 0.246, 6: 0.292, 7: 0.354, 8: 0.413, 9: 0.463, 10: 0.510,
        11: 0.533, 12: 0.549, 13: 0.538, 14: 0.541,
    },
}  # fmt: skip


def model_error(view: View) -> float | None:
    """The error of the chances to go out first; None for other decks, rules and numbers of players."""
    if view.deck != "house" or view.rules is not None or view.players not in MEASURED:
        return None
    return error_of(MEASURED[view.players], len(view.hand))
