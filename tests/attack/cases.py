"""The requests of the attack by their numbers: the same seed and number are the same request for ever."""

from __future__ import annotations

import random
from collections.abc import Callable
from itertools import accumulate

from tests.attack import addresses, decks, positions
from tests.attack.case import Case

Source = Callable[[random.Random], Case]

_MIX: tuple[tuple[Source, float], ...] = (
    (positions.asked, 40),
    (positions.garbled, 10),
    (positions.remembered, 6),
    (decks.decked, 8),
    (decks.compounded, 4),
    (decks.sent, 3),
    (decks.named, 3),
    (decks.puzzled, 5),
    (decks.written, 6),
    (decks.answered, 2),
    (addresses.exampled, 10),
    (addresses.dealt, 6),
    (addresses.odd, 5),
    (addresses.told, 3),
    (addresses.linked, 4),
    (addresses.filled, 0.3),
    (addresses.wired, 6),
    (decks.lined, 10),
    (decks.batched, 2),
    (decks.streamed, 3),
    (positions.continued, 8),
    (positions.reviewed, 1),
    (positions.recorded, 3),
    (addresses.submitted, 1),
    (addresses.looked_at, 4),
)
SOURCES = [source for source, _ in _MIX]
_WEIGHTS = list(accumulate(weight for _, weight in _MIX))


def case(seed: int, number: int) -> Case:
    """The request of this number."""
    rng = random.Random(f"{seed}/{number}")
    return rng.choices(SOURCES, cum_weights=_WEIGHTS)[0](rng)
