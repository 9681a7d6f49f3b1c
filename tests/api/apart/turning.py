"""Searches for tests, which the process imports."""

from __future__ import annotations

import os
import threading
from dataclasses import dataclass
from typing import ClassVar

from api.apart.wire import Portable, Written
from solver.errors import Fault, RequestError
from solver.limits import Control, Limit, ProgressCallback


@dataclass(frozen=True, slots=True)
class Turning(Portable):
    """A search that ends only by its limit or its flag, and tells how far it is."""

    def __call__(self, limit: Limit, cancel: threading.Event, progress: ProgressCallback | None) -> Written:
        control = Control(limit, cancel, progress)
        control.report(stage="turning", now=True)
        while not control.late():
            sum(range(1000))
        return Written(str(os.getpid()), exact=not cancel.is_set())


@dataclass(frozen=True, slots=True)
class Failing(Portable):
    """A search that raises: the caller's error, the memory's, or one that cannot be sent."""

    kind: str

    def __call__(self, limit: Limit, cancel: threading.Event, progress: ProgressCallback | None) -> Written:
        if self.kind == "faulty":
            raise RequestError("odd", "it is odd", "position.hand", [Fault("even", "it is even", "seed")])
        if self.kind == "memory":
            raise MemoryError("no memory is left")

        class LocalError(Exception):
            pass

        raise LocalError("what no other process knows")


@dataclass(frozen=True, slots=True)
class Unsendable(Portable):
    """A search whose answer cannot be sent."""

    written: ClassVar[bool] = False

    def __call__(self, limit: Limit, cancel: threading.Event, progress: ProgressCallback | None) -> object:
        return lambda: None
