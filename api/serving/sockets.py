"""The loop over the sockets. A turn costs what happens in it, and not what all the open connections are.

The loop of waitress asks every connection at every turn whether it wants to read or write. Here the system watches
them, and only those are asked that something has happened to: on their socket, or by a thread that works for them.
"""

from __future__ import annotations

import selectors
import time
from collections import deque
from typing import Any

from waitress import wasyncore

_READ, _WRITE = selectors.EVENT_READ, selectors.EVENT_WRITE


class Sockets(dict[int, Any]):
    """What waitress calls a socket map: the dispatchers by their file descriptors, and the loop over them.

    Only the loop's thread may use it, but for `changed`.
    """

    def __init__(self) -> None:
        super().__init__()
        self._selector = selectors.DefaultSelector()
        self._restless: set[int] = set()  # those whose wish to read or write may have changed
        self._changed: deque[Any] = deque()  # those that other threads have changed
        self._wanted: dict[int, tuple[int, Any]] = {}  # what the system watches, and for whom
        self._resting: deque[tuple[float, int, Any]] = deque()  # until when, in order

    def __setitem__(self, number: int, dispatcher: Any) -> None:
        super().__setitem__(number, dispatcher)
        self._restless.add(number)

    def __delitem__(self, number: int) -> None:
        super().__delitem__(number)
        self._restless.discard(number)
        self._watch(number, 0)

    def look_at(self, dispatcher: Any) -> None:
        """Ask this dispatcher before the next turn what it wants."""
        self._restless.add(dispatcher._fileno)

    def changed(self, dispatcher: Any) -> None:
        """As `look_at`, from any thread, which then wakes the loop."""
        self._changed.append(dispatcher)

    def rest(self, dispatcher: Any, seconds: float) -> None:
        """Call `rested` of this dispatcher after so many seconds, always the same number, and ask it again."""
        self._resting.append((time.monotonic() + seconds, dispatcher._fileno, dispatcher))

    def turn(self, seconds: float) -> None:
        """Wait for something to happen, at most so long, and deal with it."""
        now = time.monotonic()
        while self._resting and self._resting[0][0] <= now:
            _, number, rested = self._resting.popleft()
            here = self.get(number)
            if here is not None and here is rested:  # and not another that came to have its number
                here.rested()
                self._restless.add(number)
        if self._resting:
            seconds = min(seconds, self._resting[0][0] - now)
        while self._changed:
            number = self._changed.popleft()._fileno
            if number in self:  # it is open
                self._restless.add(number)
        restless, self._restless = self._restless, set()
        for number in restless:
            self._ask(number)
        for key, events in self._selector.select(seconds):
            dispatcher = self.get(key.fd)
            if dispatcher is None or dispatcher is not key.data:
                continue
            self._restless.add(key.fd)
            if events & _READ:
                wasyncore.read(dispatcher)
            if events & _WRITE and self.get(key.fd) is dispatcher:
                wasyncore.write(dispatcher)

    def close(self) -> None:
        """Close every socket."""
        wasyncore.close_all(self, ignore_all=True)
        self._selector.close()

    def _ask(self, number: int) -> None:
        dispatcher = self.get(number)
        if dispatcher is None:
            return
        wanted = _READ if dispatcher.readable() else 0
        if dispatcher.writable() and not dispatcher.accepting:
            wanted |= _WRITE
        self._watch(number, wanted)

    def _watch(self, number: int, wanted: int) -> None:
        before = self._wanted.get(number)
        if before is None:
            if not wanted:
                return
            self._selector.register(number, wanted, self[number])
        elif not wanted:
            self._selector.unregister(number)
            del self._wanted[number]
            return
        elif before[0] == wanted and before[1] is self[number]:
            return
        else:
            self._selector.modify(number, wanted, self[number])
        self._wanted[number] = wanted, self[number]
