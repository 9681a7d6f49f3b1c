"""Batches: jobs that write their results to a file, and can be interrupted and resumed."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing, contextmanager, nullcontext

from athanor.jobs import outputs
from athanor.jobs.cluster import Cluster, connected
from athanor.jobs.file import JobError
from athanor.jobs.store import Job, Store
from athanor.jobs.units import stamp
from athanor.jobs.workers import Processes, Team, ThreadTeam, work
from solver.language import say

SUFFIX = ".unfinished"

Report = Callable[[int, int], None]


class Batch:
    """A list of units whose results are written to the file `out`, however often the work is interrupted.

    The work done is kept in the file OUT.unfinished until `out` is complete. The same batch resumes from it, and
    the output is then the same, byte for byte, as without interruptions.

    Raises JobError if OUT.unfinished belongs to other questions or another version of Athanor, or if `out` exists
    and `overwrite` is not set. `check` may raise further errors for the name `out`: by default JobError for an
    unknown suffix, OSError if the file cannot be written.
    """

    def __init__(
        self,
        kind: str,
        units: Iterable[str],
        out: str,
        *,
        overwrite: bool = False,
        check: Callable[[str], None] = outputs.check,
    ) -> None:
        check(out)
        self.out = out
        self.path = out + SUFFIX
        begun = os.path.exists(self.path)
        if not overwrite and not begun:
            self._check_new()
        self.store = Store(self.path)
        try:
            self.job = self._submitted(kind, units)
            if not overwrite and begun and not self.job.over:
                self._check_new()
        except BaseException:
            self.store.close()
            if not begun:
                self.forget()
            raise

    def run(
        self,
        jobs: int,
        *,
        cluster: str | None = None,
        stop: Callable[[], bool] = lambda: False,
        report: Report = lambda done, total: None,
    ) -> bool:
        """Answer the remaining units with `jobs` processes or a dask `cluster`; if `jobs` is 1, in this process.

        `report` is called with the number of units done and the total. Returns True once all are done, or False if
        `stop` returned True first. Raises JobError if the workers cannot work.
        """
        if not self.store.job(self.job.id).over:
            with team_of(jobs, cluster) as team:
                work(self.store, team, stop=stop, report=lambda: report(self._done(), self.job.total))
        report(self._done(), self.job.total)
        return self._done() == self.job.total

    def finish(self) -> int:
        """Write the output, delete the unfinished file, and return the number of failed units."""
        failed = self.store.job(self.job.id).units.failed
        outputs.write(self.out, lambda: self.store.ordered(self.job.id))
        self.forget()
        return failed

    def forget(self) -> None:
        """Delete the unfinished file."""
        self.store.close()
        for suffix in ("", "-wal", "-shm", "-owner"):
            if os.path.exists(self.path + suffix):
                os.unlink(self.path + suffix)

    def _check_new(self) -> None:
        if os.path.exists(self.out):
            message = say(
                "{out} already exists; delete it, name another file, or allow overwriting",
                out=self.out,
            )
            raise JobError("conflict", message, "out")

    def _submitted(self, kind: str, units: Iterable[str]) -> Job:
        key = f"batch of {stamp()}"
        if any(job.key != key for job in self.store.jobs()):
            message = say(
                "{path} was started by another version of Athanor; delete it to start again", path=self.path
            )
            raise JobError("conflict", message)
        try:
            return self.store.submit(kind, units, key=key)[0]
        except JobError as error:
            if error.code != "conflict":
                raise
            message = say(
                "{path} belongs to a batch with other questions or options; delete it to start again",
                path=self.path,
            )
            raise JobError("conflict", message) from None

    def _done(self) -> int:
        units = self.store.job(self.job.id).units
        return units.done + units.failed


@contextmanager
def team_of(jobs: int, cluster: str | None = None) -> Iterator[Team]:
    """Provide `jobs` worker processes (this process if `jobs` is 1), or a cluster's workers, for a with block."""
    with nullcontext() if cluster is None else connected(cluster) as client:
        team: Team = Cluster(client) if cluster is not None else ThreadTeam() if jobs == 1 else Processes(jobs)
        with closing(team):
            yield team
