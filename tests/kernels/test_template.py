"""Templates: one search, several games, and machine code that belongs to one set of rules."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import pytest

from solver.kernels.cache import DEPENDENCIES, Dependencies
from solver.kernels.jit import kernel
from solver.kernels.template import instantiate


def rule(word: int) -> int:
    return word


def other(word: int) -> int:
    return -word


def search(word: int) -> int:
    return rule(word)


def adding(amount: int) -> Any:
    def rule(word: int) -> int:
        return word + amount

    return rule


def dependencies(rules: Mapping[str, Any]) -> Dependencies:
    """What is stamped with an instance, looked up on the function that is compiled."""
    compiled: Any = instantiate(search, rules, "test")
    found: Dependencies = getattr(getattr(compiled, "py_func", compiled), DEPENDENCIES)
    return found


@pytest.mark.small
def test_an_instance_depends_on_the_modules_of_its_rules() -> None:
    assert dependencies({"rule": kernel(rule)}).modules == (__name__,)


@pytest.mark.small
@pytest.mark.parametrize(
    ("first", "second"),
    [
        ({"LIMIT": 3}, {"LIMIT": 4}),
        ({"LIMIT": 1}, {"LIMIT": True}),
        ({"TABLE": np.array([1, 2])}, {"TABLE": np.array([1, 3])}),
        ({"TABLE": np.array([1, 2])}, {"TABLE": np.array([1, 2], np.int32)}),
        ({"TABLE": np.array([[1, 2]])}, {"TABLE": np.array([[1], [2]])}),
        ({"rule": rule}, {"rule": other}),
        ({"rule": adding(1)}, {"rule": adding(2)}),
        ({"rule": rule}, {"bound": rule}),
    ],
)
def test_an_instance_depends_on_its_rules_and_constants(first: dict[str, Any], second: dict[str, Any]) -> None:
    given = {"rule": rule}
    assert dependencies({**given, **first}) == dependencies({**given, **first})
    assert dependencies({**given, **first}) != dependencies({**given, **second})
