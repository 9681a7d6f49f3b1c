"""How far the chances of Aqua Regia's hints are off, from 0 to 1: see `solver.hints.model_error`.

They are of hints with the house deck, by the number of players and by the cards in the hand. One follows the hints
among others of three kinds: trained rule players, greedy and random ones. With one card and three players luck
hides the error, and that with two stands.
"""

from __future__ import annotations

from solver.games.aqua_regia.positions.known import View
from solver.hints.model_error import error_of

MEASURED: dict[int, dict[int, float]] = {
    2: {
        1: 0.069, 2: 0.070, 3: 0.071, 4: 0.075, 5: 0.079, 6: 0.089, 7: 0.096, 8: 0.108, 9: 0.113, 10: 0.115,
        11: 0.114, 12: 0.126, 13: 0.135,
    },
    3: {
        1: 0.014, 2: 0.014, 3: 0.055, 4: 0.077, 5: 0.092, 6: 0.103, 7: 0.127, 8: 0.139, 9: 0.162, 10: 0.184,
        11: 0.207, 12: 0.238, 13: 0.261,
    },
    4: {
        1: 0.107, 2: 0.102, 3: 0.093, 4: 0.084, 5: 0.124, 6: 0.158, 7: 0.208, 8: 0.220, 9: 0.248, 10: 0.252,
        11: 0.267, 12: 0.272, 13: 0.285, 14: 0.326,
    },
}  # fmt: skip


def model_error(view: View) -> float | None:
    """The error of the chances to go out first; None for other decks, rules and numbers of players."""
    if view.deck != "house" or view.rules is not None or view.players not in MEASURED:
        return None
    return error_of(MEASURED[view.players], len(view.hand))
