"""Compiling a game in a process of its own, and ending such processes."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import threading
from collections import deque
from collections.abc import Callable

from api.starting.watching import StoppedError
from api.starting.worker import SHARE

_KEPT_LINES = 5  # of what a process prints beside shares: the last tells why it failed
WORKER = ("-P", "-m", "api.starting.worker")


class Processes:
    """The processes that compile. None outlives `end`, nor the process that started it."""

    def __init__(self, worker: tuple[str, ...] = WORKER) -> None:
        self._worker = worker
        self._lock = threading.Lock()
        self._running: set[subprocess.Popen[str]] = set()
        self._ended = False

    def compile(self, name: str, tell: Callable[[float], None]) -> str:
        """Fill the cache with a game's kernels; `tell` hears the share that has begun.

        The answer is why that failed; empty if it did not. Raises StoppedError after `end`.
        """
        try:
            process = self._start(name)
        except OSError as found:
            return f"no process can be started: {found.strerror or found}"
        said: deque[str] = deque(maxlen=_KEPT_LINES)
        with process:
            assert process.stdout is not None
            for line in process.stdout:
                if line.startswith(SHARE):
                    tell(float(line.removeprefix(SHARE)))
                elif line.strip():
                    said.append(line.strip())
        with self._lock:
            self._running.discard(process)
            if self._ended:
                raise StoppedError
        return _fault(process.returncode, said[-1] if said else "")

    def end(self) -> None:
        """Kill what runs, and start nothing more."""
        with self._lock:
            self._ended = True
            for process in self._running:
                process.kill()

    def _start(self, name: str) -> subprocess.Popen[str]:
        with self._lock:
            if self._ended:
                raise StoppedError
            # The same packages as here, whatever lies in the working folder. Its own session keeps Ctrl-C away:
            # the parent ends it, and when it is gone the closed pipe does.
            paths = os.pathsep.join(path or os.getcwd() for path in sys.path)
            process = subprocess.Popen(
                [sys.executable, *self._worker, name],
                env={**os.environ, "PYTHONPATH": paths},
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                text=True,
                encoding="utf-8",
                errors="replace",
                start_new_session=True,
            )
            self._running.add(process)
            return process


def _fault(status: int, said: str) -> str:
    if status == 0:
        return ""
    if status < 0:
        name = str(-status)
        with contextlib.suppress(ValueError):
            name = signal.Signals(-status).name
        return f"its process was ended by {name}"
    return f"its process failed: {said or f'status {status}'}"
