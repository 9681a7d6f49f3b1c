"""The requests of the attack by their numbers: the same seed and number are the same request for ever."""

from __future__ import annotations

import random
from collections.abc import Callable
from itertools import accumulate

from tests.attack.case import Case
from tests.attack.sources import addresses, decks, jobs, lines, matches, positions, puzzles, wire

Source = Callable[[random.Random], Case]

_MIX: tuple[tuple[Source, float], ...] = (
    (positions.asked, 40),
    (positions.garbled, 10),
    (positions.remembered, 6),
    (decks.asked, 8),
    (decks.compounded, 4),
    (decks.sent, 3),
    (decks.named, 3),
    (puzzles.asked, 5),
    (puzzles.written, 6),
    (puzzles.answered, 2),
    (addresses.asked, 10),
    (addresses.dealt, 6),
    (addresses.odd, 5),
    (addresses.told, 3),
    (addresses.linked, 4),
    (addresses.filled, 0.3),
    (wire.asked, 6),
    (lines.asked, 10),
    (lines.batched, 2),
    (lines.streamed, 3),
    (matches.asked, 8),
    (matches.reviewed, 1),
    (matches.written, 3),
    (jobs.submitted, 1),
    (jobs.looked_at, 4),
)
SOURCES = [source for source, _ in _MIX]
_WEIGHTS = list(accumulate(weight for _, weight in _MIX))


def case(seed: int, number: int) -> Case:
    """The request of this number."""
    rng = random.Random(f"{seed}/{number}")
    return rng.choices(SOURCES, cum_weights=_WEIGHTS)[0](rng)
