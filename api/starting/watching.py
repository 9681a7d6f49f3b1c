"""Watching Numba compile: to forbid it, to stop it, and to tell how far it is."""

from __future__ import annotations

import gc
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any


class AbsentError(Exception):
    """A kernel is not in the cache."""


class StoppedError(Exception):
    """Compiling is to end."""


@contextmanager
def loading_only() -> Iterator[None]:
    """Within this, what this thread calls may load kernels, but not compile. Raises AbsentError at the first."""
    from solver.kernels.jit import WATCH

    def refuse(kernel: Any) -> None:
        raise AbsentError(kernel.__name__)

    before, WATCH.begins = WATCH.begins, refuse
    try:
        yield
    finally:
        WATCH.begins = before


@contextmanager
def telling(tell: Callable[[float], None], stopped: Callable[[], bool] = lambda: False) -> Iterator[None]:
    """Within this, `tell` hears what share of the imported kernels this thread has begun to compile.

    When `stopped` says so, StoppedError is raised before the next kernel.
    """
    begun: set[object] = set()
    modules, known = 0, frozenset[object]()

    def count(dispatcher: Any) -> None:
        nonlocal modules, known
        if stopped():
            raise StoppedError
        if len(sys.modules) != modules:
            modules, known = len(sys.modules), frozenset(entry.py_func for entry in kernels())
        if dispatcher.py_func in known:
            begun.add(dispatcher.py_func)
            tell(len(begun) / len(known))

    with _watched(count):
        yield


def kernels() -> list[Any]:
    """All kernels. Most are no names of modules, but globals of templates' instances."""
    from solver.kernels.jit import Kernel

    # By `type`: `isinstance` asks a weak reference for the class of what may be gone.
    return [entry for entry in gc.get_objects() if type(entry) is Kernel]


@contextmanager
def _watched(begins: Callable[[Any], None]) -> Iterator[None]:
    """Within this, `begins` is called with each dispatcher that this thread begins to compile."""
    from numba.core import event

    mine = threading.get_ident()

    class Listener(event.Listener):  # type: ignore[misc]
        def on_start(self, found: Any) -> None:
            if threading.get_ident() == mine:
                begins(found.data["dispatcher"])

        def on_end(self, found: Any) -> None:
            """Nothing: what counts is what begins."""

    with event.install_listener("numba:compile", Listener()):
        yield
