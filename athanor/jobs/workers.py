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
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor, ThreadPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager, suppress
from multiprocessing import connection
from queue import Empty, SimpleQueue
from types import ModuleType
from typing import Any, NamedTuple, Protocol

from athanor.jobs import questions
from athanor.jobs.settings import bound_memory, share_megabytes
from athanor.jobs.store import LEASE_SECONDS, Chunk, JobError, Outcome, Store
from athanor.processes import had_worked, pause_after
from solver.errors import AthanorError

log = logging.getLogger(__name__)

NICENESS = 15
CHUNK_SECONDS = 1.0
_MOST_UNITS = 1_000  # of a chunk
_MOST_CHARACTERS = 1 << 22  # of its results, after which it ends
_GROWTH = 8  # a chunk has at most this many times the units of the job's largest so far
_HANDED_A_SECOND = 200  # chunks that can easily be handed out and stored
_LOOK_SECONDS = 0.5  # between two checks for dead holders and cancelled jobs
_WAKE_SECONDS = 0.25  # between two checks for work, and for `stop`
_WATCH_SECONDS = 0.2  # between a worker's checks whether its chunk is still wanted
_LAST_SECONDS = 1.0  # that workers get to return their results when everything stops
_FULL_SECONDS = 5.0  # between two attempts to store outcomes in a full or busy store
_PATIENCE_SECONDS = 60.0  # after which these attempts end with an error
_STUCK_SECONDS = 90.0  # without any unit done, after which a fault of the workers ends the work
_IDLE_SECONDS = 60.0  # without work, after which processes end
_PRUNE_SECONDS = 3600.0
_FAULT_SECONDS = 6.0  # between two attempts to use a faulty store

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
    fault : str
        An error of its workers; empty if there is none.
    """

    size: int
    fault: str

    @property
    def seconds(self) -> float: ...

    def free(self, waiting: int, wake: Callable[[Any], object]) -> int:
        """Return how many chunks can be submitted now, given the number of waiting units.

        `wake` is called when more may be submitted.
        """

    def submit(self, payloads: list[str]) -> Future[Any]:
        """Start answering a chunk of units."""

    def result(self, future: Future[Any]) -> Done | None:
        """Return the result of a chunk, or None if its worker died.

        Raises JobError if the team can no longer work.
        """

    def cancel(self, future: Future[Any]) -> None:
        """End a chunk early; its result is then the units done so far."""

    def check(self) -> None:
        """Check the workers. Raises JobError if the team can no longer work."""

    def close(self) -> None:
        """End all workers, even if they are busy."""


def answers(
    payloads: Sequence[str], seconds: float, cancel: threading.Event, answer: Answering = questions.answer
) -> Done:
    """Answer units in order, at least one, for about `seconds` seconds or until `cancel` is set."""
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
    forever: bool = False,
) -> bool:
    """Have a team answer all waiting units, until `stop` returns True.

    Returns True once no unit is waiting or running, False if stopped first. With `forever`, wait for more work
    instead. `report` is called regularly. Raises JobError if the team cannot work, or if the store could not be
    read or written for a minute.
    """
    foreman = _Foreman(store, team)
    try:
        while not stop():
            foreman.look()
            left = foreman.turn()
            report()
            if not left and not forever:
                return True
            foreman.wait()
        foreman.end()
        return False
    finally:
        with suppress(JobError):
            store.leave(foreman.holder)


class _Pace(NamedTuple):
    """Statistics of a job's units: the most done in one chunk, the number done, and the time taken in seconds."""

    most: int = 0
    units: int = 0
    seconds: float = 0.0


class _Foreman:
    """The state of `work`: running chunks, outcomes not yet stored, and statistics for the size of chunks."""

    def __init__(self, store: Store, team: Team) -> None:
        self._store = store
        self._team = team
        self._running: dict[Future[Any], Chunk] = {}
        self._finished: SimpleQueue[Future[Any]] = SimpleQueue()
        self._done: list[tuple[Chunk, Sequence[Outcome]]] = []
        self._paces: dict[int, _Pace] = {}  # by job
        self.holder = store.enter()
        self._entered = self._moved = time.monotonic()
        self._looked = 0.0
        self._full_since: float | None = None

    def look(self) -> None:
        """Requeue the units of dead holders, and cancel chunks of jobs that no longer need them."""
        now = time.monotonic()
        if now - self._looked < _LOOK_SECONDS:
            return
        self._looked = now
        if self._full_since is None:
            self._store.bury(but=self.holder)
        if self._running:
            wanted = self._store.at_work()
            for future, chunk in self._running.items():
                if chunk.job not in wanted:
                    self._team.cancel(future)
        if self._team.fault and not self._running and now - self._moved > _STUCK_SECONDS:
            raise JobError("workers_failed", self._team.fault)

    def turn(self) -> bool:
        """Store outcomes and submit new chunks; return whether any work is left."""
        self._team.check()
        waiting = self._store.waiting()
        wanted = self._team.free(waiting, self._finished.put) if waiting else 0
        if self._done or wanted or time.monotonic() - self._entered > LEASE_SECONDS / 3:
            for chunk in self._exchanged(wanted):
                future = self._team.submit([payload for _, payload in chunk.units])
                self._running[future] = chunk
                future.add_done_callback(self._finished.put)
        return bool(self._running or self._done or waiting or self._store.left())

    def wait(self) -> None:
        """Wait a moment, collecting results."""
        with suppress(Empty):
            future = self._finished.get(timeout=_FULL_SECONDS if self._full_since else _WAKE_SECONDS)
            while True:
                self._see(future)
                future = self._finished.get_nowait()

    def end(self) -> None:
        """Cancel the running chunks, and store the outcomes of the units done so far."""
        for future in self._running:
            self._team.cancel(future)
        end = time.monotonic() + _LAST_SECONDS
        while self._running and time.monotonic() < end:
            self.wait()
        self._exchanged(0)

    def _see(self, future: Future[Any]) -> None:
        chunk = self._running.pop(future, None)
        if chunk is None:  # a worker that has started
            return
        done = self._team.result(future)
        if done is None:
            self._store.lost(self.holder, chunk)
            return
        self._done.append((chunk, done.outcomes))
        if done.outcomes:
            self._moved = time.monotonic()
            pace = self._paces.get(chunk.job, _Pace())
            count = len(done.outcomes)
            self._paces[chunk.job] = _Pace(
                max(pace.most, count), pace.units + count, pace.seconds + max(done.seconds, 1e-6)
            )

    def _size(self, job: int, waiting: int) -> int:
        """Return how many units to claim for a chunk of the intended duration, leaving some for every worker.

        If chunks are too short, handing them out takes longer than answering them. To hand out n chunks takes n /
        `_HANDED_A_SECOND` seconds, and then the last one still has to be answered. The sum of the two times is
        smallest when they are equal.
        """
        pace = self._paces.get(job)
        if pace is None:
            return 1
        each = pace.seconds / pace.units
        left = waiting * each
        seconds = max(left / (2 * self._team.size), math.sqrt(left / _HANDED_A_SECOND))
        fitting = int(min(seconds, self._team.seconds) / each)
        return max(1, min(fitting, waiting // 2, pace.most * _GROWTH, _MOST_UNITS))

    def _exchanged(self, wanted: int) -> list[Chunk]:
        """Store outcomes and claim new chunks; return the chunks claimed.

        While the store is full or busy, nothing is stored or claimed; after a minute, this raises JobError.
        """
        if self._full_since and time.monotonic() - self._entered < _FULL_SECONDS:
            return []
        self._entered = time.monotonic()
        try:
            claimed = self._store.exchange(self.holder, self._done, wanted, self._size)
        except JobError as found:
            if found.code not in ("store_full", "store_busy"):
                raise
            self._full_since = self._full_since or self._entered
            if self._entered - self._full_since > _PATIENCE_SECONDS:
                raise
            log.warning("%s; trying again", found.message)
            return []
        self._full_since = None
        self._done = []
        return claimed


class Here:
    """A team of one worker, a thread of this process."""

    size = 1
    seconds = CHUNK_SECONDS
    fault = ""

    def __init__(self, answer: Answering | None = None) -> None:
        self._answer = answer
        self._thread = ThreadPoolExecutor(1, "answers")
        self._busy: Future[Done] | None = None
        self._cancel = threading.Event()

    def free(self, waiting: int, wake: Callable[[Any], object]) -> int:
        return int(self._busy is None or self._busy.done())

    def submit(self, payloads: list[str]) -> Future[Done]:
        self._cancel = threading.Event()
        answer = self._answer or questions.answer
        self._busy = self._thread.submit(answers, payloads, self.seconds, self._cancel, answer)
        return self._busy

    def result(self, future: Future[Done]) -> Done:
        return future.result()

    def cancel(self, future: Future[Done]) -> None:
        if future is self._busy:
            self._cancel.set()

    def check(self) -> None:
        pass

    def close(self) -> None:
        self._cancel.set()
        self._thread.shutdown()


class Processes:
    """A team of processes on this machine, each with its share of the memory for search tables.

    Each process has its own executor, so if one dies, the others continue, and the cause is clear. Processes are
    started when there is work, and restarted after they die, with growing pauses if they die early.
    """

    seconds = CHUNK_SECONDS

    def __init__(self, count: int) -> None:
        self.size = count
        self.fault = ""
        self._workers = [_Worker(share_megabytes(count)) for _ in range(count)]
        self._at: dict[Future[Any], _Worker] = {}
        self._worked = time.monotonic()

    @property
    def processes(self) -> list[int]:
        """The ids of the worker processes that are ready or working."""
        return [worker.process for worker in self._workers if worker.ready]

    def free(self, waiting: int, wake: Callable[[Any], object]) -> int:
        self._worked = time.monotonic()
        busy = set(self._at.values())
        idle = [worker for worker in self._workers if worker not in busy]
        for worker in idle[:waiting]:
            worker.start(wake)
            self.fault = worker.fault or self.fault
        return sum(worker.ready for worker in idle)

    def submit(self, payloads: list[str]) -> Future[Any]:
        busy = set(self._at.values())
        worker = next(worker for worker in self._workers if worker.ready and worker not in busy)
        future = worker.submit(payloads, self.seconds)
        self._at[future] = worker
        return future

    def result(self, future: Future[Any]) -> Done | None:
        worker = self._at.pop(future)
        try:
            done: Done = future.result()
        except BrokenProcessPool:
            worker.end("a worker has died")
            log.error("a worker has died; what it was at is done again")
            return None
        self.fault = ""
        return done

    def cancel(self, future: Future[Any]) -> None:
        if future in self._at:
            self._at[future].cancel()

    def check(self) -> None:
        """End the worker processes if none has worked for `_IDLE_SECONDS`."""
        if not self._at and time.monotonic() - self._worked > _IDLE_SECONDS:
            self.close()

    def close(self) -> None:
        for worker in self._workers:
            worker.end()
        self._at.clear()


class _Worker:
    """A worker process and its executor; restarted after it ends."""

    def __init__(self, megabytes: int) -> None:
        self._megabytes = megabytes
        self._executor: ProcessPoolExecutor | None = None
        self._process: Any = None
        self._started: Future[int] | None = None
        self._begun = self._pause = self._next_start = 0.0
        self._chunk = 0
        self._unwanted: Any = None  # the number of the chunk that is no longer wanted
        self.ready = False
        self.fault = ""

    @property
    def process(self) -> int:
        """The process id, or 0 if there is no process."""
        return self._process.pid if self._process is not None else 0

    def start(self, wake: Callable[[Any], object]) -> None:
        """Start the process if there is none; otherwise check whether it has become ready."""
        if self._started is None:
            if time.monotonic() >= self._next_start:
                self._start()
                assert self._started is not None
                self._started.add_done_callback(wake)
        elif self._started.done() and not self.ready:
            try:
                self._started.result()
                self.ready, self.fault = True, ""
            except Exception as found:
                self.end(f"a worker ended at its start: {found}")

    def submit(self, payloads: list[str], seconds: float) -> Future[Any]:
        assert self._executor is not None
        self._chunk += 1
        try:
            return self._executor.submit(_answers, self._chunk, payloads, seconds)
        except BrokenProcessPool as found:  # it has died since its last chunk
            broken: Future[Any] = Future()
            broken.set_exception(found)
            return broken

    def cancel(self) -> None:
        self._unwanted.value = self._chunk

    def end(self, fault: str = "") -> None:
        """Kill the process if it is still running.

        If it ended by itself, `fault` must say why, and the next start is delayed.
        """
        if self._executor is not None:
            self._process.kill()
            self._executor.shutdown(wait=False, cancel_futures=True)
        if fault:
            lasted = time.monotonic() - self._begun
            self._pause = pause_after(lasted, self._pause)
            self._next_start = time.monotonic() + self._pause
            self.fault = "" if had_worked(lasted) else fault
        self._executor, self._process, self._started, self.ready = None, None, None, False

    def _start(self) -> None:
        spawn = multiprocessing.get_context("spawn")
        self._begun = time.monotonic()
        self._unwanted = spawn.RawValue("Q", 0)
        executor = ProcessPoolExecutor(1, spawn, _begin, (self._unwanted, self._megabytes))
        with _without_main(), _without_interrupts():
            self._started = executor.submit(os.getpid)
        (self._process,) = executor._processes.values()
        self._executor = executor


@contextmanager
def _without_main() -> Iterator[None]:
    """Keep processes spawned in this context from running the caller's script again."""
    main = sys.modules["__main__"]
    sys.modules["__main__"] = ModuleType("__main__")
    try:
        yield
    finally:
        sys.modules["__main__"] = main


@contextmanager
def _without_interrupts() -> Iterator[None]:
    """Block Ctrl-C in processes started in this context, since the process that starts them handles it."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


# Inside a process of a team.

_wanted: tuple[int, threading.Event] = (0, threading.Event())  # the chunk being answered, and its cancel event


def _begin(unwanted: Any, megabytes: int) -> None:
    """Initialize a worker process: set a low priority and a memory limit, and start a watching thread.

    The thread ends the process after its parent has ended, and cancels the current chunk if `unwanted.value` is
    the chunk's number. `megabytes` is the memory for search tables.
    """
    os.environ["ATHANOR_MEMORY_MB"] = str(megabytes)
    if hasattr(os, "nice"):
        os.nice(NICENESS)
    bound_memory()
    threading.Thread(target=_watch, args=(unwanted,), name="watch", daemon=True).start()


def _watch(unwanted: Any) -> None:
    parent = multiprocessing.parent_process()
    assert parent is not None
    while not connection.wait([parent.sentinel], _WATCH_SECONDS):
        chunk, cancel = _wanted
        if unwanted.value == chunk:
            cancel.set()
    os._exit(1)


def _answers(chunk: int, payloads: list[str], seconds: float) -> Done:
    global _wanted
    _wanted = (chunk, threading.Event())
    return answers(payloads, seconds, _wanted[1])


class Crew:
    """The worker processes of a service, which run while a store has work for them."""

    def __init__(self, store: Store, workers: int) -> None:
        self._store = store
        self._team = Processes(workers)
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._run, name="jobs", daemon=True)
        self._pruned: float | None = None
        self._fault = ""

    @property
    def fault(self) -> str:
        """The reason why no work is being done; empty if nothing is wrong."""
        return self._fault or self._team.fault

    @property
    def processes(self) -> list[int]:
        """The ids of the worker processes that are ready or working."""
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
                work(self._store, self._team, stop=self._over.is_set, report=self._tidy, forever=True)
            except (AthanorError, OSError) as found:
                if str(found) != self._fault:
                    log.error("%s", found)
                self._fault = str(found)
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
        self._fault = ""
