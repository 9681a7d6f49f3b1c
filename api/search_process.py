"""What the service's search processes load, and the memory that they may take."""

from __future__ import annotations

import os
from collections.abc import Callable
from contextlib import nullcontext, suppress

from api import garbage, logs
from solver.limits import Control

COMPILES = "_ATHANOR_COMPILES"  # set in the environment of a fork server that is to compile what is missing


def load(name: str, control: Control | None = None, *, hints: bool = False, compile: bool = False) -> None:
    """Load a game's kernels or, with `hints`, only those for its hints; with any `control`, as a search.

    Raises AbsentError for a kernel that is not in the cache; with `compile`, it is compiled.
    """
    from api.compiling import loading_only
    from athanor.questions import warm
    from solver.search.memory import IDLE_PROVERS

    try:
        with nullcontext() if compile else loading_only():
            warm(name, hints=hints)
    finally:
        IDLE_PROVERS.drop()  # left over from running the kernels once, and inherited by processes that are forked
    garbage.loaded()


def begin(niceness: int, megabytes: int) -> Callable[[], tuple[int, int, int]]:
    """Make this a process that searches with this niceness, and may use `megabytes` MiB of memory.

    Returns a function that measures its memory, its search tables and their limit, in bytes.
    """
    from api.memory import Memory
    from solver.search.memory import TABLE_BUDGET

    if hasattr(os, "nice"):
        with suppress(OSError):
            os.nice(niceness)
    logs.begin()
    garbage.keep_serving()
    memory = Memory(megabytes, requests=1, searches=1, loaded=lambda: True)

    def measure() -> tuple[int, int, int]:
        return memory.look(), TABLE_BUDGET.used, TABLE_BUDGET.limit

    return measure
