"""Starting our own processes: their environment, and pauses before restarts."""

from __future__ import annotations

import os
import sys

_SOON_SECONDS = 5.0  # a process that ends sooner is considered useless
_LONGEST_PAUSE = 60.0


def environment() -> dict[str, str]:
    """The environment for a child process, in which it finds the same packages whatever its working folder."""
    return {**os.environ, "PYTHONPATH": os.pathsep.join(path or os.getcwd() for path in sys.path)}


def had_worked(seconds: float) -> bool:
    """Whether a process that ran for this many seconds lasted long enough to be useful."""
    return seconds >= _SOON_SECONDS


def pause_after(seconds: float, pause: float) -> float:
    """How long to wait before the next start, after a process ran `seconds` seconds following a wait of
    `pause`.
    """
    return 0.0 if had_worked(seconds) else min(max(1.0, 2 * pause), _LONGEST_PAUSE)
