"""The kernels' own card numbers: bits in order of strength, so that the best of a set is its highest one.

Bits of a set, weakest first when ascending:

* 0–7 kirin: ``2 * strength + (0 ascending, 1 descending)``;
* 8–31 numbers: ``8 + 4 * rank + strength``, rank 0–5 for the numbers 1–6;
* 32–35 trumps: ``32 + strength``;

where strength is 0–3 for G B S D. Descending reverses numbers among themselves and trumps among themselves.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

CARDS = 36
KIRIN = 0x0000000FF
NUMBERS = 0x0FFFFFF00
TRUMPS = 0xF00000000
RANKED = NUMBERS | TRUMPS
# The kirin that set a direction, by direction (0 ascending, 1 descending).
ASCENDING_KIRIN = 0x55
DESCENDING_KIRIN = 0xAA
_TRUMP, _KIRIN = 6, 7  # ranks in deck numbering


def _inner(card: int) -> int:
    strength, rank = 3 - card // 9, card % 9
    if rank >= _KIRIN:
        return 2 * strength + rank - _KIRIN
    return 32 + strength if rank == _TRUMP else 8 + 4 * rank + strength


INNER = tuple(_inner(card) for card in range(CARDS))  # deck numbering -> kernels' numbering
CANONICAL = np.array(INNER, np.int64)  # the same for kernels: every card, in canonical order
DECK = tuple(sorted(range(CARDS), key=INNER.__getitem__))  # and back


def to_inner(mask: int) -> int:
    """A set in deck numbering, as the kernels number it."""
    return sum(1 << INNER[card] for card in range(CARDS) if mask >> card & 1)


COLOUR_SETS = tuple(to_inner(0x1FF << 9 * colour) for colour in range(4))  # by colour in deck numbering


def _stronger_colour(card: int, than: int, direction: int) -> bool:
    return card // 9 < than // 9 if direction == 0 else card // 9 > than // 9


def _stronger_rank(card: int, than: int, direction: int) -> bool:
    """Whether the rank of `card` is higher; a kirin is below all ranks and a trump above all numbers."""

    def height(rank: int) -> int:
        if rank >= _KIRIN:
            return -1
        return rank if direction == 0 or rank == _TRUMP else _TRUMP - 1 - rank

    return height(card % 9) > height(than % 9)


def _beats(card: int, than: int, direction: int) -> bool:
    if card % 9 >= _KIRIN:
        return False
    if _stronger_rank(card, than, direction):
        return True
    return card % 9 == than % 9 and _stronger_colour(card, than, direction)


def _qualifies(card: int, standard: int, direction: int) -> bool:
    if not _stronger_colour(card, standard, direction):
        return False
    return card % 9 >= _KIRIN or _stronger_rank(card, standard, direction)


def _sets(relation: object) -> NDArray[np.int64]:
    assert callable(relation)
    sets = np.zeros(2 * CARDS, np.int64)
    for direction in range(2):
        for than in range(CARDS):
            for card in range(CARDS):
                if card != than and relation(card, than, direction):
                    sets[direction * CARDS + INNER[than]] |= 1 << INNER[card]
    return sets


# At [direction * 36 + card]: the cards that beat it; the cards that must follow it when it is led.
STRONGER = _sets(_beats)
QUALIFYING = _sets(_qualifies)


def _transposed(sets: NDArray[np.int64]) -> NDArray[np.int64]:
    """At [direction * 36 + card]: the cards whose set the card is in."""
    found = np.zeros_like(sets)
    for row in range(2 * CARDS):
        for card in range(CARDS):
            if int(sets[row]) >> card & 1:
                found[row // CARDS * CARDS + card] |= 1 << row % CARDS
    return found


# The cards that it beats; the led cards that it must follow.
WEAKER = _transposed(STRONGER)
STANDARDS = _transposed(QUALIFYING)


def _differences() -> NDArray[np.int64]:
    """At [(direction * 36 + one) * 36 + other]: the cards that stand in another relation to two ranked cards."""
    found = np.zeros((2 * CARDS, CARDS), np.int64)
    for row in range(2 * CARDS):
        for other in range(CARDS):
            twin = row // CARDS * CARDS + other
            for sets in (STRONGER, WEAKER, QUALIFYING, STANDARDS):
                found[row, other] |= sets[row] ^ sets[twin]
    return found.ravel()


DIFFERENCES = _differences()
