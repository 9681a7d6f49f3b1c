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
        1: 0.117, 2: 0.182, 3: 0.225, 4: 0.276, 5: 0.299, 6: 0.321, 7: 0.357, 8: 0.397, 9: 0.434, 10: 0.451,
        11: 0.461, 12: 0.465, 13: 0.462, 14: 0.451,
    },
    4: {
        2: 0.114, 3: 0.151, 4: 0.204, 5: 0.262, 6: 0.329, 7: 0.362, 8: 0.395, 9: 0.435, 10: 0.456, 11: 0.480,
        12: 0.479, 13: 0.474, 14: 0.477,
    },
}  # fmt: skip


def model_error(view: View) -> float | None:
    """The error of the chances to go out first; None for other decks, rules and numbers of players."""
    if view.deck != "house" or view.rules is not None or view.players not in MEASURED:
        return None
    return error_of(MEASURED[view.players], len(view.hand))
