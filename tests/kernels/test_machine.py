"""Machine code without Numba: every kind of argument comes through, and what is missing is no crash."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import pytest

from solver.kernels import machine
from solver.kernels.compiling import numba_type
from solver.kernels.jit import kernel, kind
from solver.kernels.machine import OFF

pytestmark = pytest.mark.skipif(OFF, reason="nothing is compiled")


class Inner(NamedTuple):
    table: np.ndarray
    scale: float


class Outer(NamedTuple):
    inner: Inner
    number: int


@kernel
def mixed(words: np.ndarray, outer: Outer, negative: bool, more: int = 3) -> float:
    total = outer.inner.scale * outer.number + more
    for row in range(outer.inner.table.shape[0]):
        total += outer.inner.table[row, 1] * words[row]
    words[0] = -1
    return -total if negative else total


def outer(scale: float = 0.5) -> Outer:
    return Outer(Inner(np.arange(4, dtype=np.int16).reshape(2, 2), scale), 6)


def test_tuples_in_tuples_defaults_and_names_come_through() -> None:
    words = np.array([10, 100])
    compiled: Any = mixed
    assert mixed(words, outer(), False) == 0.5 * 6 + 3 + 1 * 10 + 3 * 100
    assert words[0] == -1
    assert mixed(words, outer(), more=0, negative=True) == -(0.5 * 6 + 1 * -1 + 3 * 100)
    assert compiled.loads + compiled.compiles == 1
    with pytest.raises(TypeError):
        mixed(words)  # type: ignore[call-arg]


def test_numba_takes_a_kind_for_what_it_would_find_itself() -> None:
    from numba import typeof

    constant = np.zeros(3, np.int32)
    constant.flags.writeable = False
    for value in (np.zeros(3), np.zeros((2, 3, 4))[:, ::2], constant, 7, 0.5, True, outer(), (1, np.zeros(2))):
        assert numba_type(kind(value)) == typeof(value)


def test_an_integer_beyond_64_bits_is_an_error() -> None:
    with pytest.raises(OverflowError):
        mixed(np.array([10, 100]), outer(), False, 2**63)


def test_code_that_needs_what_is_not_there_is_not_linked() -> None:
    code = machine.Code("entry", (), ("no_such_function_anywhere",), b"")
    with pytest.raises(OSError, match="no_such_function_anywhere"):
        machine.function(code, lambda: None)  # type: ignore[arg-type]
