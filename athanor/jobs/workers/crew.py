"""The workers of a store: started while there is work, started again when one dies, ended with their starter."""

from __future__ import annotations

import logging
import subprocess
import sys
import threading
import time

from athanor.jobs.errors import JobError
from athanor.jobs.storage.retention import prune
from athanor.jobs.storage.store import Store
from athanor.jobs.workers.shares import share_megabytes
from athanor.processes import environment, had_worked, pause_after
from solver.errors import AthanorError

log = logging.getLogger(__name__)

_WORKER = ("-P", "-m", "athanor.jobs.workers.worker")
_LOOK_SECONDS = 0.5
_PRUNE_SECONDS = 3600.0
_FAULT_SECONDS = 6.0  # between two looks at a store that cannot be used
_END_SECONDS = 10.0


class Crew:
    """So many worker processes for a store, as long as it has units that wait.

    Each may take its `share_megabytes` for the tables of its searches. A worker that dies has its unit put back at
    once; one that is killed again and again is started ever more slowly.
    """

    def __init__(self, store: Store, workers: int) -> None:
        self._store = store
        self._count = workers
        self._megabytes = share_megabytes(workers)
        self._over = threading.Event()
        self._change = threading.Lock()
        self._running: dict[subprocess.Popen[bytes], float] = {}
        self._pause = 0.0
        self._next_start = 0.0
        self._pruned: float | None = None
        self._thread: threading.Thread | None = None
        self.fault = ""  # why there is no work done, where that is so

    def start(self) -> None:
        """Begin to look for work, in a thread that ends with `stop`."""
        self._thread = threading.Thread(target=self._watch, name="crew", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """Kill the workers. What they were at waits again, and nothing that was done is lost."""
        self._over.set()
        with self._change:
            running = list(self._running)
            for process in running:
                process.kill()
        for process in running:
            process.communicate(timeout=_END_SECONDS)
        if self._thread is not None:
            self._thread.join(_END_SECONDS)
        if running:
            try:
                self._store.claims.bury()
            except JobError as found:
                log.error("%s", found.message)

    @property
    def processes(self) -> list[int]:
        """The numbers of the processes that work now."""
        with self._change:
            return [process.pid for process in self._running]

    def _watch(self) -> None:
        while not self._over.is_set():
            try:
                self.look()
            except (AthanorError, OSError) as found:
                if str(found) != self.fault:
                    log.error("%s", found)
                self.fault = str(found)
                self._over.wait(_FAULT_SECONDS)
            self._over.wait(_LOOK_SECONDS)

    def look(self) -> None:
        """Put back what the dead held, and start workers if there is work for them. Raises JobError."""
        self._reap()
        now = time.monotonic()
        with self._change:
            if any(had_worked(now - begun) for begun in self._running.values()):
                self.fault = ""
        if self._pruned is None or now - self._pruned > _PRUNE_SECONDS:
            first, self._pruned = self._pruned is None, now
            if first:
                self._store.database.check()
            prune(self._store)
        self._store.claims.bury()
        if now >= self._next_start and len(self.processes) < self._count and self._store.claims.left():
            self._start(now)

    def _reap(self) -> None:
        with self._change:
            ended = [(process, begun) for process, begun in self._running.items() if process.poll() is not None]
            for process, _ in ended:
                del self._running[process]
        for process, begun in ended:
            said = process.communicate()[1].decode("utf-8", "replace").strip()
            if process.returncode == 0:
                continue
            log.error("a worker ended with status %d%s", process.returncode, f": {said[-500:]}" if said else "")
            self.fault = said.rpartition("\n")[2] or f"a worker ended with status {process.returncode}"
            self._pause = pause_after(time.monotonic() - begun, self._pause)
            self._next_start = time.monotonic() + self._pause

    def _start(self, now: float) -> None:
        # A session of its own keeps Ctrl-C away: the pipe, which is closed when we have gone, ends the process.
        with_share = environment(ATHANOR_MEMORY_MB=str(self._megabytes))
        with self._change:
            for _ in range(self._count - len(self._running)):
                if self._over.is_set():
                    return
                process = subprocess.Popen(
                    [sys.executable, *_WORKER, self._store.path],
                    env=with_share,
                    stdin=subprocess.PIPE,
                    stdout=subprocess.DEVNULL,
                    stderr=subprocess.PIPE,
                    start_new_session=True,
                )
                self._running[process] = now
