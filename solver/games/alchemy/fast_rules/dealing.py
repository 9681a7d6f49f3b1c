"""Shuffled stocks by their numbers, for kernels that play them."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from solver.kernels.jit import kernel
from solver.kernels.rng import shuffle
from solver.kernels.rng import start as start_stream


@kernel
def deal_worlds(cards: NDArray[np.int8], seed: int, first: int, count: int) -> NDArray[np.int8]:
    """Worlds `first` to `first + count` of a seed: shuffled stocks (count, cards), the last card drawn first."""
    worlds = np.zeros((count, len(cards)), np.int8)
    state = np.zeros(1, np.int64)
    for world in range(count):
        start_stream(state, seed, first + world)
        worlds[world] = cards
        shuffle(state, worlds[world])
    return worlds
