"""How far the chances of Aqua Regia's hints are off, from 0 to 1: see `solver.hints.model_error`.

They are of hints with the house deck, by the number of players and by the cards in the hand. One follows the hints
among others of three kinds: trained rule players, greedy and random ones. With one card and two players luck
hides the error, and that with two cards stands.
"""

from __future__ import annotations

from solver.games.aqua_regia.positions.known import View
from solver.hints.model_error import error_of

MEASURED: dict[int, dict[int, float]] = {
    2: {
        1: 0.027, 2: 0.027, 3: 0.047, 4: 0.062, 5: 0.050, 6: 0.060, 7: 0.043, 8: 0.036, 9: 0.043, 10: 0.059,
        11: 0.070, 12: 0.073,
    },
    3: {
        1: 0.047, 2: 0.087, 3: 0.075, 4: 0.093, 5: 0.082, 6: 0.102, 7: 0.124, 8: 0.146, 9: 0.164, 10: 0.175,
        11: 0.193, 12: 0.204, 13: 0.215,
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
