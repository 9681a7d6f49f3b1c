"""Stamps: what a kernel's machine code depends on, and nothing else."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Mapping
from typing import Any

import numpy as np
import pytest

from solver.kernels import cache
from solver.kernels.jit import instantiate, kernel
from solver.kernels.machine import OFF

pytestmark = pytest.mark.skipif(OFF, reason="nothing is compiled")

CONSTANTS = "LIMIT = 3\n"
SOURCE = """
from typing import NamedTuple
from solver.kernels.jit import kernel, lean
import constants

class Pair(NamedTuple):
    first: int
    second: int = 2

@kernel
def helper(word):
    return word + LIMIT

@kernel
def caller(word):
    '''What it does.'''
    return sum([helper(word) for _ in range(2)]) + Pair(1).second

@lean
def endless(word):
    return endless(word - 1) if word else 0

def plain(word):
    return word
"""


def stamps(source: str, **known: Any) -> dict[str, str | None]:
    """The stamps of a module's kernels, without importing it from a file."""
    names: dict[str, Any] = {"__name__": "den.module", "LIMIT": 3, **known}
    exec(source.replace("import constants\n", ""), names)
    return {
        name: cache.stamp(names[name].py_func, names[name].options) for name in ("helper", "caller", "endless")
    }


def changed(old: str, new: str, **known: Any) -> set[str]:
    """The kernels whose stamps an edit changes."""
    assert old in SOURCE
    before, after = stamps(SOURCE), stamps(SOURCE.replace(old, new), **known)
    assert None not in {*before.values(), *after.values()}
    return {name for name in before if before[name] != after[name]}


def test_the_same_source_has_the_same_stamps() -> None:
    assert changed("word", "word") == set()
    assert len(set(stamps(SOURCE).values())) == 3


@pytest.mark.parametrize(
    ("old", "new", "kernels"),
    [
        ("What it does.", "What else it does.", set()),
        ("class Pair", "# a comment\n\nclass Pair", set()),
        ("def plain(word):\n    return word", "def plain(word):\n    return 0", set()),
        ("word + LIMIT", "word - LIMIT", {"helper", "caller"}),
        ("word - 1", "word - 2", {"endless"}),
        ("range(2)", "range(3)", {"caller"}),
        ("second: int = 2", "second: int = 3", {"caller"}),
        ("@lean", "@kernel", {"endless"}),
        ("helper(word):", "helper(word=1):", {"helper", "caller"}),
    ],
)
def test_an_edit_changes_the_stamps_of_what_depends_on_it(old: str, new: str, kernels: set[str]) -> None:
    assert changed(old, new) == kernels


def test_an_imported_constant_is_part_of_it() -> None:
    assert changed("word", "word", LIMIT=4) == {"helper", "caller"}


def test_what_others_may_share_a_name_with_has_no_stamp() -> None:
    def local() -> None: ...

    assert cache.stamp(local, {}) is None  # type: ignore[arg-type]


def test_an_edited_compiler_keeps_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    before = stamps(SOURCE)
    monkeypatch.setattr(cache, "_compilers", lambda: "another")
    assert not set(before.values()) & set(stamps(SOURCE).values())


# In a process of its own, since other tests make kernels of the product's templates, too.
ALL_OF_THEM = """
import importlib, json, pkgutil
import solver
from api.compiling import kernels
from solver.kernels import cache

for module in pkgutil.walk_packages(solver.__path__, "solver."):
    importlib.import_module(module.name)
all_of_them = [kernel for kernel in kernels() if kernel.__module__.startswith("solver.")]
print(json.dumps([cache.stamp(kernel.py_func, kernel.options) for kernel in all_of_them]))
"""


def test_every_kernel_has_a_stamp_of_its_own() -> None:
    told = subprocess.run([sys.executable, "-c", ALL_OF_THEM], capture_output=True, text=True, check=True)
    found = json.loads(told.stdout)
    assert len(found) > 300
    assert None not in found
    assert len(set(found)) == len(found)


# ----------------------------------------------------------------------------------------------------
# Templates: one search, several games, and machine code that belongs to one set of rules.


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
