"""The service under attack: started here, and watched meanwhile: its health, memory and processor time."""

from __future__ import annotations

import http.client
import json
import math
import os
import re
import resource
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple, Self

from solver.search import memory
from solver.search.memory import MEGABYTE
from tests.attack.case import Case, request
from tests.attack.replies import Connection

_LOOK_SECONDS = 0.2
_GRACE_SECONDS = 60
_START_SECONDS = 600  # beside programs that come first
_SEARCHING = b"forkserver"  # in the command of the process that those that search are forked from, and of these


class Address(NamedTuple):
    """Where a server listens, and its process and log where those are known."""

    host: str
    port: int
    process: int | None
    log: Path | None = None


@contextmanager
def started(address_space: int | None, options: dict[str, str]) -> Iterator[Address]:
    """A server of our own with these environment variables, of at most `address_space` MiB."""

    def limit() -> None:
        if address_space is not None:
            resource.setrlimit(resource.RLIMIT_AS, (address_space << 20, address_space << 20))

    handle, log = tempfile.mkstemp(".log", "athanor-load-")
    server = subprocess.Popen(
        [sys.executable, "-m", "api.cli", "serve", "--port", "0"],
        stdout=subprocess.PIPE,
        stderr=handle,
        text=True,
        env={**os.environ, **options},
        preexec_fn=limit,
    )
    os.close(handle)
    try:
        assert server.stdout is not None
        found = re.search(r":(\d+)/", server.stdout.readline())
        if not found:
            raise SystemExit("the server did not say its address")
        yield Address("127.0.0.1", int(found[1]), server.pid, Path(log))
    finally:
        server.send_signal(signal.SIGTERM)
        begun = time.monotonic()
        try:
            server.wait(_GRACE_SECONDS)
            print(f"the server stopped {time.monotonic() - begun:.1f} s after SIGTERM")
        except subprocess.TimeoutExpired:
            server.kill()
            print(f"the server had not stopped {_GRACE_SECONDS} s after SIGTERM, and was killed")
        if server.stdout is not None:
            server.stdout.close()
        print(f"its log, {log}, has {len(Path(log).read_text().splitlines()):,} lines")


def health(address: Address, timeout: float = 30) -> dict[str, Any]:
    """What `/healthz` answers."""
    connection = http.client.HTTPConnection(address.host, address.port, timeout=timeout)
    try:
        connection.request("GET", "/healthz")
        found: dict[str, Any] = json.loads(connection.getresponse().read())
        return found
    finally:
        connection.close()


def until_ready(address: Address) -> None:
    """Wait until every game is ready."""
    while health(address, _START_SECONDS)["status"] != "ok":
        time.sleep(_LOOK_SECONDS)


def megabytes(address: Address) -> float | None:
    """The memory in MiB, of which what processes share counts once; None where it cannot be told."""
    return sum(memory.footprint(process)[0] for process in processes(address)) / MEGABYTE or None


def processes(address: Address) -> list[int]:
    """The numbers of the service's process and of those that search for it; none where they are not known."""
    if address.process is None:
        return []
    found = [address.process]
    for process in found:
        for children in Path(f"/proc/{process}/task").glob("*/children"):
            with suppress(OSError):  # one that has just ended
                there = map(int, children.read_text().split())
                found += [child for child in there if _SEARCHING in Path(f"/proc/{child}/cmdline").read_bytes()]
    return found


# Watching.


HEALTH = Case("health", request("GET", "/healthz"), 0.1)
_EVERY_SECONDS = 0.1
_MEMORY_SECONDS = 1.0  # between two looks at the memory, which take as long as a request or two
_HELD_LOOK_SECONDS = 0.02  # between two looks at what keeps a service from its work
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
        looked = -math.inf
        while not self._end.is_set():
            begun = time.monotonic()
            time.sleep(_EVERY_SECONDS)
            self.late.append(time.monotonic() - begun - _EVERY_SECONDS)
            for reply in connection.ask(HEALTH):
                self.health.append(reply.seconds if reply.status == 200 else 10.0)
            if time.monotonic() > looked + _MEMORY_SECONDS:
                looked = time.monotonic()
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
        while not self._end.wait(_HELD_LOOK_SECONDS):
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
