"""Workers that answer units, and the loop that gives them work.

`work` claims units of a store in chunks, gives the chunks to a *team*, and stores the outcomes: all that have
arrived since the last time, in one transaction with one flush to disk. A team is this process (`Here`), separate
processes (`Processes`) or a cluster (`athanor.jobs.cluster`). A chunk should take about a second; its size is
estimated from earlier chunks. Workers can be killed at any moment; others then redo their work.
"""

from __future__ import annotations

import logging
import math
import multiprocessing
import os
import secrets
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import CancelledError, Future, ProcessPoolExecutor, ThreadPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager, suppress
from functools import partial
from queue import Empty, SimpleQueue
from types import ModuleType
from typing import Any, NamedTuple, Protocol

from athanor.jobs import units
from athanor.jobs.settings import bound_memory, share_megabytes
from athanor.jobs.store import LEASE_SECONDS, Chunk, JobError, Open, Outcome, Store
from solver.errors import AthanorError

log = logging.getLogger(__name__)

NICENESS = 15
CHUNK_SECONDS = 1.0
_MOST_UNITS = 1_000  # of a chunk
_MOST_CHARACTERS = 1 << 22  # of its results, after which it ends
_GROWTH = 8  # a chunk has at most this many times the units of the job's largest so far
_HANDED_A_SECOND = 200  # chunks that can easily be handed out and stored
_WAKE_SECONDS = 0.25  # between two checks for work, and for `stop`
_IDLE_SECONDS = 60.0  # without work, after which processes end
_PRUNE_SECONDS = 3600.0
_FAULT_SECONDS = 6.0  # between two attempts to use a faulty store, or to start workers

Answering = Callable[[str, threading.Event], Outcome]


class Done(NamedTuple):
    """The result of a chunk: the outcomes of the units answered, and the time taken, in seconds."""

    outcomes: Sequence[Outcome]
    seconds: float


class Team(Protocol):
    """A group of workers that answers chunks of units.

    Attributes
    ----------
    size : int
        How many chunks are answered at once.
    seconds : float
        How long a chunk should take.
    """

    size: int

    @property
    def seconds(self) -> float: ...

    def free(self) -> int:
        """Return how many chunks can be submitted now. Raises JobError if the team can no longer work."""

    def submit(self, payloads: list[str]) -> Future[Any]:
        """Start answering a chunk of units."""

    def result(self, future: Future[Any]) -> Done | None:
        """Return the result of a chunk, or None if its worker died.

        Raises JobError if the team can no longer work.
        """

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
    begun = time.monotonic()
    found: list[Outcome] = []
    size = 0
    for payload in payloads:
        before = time.process_time()
        outcome = answer(payload, cancel)
        if cancel.is_set():
            break
        found.append(outcome._replace(cpu=time.process_time() - before))
        size += sum(map(len, outcome.lines))
        if time.monotonic() - begun > seconds or size > _MOST_CHARACTERS:
            break
    return Done(found, time.monotonic() - begun)


def work(
    store: Store,
    team: Team,
    *,
    stop: Callable[[], bool] = lambda: False,
    report: Callable[[], None] = lambda: None,
    charge: Callable[[str, float], None] = lambda client, seconds: None,
    owing: Callable[[], Iterable[str]] = tuple,
    forever: bool = False,
) -> bool:
    """Have a team answer all waiting units, until `stop` returns True.

    Returns True once no unit is waiting or running, False if stopped first. With `forever`, wait for more work
    instead. `report` is called regularly. `charge` is called with a client and the processor time that its units
    have used, in seconds; no unit of the clients returned by `owing` is started. Raises JobError if the team
    cannot work, or if the store cannot be read or written.
    """
    holder = secrets.randbits(62)
    turns = _Turns(team, charge)
    running: dict[Future[Any], Chunk] = {}
    finished: SimpleQueue[Future[Any]] = SimpleQueue()
    done: list[tuple[Chunk, Sequence[Outcome] | None]] = []  # not stored yet
    leased = float("-inf")
    try:
        while not stop():
            jobs = store.open()
            at_work = {job.job for job in jobs if job.running}
            for future, chunk in running.items():
                if chunk.job not in at_work:
                    team.cancel(future)
            held, free = set(owing()), team.free()
            ready = free > 0 and any(job.waiting and job.client not in held for job in jobs)
            if done or ready or (at_work and time.monotonic() - leased > LEASE_SECONDS / 3):
                leased = time.monotonic()
                claimed = store.exchange(holder, done, partial(turns.plan, free=free, held=held))
                done = []
                for chunk in claimed:
                    future = team.submit([payload for _, payload in chunk.units])
                    running[future] = chunk
                    future.add_done_callback(finished.put)
                jobs = store.open()
            report()
            if not (jobs or running or forever):
                return True
            for future in _waited(finished):
                chunk, result = running.pop(future), team.result(future)
                done.append((chunk, result and result.outcomes))
                if result and result.outcomes:
                    turns.count(chunk, result)
        return False
    finally:
        with suppress(JobError):
            store.exchange(holder, done)
        with suppress(JobError):
            store.leave(holder)


def _waited(finished: SimpleQueue[Future[Any]]) -> Iterator[Future[Any]]:
    """Yield the finished chunks; if there is none, wait a moment for the first."""
    with suppress(Empty):
        yield finished.get(timeout=_WAKE_SECONDS)
        while True:
            yield finished.get_nowait()


class _Pace(NamedTuple):
    """Statistics of a job's units: the most done in one chunk, the number done, and the time taken in seconds."""

    most: int = 0
    units: int = 0
    seconds: float = 0.0


class _Turns:
    """Whose units are claimed next, and how many.

    Clients share the processor time, and the jobs of a client take turns.
    """

    def __init__(self, team: Team, charge: Callable[[str, float], None]) -> None:
        self._team = team
        self._charge = charge
        self._paces: dict[int, _Pace] = {}  # by job
        self._spent: dict[str, float] = {}  # processor time in seconds, by client
        self._turn: dict[int, int] = {}  # by job: how many chunks there had been when it came or was last served
        self._chunks = 0

    def count(self, chunk: Chunk, done: Done) -> None:
        """Count what a chunk has taken."""
        count = len(done.outcomes)
        pace = self._paces.get(chunk.job, _Pace())
        self._paces[chunk.job] = _Pace(
            max(pace.most, count), pace.units + count, pace.seconds + max(done.seconds, 1e-6)
        )
        cpu = sum(outcome.cpu for outcome in done.outcomes)
        self._charge(chunk.client, cpu)
        if chunk.client in self._spent:
            self._spent[chunk.client] += cpu - CHUNK_SECONDS

    def plan(self, jobs: list[Open], free: int, held: set[str]) -> Iterator[tuple[Open, int]]:
        """Yield the next jobs, up to `free`, and how many units of each to claim; none of the clients in `held`.

        Next is the client that has used the least processor time. A client that had no work starts level with it:
        unused time is not saved up. A chunk counts as `CHUNK_SECONDS` until it is done.
        """
        clients = {job.client for job in jobs}
        least = min((spent for client, spent in self._spent.items() if client in clients), default=0.0)
        self._spent = {client: self._spent.get(client, least) for client in clients}
        self._turn = {job.job: self._turn.get(job.job, self._chunks) for job in jobs}
        self._paces = {number: pace for number, pace in self._paces.items() if number in self._turn}
        waiting = {job.job: job for job in jobs if job.waiting and job.client not in held}
        while free and waiting:
            job = min(waiting.values(), key=lambda job: (self._spent[job.client], self._turn[job.job]))
            count = self._size(job)
            del waiting[job.job]
            if job.waiting > count:
                waiting[job.job] = job._replace(waiting=job.waiting - count)
            free -= 1
            self._chunks += 1
            self._turn[job.job] = self._chunks
            self._spent[job.client] += CHUNK_SECONDS
            yield job, count

    def _size(self, job: Open) -> int:
        """Return how many units to claim for a chunk of the intended duration, leaving some for every worker.

        If chunks are too short, handing them out takes longer than answering them. To hand out n chunks takes n /
        `_HANDED_A_SECOND` seconds, and then the last one still has to be answered. The sum of the two times is
        smallest when they are equal.
        """
        pace = self._paces.get(job.job)
        if pace is None:
            return 1
        each = pace.seconds / pace.units
        left = job.waiting * each
        seconds = max(left / (2 * self._team.size), math.sqrt(left / _HANDED_A_SECOND))
        fitting = int(min(seconds, self._team.seconds) / each)
        return max(1, min(fitting, job.waiting // 2, pace.most * _GROWTH, _MOST_UNITS))


class Here:
    """A team of one worker, a thread of this process."""

    size = 1
    seconds = CHUNK_SECONDS

    def __init__(self, answer: Answering | None = None) -> None:
        self._answer = answer or units.answer
        self._thread = ThreadPoolExecutor(1, "answers")
        self._busy: Future[Done] | None = None
        self._cancel = threading.Event()

    def free(self) -> int:
        return int(self._busy is None or self._busy.done())

    def submit(self, payloads: list[str]) -> Future[Done]:
        self._cancel = threading.Event()
        self._busy = self._thread.submit(answers, payloads, self.seconds, self._cancel, self._answer)
        return self._busy

    def result(self, future: Future[Done]) -> Done:
        return future.result()

    def cancel(self, future: Future[Done]) -> None:
        self._cancel.set()

    def close(self) -> None:
        self._cancel.set()
        self._thread.shutdown()


class Processes:
    """A team of processes on this machine, each with its share of the memory for search tables.

    Each process has its own executor, so if one dies, the others continue, and the cause is clear. Processes are
    started when there is work, and again after they have died.
    """

    seconds = CHUNK_SECONDS

    def __init__(self, count: int) -> None:
        self.size = count
        self._workers = [_Worker(share_megabytes(count)) for _ in range(count)]
        self._at: dict[Future[Any], _Worker] = {}
        self._worked = time.monotonic()

    @property
    def processes(self) -> list[int]:
        """The ids of the worker processes."""
        return [worker.process.pid for worker in self._workers if worker.process is not None]

    def free(self) -> int:
        if self._at:
            self._worked = time.monotonic()
        elif time.monotonic() - self._worked > _IDLE_SECONDS:
            self.close()
        return self.size - len(self._at)

    def submit(self, payloads: list[str]) -> Future[Any]:
        idle = [worker for worker in self._workers if worker not in self._at.values()]
        worker = next((worker for worker in idle if worker.process), idle[0])  # rather one that runs already
        future = worker.submit(payloads, self.seconds)
        self._at[future] = worker
        return future

    def result(self, future: Future[Any]) -> Done | None:
        worker = self._at.pop(future)
        try:
            done: Done = future.result()
            return done
        except (BrokenProcessPool, CancelledError) as found:
            if worker.process:  # it was not ended by `cancel`
                worker.end()
                if worker.started.exception() is not None:
                    raise JobError("workers_failed", f"a worker ended at its start: {found}") from None
                log.error("a worker has died; what it was at is done again")
            return None

    def cancel(self, future: Future[Any]) -> None:
        self._at[future].end()

    def close(self) -> None:
        for worker in self._workers:
            worker.end()
        self._at.clear()


class _Worker:
    """A worker process and its executor; started by its first chunk, also after it has ended."""

    def __init__(self, megabytes: int) -> None:
        self._megabytes = megabytes
        self._executor: ProcessPoolExecutor | None = None
        self.process: Any = None
        self.started: Future[int]

    def submit(self, payloads: list[str], seconds: float) -> Future[Any]:
        if self._executor is None:
            self._executor = ProcessPoolExecutor(
                1, multiprocessing.get_context("spawn"), _begin, (self._megabytes,)
            )
            with _alone():
                self.started = self._executor.submit(os.getpid)
            (self.process,) = self._executor._processes.values()
        try:
            return self._executor.submit(answers, payloads, seconds)
        except BrokenProcessPool:  # the process has died since its last chunk
            self.end()
            return self.submit(payloads, seconds)

    def end(self) -> None:
        """Kill the process, if there is one."""
        if self._executor is not None:
            self.process.kill()
            self._executor.shutdown(wait=False, cancel_futures=True)
        self._executor, self.process = None, None


@contextmanager
def _alone() -> Iterator[None]:
    """Keep processes spawned in this context from running the caller's script again, and from seeing Ctrl-C.

    The process that starts them handles Ctrl-C.
    """
    main = sys.modules["__main__"]
    sys.modules["__main__"] = ModuleType("__main__")
    masks = hasattr(signal, "pthread_sigmask")
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT}) if masks else ()
    try:
        yield
    finally:
        if masks:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)
        sys.modules["__main__"] = main


def _begin(megabytes: int) -> None:
    """Initialize a worker process: set a low priority and a memory limit, and have it end with its parent.

    `megabytes` is the memory for search tables.
    """
    os.environ["ATHANOR_MEMORY_MB"] = str(megabytes)
    if hasattr(os, "nice"):
        os.nice(NICENESS)
    bound_memory()
    threading.Thread(target=_end_with_parent, name="parent", daemon=True).start()


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    assert parent is not None
    parent.join()
    os._exit(1)


class Crew:
    """The worker processes of a service, which run while a store has work for them.

    `charge` and `owing` are as for `work`.
    """

    def __init__(
        self,
        store: Store,
        workers: int,
        charge: Callable[[str, float], None] = lambda client, seconds: None,
        owing: Callable[[], Iterable[str]] = tuple,
    ) -> None:
        self._store = store
        self._team = Processes(workers)
        self._charge = charge
        self._owing = owing
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._run, name="jobs", daemon=True)
        self._pruned: float | None = None
        self.fault = ""  # why no work is being done; empty if nothing is wrong

    @property
    def processes(self) -> list[int]:
        """The ids of the worker processes."""
        return self._team.processes

    def start(self) -> None:
        """Start working, in a thread that ends with `stop`."""
        self._thread.start()

    def stop(self) -> None:
        """End the workers. Their unfinished units are requeued; finished ones are stored."""
        self._over.set()
        if self._thread.ident is not None:
            self._thread.join()
        self._team.close()

    def _run(self) -> None:
        while not self._over.is_set():
            try:
                work(
                    self._store,
                    self._team,
                    stop=self._over.is_set,
                    report=self._tidy,
                    charge=self._charge,
                    owing=self._owing,
                    forever=True,
                )
            except (AthanorError, OSError) as found:
                if str(found) != self.fault:
                    log.error("%s", found)
                self.fault = str(found)
                self._team.close()
                self._over.wait(_FAULT_SECONDS)

    def _tidy(self) -> None:
        """Delete old jobs, at most once an hour. On the first call, also check the job file for damage."""
        now = time.monotonic()
        if self._pruned is None or now - self._pruned > _PRUNE_SECONDS:
            if self._pruned is None:
                self._store.file.check()
            self._pruned = now
            self._store.prune()
        self.fault = ""
