"""Clients that ask one question after the other, each on a connection of its own."""

from __future__ import annotations

import http.client
import threading
import time
from collections import Counter, defaultdict
from dataclasses import dataclass, field

from benchmarks.load.questions import Asked, Questions, strange
from benchmarks.load.server import Address
from solver.common import Random

_PATIENCE = 120.0  # seconds that a client waits for an answer
_AGAIN = "after Retry-After"  # the kind of what is asked again
_FAILED = "failed"  # in place of a status: the connection broke


@dataclass
class Tally:
    """What became of the requests, by kind. Filled from many threads."""

    statuses: dict[str, Counter[str]] = field(default_factory=lambda: defaultdict(Counter))
    seconds: dict[str, list[float]] = field(default_factory=lambda: defaultdict(list))
    faults: Counter[str] = field(default_factory=Counter)
    lock: threading.Lock = field(default_factory=threading.Lock)

    def note(self, kind: str, status: str, seconds: float, fault: str = "") -> None:
        """Count a request; `seconds` are kept of those that were answered with 200."""
        with self.lock:
            self.statuses[kind][status] += 1
            if status == "200":
                self.seconds[kind].append(seconds)
            if fault:
                self.faults[fault[:200]] += 1

    @property
    def requests(self) -> int:
        with self.lock:
            return sum(sum(counted.values()) for counted in self.statuses.values())


@dataclass(frozen=True)
class Mix:
    """The share of heavy questions, the share of those with decks of their own, and how refusals are taken."""

    heavy: float
    strange: float
    patient: bool


class Client:
    """One client: it asks until `end`, and waits after a refusal as `Retry-After` says if it is patient."""

    def __init__(
        self, address: Address, questions: Questions, mix: Mix, random: Random, tally: Tally, source: str = ""
    ) -> None:
        self._address = address
        self._questions = questions
        self._mix = mix
        self._random = random
        self._tally = tally
        self._source = (source, 0) if source else None
        self._connection: http.client.HTTPConnection | None = None

    def run(self, end: threading.Event) -> None:
        """Ask until `end` is set. Who is patient asks again what was refused, counted as another kind."""
        while not end.is_set():
            asked = self._next()
            while (wait := self.ask(asked)) and self._mix.patient and not end.wait(wait):
                asked = asked._replace(kind=_AGAIN)
        self.close()

    def close(self) -> None:
        if self._connection is not None:
            self._connection.close()

    def _next(self) -> Asked:
        drawn = self._random.below(1 << 20) / (1 << 20)
        if drawn < self._mix.strange:
            return strange(self._random)
        asked = self._questions.heavy if drawn < self._mix.strange + self._mix.heavy else self._questions.small
        return asked[self._random.below(len(asked))]

    def ask(self, asked: Asked, due: float | None = None) -> float:
        """Ask one question; the seconds after which the server says to try again, else 0.

        The time that it takes is counted from when it was `due`, which is now unless said.
        """
        if self._connection is None:
            self._connection = http.client.HTTPConnection(
                self._address.host, self._address.port, timeout=_PATIENCE, source_address=self._source
            )
        method = "GET" if asked.body is None else "POST"
        begun = time.monotonic() if due is None else due
        try:
            self._connection.request(method, asked.path, asked.body, {"Content-Type": "application/json"})
            response = self._connection.getresponse()
            text = response.read()
        except (OSError, http.client.HTTPException) as found:
            self._connection.close()
            self._connection = None
            self._tally.note(asked.kind, _FAILED, 0.0, f"{asked.kind}: {type(found).__name__}: {found}")
            return 0.0
        took = time.monotonic() - begun
        fault = "" if response.status in (200, 503) else f"{asked.kind}: {text.decode(errors='replace')}"
        self._tally.note(asked.kind, str(response.status), took, fault)
        return float(response.headers.get("Retry-After", 0))
