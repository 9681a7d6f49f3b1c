"""Bit counting for kernels: `popcount` and `trailing_zeros` of a non-negative int64."""

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

else:

    @intrinsic  # type: ignore[untyped-decorator]
    def popcount(_context: Any, word: Any) -> Any:
        """The number of ones."""

        def build(_ctx: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
            return builder.ctpop(arguments[0])

        return types.int64(types.int64), build

    @intrinsic  # type: ignore[untyped-decorator]
    def trailing_zeros(_context: Any, word: Any) -> Any:
        """The index of the lowest one; 64 for zero."""

        def build(_ctx: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
            return builder.cttz(arguments[0], cgutils.false_bit)

        return types.int64(types.int64), build
