"""The start and the end of the process that searches."""

from __future__ import annotations

import subprocess
import sys
from contextlib import suppress

from api.config import Config
from athanor.processes import environment

_SEARCHING = ("-P", "-m", "api.apart.searching")


def spawned(config: Config) -> subprocess.Popen[bytes]:
    """The process that searches for a service with these limits, its pipes ours; half the memory may be its.

    Of our session, so that its niceness counts beside our own threads. Raises OSError.
    """
    return subprocess.Popen(
        [sys.executable, *_SEARCHING],
        env=environment(
            ATHANOR_MEMORY_MB=str(config.memory_mb // 2),
            ATHANOR_SEARCHES=str(config.searches),
            ATHANOR_THREADS=str(config.all_searches + 2),
        ),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    )


def end(process: subprocess.Popen[bytes]) -> None:
    """End the process, whatever it is at, and close its pipes."""
    process.kill()
    process.wait()
    for stream in (process.stdin, process.stdout):
        with suppress(OSError):  # what was to be sent cannot be any more
            if stream is not None:
                stream.close()
