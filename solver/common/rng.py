"""Our own random numbers, so that a seed means the same deal for ever, in kernels and in plain Python.

SplitMix64 (Steele, Lea and Flood 2014) with Lemire's unbiased bounded integers (2019). NumPy and the standard
library promise no stable shuffle across versions. `solver.kernels.rng` is the same for kernels.
"""

from __future__ import annotations

from collections.abc import MutableSequence
from typing import TypeVar

T = TypeVar("T")

_MASK = (1 << 64) - 1
_GAMMA = 0x9E3779B97F4A7C15
SEEDS = 1 << 63  # seeds and deal numbers are below this


def mix(word: int) -> int:
    """SplitMix64's output function: a bijection of 64-bit words."""
    word &= _MASK
    word = ((word ^ (word >> 30)) * 0xBF58476D1CE4E5B9) & _MASK
    word = ((word ^ (word >> 27)) * 0x94D049BB133111EB) & _MASK
    return word ^ (word >> 31)


class Random:
    """The stream number `number` of a seed; streams are independent for all practical purposes."""

    def __init__(self, seed: int, number: int = 0) -> None:
        self._state = mix(mix(seed + _GAMMA) + number)

    def word(self) -> int:
        """The next 64-bit word."""
        self._state = (self._state + _GAMMA) & _MASK
        return mix(self._state)

    def below(self, bound: int) -> int:
        """A uniform integer in [0, bound), for 0 < bound < 2**31."""
        product = (self.word() >> 32) * bound
        if product & 0xFFFFFFFF < bound:
            threshold = (1 << 32) % bound
            while product & 0xFFFFFFFF < threshold:
                product = (self.word() >> 32) * bound
        return product >> 32

    def shuffle(self, cards: MutableSequence[T]) -> None:
        """Fisher-Yates, from the last place down."""
        for last in range(len(cards) - 1, 0, -1):
            other = self.below(last + 1)
            cards[last], cards[other] = cards[other], cards[last]
