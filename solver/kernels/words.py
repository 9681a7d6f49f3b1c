"""Words for kernels: bit operations on non-negative int64, wrapping sums and products, and array types.

Each operation compiles to one instruction (`solver.kernels.compiling`); the versions here are plain Python.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar, cast

import numpy as np
from numpy.typing import NDArray

from solver.kernels.machine import OFF

Words = NDArray[np.int64]
Floats = NDArray[np.float64]
Word = int | np.int64
F = TypeVar("F", bound=Callable[..., object])


class _Operation:
    """A function that kernels call as one machine instruction, which `compiling` defines by the same name."""

    def __init__(self, function: Callable[..., Any]) -> None:
        self.function = function
        self.__name__ = function.__name__
        self.__doc__ = function.__doc__

    def __call__(self, *words: Any) -> Any:
        return self.function(*words)

    @property
    def _numba_type_(self) -> Any:
        from solver.kernels.compiling import function_type

        return function_type(self.__name__)


def _operation(function: F) -> F:
    return function if OFF else cast(F, _Operation(function))


def _wrapped(word: int) -> np.int64:
    return np.int64(((word + (1 << 63)) & ((1 << 64) - 1)) - (1 << 63))


# Numba tells LLVM that integer sums and products do not overflow (nsw), so an overflow is undefined behaviour,
# visible as soon as a loop is unrolled. These wrap.


@_operation
def wrapping_sum(first: Word, second: Word) -> np.int64:
    """Return the sum modulo 2**64 as a signed word."""
    return _wrapped(int(first) + int(second))


@_operation
def wrapping_product(first: Word, second: Word) -> np.int64:
    """Return the product modulo 2**64 as a signed word."""
    return _wrapped(int(first) * int(second))


@_operation
def popcount(word: int) -> int:
    """Return the number of bits that are set."""
    return int(word).bit_count()


@_operation
def trailing_zeros(word: int) -> int:
    """Return the index of the lowest set bit; 64 for zero."""
    return (int(word) & -int(word)).bit_length() - 1 if word else 64


@_operation
def highest_one(word: int) -> int:
    """Return the index of the highest set bit; -1 for zero."""
    return int(word).bit_length() - 1


@_operation
def prefetch(words: Any, index: int) -> None:
    """Request the cache line of `words[index]` without waiting for it."""
