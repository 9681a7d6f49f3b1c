"""A process that compiles a game's Numba kernels into the cache: ``python -m api.compiling GAME [--helps]``.

The kernels for hints come first. A second process that ``--helps`` begins each part of the work at its other end.
With ``--hints GAME...`` only the kernels for hints are compiled, one game after another: `make run` does that
while packages are still being installed.

Standard input is a pipe that the parent process holds open: when it closes, the parent is gone and this process
exits at once. Whenever the process begins to compile a kernel, it prints the share of kernels begun so far, and a
line when a game's kernels for hints are compiled.
"""

from __future__ import annotations

import gc
import os
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from api import garbage


class AbsentError(Exception):
    """A kernel is not in the cache."""


@contextmanager
def loading_only() -> Iterator[None]:
    """In the with block, let this thread load kernels but not compile. Raises AbsentError at the first missing
    one.
    """
    from solver.kernels.jit import WATCH

    def refuse(kernel: Any) -> None:
        raise AbsentError(kernel.__name__)

    before, WATCH.begins = WATCH.begins, refuse
    try:
        yield
    finally:
        WATCH.begins = before


@contextmanager
def telling(tell: Callable[[float], None]) -> Iterator[None]:
    """In the with block, call `tell` whenever this thread begins to compile a kernel.

    `tell` gets the share, from 0 to 1, of the imported kernels that the thread has begun to compile.
    """
    from numba.core import event

    mine = threading.get_ident()
    begun: set[object] = set()
    modules, known = 0, frozenset[object]()

    class Listener(event.Listener):  # type: ignore[misc]
        def on_start(self, found: Any) -> None:
            nonlocal modules, known
            if threading.get_ident() != mine:
                return
            if len(sys.modules) != modules:
                modules, known = len(sys.modules), frozenset(entry.py_func for entry in kernels())
            started = found.data["dispatcher"].py_func
            if started in known:
                begun.add(started)
                tell(len(begun) / len(known))

        def on_end(self, found: Any) -> None:
            """Do nothing: only starts count."""

    with event.install_listener("numba:compile", Listener()):
        yield


def kernels() -> list[Any]:
    """Return all kernels in this process, found among the garbage collector's objects.

    Most of them belong to instances of templates and are not globals of a module.
    """
    from solver.kernels.jit import Kernel

    # Use `type`: `isinstance` would ask a dead weak reference for its class.
    return [entry for entry in gc.get_objects() if type(entry) is Kernel]


HELPS, HINTS_ONLY = "--helps", "--hints"
SHARE = "compiled "  # prefix of a line with a share
HINTS = "hints are compiled"  # the line after the kernels for hints


def main(*names: str, helps: bool = False, hints_only: bool = False) -> None:
    """Compile the kernels of these games into the cache, as the module says."""
    threading.Thread(target=_end_with_the_parent, daemon=True).start()
    # Compiling creates many lasting objects and little garbage: normal garbage collection would take 5 % of
    # the time.
    garbage.keep_loading()
    from solver import registry

    with telling(lambda share: print(f"{SHARE}{share:.4f}", flush=True)):
        for name in names:
            game = registry.game(name)
            if not helps or game.hint_warming > 1:  # two processes cannot share a single part
                game.warm(hints=True, last_first=helps)
                print(HINTS, flush=True)
            if not hints_only:
                game.warm(last_first=not helps)


def _end_with_the_parent() -> None:
    # Not through sys.stdin, whose lock this thread would still hold when the process ends normally.
    os.read(0, 1)
    os._exit(1)


if __name__ == "__main__":
    asked = sys.argv[1:]
    main(
        *(word for word in asked if not word.startswith("-")),
        helps=HELPS in asked,
        hints_only=HINTS_ONLY in asked,
    )
