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
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor, ThreadPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager, suppress
from multiprocessing import connection
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
_LOOK_SECONDS = 0.5  # between two checks for dead holders and cancelled jobs
_WAKE_SECONDS = 0.25  # between two checks for work, and for `stop`
_WATCH_SECONDS = 0.2  # between a worker's checks whether its chunk is still wanted
_LAST_SECONDS = 1.0  # that workers get to return their results when everything stops
_STUCK_SECONDS = 90.0  # without any unit done, after which a fault of the workers ends the work
_IDLE_SECONDS = 60.0  # without work, after which processes end
_PRUNE_SECONDS = 3600.0
_FAULT_SECONDS = 6.0  # between two attempts to use a faulty store, or to start a worker

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

        `wake` is called when more may be submitted. Raises JobError if the team can no longer work.
        """

    def submit(self, payloads: list[str]) -> Future[Any]:
        """Start answering a chunk of units."""

    def result(self, future: Future[Any]) -> Done | None:
        """Return the result of a chunk, or None if its worker died.

        Raises JobError if the team can no longer work.
        """

    def cancel(self, future: Future[Any]) -> None:
        """End a chunk early; its result is then the units done so far."""

    def close(self) -> None:
        """End all workers, even if they are busy."""


def answers(
    payloads: Sequence[str], seconds: float, cancel: threading.Event, answer: Answering = units.answer
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
    foreman = _Foreman(store, team, charge, owing)
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
    """The state of `work`: running chunks, outcomes not yet stored, and whose turn is next.

    Clients share the processor time, and the jobs of a client take turns.
    """

    def __init__(
        self,
        store: Store,
        team: Team,
        charge: Callable[[str, float], None],
        owing: Callable[[], Iterable[str]],
    ) -> None:
        self._store = store
        self._team = team
        self._charge = charge
        self._owing = owing
        self._running: dict[Future[Any], Chunk] = {}
        self._finished: SimpleQueue[Future[Any]] = SimpleQueue()
        self._done: list[tuple[Chunk, Sequence[Outcome] | None]] = []
        self._line: dict[int, Open] = {}  # the jobs with waiting units, by number; the next one first
        self._paces: dict[int, _Pace] = {}  # by job
        self._spent: dict[str, float] = {}  # processor time in seconds, by client
        self._held: set[str] = set()  # clients of which no unit is started now
        self.holder = store.enter()
        self._entered = self._moved = time.monotonic()
        self._looked = 0.0

    def look(self) -> None:
        """Requeue the units of dead holders, and cancel chunks of jobs that no longer need them."""
        now = time.monotonic()
        if now - self._looked < _LOOK_SECONDS:
            return
        self._looked = now
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
        self._held = set(self._owing())
        waiting = sum(units for client, units in self._store.waiting().items() if client not in self._held)
        free = self._team.free(waiting, self._finished.put)
        if self._done or (free and waiting) or time.monotonic() - self._entered > LEASE_SECONDS / 3:
            self._exchange(free)
        return bool(self._running or self._store.left())

    def wait(self) -> None:
        """Wait a moment, collecting results."""
        with suppress(Empty):
            future = self._finished.get(timeout=_WAKE_SECONDS)
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
        self._exchange(0)

    def _exchange(self, free: int) -> None:
        self._entered = time.monotonic()
        claimed = self._store.exchange(self.holder, self._done, lambda jobs: self._plan(jobs, free))
        self._done = []
        for chunk in claimed:
            future = self._team.submit([payload for _, payload in chunk.units])
            self._running[future] = chunk
            future.add_done_callback(self._finished.put)

    def _see(self, future: Future[Any]) -> None:
        chunk = self._running.pop(future, None)
        if chunk is None:  # a worker that has started
            return
        done = self._team.result(future)
        self._done.append((chunk, None if done is None else done.outcomes))
        if done is None or not done.outcomes:
            return
        self._moved = time.monotonic()
        pace = self._paces.get(chunk.job, _Pace())
        count = len(done.outcomes)
        self._paces[chunk.job] = _Pace(
            max(pace.most, count), pace.units + count, pace.seconds + max(done.seconds, 1e-6)
        )
        cpu = sum(outcome.cpu for outcome in done.outcomes)
        self._charge(chunk.client, cpu)
        if chunk.client in self._spent:
            self._spent[chunk.client] += cpu - CHUNK_SECONDS

    def _plan(self, jobs: list[Open], free: int) -> Iterator[tuple[Open, int]]:
        """Yield the next jobs, up to `free`, and how many units of each to claim.

        Next is the client that has used the least processor time. A client that had no work starts level with it:
        unused time is not saved up. A chunk counts as `CHUNK_SECONDS` until it is done.
        """
        known = {job.job: job for job in jobs}
        self._line = {number: known[number] for number in [*self._line, *known] if number in known}
        self._paces = {number: pace for number, pace in self._paces.items() if number in known}
        clients = {job.client for job in jobs}
        least = min((spent for client, spent in self._spent.items() if client in clients), default=0.0)
        self._spent = {client: self._spent.get(client, least) for client in clients}
        for _ in range(free):
            ready = [job for job in self._line.values() if job.client not in self._held]
            if not ready:
                return
            job = min(ready, key=lambda job: self._spent[job.client])
            count = self._size(job)
            del self._line[job.job]
            if job.waiting > count:
                self._line[job.job] = job._replace(waiting=job.waiting - count)
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
    fault = ""

    def __init__(self, answer: Answering | None = None) -> None:
        self._answer = answer or units.answer
        self._thread = ThreadPoolExecutor(1, "answers")
        self._busy: Future[Done] | None = None
        self._cancel = threading.Event()

    def free(self, waiting: int, wake: Callable[[Any], object]) -> int:
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
        self.fault = ""
        self._workers = [_Worker(share_megabytes(count)) for _ in range(count)]
        self._at: dict[Future[Any], _Worker] = {}
        self._worked = time.monotonic()

    @property
    def processes(self) -> list[int]:
        """The ids of the worker processes that are ready or working."""
        return [worker.process.pid for worker in self._workers if worker.ready]

    def free(self, waiting: int, wake: Callable[[Any], object]) -> int:
        busy = set(self._at.values())
        if waiting or busy:
            self._worked = time.monotonic()
        elif time.monotonic() - self._worked > _IDLE_SECONDS:
            self.close()
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
            worker.end()
            log.error("a worker has died; what it was at is done again")
            return None
        self.fault = ""
        return done

    def cancel(self, future: Future[Any]) -> None:
        self._at[future].unwanted.value = True

    def close(self) -> None:
        for worker in self._workers:
            worker.end()
        self._at.clear()


class _Worker:
    """A worker process and its executor; restarted after it ends."""

    def __init__(self, megabytes: int) -> None:
        self._megabytes = megabytes
        self._executor: ProcessPoolExecutor | None = None
        self._started: Future[int] | None = None
        self._next_start = 0.0
        self.process: Any = None
        self.unwanted: Any = None  # whether its chunk is no longer wanted, shared with the process
        self.ready = False
        self.fault = ""  # why it could not be started

    def start(self, wake: Callable[[Any], object]) -> None:
        """Start the process if there is none; otherwise check whether it has become ready."""
        if self._started is None:
            if time.monotonic() >= self._next_start:
                self._start().add_done_callback(wake)
        elif self._started.done() and not self.ready:
            try:
                self._started.result()
                self.ready, self.fault = True, ""
            except Exception as found:
                self.end()
                self.fault = f"a worker ended at its start: {found}"
                self._next_start = time.monotonic() + _FAULT_SECONDS

    def submit(self, payloads: list[str], seconds: float) -> Future[Any]:
        assert self._executor is not None
        self.unwanted.value = False
        try:
            return self._executor.submit(_answers, payloads, seconds)
        except BrokenProcessPool as found:  # it has died since its last chunk
            broken: Future[Any] = Future()
            broken.set_exception(found)
            return broken

    def end(self) -> None:
        """Kill the process, if there is one."""
        if self._executor is not None:
            self.process.kill()
            self._executor.shutdown(wait=False, cancel_futures=True)
        self._executor, self.process, self._started, self.ready = None, None, None, False

    def _start(self) -> Future[int]:
        spawn = multiprocessing.get_context("spawn")
        self.unwanted = spawn.RawValue("b", 0)
        self._executor = ProcessPoolExecutor(1, spawn, _begin, (self.unwanted, self._megabytes))
        with _alone():
            self._started = self._executor.submit(os.getpid)
        (self.process,) = self._executor._processes.values()
        return self._started


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


# Inside a process of a team.

_cancel = threading.Event()  # ends the chunk being answered


def _begin(unwanted: Any, megabytes: int) -> None:
    """Initialize a worker process: set a low priority and a memory limit, and start a watching thread.

    The thread ends the process after its parent has ended, and cancels the current chunk when `unwanted.value` is
    set. `megabytes` is the memory for search tables.
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
        if unwanted.value:
            _cancel.set()
    os._exit(1)


def _answers(payloads: list[str], seconds: float) -> Done:
    _cancel.clear()
    return answers(payloads, seconds, _cancel)


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
