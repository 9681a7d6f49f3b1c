"""`kernel`: compiled once, lean where it may be, and other threads run meanwhile."""

from __future__ import annotations

import threading
import time

import numba
import numpy as np
import pytest

from solver.kernels.jit import inlined, kernel, lean

compiled_only = pytest.mark.skipif(bool(numba.config.DISABLE_JIT), reason="nothing is compiled")


@kernel
def count(turns: np.ndarray) -> int:
    total = 0
    for turn in range(turns[0]):
        total ^= turn * turns[1]
    return total


@compiled_only
@pytest.mark.parametrize("decorator", [kernel, lean, inlined])
def test_kernels_release_the_gil(decorator: object) -> None:
    def twice(number: int) -> int:
        return 2 * number

    compiled = decorator(twice)  # type: ignore[operator]
    assert compiled.forms.targetoptions["nogil"]
    assert compiled(21) == 42


@compiled_only
def test_other_threads_run_while_a_kernel_does() -> None:
    turns = np.array([1, 3])
    count(turns)
    turns[0] = 300_000_000
    thread = threading.Thread(target=count, args=(turns,))
    thread.start()
    ticks = 0
    while thread.is_alive():
        time.sleep(0.001)
        ticks += 1
    assert ticks > 5
