"""Starting processes of our own: their environment, and pauses before restarts."""

from __future__ import annotations

import os
import sys

_SOON_SECONDS = 5.0  # a process that ends sooner is considered useless
_LONGEST_PAUSE = 60.0


def environment() -> dict[str, str]:
    """This process's environment, changed so that another finds the same packages, whatever is in its folder."""
    return {**os.environ, "PYTHONPATH": os.pathsep.join(path or os.getcwd() for path in sys.path)}


def had_worked(seconds: float) -> bool:
    """Whether a process that ran this long was of any use."""
    return seconds >= _SOON_SECONDS


def pause_after(seconds: float, pause: float) -> float:
    """How long to wait before the next start, after a process ran `seconds` seconds following a wait of
    `pause`.
    """
    return 0.0 if had_worked(seconds) else min(max(1.0, 2 * pause), _LONGEST_PAUSE)
