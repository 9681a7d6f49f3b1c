"""What is watched while requests are sent: how fast the service says that it is well, and what memory it takes."""

from __future__ import annotations

import threading
import time
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Self

from tests.attack.case import Case, request
from tests.attack.replies import Connection
from tests.attack.server import Address, health, megabytes, processes

HEALTH = Case("health", request("GET", "/healthz"), 0.1)
_EVERY_SECONDS = 0.1
_LOOK_SECONDS = 0.02  # between two looks at what keeps a service from its work
_NANOSECONDS = 1e9
_TICKS = 100  # of the processor time that the system tells, in a second


class _Beside:
    """What a thread does (`_run`) while this is entered, until it is told to end."""

    def __enter__(self) -> Self:
        self._end = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._end.set()
        self._thread.join()

    def _run(self) -> None:
        raise NotImplementedError


@dataclass
class Watcher(_Beside):
    """A thread that asks for the service's health. `late` is how late it woke up itself: the machine's part."""

    address: Address
    health: list[float] = field(default_factory=list)
    late: list[float] = field(default_factory=list)
    most_megabytes: float = 0.0

    def _run(self) -> None:
        connection = Connection(self.address.host, self.address.port)
        while not self._end.is_set():
            begun = time.monotonic()
            time.sleep(_EVERY_SECONDS)
            self.late.append(time.monotonic() - begun - _EVERY_SECONDS)
            for reply in connection.ask(HEALTH):
                self.health.append(reply.seconds if reply.status == 200 else 10.0)
            self.most_megabytes = max(self.most_megabytes, megabytes(self.address) or 0.0)
        connection.close()


class Held(_Beside):
    """Sums how long the service has waited for a processor (`seconds`), thread by thread, while this is entered.

    Where the system does not tell (`schedstat` of Linux does) it stays 0. Of a thread that ends, what it waited
    after the last look is not seen.
    """

    def __init__(self, address: Address) -> None:
        self._address = address

    def __enter__(self) -> Self:
        self._first: dict[Path, float] = {}
        self._last: dict[Path, float] = {}
        self._begun = False
        self.look()
        return super().__enter__()

    @property
    def seconds(self) -> float:
        return sum(self._last[thread] - self._first[thread] for thread in list(self._first))

    def look(self) -> None:
        """Read the sums of all threads that there are. One that is new has waited since it began."""
        for process in processes(self._address):
            for thread in Path(f"/proc/{process}/task").glob("*/schedstat"):
                with suppress(OSError):  # it has just ended
                    self._last[thread] = int(thread.read_text().split()[1]) / _NANOSECONDS
                    self._first.setdefault(thread, 0.0 if self._begun else self._last[thread])
        self._begun = True

    def _run(self) -> None:
        while not self._end.wait(_LOOK_SECONDS):
            self.look()
        self.look()


def memory_limit(address: Address) -> float | None:
    """The bound that the service tells, in MiB."""
    told = health(address).get("memory")
    return float(told["limit_mb"]) if isinstance(told, dict) else None


def processor_seconds(address: Address) -> float:
    """The processor time that the service has taken so far; 0 where that is not told."""
    ticks = 0
    for process in processes(address):
        fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
        ticks += int(fields[11]) + int(fields[12])
    return ticks / _TICKS
