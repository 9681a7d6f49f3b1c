"""Compiled kernels that came with a wheel: found where the processor can run them, else passed over."""

from __future__ import annotations

import json
import pickle
import shutil
from pathlib import Path
from typing import Any

import llvmlite.binding as llvm
import numba
import pytest

from solver.kernels import cache, machine
from solver.kernels.jit import kernel
from solver.kernels.machine import Target
from tests.kernels.caching import HIT, MISS, Places, ask, twice

pytestmark = pytest.mark.skipif(bool(numba.config.DISABLE_JIT), reason="nothing is compiled")
LEVEL = "x86-64-v3"


class Wheel:
    """A folder of shipped kernels, and the one kernel in it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def note(self, target: Target) -> None:
        """Say what the kernels are compiled for."""
        (self.folder / machine.NOTE).write_text(json.dumps(target._asdict()), encoding="utf-8")
        machine.shipped_target.cache_clear()

    @property
    def kernel(self) -> Path:
        [path] = self.folder.rglob("*.nbc")
        return path

    def relabel(self, target: Target) -> None:
        """Have the kernel compiled for another target, in name."""
        content = self.kernel.read_bytes()[cache._DIGEST :]
        (stamp, kinds, _), data = pickle.loads(content)
        files = kernel(twice)._files  # type: ignore[attr-defined]
        self.kernel.rename(self.kernel.with_name(files._name((kinds, tuple(target)))))
        cache._write(self.kernel, pickle.dumps(((stamp, kinds, tuple(target)), data)))
        self.note(target)


@pytest.fixture
def wheel(places: Places, monkeypatch: pytest.MonkeyPatch) -> Wheel:
    """What is compiled is shipped, and the caches are empty again."""
    made = Wheel(places.home / "shipped")
    here = Target(llvm.get_process_triple(), "this-one", "")  # a level is not what this process compiles for
    monkeypatch.setattr(machine, "own_target", lambda: here)
    monkeypatch.setattr(machine, "SHIPPED", made.folder)
    monkeypatch.setattr(machine, "CPU_NAME", None)  # as for a user; what is already compiled for is settled
    ask()
    shutil.move(places.user, made.folder)
    made.note(machine.own_target())
    return made


def test_what_is_shipped_is_not_compiled(wheel: Wheel, places: Places) -> None:
    assert ask() == (10, HIT)
    assert not places.user.exists()  # nor copied
    assert ask(5.5) == (11.0, MISS)
    assert ask(5.5) == (11.0, HIT)


def test_what_is_for_a_level_runs_on_every_processor_that_reaches_it(
    wheel: Wheel, monkeypatch: pytest.MonkeyPatch
) -> None:
    wheel.relabel(Target(machine.own_target().triple, LEVEL, ""))
    needed = machine._LEVELS[LEVEL]
    monkeypatch.setattr(machine, "_host_features", lambda: needed | {"avx512f"})
    assert ask() == (10, HIT)
    monkeypatch.setattr(machine, "_host_features", lambda: needed - {"bmi2"})
    assert ask() == (10, MISS)


@pytest.mark.parametrize(
    "change",
    [{"triple": "riscv64-unknown-linux-gnu"}, {"cpu": "x86-64-v9"}, {"features": "+avx512f"}],
    ids=["system", "level", "features"],
)
def test_what_is_for_others_is_compiled(
    wheel: Wheel, change: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(machine, "_host_features", lambda: machine._LEVELS[LEVEL])
    wheel.relabel(Target(machine.own_target().triple, LEVEL, "")._replace(**change))
    assert ask() == (10, MISS)


def test_who_names_a_processor_gets_code_for_that_one(wheel: Wheel, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(machine, "_host_features", lambda: machine._LEVELS[LEVEL])
    wheel.relabel(Target(machine.own_target().triple, LEVEL, ""))
    monkeypatch.setattr(machine, "CPU_NAME", "x86-64-v2")
    assert ask() == (10, MISS)


def test_what_is_for_other_sources_or_another_compiler_is_passed_over(wheel: Wheel) -> None:
    wheel.kernel.rename(wheel.kernel.with_name("tests.kernels.caching.twice-0123456789.nbc"))
    assert ask() == (10, MISS)


def test_a_damaged_kernel_is_passed_over(wheel: Wheel, places: Places) -> None:
    content = wheel.kernel.read_bytes()
    wheel.kernel.write_bytes(content[:-1] + bytes([content[-1] ^ 1]))
    assert ask() == (10, MISS)
    assert [path.is_relative_to(places.user) for path in places.files() if path.suffix == ".nbc"].count(True) == 1
    assert ask() == (10, HIT)


@pytest.mark.parametrize("text", [None, "", "[]", "{}", '{"cpu": "x86-64-v3"}'])
def test_a_damaged_note_is_passed_over(wheel: Wheel, text: str | None) -> None:
    note = wheel.folder / machine.NOTE
    if text is None:
        note.unlink()
    else:
        note.write_text(text, encoding="utf-8")
    machine.shipped_target.cache_clear()
    assert ask() == (10, MISS)


def test_a_machine_of_which_nothing_is_known_reaches_no_level(monkeypatch: pytest.MonkeyPatch) -> None:
    def unknown() -> Any:
        raise RuntimeError("cannot tell")

    monkeypatch.setattr(llvm, "get_host_cpu_features", unknown)
    assert machine._host_features.__wrapped__() == frozenset()
