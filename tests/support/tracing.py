"""The memory that something takes, as Python traces it."""

from __future__ import annotations

import threading
import tracemalloc
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from solver.games.alchemy.solving import TABLES


@contextmanager
def traced() -> Iterator[Callable[[], int]]:
    """Yield a function that returns the largest amount of memory held at a time so far, in bytes.

    Tables that are built in the background are waited for: Python 3.11 crashes if tracing begins or ends while
    NumPy allocates in another thread (CPython issue 128679).
    """
    for thread in threading.enumerate():
        if thread.name == TABLES:
            thread.join()
    tracemalloc.start()
    try:
        yield lambda: tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
