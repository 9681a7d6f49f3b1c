"""How far the means of King × Alchemy's hints are off, in points: see `solver.hints.model_error`.

They are of hints of 600 games with the house deck, by the number of players and by the cards in the hand; before
the first trick, where a card is picked, that is with all cards. One follows the hints among others of four kinds:
trained rule players, thrifty, greedy and random ones.
"""

from __future__ import annotations

from solver.games.king.positions.known import View
from solver.games.king.positions.picks import PickView
from solver.hints.model_error import error_of

MEASURED: dict[int, dict[int, float]] = {
    3: {
        1: 0.28, 2: 0.28, 3: 0.70, 4: 1.41, 5: 2.26, 6: 2.94, 7: 3.52, 8: 4.14, 9: 5.04, 10: 6.15,
        11: 7.13, 12: 8.14, 13: 9.21, 14: 10.44, 15: 11.14,
    },
    4: {
        1: 0.71, 2: 1.53, 3: 2.37, 4: 3.40, 5: 4.08, 6: 4.55, 7: 5.23, 8: 6.13, 9: 7.31, 10: 8.42,
        11: 9.69, 12: 10.21,
    },
    5: {
        1: 0.64, 2: 1.07, 3: 1.68, 4: 2.48, 5: 3.24, 6: 3.79, 7: 4.35, 8: 5.07, 9: 6.00, 10: 6.57,
    },
}  # fmt: skip


def model_error(view: View | PickView) -> float | None:
    """The error of the means in points; None for chances to win a match, other decks, and by other rules."""
    if view.goes_by_match or view.deck != "house" or view.rules is not None or view.players not in MEASURED:
        return None
    return error_of(MEASURED[view.players], len(view.hand))
