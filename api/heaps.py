"""How many heaps the C library keeps: few, since what one of them has free another cannot use."""

from __future__ import annotations

import os
import sys

_ARENA_MAX = -8  # M_ARENA_MAX of glibc's malloc.h


def keep_few() -> None:
    """Have all threads share as many heaps as there are processors; nothing, where the C library is not glibc.

    Otherwise there are up to eight for each, and each keeps what the threads that used it once needed.
    """
    if sys.platform != "linux":
        return
    import ctypes

    try:
        ctypes.CDLL(None).mallopt(_ARENA_MAX, os.cpu_count() or 1)
    except (OSError, AttributeError):  # another C library
        return
