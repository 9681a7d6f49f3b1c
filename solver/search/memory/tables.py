"""Tables of searches: zeroed memory from the system, charged to the account for as long as it is held.

Nothing is written when a table is made: the system gives memory only to what is touched, and takes all of it back
when the table is let go.
"""

from __future__ import annotations

import mmap
import weakref
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import DTypeLike, NDArray

from solver.search.memory.account import ACCOUNT, Account
from solver.search.memory.settings import MEGABYTE

_LEAST_HUGE = 4 * MEGABYTE  # from here on fewer misses of the processor's address cache pay


def new_table(sizes: Sequence[int], dtype: DTypeLike = np.int64, *, account: Account = ACCOUNT) -> NDArray[Any]:
    """A zeroed table of the first of these sizes, in items and from the largest down, that there is memory for.

    Raises MemoryError when there is none for the last.
    """
    width = np.dtype(dtype).itemsize
    for size in sizes:
        wanted = max(1, size) * width
        if account.charge(wanted, least=size == sizes[-1]):
            memory = _mapped(wanted, account)
            if memory is not None:
                return np.frombuffer(memory, dtype)
    raise MemoryError(
        f"no memory is left for a table of {sizes[-1] * width // MEGABYTE:,} MiB: searches hold "
        f"{account.used // MEGABYTE:,} of the {account.limit // MEGABYTE:,} MiB that their tables may take"
    )


def _mapped(size: int, account: Account) -> mmap.mmap | None:
    """Zeroed memory of so many bytes that are charged already; None when the system refuses it."""
    private = {"flags": mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS} if hasattr(mmap, "MAP_ANONYMOUS") else {}
    try:
        memory = mmap.mmap(-1, size, **private)
    except (OSError, MemoryError):
        account.release(size)
        return None
    # Memory is freed when the last array that looks at it goes.
    weakref.finalize(memory, account.release, size).atexit = False
    if size >= _LEAST_HUGE and hasattr(mmap, "MADV_HUGEPAGE"):
        memory.madvise(mmap.MADV_HUGEPAGE)
    return memory
