"""Templates: one search, several games, and machine code that belongs to one set of rules."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import pytest

from solver.kernels import cache
from solver.kernels.jit import kernel
from solver.kernels.machine import OFF
from solver.kernels.template import instantiate

pytestmark = pytest.mark.skipif(OFF, reason="nothing is compiled")
LIMIT = 0
TABLE = np.array([0])


def rule(word: int) -> int:
    return word


def other(word: int) -> int:
    return -word


def search(word: int) -> Any:
    return rule(word) + LIMIT + TABLE[0]


def stamped(rules: Mapping[str, Any]) -> str | None:
    made: Any = instantiate(search, {"rule": kernel(rule), **rules}, "test")
    return cache.stamp(made.py_func, made.options)


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ({"LIMIT": 3}, {"LIMIT": 4}),
        ({"LIMIT": 1}, {"LIMIT": True}),
        ({"LIMIT": 1}, {"LIMIT": 1.0}),
        ({"TABLE": np.array([1, 2])}, {"TABLE": np.array([1, 3])}),
        ({"TABLE": np.array([1, 2])}, {"TABLE": np.array([1, 2], np.int32)}),
        ({"TABLE": np.array([[1, 2]])}, {"TABLE": np.array([[1], [2]])}),
        ({"rule": kernel(rule)}, {"rule": kernel(other)}),
    ],
)
def test_a_stamp_depends_on_rules_and_constants(first: dict[str, Any], second: dict[str, Any]) -> None:
    assert stamped(first) == stamped(first) is not None
    assert stamped(first) != stamped(second)


def test_what_the_search_does_not_read_is_no_matter() -> None:
    assert stamped({"UNREAD": 1}) == stamped({"UNREAD": 2})


def test_a_global_of_an_unknown_kind_prevents_keeping() -> None:
    assert stamped({"LIMIT": object()}) is None
