"""Processes of our own: with which packages they begin, and when one that has ended is started again."""

from __future__ import annotations

import os
import sys

_SOON_SECONDS = 5.0  # a process that ends sooner than this after its start has hardly worked
_LONGEST_PAUSE = 60.0


def environment(**further: str) -> dict[str, str]:
    """This process's environment, with which another finds the same packages, whatever lies in its folder."""
    return {**os.environ, "PYTHONPATH": os.pathsep.join(path or os.getcwd() for path in sys.path), **further}


def had_worked(seconds: float) -> bool:
    """Whether a process that lasted so long was of any use."""
    return seconds >= _SOON_SECONDS


def pause_after(seconds: float, pause: float) -> float:
    """How long to wait before the next start, when a process lasted so many seconds after a wait of `pause`."""
    return 0.0 if had_worked(seconds) else min(max(1.0, 2 * pause), _LONGEST_PAUSE)
