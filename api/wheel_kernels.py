"""Collecting compiled kernels for a wheel: ``python -m api.wheel_kernels FOLDER``.

The kernels that the games need are compiled into the cache as for a server, but for a baseline processor
(such as x86-64-v3) instead of this one, and then copied with a note about the target. `make wheel` puts the
folder into the wheel, where `solver.kernels.machine` looks for it.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import shutil
import sys
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

_NATIVE = "native"
_CPU, _FEATURES = "NUMBA_CPU_NAME", "NUMBA_CPU_FEATURES"
_BASELINES = {"x86_64": "x86-64-v3", "AMD64": "x86-64-v3"}  # for each machine type, in Python's names


def main() -> None:
    """Collect the kernels of Athanor's own games."""
    machine = platform.machine()
    parser = argparse.ArgumentParser(description="Collect the compiled kernels of all games for a wheel.")
    parser.add_argument("folder", type=Path, help="where to put them; what is there is removed")
    parser.add_argument(
        "--cpu",
        default=_BASELINES.get(machine, _NATIVE),
        help=f"LLVM's name of a level of processors, or {_NATIVE} for this one alone (default: %(default)s)",
    )
    asked = parser.parse_args()
    # Numba reads these when it is imported, here and in the compiling processes.
    for name in (_CPU, _FEATURES):
        os.environ.pop(name, None)
    if asked.cpu != _NATIVE:
        os.environ |= {_CPU: asked.cpu, _FEATURES: ""}
    sys.exit(_collect(asked.folder))


def _collect(folder: Path) -> str | None:
    """Copy the compiled kernels into `folder`. Returns an error message, or None."""
    from solver import registry

    games = [name for name in registry.names() if name not in registry.guests()]
    paths = _kept(games)
    if paths is None:
        problems = _compile(games)
        if problems:
            return "\n".join(problems)
        paths = _kept(games)
    if paths is None:
        return "The compiled kernels could not be kept in the cache folder."
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    for path in paths:
        shutil.copyfile(path, folder / path.name)
    _note(folder)
    print(f"{len(paths)} kernels, {sum(path.stat().st_size for path in paths) / 1e6:.1f} MB, are in {folder}.")
    return None


def _compile(games: Iterable[str]) -> list[str]:
    """Compile the games' kernels into the cache, with one process per processor. Returns error messages."""
    from api.game_loading import Compiler

    def compile_one(name: str) -> str:
        problem = Compiler(name).follow(lambda share: None, lambda: None)
        return problem and f"{name} could not be compiled: {problem}"

    with ThreadPoolExecutor(os.cpu_count()) as pool:
        return [problem for problem in pool.map(compile_one, games) if problem]


def _kept(games: Iterable[str]) -> list[Path] | None:
    """Return the cached files of all kernels that the games need, or None if one is missing."""
    from api.compiling import AbsentError, kernels, loading_only
    from solver import registry

    try:
        with loading_only():
            for name in games:
                registry.game(name).warm()
    except AbsentError:
        return None
    paths: set[Path | None] = set().union(*(entry.kept() for entry in kernels()))
    return sorted(path for path in paths if path) if None not in paths else None


def _note(folder: Path) -> None:
    """Write a note about the processor for which the kernels were compiled."""
    from solver.kernels.machine import NOTE, own_target

    (folder / NOTE).write_text(json.dumps(own_target()._asdict()), encoding="utf-8")


if __name__ == "__main__":
    main()
