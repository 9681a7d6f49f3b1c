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
        1: 1.13, 2: 1.13, 3: 1.22, 4: 1.14, 5: 1.83, 6: 2.68, 7: 3.63, 8: 4.38, 9: 5.57, 10: 6.75,
        11: 8.01, 12: 8.97, 13: 10.22, 14: 11.97, 15: 13.01,
    },
    4: {
        1: 0.32, 2: 0.78, 3: 1.17, 4: 2.08, 5: 2.93, 6: 3.87, 7: 4.79, 8: 5.65, 9: 6.98, 10: 7.95,
        11: 9.42, 12: 9.79,
    },
    5: {
        1: 0.32, 2: 0.86, 3: 1.28, 4: 1.84, 5: 2.55, 6: 3.29, 7: 4.10, 8: 4.89, 9: 5.82, 10: 6.53,
    },
}  # fmt: skip


def model_error(view: View | PickView) -> float | None:
    """The error of the means in points; None for chances to win a match, other decks, and by other rules."""
    if view.goes_by_match or view.deck != "house" or view.rules is not None or view.players not in MEASURED:
        return None
    return error_of(MEASURED[view.players], len(view.hand))
