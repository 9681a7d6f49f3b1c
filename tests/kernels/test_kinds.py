"""Calling a kernel: kinds of arguments, machine code without Numba, and threads that run meanwhile."""

from __future__ import annotations

import threading
import time
from collections import namedtuple
from typing import Any, NamedTuple

import numpy as np
import pytest
from numba import typeof

from solver.kernels import machine
from solver.kernels.compiling import numba_type
from solver.kernels.jit import inlined, kernel, lean
from solver.kernels.kinds import guarded, kind, text
from solver.kernels.machine import CHECKED, OFF

pytestmark = pytest.mark.skipif(OFF, reason="nothing is compiled")


class Pair(NamedTuple):
    words: Any
    count: Any


WORDS = np.zeros(4, np.int64)
SQUARE = np.zeros((2, 2), np.int64)
CONSTANT = np.zeros(4, np.int64)
CONSTANT.flags.writeable = False
RECORDS = np.zeros(4, np.dtype([("first", np.int64), ("second", np.int8)]))
OTHERS = np.zeros(4, np.dtype([("first", np.int64), ("third", np.int8)]))
Elsewhere = namedtuple("Pair", "words number")  # type: ignore[name-match]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (1, -(2**63)),
        (1, np.int8(1)),
        (1, np.uint64(1)),
        (0.5, np.float32(1)),
        (True, np.bool_(False)),
        (WORDS, np.ones(7, np.int64)),
        (WORDS, SQUARE[0]),
        ((WORDS, 1), (SQUARE[1], 2)),
        (Pair(WORDS, 1), Pair(WORDS[1:], np.int16(3))),
    ],
)
def test_what_may_share_machine_code_is_of_one_kind(one: Any, other: Any) -> None:
    assert kind(one) == kind(other)
    assert text(kind(one)) == text(kind(other))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (1, 1.0),
        (1, True),
        (WORDS, WORDS.astype(np.int32)),
        (WORDS, SQUARE),
        (WORDS, WORDS[::2]),
        (WORDS, CONSTANT),
        (np.zeros((2, 3)), np.zeros((2, 3), order="F")),
        (WORDS, np.frombuffer(bytes(33), np.uint8)[1:].view(np.int64)),
        (RECORDS, OTHERS),
        (Pair(WORDS, 1), Pair(WORDS, 1.0)),
        (Pair(WORDS, 1), (WORDS, 1)),
        (Pair(WORDS, 1), Elsewhere(WORDS, 1)),
    ],
)
def test_what_needs_other_machine_code_is_of_another_kind(one: Any, other: Any) -> None:
    assert kind(one) != kind(other)
    assert text(kind(one)) != text(kind(other))


@pytest.mark.parametrize("value", [None, "word", [1, 2], {1}, object(), 1j, (1, "word")])
def test_what_no_kernel_takes_is_refused(value: Any) -> None:
    with pytest.raises(TypeError, match="a kernel takes numbers, arrays and tuples"):
        kind(value)


VALUES = [
    *(1, np.int8(1), np.uint64(1), 0.5, np.float32(1), True, np.bool_(False)),
    *(WORDS, WORDS.astype(np.int32), SQUARE, WORDS[::2], CONSTANT, RECORDS, OTHERS),
    *(np.zeros((2, 3)), np.zeros((2, 3), order="F"), np.frombuffer(bytes(33), np.uint8)[1:].view(np.int64)),
    *((WORDS, 1), (WORDS, 1, 1), (SQUARE, 1), Pair(WORDS, 1), Pair(WORDS, 1.0), Pair((WORDS, 2), 1)),
    *(Elsewhere(WORDS, 1), WORDS.view(type("Words", (np.ndarray,), {})), "word", None, (1, "word")),
]


def kind_or_none(value: Any) -> Any:
    try:
        return kind(value)
    except TypeError:
        return None


def test_machine_code_never_meets_arguments_of_other_kinds() -> None:
    """Every pair of values; a copy of the first is met where it is one of the usual classes."""

    def two(first: Any, second: Any = 2) -> None: ...

    known = [value for value in VALUES if kind_or_none(value) is not None]
    for one in known:
        run = guarded(two, (kind(one), kind(2)), lambda *_: "run", lambda *_: "other")  # type: ignore[arg-type]
        for value in VALUES:
            if run(value) == "run":
                assert kind_or_none(value) == kind(one), (one, value)
            assert run(value, 0.5) == "other"
        assert run(second=3, first=one) == ("other" if type(one).__name__ == "Words" else "run")


def test_arguments_that_only_seem_to_be_of_another_kind_are_taken() -> None:
    """A subclass of arrays has the kind of an array, however often it is passed."""

    @kernel
    def third(words: Any) -> int:
        found: int = words[2]
        return found

    words = np.arange(4)
    for given in (
        words,
        words.view(type("Words", (np.ndarray,), {})),
        words,
        words.astype(">i8").astype(np.int64),
    ):
        assert third(given) == third(given) == 2


# ----------------------------------------------------------------------------------------------------
# Machine code without Numba: every kind of argument comes through, and what is missing is no crash.


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
    constant = np.zeros(3, np.int32)
    constant.flags.writeable = False
    for value in (np.zeros(3), np.zeros((2, 3, 4))[:, ::2], constant, 7, 0.5, True, outer(), (1, np.zeros(2))):
        assert numba_type(kind(value)) == typeof(value)


def test_an_integer_beyond_64_bits_is_an_error() -> None:
    with pytest.raises(OverflowError):
        mixed(np.array([10, 100]), outer(), False, 2**63)


@kernel
def moved(words: np.ndarray, at: int) -> int:
    words[at] += 10
    return int(words[at])


@pytest.mark.skipif(CHECKED, reason="with checks, an index outside the array is an error")
def test_no_index_counts_from_the_end() -> None:
    words = np.arange(5)
    assert moved(words[1:], -1) == 10  # the word before the view, not its last one
    assert words.tolist() == [10, 1, 2, 3, 4]


@lean
def rearrange(entries: np.ndarray, at: int) -> None:
    entries[at] = entries[0]
    entries[1] = entries[-1]
    entries[-2] = entries[at + 1]


@kernel
def products(rows: np.ndarray) -> np.ndarray:
    made: np.ndarray = np.array([row[1] * row[-1] for row in rows]) + rows[:, 0]
    made[0] += rows[1, 2] + rows[1][0]
    return made


@pytest.mark.parametrize("kind", ["int64", "int8", "uint16", "float32", "float64", "bool"])
@pytest.mark.parametrize("step", [1, 2])
def test_places_are_those_of_numpy(kind: str, step: int) -> None:
    """Also those of a constant, which may count from the end."""
    entries = np.array([1, 0, 2, 1, 0, 3, 0, 0, 7, 1, 0, 5]).astype(kind)
    expected = entries.copy()
    rearrange(entries[::step], 2)
    rearrange.py_func(expected[::step], 2)  # type: ignore[attr-defined]
    assert entries.tolist() == expected.tolist()


def test_kernels_may_have_comprehensions_and_sums_of_arrays() -> None:
    rows = np.arange(6).reshape(2, 3)
    assert products(rows).tolist() == products.py_func(rows).tolist()  # type: ignore[attr-defined]


def test_code_that_needs_what_is_not_there_is_not_linked() -> None:
    code = machine.Code("entry", "native", (), ("no_such_function_anywhere",), (), b"")
    with pytest.raises(OSError, match="no_such_function_anywhere"):
        machine.function(code, lambda: None)  # type: ignore[arg-type]


# ----------------------------------------------------------------------------------------------------
# `kernel`: compiled once, lean where it may be, and other threads run meanwhile.


@kernel
def count(turns: np.ndarray) -> int:
    total = 0
    for turn in range(turns[0]):
        total ^= turn * turns[1]
    return total


@pytest.mark.parametrize("decorator", [kernel, lean, inlined])
def test_kernels_release_the_gil(decorator: object) -> None:
    def twice(number: int) -> int:
        return 2 * number

    compiled = decorator(twice)  # type: ignore[operator]
    assert compiled.forms.targetoptions["nogil"]
    assert compiled(21) == 42


class Parts(NamedTuple):
    """Part of what a kernel returns."""

    number: int
    words: np.ndarray


@pytest.mark.parametrize("decorator", [lean, inlined])
def test_a_lean_kernel_returns_no_array(decorator: object) -> None:
    def same(words: np.ndarray) -> np.ndarray:
        return words

    def parts(words: np.ndarray) -> Parts:
        return Parts(1, words)

    for function in (same, parts):
        with pytest.raises(TypeError, match=f"{function.__name__} is lean and returns an array"):
            decorator(function)(np.arange(3))  # type: ignore[operator]
        assert kernel(function)(np.arange(3)) is not None


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
