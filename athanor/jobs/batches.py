"""Batches: a job of its own, kept in a file beside its output until the output is complete."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

from athanor.jobs import outputs
from athanor.jobs.errors import JobError
from athanor.jobs.stamp import stamp
from athanor.jobs.storage.store import Store
from athanor.jobs.workers.cluster import connected
from athanor.jobs.workers.cluster import work as work_on
from athanor.jobs.workers.crew import Crew
from athanor.jobs.workers.worker import work

SUFFIX = ".unfinished"
_MEGABYTES = 1 << 20  # of the file: the disk is the bound
_LOOK_SECONDS = 0.25
_STUCK_SECONDS = 90.0  # without progress, after which what the workers complain of ends the batch

Report = Callable[[int, int], None]


class Batch:
    """Units whose results go into a file, whatever is stopped in between.

    What is done is kept in the file OUT.unfinished, which is deleted when OUT is there. The same batch goes on
    from it, and its output is the same, byte for byte, as that of a batch that was never stopped.

    Raises JobError where that file is of other questions or of another version of Athanor; and what `check` raises
    for the name OUT: by default JobError for a suffix that is none of an output's, OSError where it cannot be
    written.
    """

    def __init__(
        self, kind: str, units: Sequence[str], out: str, *, check: Callable[[str], None] = outputs.check
    ) -> None:
        check(out)
        self.out = out
        self.path = out + SUFFIX
        self.store = Store(self.path, megabytes=_MEGABYTES)
        key = f"batch of {stamp()}"
        others = [job for job in self.store.jobs() if job.key != key]
        if others:
            message = f"{self.path} was begun by another version of Athanor; delete it to begin anew"
            raise JobError("conflict", message)
        try:
            self.job, _ = self.store.submit(kind, units, key=key)
        except JobError as found:
            if found.code != "conflict":
                raise
            message = f"{self.path} is of a batch with other questions or options; delete it to begin anew"
            raise JobError("conflict", message) from None

    def run(
        self,
        jobs: int,
        *,
        cluster: str | None = None,
        stop: Callable[[], bool] = lambda: False,
        report: Report = lambda done, total: None,
    ) -> bool:
        """Do what is left, `jobs` units at a time in processes of their own; one at a time is done in this one.
        With the address of a `cluster`, that does them.

        `report` is told how many units are done, and how many there are. True when all are; False when `stop` said
        so before. Raises JobError where the workers cannot work.
        """
        self.store.claims.bury()
        waiting = self.job.total - self._done()
        jobs = min(jobs, waiting)
        if cluster is not None and waiting:
            with connected(cluster) as client:
                work_on(self.store, client, stop=stop, report=lambda: report(self._done(), self.job.total))
        elif jobs == 1:
            self._work_here(stop, report)
        elif jobs > 1:
            with self._crew(jobs) as crew:
                self._wait(crew, stop, report)
        report(self._done(), self.job.total)
        return self._done() == self.job.total

    def finish(self) -> int:
        """Write the output and delete the file of what is unfinished; how many units failed."""
        failed = self.store.job(self.job.id).units.failed
        outputs.write(self.out, lambda: self.store.ordered(self.job.id))
        self.forget()
        return failed

    def forget(self) -> None:
        """Delete the file of what is unfinished."""
        self.store.close()
        for suffix in ("", "-wal", "-shm"):
            if os.path.exists(self.path + suffix):
                os.unlink(self.path + suffix)

    def _done(self) -> int:
        units = self.store.job(self.job.id).units
        return units.done + units.failed

    def _work_here(self, stop: Callable[[], bool], report: Report) -> None:
        looked = time.monotonic()

        def look() -> bool:
            nonlocal looked
            if time.monotonic() - looked > _LOOK_SECONDS:
                looked = time.monotonic()
                report(self._done(), self.job.total)
            return stop()

        work(self.store, stop=look)

    @contextmanager
    def _crew(self, jobs: int) -> Iterator[Crew]:
        crew = Crew(self.store, jobs)
        crew.start()
        try:
            yield crew
        finally:
            crew.stop()

    def _wait(self, crew: Crew, stop: Callable[[], bool], report: Report) -> None:
        done, moved = self._done(), time.monotonic()
        while not stop() and self.store.claims.left():
            time.sleep(_LOOK_SECONDS)
            before, done = done, self._done()
            report(done, self.job.total)
            if done != before:
                moved = time.monotonic()
            elif crew.fault and time.monotonic() - moved > _STUCK_SECONDS:
                raise JobError("workers_failed", crew.fault)
