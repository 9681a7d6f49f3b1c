"""How long short commands take: ``python -m benchmarks.commands``.

It prints the least and the median wall-clock seconds, and the least CPU seconds of each command. Everything is
compiled beforehand.
"""

from __future__ import annotations

import argparse
import resource
import subprocess
import sys
import time
from statistics import median

COMMANDS = (
    "--help",
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
    parser.add_argument("--runs", type=int, default=5, help="how many runs of each command")
    runs = parser.parse_args().runs
    print(f"{'':50}{'least':>9}{'median':>9}{'CPU':>9}")
    for command in COMMANDS:
        _run(command)  # it may have to compile
        found = [_run(command) for _ in range(runs)]
        seconds = [clock for clock, _ in found]
        parts = min(seconds), median(seconds), min(cpu for _, cpu in found)
        print(f"{command:50}" + "".join(f"{part:7.2f} s" for part in parts), flush=True)


def _run(command: str) -> tuple[float, float]:
    """The wall-clock and CPU seconds of a command."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    begun = time.monotonic()
    subprocess.run([*_ATHANOR, *command.split()], stdout=subprocess.DEVNULL, check=True)
    seconds = time.monotonic() - begun
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return seconds, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


if __name__ == "__main__":
    main()
