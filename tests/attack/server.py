"""The server under load: started here, and its memory as the system tells it."""

from __future__ import annotations

import http.client
import json
import os
import re
import resource
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, NamedTuple

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


def megabytes(address: Address, what: str = "VmRSS") -> float | None:
    """The resident memory in MiB, or the most that it has been (`VmHWM`); None where it cannot be told."""
    sizes = []
    for process in processes(address):
        try:
            status = Path(f"/proc/{process}/status").read_text()
        except OSError:
            continue
        sizes += [int(size) / 1024 for size in re.findall(rf"{what}:\s+(\d+) kB", status)]
    return sum(sizes) if sizes else None


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
