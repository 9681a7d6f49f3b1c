"""How likely hands are, kept from world to world of a view: in the worlds of a chain most hands come again.

Which ones are still there decides nothing but the time that it takes.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from typing import NamedTuple

import numpy as np

from solver.kernels.arrays import Floats, Words
from solver.kernels.bits import wrapping_product
from solver.kernels.jit import inlined

_SLOTS = 4096
_SPREAD = 0x1E3779B97F4A7C15  # odd: the upper bits of a key times this are well mixed


class Kept(NamedTuple):
    """What was found for hands: their `keys` (0: nothing yet) and, several a slot, the `chances`."""

    keys: Words
    chances: Floats


def new_kept(numbers: int) -> Kept:
    """Room for so many numbers a hand, for one view, and one thread at a time."""
    return Kept(np.zeros(_SLOTS, np.int64), np.zeros(_SLOTS * numbers))


class Lending:
    """What is kept of a view, lent to the threads that play its worlds: each has some of its own."""

    def __init__(self, numbers: int) -> None:
        self._numbers = numbers
        self._idle: deque[Kept] = deque()

    @contextmanager
    def lend(self) -> Iterator[Kept]:
        """What is kept, until the thread gives it back; at first nothing."""
        try:
            kept = self._idle.pop()
        except IndexError:
            kept = new_kept(self._numbers)
        yield kept
        self._idle.append(kept)


@inlined
def slot_of(key: int) -> int:
    """Where what is known of a key, which is not 0, is kept."""
    return int((wrapping_product(key, _SPREAD) >> 40) & (_SLOTS - 1))
