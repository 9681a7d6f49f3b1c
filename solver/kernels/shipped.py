"""The compiled kernels that a wheel brings along, for processors of a level that most machines reach.

`make wheel` puts a copy of a cache beside this file, and a note of the processor that it was compiled for. It is
only read. A kernel that it lacks, or that this processor cannot run, is compiled as if nothing had been shipped.
"""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import llvmlite.binding as llvm

from solver.kernels.switches import CPU_FEATURES, CPU_NAME

FOLDER = Path(__file__).with_name("shipped")
NOTE = "target.json"  # in FOLDER: the fields of a `Target`
# What a processor must have, by the name of a level. Source: the x86-64 psABI, table 3.1, in LLVM's words.
_LEVELS = {
    "x86-64-v3": frozenset(
        {"cx16", "sahf", "popcnt", "sse3", "sse4.1", "sse4.2", "ssse3", "avx", "avx2"}
        | {"bmi", "bmi2", "f16c", "fma", "lzcnt", "movbe", "xsave"}
    ),
}


class Target(NamedTuple):
    """What machine code is made for: LLVM's triple, its name of a processor, and features added to or left out."""

    triple: str
    cpu: str
    features: str

    def runs_on(self, other: Target) -> bool:
        """Whether machine code for this target does what `other`, the target of this process, asks for."""
        if self == other:
            return True
        if CPU_NAME is not None or self.triple != other.triple or self.features:
            return False
        needed = _LEVELS.get(self.cpu)
        return needed is not None and needed <= _host()


@cache
def own() -> Target:
    """What this process compiles for: what the environment names, or else this machine's processor."""
    features = CPU_FEATURES
    if features is None:
        try:
            features = llvm.get_host_cpu_features().flatten()
        except RuntimeError:
            features = ""
    return Target(llvm.get_process_triple(), CPU_NAME or llvm.get_host_cpu_name(), features)


@cache
def _host() -> frozenset[str]:
    """What this machine's processor has, in LLVM's words; nothing where LLVM cannot tell."""
    try:
        return frozenset(name for name, there in llvm.get_host_cpu_features().items() if there)
    except RuntimeError:
        return frozenset()


@cache
def target(folder: Path) -> Target | None:
    """What the kernels in this folder are compiled for; None if there are none."""
    try:
        return Target(**json.loads((folder / NOTE).read_text(encoding="utf-8")))
    except (OSError, ValueError, TypeError):
        return None


def key(wanted: tuple[Any, ...]) -> tuple[Any, ...] | None:
    """Under which key the kernel that is `wanted` may lie in `FOLDER`; None if it cannot be there."""
    kinds, own, code = wanted
    shipped = target(FOLDER)
    return (kinds, tuple(shipped), code) if shipped and shipped.runs_on(Target(*own)) else None
