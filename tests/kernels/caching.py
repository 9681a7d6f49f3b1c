"""A kernel, and folders of caches of its own."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from solver.kernels import cache
from solver.kernels.jit import kernel

HIT, MISS = (1, 0), (0, 1)


def twice(word: Any) -> Any:
    return word + word


def ask(word: Any = 5) -> tuple[Any, tuple[int, int]]:
    """The kernel's answer and its hits and misses, as in a new process: nothing is compiled yet."""
    cache._used.cache_clear()
    compiled: Any = kernel(twice)
    answer = compiled(word)
    return answer, (compiled.loads, compiled.compiles)


class Places:
    """A user's cache and a temporary folder, in a folder of the test."""

    def __init__(self, home: Path) -> None:
        self.home = home
        self.user = home / "caches" / "kernels"
        self.temporary = home / "temporary"
        self.roots = (self.user, self.temporary)

    def files(self) -> list[Path]:
        return sorted(path for path in self.home.rglob("*") if path.is_file())
