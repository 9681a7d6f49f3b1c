"""Compiling a game in processes of its own, and ending them.

Two processes that begin at opposite ends of a game share its kernels through the cache: what one of them has
compiled, the other loads. One of them begins with what hints need, and a process that is alone does so too.
"""

from __future__ import annotations

import contextlib
import signal
import subprocess
import sys
import threading
from collections.abc import Callable

from api.starting.watching import StoppedError
from api.starting.worker import HINTS, HINTS_FIRST, SHARE
from athanor.processes import environment

WORKER = ("-P", "-m", "api.starting.worker")


class Processes:
    """The processes that compile. None outlives `end`, nor the process that started it."""

    def __init__(self, worker: tuple[str, ...] = WORKER) -> None:
        self._worker = worker
        self._lock = threading.Lock()
        self._running: dict[subprocess.Popen[str], str] = {}  # with the game that each compiles
        self._ended = False

    def compile(
        self,
        name: str,
        tell: Callable[[float], None],
        hints: Callable[[], None] = lambda: None,
        *,
        pair: bool = False,
    ) -> str:
        """Fill the cache with a game's kernels, by a `pair` of processes if asked; `tell` hears the share begun.

        `hints` is called, in a thread of its own or in this one, when what hints need is there.
        The answer is why that failed; empty if it did not. Raises StoppedError after `end`.
        """
        shares = [0.0, 0.0]

        def hear(place: int, share: float) -> None:
            shares[place] = share
            tell(min(sum(shares), 1.0))

        try:
            process = self._start(name, *() if pair else (HINTS_FIRST,))
        except OSError as found:
            return f"no process can be started: {found.strerror or found}"
        other = None
        if pair:
            with contextlib.suppress(OSError):  # it is a help, no more
                other = self._start(name, HINTS_FIRST)
                follow = threading.Thread(
                    target=self._follow, args=(other, lambda share: hear(1, share), hints), daemon=True
                )
                follow.start()
        # All is compiled when this one has come to the end, whatever the other has done of it.
        said = self._follow(process, lambda share: hear(0, share), hints)
        if other is not None:
            other.kill()
        with self._lock:
            if self._ended:
                raise StoppedError
        return _fault(process.returncode, said)

    def _follow(
        self, process: subprocess.Popen[str], tell: Callable[[float], None], hints: Callable[[], None]
    ) -> str:
        """Hear a process to its end; the last line that tells not how far it is."""
        said = ""
        with process:
            assert process.stdout is not None
            for line in process.stdout:
                if line.startswith(SHARE):
                    tell(float(line.removeprefix(SHARE)))
                elif line.strip() == HINTS:
                    hints()
                elif line.strip():
                    said = line.strip()
        with self._lock:
            self._running.pop(process, None)
        return said

    def end(self) -> None:
        """Kill what runs, and start nothing more."""
        with self._lock:
            self._ended = True
            for process in self._running:
                process.kill()

    def leave(self, name: str) -> None:
        """Kill what compiles a game; what is in the cache by then stays there."""
        with self._lock:
            for process, game in self._running.items():
                if game == name:
                    process.kill()

    def _start(self, name: str, *arguments: str) -> subprocess.Popen[str]:
        with self._lock:
            if self._ended:
                raise StoppedError
            # Its own session keeps Ctrl-C away: the parent ends it, and when it is gone the closed pipe does.
            process = subprocess.Popen(
                [sys.executable, *self._worker, name, *arguments],
                env=environment(),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                text=True,
                encoding="utf-8",
                errors="replace",
                start_new_session=True,
            )
            self._running[process] = name
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
