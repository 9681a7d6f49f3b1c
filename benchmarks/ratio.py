"""How many times faster a kernel is than the reference, timed so that a loaded machine does not matter.

Kernel and reference take turns in one process, both by the thread's own clock; the median of the pairs'
ratios spreads by 1–3% where wall clocks spread by half.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from statistics import median

PAIRS = 15
_SHORTEST = 0.01  # seconds of one timing; shorter work is repeated


@dataclass(frozen=True, slots=True)
class Ratio:
    """What one comparison gave. `nodes` are the kernel's, of one run; times are of one run."""

    name: str
    kernel_seconds: float
    reference_seconds: float
    ratio: float
    nodes: int

    @property
    def nodes_per_second(self) -> float:
        return self.nodes / self.kernel_seconds


def _timed(work: Callable[[], object], repeats: int) -> float:
    """Seconds of the thread for one run, the mean of several."""
    begin = time.thread_time()
    for _ in range(repeats):
        work()
    return (time.thread_time() - begin) / repeats


def _repeats(work: Callable[[], object]) -> int:
    """How often to run, so that one timing is long enough for the clock."""
    return max(1, round(_SHORTEST / max(_timed(work, 1), 1e-7)))


def compare(
    name: str,
    kernel: Callable[[], int],
    reference: Callable[[], object],
    *,
    scale: float = 1.0,
    pairs: int = PAIRS,
) -> Ratio:
    """Run both in turn. The reference does `scale` times the kernel's work (part of it, where it is slow)."""
    nodes = kernel()
    reference()
    kernel_repeats, reference_repeats = _repeats(kernel), _repeats(reference)
    fast, slow = [], []
    for _ in range(pairs):
        fast.append(_timed(kernel, kernel_repeats))
        slow.append(_timed(reference, reference_repeats) / scale)
    return Ratio(name, median(fast), median(slow), median(s / f for f, s in zip(fast, slow, strict=True)), nodes)
