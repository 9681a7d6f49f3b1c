"""Bit counting for kernels: `popcount`, `trailing_zeros` and `highest_one` of a non-negative int64."""

from __future__ import annotations

from typing import Any

import numba
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

from solver.search import jit as jit  # sets the cache folder before anything here is compiled

if numba.config.DISABLE_JIT:

    def popcount(word: int) -> int:
        """The number of ones."""
        return int(word).bit_count()

    def trailing_zeros(word: int) -> int:
        """The index of the lowest one; 64 for zero."""
        return (int(word) & -int(word)).bit_length() - 1 if word else 64

    def highest_one(word: int) -> int:
        """The index of the highest one; -1 for zero."""
        return int(word).bit_length() - 1

else:

    @intrinsic
    def popcount(_context: Any, word: Any) -> Any:
        """The number of ones."""

        def build(_ctx: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
            return builder.ctpop(arguments[0])

        return types.int64(types.int64), build

    @intrinsic
    def trailing_zeros(_context: Any, word: Any) -> Any:
        """The index of the lowest one; 64 for zero."""

        def build(_ctx: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
            return builder.cttz(arguments[0], cgutils.false_bit)

        return types.int64(types.int64), build

    @intrinsic
    def highest_one(_context: Any, word: Any) -> Any:
        """The index of the highest one; -1 for zero."""

        def build(_ctx: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
            return builder.sub(arguments[0].type(63), builder.ctlz(arguments[0], cgutils.false_bit))

        return types.int64(types.int64), build
