"""Kernels that call kernels: linked before they are optimized, cached in both forms, the same from Python."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import numba
import numpy as np
import pytest

from solver.kernels.jit import inlined, kernel, lean
from tests.support.places import ROOT

pytestmark = pytest.mark.skipif(bool(numba.config.DISABLE_JIT), reason="nothing is compiled")

HELPERS = """
from solver.kernels.jit import inlined, kernel, lean

@inlined
def half(number):
    return number // 2

@lean
def steps(number):
    if number == 1:
        return 0
    if number % 2 == 0:
        return 1 + steps(half(number))
    return 1 + steps(3 * number + 1)
"""
CALLERS = """
from helpers import half, steps
from solver.kernels.jit import kernel

@kernel
def both(number):
    return steps(number) * 1000 + half(number) + {constant}
"""
PROGRAM = """
import callers, helpers
print(callers.both(27), helpers.half(9))
for function in (callers.both, helpers.steps, helpers.half):
    linked = function.forms.linkable._cache_misses
    print(function.__name__, function.compiles, sum(linked.values()))
"""


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / "helpers.py").write_text(HELPERS, encoding="utf-8")
    (tmp_path / "callers.py").write_text(CALLERS.format(constant=0), encoding="utf-8")
    (tmp_path / "program.py").write_text(PROGRAM, encoding="utf-8")
    return tmp_path


def run(project: Path) -> tuple[str, dict[str, tuple[int, int]]]:
    """What the program prints first, and how often each function was compiled: for Python, and to be linked."""
    folders = {"XDG_CACHE_HOME": str(project / "caches"), "PYTHONPATH": str(ROOT)}
    done = subprocess.run(
        [sys.executable, str(project / "program.py")],
        env={**os.environ, **folders},
        capture_output=True,
        text=True,
        check=True,
        timeout=120,
    )
    first, *rest = done.stdout.splitlines()
    rows = (line.split() for line in rest)
    return first, {name: (int(own), int(linked)) for name, own, linked in rows}


def test_a_helper_is_compiled_once_to_be_linked_and_again_only_for_python(project: Path) -> None:
    answer, compiled = run(project)
    assert answer == "111013 4"
    assert compiled == {"both": (1, 0), "steps": (0, 1), "half": (1, 1)}


def test_both_forms_are_kept_for_later_processes(project: Path) -> None:
    run(project)
    answer, compiled = run(project)
    assert answer == "111013 4"
    assert set(compiled.values()) == {(0, 0)}


def test_an_edited_caller_links_the_helpers_that_were_kept(project: Path) -> None:
    run(project)
    (project / "callers.py").write_text(CALLERS.format(constant=500), encoding="utf-8")
    answer, compiled = run(project)
    assert answer == "111513 4"
    assert compiled == {"both": (1, 0), "steps": (0, 0), "half": (0, 0)}


def test_an_edited_helper_is_linked_anew_into_its_callers(project: Path) -> None:
    run(project)
    (project / "helpers.py").write_text(HELPERS.replace("// 2", "// 2 + 0"), encoding="utf-8")
    answer, compiled = run(project)
    assert answer == "111013 4"
    assert compiled == {"both": (1, 0), "steps": (0, 1), "half": (1, 1)}


def test_a_kernel_that_calls_itself_may_be_asked_from_python_first() -> None:
    @lean
    def depth(number: int) -> int:
        if number <= 1:
            return 0
        return 1 + depth(number // 2)

    @kernel
    def twice(number: int) -> int:
        return 2 * depth(number)

    assert depth(9) == 3
    assert twice(9) == 6
    assert depth(1) == 0


def test_constants_and_variables_share_one_form() -> None:
    @inlined
    def add(one: int, other: int) -> int:
        return one + other

    @kernel
    def sums(number: int) -> int:
        return add(number, 1) + add(2, number) + add(number, number) + add(3, 4)

    assert sums(10) == 11 + 12 + 20 + 7
    assert len(add.forms.linkable.overloads) == 1  # type: ignore[attr-defined]
    assert not add.compiles  # type: ignore[attr-defined]


def test_an_error_in_a_linked_helper_reaches_python() -> None:
    @lean
    def refuse(number: int) -> int:
        if number < 0:
            raise ValueError("negative")
        return number

    @kernel
    def through(number: int) -> int:
        return refuse(number) + 1

    assert through(1) == 2
    with pytest.raises(ValueError, match="negative"):
        through(-1)


def test_helpers_that_make_arrays_are_linked() -> None:
    @kernel
    def squares(count: int) -> np.ndarray:
        return np.arange(count) ** 2

    @kernel
    def total(count: int) -> int:
        return int(squares(count).sum()) + len(squares(count))

    assert total(5) == 30 + 5
    assert total(5) == 35
