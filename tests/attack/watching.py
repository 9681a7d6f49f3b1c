"""What is watched while requests are sent: how fast the service says that it is well, and what memory it takes."""

from __future__ import annotations

import threading
import time
from dataclasses import dataclass, field
from pathlib import Path

from benchmarks.load.server import Address, health, megabytes, processes
from tests.attack.case import Case, request
from tests.attack.replies import Connection

HEALTH = Case("health", request("GET", "/healthz"), 0.1)
_EVERY_SECONDS = 0.1
_TICKS = 100  # of the processor time that the system tells, in a second


@dataclass
class Watcher:
    """A thread that asks for the service's health. `late` is how late it woke up itself: the machine's part."""

    address: Address
    health: list[float] = field(default_factory=list)
    late: list[float] = field(default_factory=list)
    most_megabytes: float = 0.0

    def __enter__(self) -> Watcher:
        self._end = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._end.set()
        self._thread.join()

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
