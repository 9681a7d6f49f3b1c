"""The random number generator of `solver.common.Random`, for kernels.

The state is one int64 in an array; int64 arithmetic wraps like uint64.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from solver.kernels.jit import kernel
from solver.kernels.words import wrapping_product, wrapping_sum


def _signed(word: int) -> int:
    return word - (1 << 64) if word >> 63 else word


_GAMMA = _signed(0x9E3779B97F4A7C15)
_MULTIPLIER_1 = _signed(0xBF58476D1CE4E5B9)
_MULTIPLIER_2 = _signed(0x94D049BB133111EB)
_LOW = 0xFFFFFFFF


@kernel
def mix(word: np.int64) -> np.int64:
    """SplitMix64's output function. Shifts of a signed word are arithmetic, hence the bit masks."""
    word = wrapping_product(word ^ ((word >> 30) & 0x3FFFFFFFF), _MULTIPLIER_1)
    word = wrapping_product(word ^ ((word >> 27) & 0x1FFFFFFFFF), _MULTIPLIER_2)
    return word ^ ((word >> 31) & 0x1FFFFFFFF)


@kernel
def start_stream(state: NDArray[np.int64], seed: int, number: int) -> None:
    """Start stream `number` of `seed`; `state` is an array of one word."""
    state[0] = mix(wrapping_sum(mix(wrapping_sum(seed, _GAMMA)), number))


@kernel
def below(state: NDArray[np.int64], bound: int) -> int:
    """Return a uniform integer in [0, bound)."""
    bound = int(bound)  # without the JIT it may be a narrow NumPy integer
    while True:
        state[0] = wrapping_sum(state[0], _GAMMA)
        product = int((mix(state[0]) >> 32) & _LOW) * bound
        low = product & _LOW
        if low >= bound or low >= (1 << 32) % bound:
            return product >> 32


@kernel
def shuffle(state: NDArray[np.int64], cards: NDArray[np.int8]) -> None:
    for last in range(len(cards) - 1, 0, -1):
        other = below(state, last + 1)
        cards[last], cards[other] = cards[other], cards[last]


@kernel
def below_wide(state: NDArray[np.int64], bound: int) -> int:
    """Return a uniform integer in [0, bound), for 0 < bound < 2**62.

    By rejection: random words are cut to the number of bits of ``bound - 1``, until one is below the bound.
    """
    bound = int(bound)
    mask = bound - 1
    for shift in (1, 2, 4, 8, 16, 32):
        mask |= mask >> shift
    while True:
        state[0] = wrapping_sum(state[0], _GAMMA)
        word = int(mix(state[0])) & mask
        if word < bound:
            return word


@kernel
def uniform(state: NDArray[np.int64]) -> float:
    """Return a uniform number in [0, 1), a multiple of 2**-53."""
    state[0] = wrapping_sum(state[0], _GAMMA)
    return ((int(mix(state[0])) >> 11) & 0x1FFFFFFFFFFFFF) / 9007199254740992.0
