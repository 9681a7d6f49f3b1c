"""How long short commands take: ``python -m benchmarks.commands``.

Each command is run by itself (`--local`), and then asks a service that runs beside it. It prints the least and the
median of the seconds on the clock, and the least of the command's own CPU seconds. Everything is compiled before.
"""

from __future__ import annotations

import argparse
import os
import resource
import signal
import subprocess
import sys
import tempfile
import time
from statistics import median

from api.cli.asking import places

COMMANDS = (
    "analyze docs/examples/duel.json",
    "analyze docs/examples/king.json",
    "analyze docs/examples/aqua.json",
    "hint docs/examples/ending.json",
    "hint docs/examples/kirin-view.json --nodes 1000",
    "hint docs/examples/king-view.json --nodes 300",
    "compound docs/examples/won.json",
)
_ATHANOR = [sys.executable, "-m", "api.cli"]


def main() -> None:
    """Print a row for every command."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=5, help="how many runs of each command, each way")
    runs = parser.parse_args().runs
    with tempfile.TemporaryDirectory(prefix="athanor-") as folder:
        os.environ["XDG_RUNTIME_DIR"] = folder  # no other service is asked
        for command in COMMANDS:  # these may have to compile
            _run(f"{command} --local")
        server = subprocess.Popen(
            [*_ATHANOR, "serve", "--port", "0"], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True
        )
        try:
            assert server.stderr is not None
            assert server.stderr.readline().startswith("All games are ready")
            assert len(places.sockets()) == 1
            print(f"{'':50}{'by itself':>27}{'with a service':>27}")
            print(f"{'':50}" + 2 * f"{'least':>9}{'median':>9}{'CPU':>9}")
            for command in COMMANDS:
                _run(command)
                parts = [_measured([command + way for _ in range(runs)]) for way in (" --local", "")]
                print(f"{command:50}" + "".join(f"{part:7.2f} s" for row in parts for part in row), flush=True)
        finally:
            server.send_signal(signal.SIGTERM)
            server.communicate()


def _measured(commands: list[str]) -> tuple[float, float, float]:
    """The least and the median of the seconds on the clock, and the least CPU seconds."""
    found = [_run(command) for command in commands]
    seconds = [clock for clock, _ in found]
    return min(seconds), median(seconds), min(cpu for _, cpu in found)


def _run(command: str) -> tuple[float, float]:
    """The seconds on the clock and of CPU that a command takes."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    begun = time.monotonic()
    subprocess.run([*_ATHANOR, *command.split()], stdout=subprocess.DEVNULL, check=True)
    seconds = time.monotonic() - begun
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return seconds, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


if __name__ == "__main__":
    main()
