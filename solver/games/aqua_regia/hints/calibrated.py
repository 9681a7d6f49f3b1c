"""How far the chances of Aqua Regia's hints are off, from 0 to 1: see `solver.hints.model_error`.

They are of hints with the house deck, by the number of players and by the cards in the hand. One follows the hints
among others of three kinds: trained rule players, greedy and random ones. With two cards and two players luck
hides some of the error, and that with one stands.
"""

from __future__ import annotations

from solver.games.aqua_regia.positions.known import View
from solver.hints.model_error import error_of

MEASURED: dict[int, dict[int, float]] = {
    2: {
        1: 0.063, 2: 0.063, 3: 0.070, 4: 0.079, 5: 0.081, 6: 0.093, 7: 0.081, 8: 0.083, 9: 0.078, 10: 0.087,
        11: 0.093, 12: 0.107,
    },
    3: {
        1: 0.088, 2: 0.059, 3: 0.059, 4: 0.055, 5: 0.096, 6: 0.124, 7: 0.157, 8: 0.179, 9: 0.193, 10: 0.204,
        11: 0.225, 12: 0.244, 13: 0.260,
    },
    4: {
        1: 0.108, 2: 0.122, 3: 0.087, 4: 0.093, 5: 0.075, 6: 0.103, 7: 0.139, 8: 0.170, 9: 0.202, 10: 0.224,
        11: 0.243, 12: 0.260, 13: 0.284, 14: 0.280, 15: 0.288,
    },
}  # fmt: skip


def model_error(view: View) -> float | None:
    """The error of the chances to go out first; None for other decks, rules and numbers of players."""
    if view.deck != "house" or view.rules is not None or view.players not in MEASURED:
        return None
    return error_of(MEASURED[view.players], len(view.hand))
