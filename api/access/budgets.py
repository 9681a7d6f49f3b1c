"""How much each client may ask: requests and seconds of processor time a minute.

Each is a leaky bucket: what a client has used is owed, and a minute's worth flows off each minute. Processor time
is known only afterwards, so a client may come to owe more than its limit, and then waits until it owes less.
(Libraries such as `limits` count whole hits beforehand, and bound their table by time only.)
"""

from __future__ import annotations

import math
import threading
import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass

MOST_CLIENTS = 4096  # that are remembered: beyond these, who has not asked for longest is forgotten
_MINUTE = 60.0


@dataclass(frozen=True, slots=True)
class Limits:
    """What one client may have: `requests` and `cpu` seconds a minute, `searches` at once; 0 is without limit."""

    requests: int | None = None
    searches: int | None = None
    cpu: float | None = None

    def over(self, others: Limits) -> Limits:
        """These limits; where one is None, that of `others`."""
        return Limits(
            others.requests if self.requests is None else self.requests,
            others.searches if self.searches is None else self.searches,
            others.cpu if self.cpu is None else self.cpu,
        )


NO_LIMITS = Limits()  # of its own: the service's hold


class SpentError(Exception):
    """A client has had what its limits allow; it may ask again in so many whole seconds."""

    def __init__(self, code: str, message: str, seconds: float) -> None:
        self.code = code
        self.seconds = max(1, math.ceil(seconds))
        super().__init__(f"{message}; try again in {self.seconds} s")


@dataclass(slots=True)
class _Owed:
    """What a client owes, as of a moment, under the limits that it asked with last."""

    limits: Limits
    since: float
    requests: float = 0.0
    cpu: float = 0.0

    def flow(self, now: float) -> None:
        share = max(0.0, now - self.since) / _MINUTE
        self.since = now
        self.requests = max(0.0, self.requests - share * (self.limits.requests or 0))
        self.cpu = max(0.0, self.cpu - share * (self.limits.cpu or 0))


class Budgets:
    """What clients owe. May be used from any thread."""

    def __init__(self, most: int = MOST_CLIENTS, clock: Callable[[], float] = time.monotonic) -> None:
        self._most = most
        self._clock = clock
        self._lock = threading.Lock()
        self._clients: OrderedDict[str, _Owed] = OrderedDict()

    def __len__(self) -> int:
        return len(self._clients)

    def request(self, client: str, limits: Limits, *, works: bool = True) -> None:
        """Count a request. Raises SpentError for one too many, which is not counted.

        One that hardly `works` is let in whatever processor time the client owes.
        """
        if not limits.requests and not limits.cpu:
            return
        with self._lock:
            now = self._clock()
            owed = self._clients.setdefault(client, _Owed(limits, now))
            self._clients.move_to_end(client)
            if len(self._clients) > self._most:
                self._clients.popitem(last=False)
            owed.flow(now)
            owed.limits = limits
            if limits.requests and owed.requests + 1 > limits.requests:
                seconds = (owed.requests + 1 - limits.requests) * _MINUTE / limits.requests
                message = f"a client may send {limits.requests} requests a minute"
                raise SpentError("too_many_requests", message, seconds)
            if works and limits.cpu and owed.cpu >= limits.cpu:
                seconds = (owed.cpu - limits.cpu) * _MINUTE / limits.cpu
                message = f"a client may use {limits.cpu:g} s of processor time a minute"
                raise SpentError("too_much_work", message, seconds)
            owed.requests += 1

    def owing(self) -> list[str]:
        """The clients who owe as much processor time as they may use, or more."""
        with self._lock:
            now = self._clock()
            for owed in self._clients.values():
                owed.flow(now)
            return [
                name for name, owed in self._clients.items() if owed.limits.cpu and owed.cpu >= owed.limits.cpu
            ]

    def charge(self, client: str, cpu: float) -> None:
        """Add seconds of processor time that were used for a client, unless it has been forgotten."""
        with self._lock:
            owed = self._clients.get(client)
            if owed is not None:
                owed.flow(self._clock())
                owed.cpu += cpu
