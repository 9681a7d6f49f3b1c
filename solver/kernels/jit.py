"""`kernel`: the one way to compile a function."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar, cast

import numba
from numba.core.cpu import CPUTargetOptions

from solver.kernels.cache import KernelCache
from solver.kernels.linking import LINKABLE, KernelDispatcher

F = TypeVar("F", bound=Callable[..., object])

# Kernels of a search allocate nothing. Without Numba's reference counting each array that is passed to a helper
# saves two atomic additions, more than most helpers cost: measured, searches run five to ten times as fast.
_LEAN = {"_nrt": False} if hasattr(CPUTargetOptions, "_nrt") else {}


def _compiled(function: F, **options: Any) -> F:
    if numba.config.DISABLE_JIT:
        return function
    compiled: Any = KernelDispatcher(function, {"nopython": True, "nogil": True, **options})
    compiled._cache = KernelCache(function)
    compiled.linkable._cache = KernelCache(function, f".{LINKABLE}")
    return cast(F, compiled)


def kernel(function: F) -> F:
    """Compile on first call, cache on disk, release the GIL while running."""
    return _compiled(function)


def lean(function: F) -> F:
    """Like `kernel`, for one that makes no arrays and returns none."""
    return _compiled(function, **_LEAN)


def inlined(function: F) -> F:
    """Like `lean`, for a helper of lean kernels that is to be inlined whatever its size."""
    return _compiled(function, forceinline=True, **_LEAN)
