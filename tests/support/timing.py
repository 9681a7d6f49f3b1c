"""Waiting, and lateness, in tests: a busy machine may stop a process at any moment."""

from __future__ import annotations

import time
from collections.abc import Callable

# Seconds after a limit. What forgets its limit is late by many seconds, and such tests are to find that. How late
# answers really are is for the benchmarks to say.
LATE = 10.0
# For what must come, however busy the machine is; a test that waits so long has failed.
PATIENCE = 120.0
_WORK_SECONDS = 0.012  # of the work in `slowness`
TIMES = 4  # as large, in `growth`
LINEAR = 9.0  # `growth` stays below it, and is 16 where the time grows with the square


def slowness() -> float:
    """How many times as long work takes here and now, in CPU time, as where limits are measured; 1 or more.

    Processors differ, and share what they have with others.
    """
    start = time.thread_time()
    sum(number % 7 for number in range(400_000))
    return max(1.0, (time.thread_time() - start) / _WORK_SECONDS)


def wait_until(done: Callable[[], object], seconds: float = PATIENCE) -> None:
    """Wait until a function returns something true. Raises AssertionError if it never does."""
    end = time.monotonic() + seconds
    while not done():
        assert time.monotonic() < end
        time.sleep(0.005)


def growth(work: Callable[[int], object], size: int) -> float:
    """How many times as long the work takes at four times the size: the fastest of a few tries, in CPU time.

    The longer work is tried again only where a first try took too long.
    """

    def seconds(at: int) -> float:
        start = time.process_time()
        work(at)
        return time.process_time() - start

    short = max(min(seconds(size) for _ in range(3)), 1e-3)  # of shorter times, the machine has its share
    times = float("inf")
    for _ in range(3):
        times = min(times, seconds(TIMES * size) / short)
        if times < LINEAR:
            break
    return times
