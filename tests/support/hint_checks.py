"""What every game's hints are held to."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import Any

from solver.answers import Hint
from solver.limits import Control, Limit
from tests.support.search_checks import cancelled
from tests.support.timing import LATE


def check_deadlines(hint: Callable[[Any, Control], Hint], views: Sequence[Any]) -> None:
    """A deadline is kept, but for what a busy machine takes, and there is always an answer."""
    for view in views:
        for seconds in (0.001, 0.05, 0.2):
            begin = time.monotonic()
            assert hint(view, Control(Limit(seconds=seconds))).worlds > 0
            assert time.monotonic() - begin < seconds + LATE
    assert hint(views[0], cancelled(Limit(seconds=30))).worlds > 0
