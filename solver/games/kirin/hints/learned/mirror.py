"""The mirror: cards stand to each other under the descending order as their images do under the ascending one.

Colours are turned round (D ↔ G, S ↔ B), numbers too (1 ↔ 6), and the two kinds of kirin change places. So a
position under the descending order is, card by card, one under the ascending order. Cards as in `order`.
"""

from __future__ import annotations

import numpy as np

from solver.games.kirin.fast_rules.order import CARDS
from solver.kernels.arrays import Words


def mirrored(card: int) -> int:
    """The mirror image of a card."""
    if card < 8:
        return 7 - card
    return 39 - card if card < 32 else 67 - card


def _images() -> Words:
    rows = [list(range(CARDS)), [mirrored(card) for card in range(CARDS)]]
    return np.array(rows, np.int64).ravel()


IMAGES = _images()  # at [direction * 36 + card]: the card as it is seen under the ascending order
