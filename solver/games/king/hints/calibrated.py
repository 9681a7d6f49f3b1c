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
        1: 0.37, 2: 0.99, 3: 1.26, 4: 2.05, 5: 2.67, 6: 3.46, 7: 4.25, 8: 5.10, 9: 6.21, 10: 7.10,
        11: 8.04, 12: 8.80, 13: 9.78, 14: 11.04, 15: 11.74,
    },
    4: {
        1: 0.31, 2: 1.11, 3: 1.64, 4: 2.33, 5: 3.09, 6: 3.86, 7: 4.69, 8: 5.66, 9: 6.81, 10: 7.93,
        11: 8.97, 12: 9.49,
    },
    5: {
        1: 0.59, 2: 0.92, 3: 1.23, 4: 1.71, 5: 2.29, 6: 2.95, 7: 3.50, 8: 4.22, 9: 5.15, 10: 5.84,
    },
}  # fmt: skip


def model_error(view: View | PickView) -> float | None:
    """The error of the means in points; None for chances to win a match, other decks, and by other rules."""
    if view.goes_by_match or view.deck != "house" or view.rules is not None or view.players not in MEASURED:
        return None
    return error_of(MEASURED[view.players], len(view.hand))
