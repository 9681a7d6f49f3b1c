"""The processor time that a thread's work has taken, wherever it was done."""

from __future__ import annotations

import threading
import time

_own = threading.local()  # `elsewhere`: seconds


def worked() -> float:
    """Seconds of processor time: this thread's own, and what was done for it elsewhere."""
    return time.thread_time() + getattr(_own, "elsewhere", 0.0)


def elsewhere(seconds: float) -> None:
    """Another process has worked so long for this thread."""
    _own.elsewhere = getattr(_own, "elsewhere", 0.0) + seconds
