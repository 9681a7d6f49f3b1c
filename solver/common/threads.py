"""Starting threads where the system may refuse them, and what threads make once for all of them."""

from __future__ import annotations

import threading
from collections.abc import Callable
from functools import cache, wraps
from typing import TypeVar

T = TypeVar("T")


def started(thread: threading.Thread) -> bool:
    """Start a thread; False where the system lets none be started, so that its work is done elsewhere."""
    try:
        thread.start()
    except (RuntimeError, MemoryError):
        return False
    return True


def once(make: Callable[[], T]) -> Callable[[], T]:
    """`make` called at most once, however many threads ask: the others wait for what the first one makes.

    `functools.cache` may call it once for each of them, and hand out several things where there must be one.
    """
    kept, lock = cache(make), threading.RLock()

    @wraps(make)
    def made() -> T:
        with lock:
            return kept()

    return made
