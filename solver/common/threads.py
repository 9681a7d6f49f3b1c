"""Starting threads where the system may refuse them."""

from __future__ import annotations

import threading


def started(thread: threading.Thread) -> bool:
    """Start a thread; False where the system lets none be started, so that its work is done elsewhere."""
    try:
        thread.start()
    except (RuntimeError, MemoryError):
        return False
    return True
