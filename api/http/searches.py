"""How many searches run at once, who waits, and how a running one is told to stop."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from api.http.errors import BusyError

Disconnected = Callable[[], bool]

_LOOK_SECONDS = 0.1  # between two looks for clients that have gone


class Slots:
    """The searches that one request runs: how many at once, and the flag that ends them early."""

    def __init__(self, disconnected: Disconnected | None) -> None:
        self.count = 0
        self.cancel = threading.Event()
        self.disconnected = disconnected


class Searches:
    """A gate: at most `slots` searches at once, at most `waiting` requests before it."""

    def __init__(self, slots: int, waiting: int) -> None:
        self._slots = slots
        self._free = slots
        self._places = waiting
        self._waiting = 0
        self._beside = 0
        self._change = threading.Condition()
        self._held: set[Slots] = set()
        self._closed = False

    @contextmanager
    def slot(self, seconds: float, disconnected: Disconnected | None = None) -> Iterator[Slots]:
        """A search slot, waited for at most `seconds`. Raises BusyError."""
        held = Slots(disconnected)
        with self._change:
            self._held.add(held)
        try:
            self._take(held, seconds)
            yield held
        finally:
            self._release(held)

    @contextmanager
    def beside(self, disconnected: Disconnected | None = None) -> Iterator[threading.Event]:
        """A place beside the searches, for a short one that must not wait. Raises BusyError when none is free."""
        held = Slots(disconnected)
        with self._change:
            if len(self._held) >= self._slots + self._places:
                raise BusyError("busy", "too many searches are running already; try again later")
            self._beside += 1
            self._held.add(held)
            if self._closed:
                held.cancel.set()
        try:
            yield held.cancel
        finally:
            with self._change:
                self._beside -= 1
                self._held.discard(held)

    def more(self, held: Slots, wanted: int) -> int:
        """Give `held` up to `wanted` slots where they are free, but never the last one; how many it has now."""
        with self._change:
            extra = max(0, min(wanted - held.count, self._free - 1))
            self._free -= extra
            held.count += extra
            return held.count

    def cancel_all(self) -> None:
        """Tell every search, now and from now on, to return the best so far."""
        with self._change:
            self._closed = True
            for held in self._held:
                held.cancel.set()

    def watch(self) -> None:
        """Start a thread that ends the searches of clients who have gone."""
        threading.Thread(target=self._look, name="disconnects", daemon=True).start()

    def _take(self, held: Slots, seconds: float) -> None:
        deadline = time.monotonic() + seconds
        with self._change:
            if self._free == 0:
                if self._waiting + self._beside >= self._places:
                    raise BusyError("busy", "too many searches are waiting already; try again later")
                self._waiting += 1
                try:
                    self._await(held, deadline)
                finally:
                    self._waiting -= 1
            if self._closed:
                held.cancel.set()
            self._free -= 1
            held.count = 1

    def _await(self, held: Slots, deadline: float) -> None:
        while self._free == 0:
            left = deadline - time.monotonic()
            if left <= 0 or held.cancel.is_set():
                raise BusyError("too_slow", "other searches took all the time that this request allows")
            self._change.wait(min(left, _LOOK_SECONDS))

    def _release(self, held: Slots) -> None:
        with self._change:
            self._held.discard(held)
            self._free += held.count
            self._change.notify(held.count)

    def _look(self) -> None:
        while True:
            time.sleep(_LOOK_SECONDS)
            with self._change:
                watched = [held for held in self._held if held.disconnected is not None]
            for held in watched:
                if held.disconnected is not None and held.disconnected():
                    held.cancel.set()
