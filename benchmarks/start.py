"""How long a server takes to start: ``python -m benchmarks.start``.

It prints the seconds until the port is open, a first request is answered, and the first game and all games are
ready, with nothing compiled (an empty cache folder) and with everything compiled; and the CPU time of the server
and of the processes that compile for it.
"""

from __future__ import annotations

import argparse
import os
import re
import resource
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable

from tests.attack.server import Address, health

_LOOK_SECONDS = 0.1


def main() -> None:
    """Start a server as often as requested, and print a row for each start."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--warm", type=int, default=3, help="how many starts with everything compiled")
    parser.add_argument("--cold", type=int, default=1, help="how many starts with nothing compiled")
    asked = parser.parse_args()
    print(f"{'cache':6}{'port open':>12}{'answers':>12}{'first game':>12}{'all games':>12}{'CPU':>12}")
    for _ in range(asked.cold):
        with tempfile.TemporaryDirectory() as empty:
            _row("empty", _start({**os.environ, "XDG_CACHE_HOME": empty}))
    for number in range(asked.warm + 1):
        seconds = _start(dict(os.environ))
        if number:  # the first may have had to compile
            _row("full", seconds)


def _row(cache: str, seconds: list[float]) -> None:
    print(f"{cache:6}" + "".join(f"{part:10.2f} s" for part in seconds), flush=True)


def _start(environ: dict[str, str]) -> list[float]:
    """The seconds to each event of one start, and its total CPU seconds."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    begun = time.monotonic()
    server = subprocess.Popen(
        [sys.executable, "-m", "api.cli", "serve", "--port", "0"], stdout=subprocess.PIPE, text=True, env=environ
    )
    try:
        assert server.stdout is not None
        found = re.search(r":(\d+)/", server.stdout.readline())
        assert found, "the server did not say its address"
        events = [time.monotonic() - begun]
        _until(int(found[1]), lambda _ready, _all: True)
        events.append(time.monotonic() - begun)
        _until(int(found[1]), lambda ready, _all: ready > 0)
        events.append(time.monotonic() - begun)
        _until(int(found[1]), lambda ready, games: ready == games)
        events.append(time.monotonic() - begun)
    finally:
        server.send_signal(signal.SIGTERM)
        server.communicate()
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return [*events, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime]


def _until(port: int, enough: Callable[[int, int], bool]) -> None:
    """Poll the service's health until enough games are ready, out of all."""
    while True:
        games = health(Address("127.0.0.1", port, None))["games"]
        if enough(sum(game["state"] == "ready" for game in games.values()), len(games)):
            return
        time.sleep(_LOOK_SECONDS)


if __name__ == "__main__":
    main()
