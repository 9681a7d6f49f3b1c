"""Settings of Python's garbage collector: rare collections during loading, frequent ones while serving."""

from __future__ import annotations

import gc

_RARELY = 1_000_000  # new objects: more than a start creates
_USUAL = (700, 10, 10)  # Python's own thresholds


def keep_loading() -> None:
    """Make garbage collections rare: otherwise, a tenth of the loading time is spent on them."""
    gc.set_threshold(_RARELY)


def loaded() -> None:
    """Exclude all existing objects from garbage collection: scanning them would block all threads for 0.15 s."""
    gc.freeze()


def keep_serving() -> None:
    """Restore Python's usual thresholds, so that garbage collections are frequent and short."""
    gc.set_threshold(*_USUAL)
