"""Kinds: arguments that may share machine code have one, and what may not has another."""

from __future__ import annotations

from collections import namedtuple
from typing import Any, NamedTuple

import numpy as np
import pytest

from solver.kernels.jit import guarded, kind, text

pytestmark = [pytest.mark.small, pytest.mark.plain]


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
    from solver.kernels.jit import kernel

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
