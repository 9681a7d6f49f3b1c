"""When Python looks for garbage: hardly while much is loaded, and as usual where requests are answered."""

from __future__ import annotations

import gc

_HARDLY = 1_000_000  # so many more objects than before, which are more than all that a start makes
_USUAL = (700, 10, 10)  # Python's own rule


def keep_loading() -> None:
    """Hardly look for garbage: to look through what was loaded takes a tenth of the time to load it."""
    gc.set_threshold(_HARDLY)


def loaded() -> None:
    """Pass over all that there is by now: to look through it takes 0.15 s, in which nobody else runs."""
    gc.freeze()


def keep_serving() -> None:
    """Look for garbage often from now on, so that it never takes long."""
    gc.set_threshold(*_USUAL)
