"""Helpers for child processes: their environment, and pauses before restarts."""

from __future__ import annotations

import os
import sys

_SOON_SECONDS = 5.0  # a process that ends sooner is considered useless
_LONGEST_PAUSE = 60.0


def environment() -> dict[str, str]:
    """Return the environment for a child process that must find the same packages from any working folder."""
    return {**os.environ, "PYTHONPATH": os.pathsep.join(path or os.getcwd() for path in sys.path)}


def pause_after(seconds: float, pause: float) -> float:
    """Return the seconds to wait before restarting a process that ran for `seconds` after a wait of `pause`."""
    return 0.0 if seconds >= _SOON_SECONDS else min(max(1.0, 2 * pause), _LONGEST_PAUSE)
