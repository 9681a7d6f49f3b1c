"""Workers that answer units, and the loop that gives them work.

`work` claims units of a store in chunks, gives the chunks to a *team*, and stores the outcomes: all that have
arrived since the last time, in one transaction with one flush to disk. A team is a thread of this process
(`ThreadTeam`), separate processes (`Processes`) or a cluster (`athanor.jobs.cluster`). A chunk should take about a
second; its size is estimated from the job's last chunk. Workers can be killed at any moment; others then redo
their work.
"""

from __future__ import annotations

import logging
import math
import os
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import closing, suppress
from functools import partial
from queue import Empty, SimpleQueue
from typing import Any, NamedTuple

from athanor.jobs import units
from athanor.jobs.file import JobError
from athanor.jobs.settings import bound_memory, share_megabytes
from athanor.jobs.store import Chunk, Open, Outcome, Store
from athanor.processes import SILENT_LOOKS, Ask, ProcessLostError, SearchProcess
from athanor.processes import Done as Found
from solver.errors import AthanorError, reason_of
from solver.language import say
from solver.limits import Control, Limit
from solver.search.memory import IDLE_PROVERS, IDLE_SECONDS

log = logging.getLogger(__name__)

NICENESS = 15
CHUNK_SECONDS = 1.0
_MOST_UNITS = 1_000  # of a chunk
_MOST_CHARACTERS = 1 << 22  # of its results, after which it ends
_HANDED_A_SECOND = 200  # chunks that can easily be handed out and stored
_WAKE_SECONDS = 0.25  # between two checks for work, and for `stop`
_PRUNE_SECONDS = 3600.0
_FAULT_SECONDS = 6.0  # between two attempts to use a faulty store, or to start workers

Answering = Callable[[str, threading.Event], Outcome]


class Done(NamedTuple):
    """The result of a chunk: the outcomes of the units answered, the time taken and processor time, in seconds."""

    outcomes: Sequence[Outcome]
    seconds: float
    cpu: float


class Team:
    """A group of `size` workers, each of which answers one chunk of units at a time."""

    size = 1

    @property
    def seconds(self) -> float:
        """How long a chunk should take."""
        return CHUNK_SECONDS

    def free(self, running: int) -> int:
        """Return how many chunks can be submitted now, beside `running` others.

        Raises JobError if the team can no longer work.
        """
        return self.size - running

    def submit(self, payloads: list[str]) -> Future[Any]:
        """Start answering a chunk of units."""
        raise NotImplementedError

    def result(self, future: Future[Any]) -> Done | None:
        """Return the result of a chunk, or None if its worker died.

        Raises JobError if the team can no longer work.
        """
        done: Done = future.result()
        return done

    def cancel(self, future: Future[Any]) -> None:
        """End a chunk early, if that is possible; its result does not matter any more."""

    def close(self) -> None:
        """End all workers, even if they are busy."""


def answers(
    payloads: Sequence[str],
    seconds: float,
    cancel: threading.Event | None = None,
    answer: Answering = units.answer,
) -> Done:
    """Answer units in order, at least one, for about `seconds` seconds or until `cancel` is set."""
    cancel = cancel or threading.Event()
    begun, cpu = time.monotonic(), time.process_time()
    outcomes: list[Outcome] = []
    size = 0
    for payload in payloads:
        outcome = answer(payload, cancel)
        if cancel.is_set():
            break
        outcomes.append(outcome)
        size += sum(map(len, outcome.lines))
        if time.monotonic() - begun > seconds or size > _MOST_CHARACTERS:
            break
    return Done(outcomes, time.monotonic() - begun, time.process_time() - cpu)


def work(
    store: Store,
    team: Team,
    *,
    stop: Callable[[], bool] = lambda: False,
    report: Callable[[], None] = lambda: None,
    forever: bool = False,
) -> bool:
    """Have a team answer all waiting units, until `stop` returns True.

    Returns True once no unit is waiting or running, False if stopped first. With `forever`, wait for more work
    instead. `report` is called regularly. Raises JobError if the team cannot work, if the store cannot be read or
    written, or if another process works on it.
    """
    turns = _Turns(team)
    running: dict[Future[Any], Chunk | None] = {}  # None if the chunk was cancelled
    finished: SimpleQueue[Future[Any]] = SimpleQueue()
    with store.owned():
        while not stop():
            jobs = store.open()
            at_work = {job.number for job in jobs if job.running}
            for future, chunk in running.items():
                if chunk and chunk.job not in at_work:
                    team.cancel(future)
                    running[future] = None
            if wanted := turns.plan(jobs, team.free(len(running))):
                for claimed in store.claim(wanted):
                    future = team.submit([payload for _, payload in claimed.units])
                    running[future] = claimed
                    future.add_done_callback(finished.put)
            report()
            if not (jobs or running or forever):
                return True
            done: list[tuple[Chunk, Sequence[Outcome] | None]] = []
            try:
                for future in _waited(finished):
                    chunk, result = running.pop(future), team.result(future)
                    if chunk:
                        done.append((chunk, result and result.outcomes))
                        if result:
                            turns.count(chunk, result)
            finally:  # what was done is kept even if the team cannot go on
                if done:
                    store.keep(done)
        return False


def _waited(finished: SimpleQueue[Future[Any]]) -> Iterator[Future[Any]]:
    """Yield the finished chunks; if there is none, wait a moment for the first."""
    with suppress(Empty):
        yield finished.get(timeout=_WAKE_SECONDS)
        while True:
            yield finished.get_nowait()


class _Turns:
    """Whose units are claimed next, and how many.

    Clients share the processor time, and the jobs of a client take turns.
    """

    def __init__(self, team: Team) -> None:
        self._team = team
        self._each: dict[int, float] = {}  # by job: seconds a unit, in the last chunk
        self._used: dict[str, float] = {}  # by client: processor time in seconds
        self._now = 0.0  # what the client whose turn was last had used then
        self._turn: dict[int, int] = {}  # by job: how many chunks there had been when it came or was last served
        self._chunks = 0

    def count(self, chunk: Chunk, done: Done) -> None:
        """Count what a chunk has taken."""
        if done.outcomes:
            self._each[chunk.job] = max(done.seconds, 1e-6) / len(done.outcomes)
        if chunk.client in self._used:
            self._used[chunk.client] += done.cpu - CHUNK_SECONDS

    def plan(self, jobs: list[Open], free: int) -> list[tuple[Open, int]]:
        """Return the next jobs, up to `free`, and how many units of each to claim.

        Next is the client that has used the least processor time. A client that had no work starts level with the
        one whose turn was last: unused time is not saved up. A chunk counts as `CHUNK_SECONDS` until it is done.
        """
        self._used = {job.client: self._used.get(job.client, self._now) for job in jobs}
        self._turn = {job.number: self._turn.get(job.number, self._chunks) for job in jobs}
        self._each = {number: each for number, each in self._each.items() if number in self._turn}
        waiting = {job.number: job for job in jobs if job.waiting}
        shares: list[tuple[Open, int]] = []
        while waiting and len(shares) < free:
            job = min(waiting.values(), key=lambda job: (self._used[job.client], self._turn[job.number]))
            count = self._size(job)
            shares.append((job, count))
            waiting[job.number] = job._replace(waiting=job.waiting - count)
            if job.waiting <= count:
                del waiting[job.number]
            self._chunks += 1
            self._turn[job.number] = self._chunks
            self._now = self._used[job.client]
            self._used[job.client] += CHUNK_SECONDS
        return shares

    def _size(self, job: Open) -> int:
        """Return how many units to claim for a chunk of the intended duration, leaving some for every worker.

        If chunks are too short, handing them out takes longer than answering them. To hand out n chunks takes n /
        `_HANDED_A_SECOND` seconds, and then the last one still has to be answered. The sum of the two times is
        smallest when they are equal.
        """
        each = self._each.get(job.number)
        if each is None:
            return 1
        left = job.waiting * each
        seconds = max(left / (2 * self._team.size), math.sqrt(left / _HANDED_A_SECOND))
        return max(1, min(int(min(seconds, self._team.seconds) / each), _MOST_UNITS))


class ThreadTeam(Team):
    """A team of one worker, a thread of this process."""

    def __init__(self, answer: Answering | None = None) -> None:
        self._answer = answer or units.answer
        self._thread = ThreadPoolExecutor(1, "answers")
        self._cancel = threading.Event()

    def submit(self, payloads: list[str]) -> Future[Done]:
        self._cancel = threading.Event()
        return self._thread.submit(answers, payloads, self.seconds, self._cancel, self._answer)

    def cancel(self, future: Future[Done]) -> None:
        self._cancel.set()

    def close(self) -> None:
        self._cancel.set()
        self._thread.shutdown()


class Processes(Team):
    """A team of processes on this machine, each with its share of the memory for search tables.

    A process is started when there is work for it, and replaced when it has died or does not respond.
    """

    def __init__(self, count: int) -> None:
        self.size = count
        self._begin = partial(_begin, share_megabytes(count))
        self._threads = ThreadPoolExecutor(count, "workers")  # each waits for a process
        self._idle: list[SearchProcess] = []
        self._busy: dict[Future[Found], SearchProcess] = {}

    def free(self, running: int) -> int:
        for worker in (*self._idle, *self._busy.values()):
            if worker.silence() >= SILENT_LOOKS and not worker.killed:
                log.error("a worker does not respond; what it was at is done again")
                worker.kill()
        return super().free(running)

    def submit(self, payloads: list[str]) -> Future[Found]:
        while self._idle:
            worker = self._idle.pop()
            if worker.is_alive():
                break
            worker.kill()
        else:
            try:
                worker = SearchProcess(self._begin)
            except OSError as error:
                raise JobError(
                    "workers_failed", say("no worker can be started: {reason}", reason=reason_of(error))
                ) from None
        ask = Ask(partial(_answers, payloads, self.seconds), Limit())
        future = self._threads.submit(worker.run, ask, threading.Event())
        self._busy[future] = worker
        return future

    def result(self, future: Future[Found]) -> Done | None:
        worker = self._busy.pop(future)
        try:
            done: Done = future.result().found
        except ProcessLostError:
            if worker.killed:  # cancelled
                return None
            worker.kill()
            if not worker.state.ticks:
                raise JobError("workers_failed", say("a worker ended at its start")) from None
            log.error("a worker has died; what it was at is done again")
            return None
        self._idle.append(worker)
        return done

    def cancel(self, future: Future[Found]) -> None:
        self._busy[future].kill()

    def close(self) -> None:
        for worker in (*self._idle, *self._busy.values()):
            worker.kill()
        self._threads.shutdown()


def _begin(megabytes: int) -> Callable[[], tuple[int, int, int]]:
    """Make this process a worker at low priority, with `megabytes` MiB of memory for search tables."""
    os.environ["ATHANOR_MEMORY_MB"] = str(megabytes)
    if hasattr(os, "nice"):
        os.nice(NICENESS)
    bound_memory()
    return _measure


def _measure() -> tuple[int, int, int]:
    """Release tables that have been idle for a long time. Returns nothing that counts."""
    IDLE_PROVERS.drop(idle_for=IDLE_SECONDS)
    return 0, 0, 0


def _answers(payloads: list[str], seconds: float, control: Control) -> Done:
    return answers(payloads, seconds, control.cancel)


def serve(
    store: Store,
    workers: int,
    over: threading.Event,
    record: Callable[[AthanorError | None], None] = lambda fault: None,
) -> None:
    """Work on a store with `workers` processes until `over` is set, and delete its old jobs.

    Work that cannot go on is tried again every `_FAULT_SECONDS`.
    `record` is called with each fault of the store or of the units' answers, and with None when work goes on.
    """
    fault = ""
    prune_at = time.monotonic()

    def tidy() -> None:
        nonlocal fault, prune_at
        fault = ""
        record(None)
        if time.monotonic() >= prune_at:
            prune_at = time.monotonic() + _PRUNE_SECONDS
            store.prune()

    while not over.is_set():
        try:
            with closing(Processes(workers)) as team:
                work(store, team, stop=over.is_set, report=tidy, forever=True)
        except (AthanorError, OSError) as error:
            if str(error) != fault:
                log.error("%s", error)
            fault = str(error)
            record(error if isinstance(error, AthanorError) else None)
            over.wait(_FAULT_SECONDS)
