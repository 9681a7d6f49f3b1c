"""Runs the service's searches. A lane is a queue of searches with slots, each of which runs one search at a time.

Searches that may be quick are first tried in the lane `quick`, which has its own process; those that do not finish
there start again in the lane `long`. Urgent searches have lanes with as many slots as there are cores, so that
each gets its own processor: `hint`, and `short` for very short searches. So a quick question never waits behind a
long one, and clients need not say which is which.

The queues are bounded. Each waiting question occupies a thread of the service, which is cheap. A question may wait
while several searches like it run, and then still has all of its time to search. If a queue is full, the client
with the most searches is told when to try again.
"""

from __future__ import annotations

import itertools
import logging
import math
import multiprocessing
import threading
import time
from collections import Counter, deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor, ThreadPoolExecutor
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from functools import partial
from multiprocessing import forkserver
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from typing import Any, NamedTuple, TypeVar

from api import search_process
from api.access import stand_back
from api.config import Config
from api.errors import BusyError, LimitError
from api.search_process import TRIAL_SECONDS, Ask, Done, Search, SharedFlag, load_to_search
from solver.errors import RequestError
from solver.language import language, say, speak
from solver.limits import Limit, ProgressCallback
from solver.processes import isolated
from solver.search import memory
from solver.search.memory import TABLE_BUDGET

T = TypeVar("T")

log = logging.getLogger(__name__)

LANES = ("quick", "short", "hint", "long")
SHORT_SECONDS = 0.1  # a hint with at most this time limit is short
_QUICK_SLOTS = 4  # per long search: quick tries end soon or are cut off
_MOST_SLOTS = 120  # of a lane in a process: a fork server hands no more than 256 pipes to one
_LEAST_SECONDS = 0.5  # a shorter search may wait as long as one of this length
_ROUNDS = 16  # of searches that a question may wait for: a crowd that asks at once takes its turns
_LONGEST_TURN_SECONDS = 60.0  # a question waits no longer than that, or than it may search
_STREAMS = 128  # at least so many may be open: a slow reader holds nothing but its thread
_LOOK_SECONDS = 0.05  # between two checks whether the client has gone
_FIRST_SECONDS = 1.0  # the estimated time of a search before one has ended
_WEIGHT = 0.1  # the last search's weight in the running mean
_LONGEST_WAIT = 60  # seconds in Retry-After, at most
_STREAM_SECONDS = 5  # in Retry-After if there is no place for a stream
_MAIN_MEGABYTES = 192  # memory of the service itself
_QUICK_MEGABYTES = 224, 64  # memory of the quick lane's process: a base, and more for each core
_QUICK_PART = 3  # the quick lane's process gets at most one third of the whole
_END_SECONDS = 2.0
_SOON_SECONDS = 5.0  # a process that ends sooner is considered useless
_SILENT_SECONDS = 15  # after which a process without a sign of life is replaced
_DOUBTFUL_SECONDS = 3  # after which the service does not count as ready
_LONGEST_PAUSE = 60.0  # seconds before it is started again
_LOST = "the process that searched has ended; try again"


@dataclass(frozen=True, slots=True)
class Asker:
    """The client that sent a request. `disconnected` returns whether the request's connection is closed.

    At most `most` requests of the client may search at once; None means no limit. `searched` has the lane and the
    nodes of each search that has run for the request.
    """

    client: str = ""
    disconnected: Callable[[], bool] | None = None
    most: int | None = None
    searched: list[tuple[str, int]] = field(default_factory=list, compare=False)


class Cancel(threading.Event):
    """An event that ends all work for one request. It is also set once the client has disconnected."""

    def __init__(self, asker: Asker) -> None:
        super().__init__()
        self.client = asker.client
        self.searched = asker.searched
        self._gone = asker.disconnected

    def is_set(self) -> bool:
        if not super().is_set() and self._gone is not None and self._gone():
            self.set()
        return super().is_set()


class ProcessLostError(Exception):
    """The process that ran a search has ended."""


class Slot:
    """The service's side of a slot in a search process. The slot runs one search at a time. Not thread-safe."""

    def __init__(self, connection: Connection, flag: SharedFlag) -> None:
        self._connection = connection
        self._flag = flag
        self.lost = False

    def run(self, ask: Ask, cancel: threading.Event, progress: ProgressCallback | None) -> Done:
        """Run a search in the process. Raises any error of the search, or ProcessLostError if the process ends."""
        self._flag.clear()
        try:
            self._connection.send(ask)
            while True:
                if self._connection.poll(_LOOK_SECONDS):
                    message = self._connection.recv()
                    if isinstance(message, Done):
                        break
                    if progress is not None:
                        progress(message)
                if cancel.is_set():
                    self._flag.set()
        except (EOFError, OSError):
            self.lost = True
            raise ProcessLostError from None
        if isinstance(message.found, BaseException):
            raise message.found
        return message


class HereSlot:
    """A slot of this process: searches run in the calling thread."""

    lost = False

    def run(self, ask: Ask, cancel: threading.Event, progress: ProgressCallback | None) -> Done:
        return search_process.done(ask, cancel, progress)


class Lane:
    """A queue of searches waiting for slots. A free slot goes to the client with the fewest running searches in
    the lane.

    At most `places` searches may wait, and at most three quarters of them from one client. If all are taken, a
    client with fewer searches gets the newest place of the client with the most.
    """

    def __init__(self, name: str, places: int) -> None:
        self.name = name
        self._places = places
        self._change = threading.Condition()
        self._free: deque[Slot | HereSlot] = deque()
        self._numbers = itertools.count()
        self._line: dict[int, str] = {}  # the client of each waiting search, by ticket number
        self._running: Counter[str] = Counter()
        self._mean = _FIRST_SECONDS

    @property
    def inside(self) -> int:
        """Number of searches that run or wait."""
        return self._running.total() + len(self._line)

    def add(self, slot: Slot | HereSlot) -> None:
        with self._change:
            self._free.append(slot)
            self._change.notify_all()

    def drop(self, slots: Sequence[Slot]) -> None:
        """Remove the slots of a process that has ended."""
        with self._change:
            for slot in slots:
                slot.lost = True
            self._free = deque(slot for slot in self._free if not slot.lost)

    @contextmanager
    def slot(self, client: str, seconds: float, cancel: threading.Event) -> Iterator[Slot | HereSlot]:
        """Hold a slot during the with block.

        Raises BusyError if no slot is free within `seconds`, or if too many searches are waiting already.
        """
        found = self._enter(client, time.monotonic() + seconds, cancel)
        began = time.monotonic()
        try:
            yield found
        finally:
            with self._change:
                self._mean += _WEIGHT * (time.monotonic() - began - self._mean)
                self._running[client] -= 1
                if not self._running[client]:
                    del self._running[client]
                if not found.lost:
                    self._free.append(found)
                self._change.notify_all()

    def _enter(self, client: str, latest: float, cancel: threading.Event) -> Slot | HereSlot:
        with self._change:
            if not self._free or self._line:
                waiting = Counter(self._line.values())
                if waiting[client] >= max(1, self._places * 3 // 4) or (
                    len(self._line) >= self._places and not self._give_way(client, waiting)
                ):
                    raise self._busy("busy", say("too many searches are waiting already"))
            number = next(self._numbers)
            self._line[number] = client
            try:
                while True:
                    if number not in self._line:
                        raise self._busy("busy", say("too many searches are waiting already"))
                    first = min(self._line, key=lambda one: (self._running[self._line[one]], one))
                    if self._free and number == first:
                        break
                    left = latest - time.monotonic()
                    if left <= 0 or cancel.is_set():
                        raise self._busy(
                            "too_slow", say("other searches took all the time that this request allows")
                        )
                    self._change.wait(min(left, 2 * _LOOK_SECONDS))
            finally:
                self._line.pop(number, None)
            self._running[client] += 1
            self._change.notify_all()  # there may be a slot for the next one, too
            return self._free.popleft()

    def _give_way(self, client: str, waiting: Counter[str]) -> bool:
        """Let the client with the most searches give up its newest waiting one, if it has two more than this."""
        all_of = {other: count + self._running[other] for other, count in waiting.items()}
        other = max(all_of, key=all_of.__getitem__)
        if all_of[other] < waiting[client] + self._running[client] + 2:
            return False
        del self._line[max(number for number, owner in self._line.items() if owner == other)]
        self._change.notify_all()
        return True

    def _busy(self, code: str, problem: str) -> BusyError:
        wait = self._mean * (1 + len(self._line)) / max(1, self._running.total())
        seconds = max(1, math.ceil(min(wait, _LONGEST_WAIT)))
        return BusyError(
            code, say("{problem}; try again in {seconds} s", problem=problem, seconds=seconds), seconds
        )


_FORKS = "forkserver" in multiprocessing.get_all_start_methods()


def _context() -> Any:
    """Return the multiprocessing context: a fork server that has loaded the modules, or spawning where there is
    none.
    """
    if not _FORKS:
        return multiprocessing.get_context("spawn")
    found = multiprocessing.get_context("forkserver")
    found.set_forkserver_preload(["api.preloading"])
    return found


class SearchProcess:
    """A process that runs searches in slots of several lanes. It is replaced when it ends or does not respond.

    `slots` lists each lane with the number of its slots in this process and their niceness. The process may use
    `megabytes` MiB of memory.
    """

    def __init__(self, name: str, slots: Sequence[tuple[Lane, int, int]], megabytes: int) -> None:
        self.name = name
        self._wanted = [(lane, niceness) for lane, count, niceness in slots for _ in range(count)]
        self._megabytes = megabytes
        self._context = _context()
        self._tables = self._context.RawArray("q", 3)
        self._loads: list[Search[None]] = []  # what the process has loaded, and its successor has to load
        self._change = threading.Condition()
        self._loading: Slot | None = None
        self._process: BaseProcess | None = None
        self.problem = ""  # why the process that is wanted is not there
        self._over = False
        self._thread = threading.Thread(target=self._keep_up, name=name, daemon=True)

    def start(self) -> None:
        """Start the process, and keep it running until `stop`."""
        self._thread.start()
        threading.Thread(target=self._watch, name=f"{self.name}, watched", daemon=True).start()

    def stop(self) -> None:
        """End the process, whatever it is doing."""
        with self._change:
            self._over = True
            self._change.notify_all()
            process = self._process
        if process is not None:
            process.kill()
        if self._thread.is_alive():  # Ctrl-C may come before it has begun
            self._thread.join(_END_SECONDS)

    @property
    def number(self) -> int | None:
        """The process id, or None while there is no process."""
        process = self._process
        return None if process is None else process.pid

    @property
    def memory(self) -> tuple[int, int, int]:
        """Resident memory, memory of search tables, and the limit of the tables, all in bytes."""
        number = self.number
        resident = 0 if number is None else memory.resident(number) or 0
        return resident, self._tables[0], self._tables[1]

    def load(self, load: Search[None]) -> None:
        """Make the process load a game. Raises any error of loading, and ProcessLostError after `stop`."""
        while True:
            with self._change:
                self._change.wait_for(lambda: self._loading is not None or self._over)
                if self._loading is None:
                    raise ProcessLostError
                try:
                    self._loading.run(Ask(load, Limit()), threading.Event(), None)
                except ProcessLostError:
                    self._loading = None
                    continue
                self._loads.append(load)
                return

    def _keep_up(self) -> None:
        pause = 0.0
        while not self._over:
            began = time.monotonic()
            slots: list[tuple[Lane, Slot]] = []
            try:
                loading, slots = self._started()
                self._begin(loading, slots)
            except (EOFError, OSError, ProcessLostError) as found:
                self.problem = f"no process can be started to search in: {found}"
            if self._process is not None:
                self._process.join()
                status, self._process = self._process.exitcode, None
                self.problem = f"the process that searches ({self.name}) ended with status {status}"
            for lane, slot in slots:
                lane.drop([slot])
            with self._change:
                self._loading = None
                if self._over:
                    return
                useless = time.monotonic() - began < _SOON_SECONDS
                pause = min(max(1.0, 2 * pause), _LONGEST_PAUSE) if useless else 0.0
                log.error("%s", self.problem)
                self._change.wait_for(lambda: self._over, pause)

    def _watch(self) -> None:
        """Kill the process if it gives no sign of life.

        Looks are counted, not seconds, since this process may have been stopped as well.
        """
        last: object = None
        silent = 0
        problem = f"the process that searches ({self.name}) does not respond"
        while not self._over:
            time.sleep(1)
            process, beat = self._process, self._tables[2]
            silent = silent + 1 if process is not None and (process, beat) == last else 0
            last = process, beat
            if silent == _DOUBTFUL_SECONDS:
                self.problem = problem
            elif not silent and self.problem == problem:
                self.problem = ""
            if silent == _SILENT_SECONDS and process is not None and not self._over:
                log.error("%s, and is killed", problem)
                process.kill()

    def _started(self) -> tuple[Slot, list[tuple[Lane, Slot]]]:
        """Start the process. Returns its slot for loading games, and those for searches with their lanes."""
        niceness = [*(niceness for _, niceness in self._wanted), 0]
        pipes = [self._context.Pipe() for _ in niceness]
        flags = self._context.RawArray("b", len(pipes))
        there = [(theirs, nice) for (_, theirs), nice in zip(pipes, niceness, strict=True)]
        process = self._context.Process(
            target=search_process.run,
            args=(there, flags, self._tables, self._megabytes),
            name=self.name,
            daemon=True,
        )
        with self._change:
            if not self._over:
                with isolated():
                    process.start()
                self._process = process
        for _, theirs in pipes:
            theirs.close()
        *slots, loading = (Slot(ours, SharedFlag(flags, place)) for place, (ours, _) in enumerate(pipes))
        return loading, [(lane, slot) for (lane, _), slot in zip(self._wanted, slots, strict=True)]

    def _begin(self, loading: Slot, slots: Sequence[tuple[Lane, Slot]]) -> None:
        """Wait until the process has loaded what its predecessor had, and add its slots. Raises ProcessLostError
        if the process ends.
        """
        for load in list(self._loads):
            loading.run(Ask(load, Limit()), threading.Event(), None)
        for lane, slot in slots:
            lane.add(slot)
        with self._change:
            self._loading = loading
            self.problem = ""
            self._change.notify_all()


class Places:
    """Places for streams, of which at most `most` are open at a time.

    A client may take another one only while more are free than it has: half of them, if nobody else has any.
    """

    def __init__(self, most: int) -> None:
        self.most = most
        self._change = threading.Lock()
        self._taken: Counter[str] = Counter()

    @contextmanager
    def taken(self, client: str) -> Iterator[None]:
        """Take a place for the with block. Raises BusyError if none is left."""
        with self._change:
            free = self.most - self._taken.total()
            if self._taken[client] >= free:
                message = say(
                    "too many streams are open already; try again in {stream_seconds} s",
                    stream_seconds=_STREAM_SECONDS,
                )
                raise BusyError("busy", message, _STREAM_SECONDS)
            self._taken[client] += 1
        try:
            yield
        finally:
            with self._change:
                self._taken -= Counter([client])  # which forgets a client without streams


class Stream(NamedTuple):
    """A response that is sent line by line: its `SearchPool`, and an event that ends it."""

    searches: SearchPool
    cancel: Cancel

    def run(self, lane: str, search: Search[T], limit: Limit, progress: ProgressCallback | None = None) -> T:
        """Run a search, however long it has to wait for a slot. Raises any error that the search raises."""
        ask = Ask(search, limit, progress is not None)
        found: T = self.searches.run_in(lane, ask, self.cancel, math.inf, progress)[0]
        return found

    def finish(self, lane: str, search: Search[T]) -> T:
        """Run the last search of the stream, even if the stream has been ended."""
        found: T = self.searches.run_in(lane, Ask(search, Limit()), Cancel(Asker(self.cancel.client)), math.inf)[0]
        return found

    @contextmanager
    def workers(self, count: int) -> Iterator[Executor]:
        """Yield an executor for `count` simultaneous searches. Searches left at the end of the with block are
        cancelled.
        """
        executor = ThreadPoolExecutor(count, "stream", speak, (language(),))
        try:
            yield executor
        finally:
            self.cancel.set()
            executor.shutdown(wait=True, cancel_futures=True)


def _patience(seconds: float) -> float:
    """How many seconds a search of this length may wait for a slot."""
    return max(seconds, min(_ROUNDS * max(seconds, _LEAST_SECONDS), _LONGEST_TURN_SECONDS))


class SearchPool:
    """Runs searches. Holds the lanes and the search processes, and knows which requests are searching.

    Without processes, or if none can be started, searches run in the calling threads.
    """

    def __init__(self, config: Config, *, in_processes: bool = False) -> None:
        self.slots = config.searches
        places = max(1, config.waiting // 4)
        self.lanes = {name: Lane(name, places) for name in LANES}
        self.stopping = threading.Event()  # set when the shutdown begins: ends whatever only waits
        self._change = threading.Lock()
        self._held: set[Cancel] = set()
        self.streams = Places(max(_STREAMS, config.waiting // 8))
        self._closed = False
        self.processes: list[SearchProcess] = []
        if in_processes:
            try:
                self.processes = self._split(config)
            except OSError as found:
                log.warning("searches run in the threads of their requests, not in processes: %s", found)
        if not self.processes:
            for lane in self.lanes.values():
                for _ in range(self.slots):
                    lane.add(HereSlot())

    def _split(self, config: Config) -> list[SearchProcess]:
        """Create the processes: one for quick and short searches, and others, each for hints and long searches.

        Quick and short searches have the highest priority, then hints, then long searches. Raises OSError if they
        cannot be started, as where everything is read-only and they cannot share anything.
        """
        quick, short, hint, long = (self.lanes[name] for name in LANES)
        others = config.search_processes
        each = min(max(1, -(-self.slots // others)), _MOST_SLOTS)
        program, core = _QUICK_MEGABYTES
        small = min(program + core * self.slots, config.memory_mb // _QUICK_PART)
        left = (config.memory_mb - _MAIN_MEGABYTES - small) // others
        many = min(_QUICK_SLOTS * self.slots, _MOST_SLOTS)
        found = [SearchProcess("quick", [(quick, many, 0), (short, min(self.slots, _MOST_SLOTS), 0)], small)]
        for number in range(others):
            name = "search" if others == 1 else f"search {number + 1}"
            found.append(SearchProcess(name, [(hint, each, 10), (long, each, 15)], left))
        if _FORKS:
            with isolated():
                forkserver.ensure_running()
        return found

    def start(self) -> None:
        for process in self.processes:
            process.start()

    def stop(self) -> None:
        for process in self.processes:
            process.stop()

    def load(self, name: str, *, hints: bool = False, compile: bool = False) -> None:
        """Load a game, or only the kernels for its hints, in every search process.

        With `compile`, missing kernels are compiled; otherwise raises AbsentError for a missing kernel. Also
        raises any other error of loading.
        """
        if not self.processes:
            search_process.load(name, hints=hints, compile=compile)
            return
        load = partial(load_to_search, name, hints=hints, compile=compile)
        with ThreadPoolExecutor(len(self.processes)) as pool:
            for _ in pool.map(lambda process: process.load(load), self.processes):
                pass

    def run(self, search: Search[T], limit: Limit, asker: Asker, *, lane: str = "long", tried: bool = True) -> T:
        """Run a search and return its result. `limit` must set `seconds`; waiting for a slot is not included.

        With `tried`, the lane `quick` tries the search first. Raises BusyError if no slot is free in time,
        LimitError for a client with too many simultaneous searches, and any error that the search raises.
        """
        assert limit.seconds is not None
        wait = _patience(limit.seconds)
        with self._holding(asker) as cancel:
            if limit.seconds <= SHORT_SECONDS and lane == "hint":
                answer: T = self.run_in("short", Ask(search, limit), cancel, wait)[0]
                return answer
            if tried:
                is_short = limit.seconds <= 2 * TRIAL_SECONDS  # the trial is all that there is time for
                with suppress(BusyError):  # the quick lane is full, but the other may not be
                    try:
                        answer, cut = self.run_in("quick", Ask(search, limit, trial=True), cancel, wait)
                        if not cut or cancel.is_set() or is_short:
                            return answer
                    except RequestError as error:  # of a trial that ended before there was any answer
                        if error.code != "limit_reached" or cancel.is_set() or is_short:
                            raise
                    limit = Limit(seconds=limit.seconds - TRIAL_SECONDS, nodes=limit.nodes)
            found: T = self.run_in(lane, Ask(search, limit), cancel, wait)[0]
        return found

    def run_in(
        self,
        lane: str,
        ask: Ask,
        cancel: Cancel,
        wait: float,
        progress: ProgressCallback | None = None,
    ) -> tuple[Any, bool]:
        """Run a search in a slot of a lane, waiting at most `wait` seconds for the slot.

        Returns the result, and whether a quick trial was cut off. Raises BusyError if no slot is free in time or
        the process ends, and any error of the search.
        """
        with self.lanes[lane].slot(cancel.client, wait, cancel) as slot:
            nodes = 0
            try:
                done = slot.run(ask._replace(language=language()), cancel, progress)
                nodes = getattr(done.found, "nodes", 0)
            except ProcessLostError:
                raise BusyError("busy", _LOST) from None
            finally:
                cancel.searched.append((lane, nodes))
            return done.found, done.cut

    @contextmanager
    def stream(self, asker: Asker, seconds: float, *, lane: str = "long") -> Iterator[Stream]:
        """Yield a new stream, after waiting until a slot of the lane is free.

        No slot is held between two searches of a stream, so a slow reader delays nobody. Raises BusyError if there
        are too many streams, or if no slot is free in time for a search of so many `seconds`.
        """
        with self.streams.taken(asker.client), self._holding(asker) as cancel:
            with self.lanes[lane].slot(asker.client, _patience(seconds), cancel):
                pass
            yield Stream(self, cancel)

    @property
    def problem(self) -> str:
        """Why a process that searches is not there; empty while all are, or have not begun yet."""
        return next((process.problem for process in self.processes if process.problem), "")

    def inside(self) -> dict[str, int]:
        """Number of searches that run or wait, by lane."""
        return {name: lane.inside for name, lane in self.lanes.items()}

    def memory(self) -> tuple[int | None, int, int]:
        """Resident memory of the whole service (None if unknown), memory of search tables, and their limit, in
        bytes.
        """
        resident = memory.resident()
        if not self.processes:
            return resident, TABLE_BUDGET.used, TABLE_BUDGET.limit
        there, tables, limit = (sum(parts) for parts in zip(*(one.memory for one in self.processes), strict=True))
        return None if resident is None else resident + there, tables, limit

    def cancel_all(self) -> None:
        """Make all searches, running and future, return the best they have found so far."""
        with self._change:
            self._closed = True
            for cancel in self._held:
                cancel.set()

    @contextmanager
    def _holding(self, asker: Asker) -> Iterator[Cancel]:
        """Count a request that searches or waits for a slot, and yield what ends its search."""
        stand_back()
        cancel = Cancel(asker)
        with self._change:
            inside = sum(other.client == asker.client for other in self._held)
            if asker.most is not None and inside >= asker.most:
                message = say(
                    "{inside} requests of this client are already searching; try again when one is answered",
                    inside=inside,
                )
                raise LimitError("too_many_searches", message, 1)
            self._held.add(cancel)
            if self._closed:
                cancel.set()
        try:
            yield cancel
        finally:
            with self._change:
                self._held.discard(cancel)
