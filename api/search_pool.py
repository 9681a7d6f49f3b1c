"""Runs the service's searches. A lane is a queue of searches with slots, each of which runs one search at a time.

A slot is a process (`athanor.processes`). Searches that may be quick are first tried in the lane `quick`; those
that do not finish there start again in the lane `long`. Hints have the lane `hint`, but very short ones run in
`quick`, as many at once as there are cores, so that each gets its own processor. So a quick question never waits
behind a long one, and clients need not say which is which.

Each waiting question occupies a thread of the service, which is cheap; `api.access` bounds how many requests there
are. A question may wait while several searches like it run, and then still has all of its time to search, unless
so many wait that some would not get their turn.
"""

from __future__ import annotations

import itertools
import logging
import math
import os
import threading
import time
from collections import Counter, deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor, ThreadPoolExecutor
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field
from functools import partial
from typing import NamedTuple, TypeVar, cast

from api import search_process
from api.access import MOST_CLIENTS, stand_back
from api.compiling import AbsentError
from api.config import Config
from api.errors import BusyError, LimitError
from athanor.processes import (
    SILENT_LOOKS,
    TRIAL_SECONDS,
    Ask,
    Done,
    ProcessLostError,
    Search,
    SearchProcess,
    done,
    end_fork_server,
    fork_server,
    keep_fork_server,
    prepare,
)
from solver.errors import RequestError
from solver.language import language, say, speak
from solver.limits import Limit, ProgressCallback
from solver.search import memory
from solver.search.memory import TABLE_BUDGET

T = TypeVar("T")

log = logging.getLogger(__name__)

LANES = ("quick", "hint", "long")
SHORT_SECONDS = 0.1  # a hint with at most this time limit is short
_QUICK = 2  # quick searches for each long one: they end soon or are cut off
_LEAST_SECONDS = 0.5  # a shorter search may wait as long as one of this length
_ROUNDS = 16  # of searches that a question may wait for: a crowd that asks at once takes its turns
_LONGEST_TURN_SECONDS = 60.0  # a question waits no longer than that, or than it may search
_STREAMS = 128  # that may be open: they hold nothing but threads
_LEAST_PART = 0.1  # of its time, to which a search may be shortened
_LOOK_SECONDS = 0.05  # between two checks whether the client has gone
_FIRST_SECONDS = 1.0  # the estimated time of a search before one has ended
_WEIGHT = 0.1  # the last search's weight in the running mean
_LONGEST_WAIT = 60  # seconds in Retry-After, at most
SOON_SECONDS = 5  # in Retry-After if there is no place for a stream, or the service is starting or stopping
# Memory of the service itself with what all processes share; of a quick process; and of a hint and a long search
# together with their quick ones, at least.
_MAIN_MEGABYTES, _QUICK_MEGABYTES, _SEARCH_MEGABYTES = 320, 64, 320
_END_SECONDS = 2.0
_TICK_SECONDS = 1.0  # between two looks at the processes
_DOUBTFUL_LOOKS = 3  # without a sign of life, after which the service does not count as ready
_LONGEST_PAUSE = 60.0  # seconds, after processes could not be started
_LOST = "the process that searched has ended; try again"


@dataclass(frozen=True, slots=True)
class Asker:
    """The client that sent a request. `disconnected` returns whether the request's connection is closed.

    At most `most` requests of the client may search at once; None means no limit. `searched` has the lane and the
    nodes of each search that has run for the request, and `shortened` the seconds of those that others have left
    less time than was asked for.
    """

    client: str = ""
    disconnected: Callable[[], bool] | None = None
    most: int | None = None
    searched: list[tuple[str, int]] = field(default_factory=list, compare=False)
    shortened: list[float] = field(default_factory=list, compare=False)


class Cancel(threading.Event):
    """An event that ends all work for one request. It is also set once the client has disconnected."""

    def __init__(self, asker: Asker) -> None:
        super().__init__()
        self.asker = asker

    def is_set(self) -> bool:
        if not super().is_set() and self.asker.disconnected is not None and self.asker.disconnected():
            self.set()
        return super().is_set()


class HereSlot:
    """A slot of this process: searches run in the calling thread."""

    lost = busy = False

    def run(self, ask: Ask, cancel: threading.Event, progress: ProgressCallback | None = None) -> Done:
        return done(ask, cancel, progress)


Slot = SearchProcess | HereSlot


@dataclass(eq=False, slots=True)
class _Ticket:
    """A search that waits for a slot, until `slot` is there: then `ready` is set."""

    client: str
    half: float  # when half of its patience is over
    ready: threading.Event = field(default_factory=threading.Event)
    slot: Slot | None = None


class Lane:
    """A queue of searches waiting for slots. A free slot goes to the client with the fewest running searches in
    the lane; among these, to the one whose last turn is longest ago. If so many wait that not all would get a slot
    in time, searches get only a `share` of their time.
    """

    def __init__(self, name: str) -> None:
        self.name = name
        self._change = threading.Lock()
        self._free: deque[Slot] = deque()
        self._line: list[_Ticket] = []  # in order of arrival
        self._running: Counter[str] = Counter()
        self._turns: dict[str, int] = {}  # the number of each client's last turn
        self._numbers = itertools.count(1)
        self._mean = _FIRST_SECONDS

    @property
    def inside(self) -> int:
        """Number of searches that run or wait."""
        return self._running.total() + len(self._line)

    def add(self, slot: Slot) -> None:
        with self._change:
            self._free.append(slot)
            self._hand_out()

    def retire(self, slot: Slot) -> None:
        """Give a slot no other search."""
        with self._change:
            slot.lost = True
            with suppress(ValueError):
                self._free.remove(slot)

    @contextmanager
    def slot(self, client: str, seconds: float, cancel: threading.Event) -> Iterator[Slot]:
        """Hold a slot during the with block. Raises BusyError if none is free within `seconds`."""
        slot = self._enter(client, seconds, cancel)
        began = time.monotonic()
        try:
            yield slot
        finally:
            with self._change:
                self._mean += _WEIGHT * (time.monotonic() - began - self._mean)
                self._running[client] -= 1
                if not self._running[client]:
                    del self._running[client]
                slot.busy = False
                if not slot.lost:
                    self._free.append(slot)
                self._hand_out()

    def _enter(self, client: str, seconds: float, cancel: threading.Event) -> Slot:
        now = time.monotonic()
        ticket, latest = _Ticket(client, now + seconds / 2), now + seconds
        with self._change:
            self._line.append(ticket)
            self._hand_out()
        while not ticket.ready.wait(max(0.0, min(latest - time.monotonic(), 2 * _LOOK_SECONDS))):
            over = cancel.is_set() or time.monotonic() >= latest
            with self._change:
                if over and ticket.slot is None:
                    self._line.remove(ticket)
                    raise self._too_slow()
        assert ticket.slot is not None
        return ticket.slot

    def _hand_out(self) -> None:
        """Give the free slots to those who are next, while the lane is locked."""
        while self._free and self._line:
            ticket = min(
                self._line, key=lambda waiting: (self._running[waiting.client], self._turns.get(waiting.client, 0))
            )
            self._line.remove(ticket)
            self._running[ticket.client] += 1
            if len(self._turns) >= MOST_CLIENTS:
                self._turns.clear()
            self._turns[ticket.client] = next(self._numbers)
            ticket.slot = self._free.popleft()
            ticket.slot.busy = True
            ticket.ready.set()

    def share(self, client: str) -> float:
        """The seconds that a search of a client may take, so that all who wait get a slot within half of their
        patience. Of each other client, only as many count as this one has: they have their turns in between.
        """
        with self._change:
            slots, now = self._running.total() + len(self._free), time.monotonic()
            most = 1 + sum(ticket.client == client for ticket in self._line)
            counts: Counter[str] = Counter()
            ends = []
            for ticket in self._line:
                counts[ticket.client] += 1
                if counts[ticket.client] <= most:
                    ends.append(ticket.half)
        return min(((end - now) * slots / turn for turn, end in enumerate(sorted(ends), 1)), default=math.inf)

    def _too_slow(self) -> BusyError:
        wait = self._mean * (1 + len(self._line)) / max(1, self._running.total())
        seconds = max(1, math.ceil(min(wait, _LONGEST_WAIT)))
        problem = say("other searches took all the time that this request allows")
        message = say("{problem}; try again in {seconds} s", problem=problem, seconds=seconds)
        return BusyError("too_slow", message, seconds)


@dataclass(slots=True)
class _Post:
    """A process that a lane is to have, and how it begins."""

    lane: Lane
    begin: Callable[[], Callable[[], tuple[int, int, int]]]
    process: SearchProcess | None = None


class Keeper:
    """Keeps the processes of the lanes: starts them, and replaces those that have ended or do not respond."""

    def __init__(self, posts: Sequence[_Post]) -> None:
        self.problem = ""  # why a process that is wanted is not there
        self._posts = posts
        self._retired: list[SearchProcess] = []  # that finish their last search
        self._over = False
        self._wake = threading.Event()
        self._filling = threading.Lock()
        self._thread = threading.Thread(target=self._keep, name="processes", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        """End the processes, whatever they are doing."""
        self._over = True
        self._wake.set()
        end_fork_server()  # which may just be starting one
        if self._thread.is_alive():  # Ctrl-C may come before it has begun
            self._thread.join(_END_SECONDS)
        os.environ.pop(search_process.COMPILES, None)
        for process in self.processes:
            process.kill()

    @property
    def processes(self) -> list[SearchProcess]:
        return [post.process for post in self._posts if post.process is not None] + self._retired

    def wake(self) -> None:
        """Look now whether a process has ended."""
        self._wake.set()

    def renew(self, *, compile: bool = False) -> None:
        """Fork new processes for all later searches, from a server that loads what is now in the cache or, with
        `compile`, compiles what is missing. Until it has, searches run in the old ones.
        """
        with self._filling:
            if compile:
                os.environ[search_process.COMPILES] = "1"
            end_fork_server()
            for post in self._posts:
                old, fresh = post.process, None
                if old is None or self._over:
                    continue
                with suppress(OSError):  # then it is tried again, and says why
                    fresh = post.process = SearchProcess(post.begin)
                post.lane.retire(old)
                if fresh is not None:
                    post.lane.add(fresh)
                    self._retired.append(old)
        self.wake()

    def _keep(self) -> None:
        pause = _TICK_SECONDS
        while not self._over:
            with self._filling:
                problem = self._look()
            try:
                keep_fork_server()
                self._fill()
                pause = _TICK_SECONDS
            except OSError as error:
                problem = f"no process can be started to search in: {error}"
                pause = min(2 * pause, _LONGEST_PAUSE)
            if problem and problem != self.problem and not self._over:
                log.error("%s", problem)
            self.problem = problem
            self._wake.wait(pause)
            self._wake.clear()

    def _look(self) -> str:
        """End processes that are lost or give no sign of life. Returns a problem, if there is one."""
        problem = ""
        for old in self._retired.copy():
            if not old.busy or old.silence() >= SILENT_LOOKS:
                old.kill()
                self._retired.remove(old)
        for post in self._posts:
            process = post.process
            if process is None:
                problem = problem or self.problem
                continue
            silent = process.silence()
            if not process.lost and not process.is_alive():
                problem = f"a process that searches ({post.lane.name}) has ended"
                post.lane.retire(process)
            elif silent >= _DOUBTFUL_LOOKS:
                problem = f"the process that searches ({post.lane.name}) does not respond"
                if silent >= SILENT_LOOKS:
                    post.lane.retire(process)
                    process.kill()
            elif not process.state.ticks:
                problem = problem or self.problem  # it only begins
            if process.lost and not process.busy:
                process.kill()
                post.process = None
        return problem

    def _fill(self) -> None:
        """Start the processes that are missing. Raises OSError if one cannot be started."""
        for post in self._posts:
            with self._filling:
                if post.process is None and not self._over:
                    post.process = SearchProcess(post.begin)
                    post.lane.add(post.process)


class Places:
    """Places for streams, of which at most `most` are open at a time.

    A client may take another one only while more are free than it has: half of them, if nobody else has any. If
    none is left, it gets the newest one of the client with the most that can be ended, if that has two more.
    """

    def __init__(self, most: int) -> None:
        self.most = most
        self._change = threading.Lock()
        self._taken: list[tuple[str, threading.Event | None]] = []

    @contextmanager
    def taken(self, client: str, ended: threading.Event | None = None) -> Iterator[None]:
        """Take a place for the with block. Raises BusyError if none is left.

        `ended` is set if the place is given to another client.
        """
        holder = client, ended
        with self._change:
            counts = Counter(owner for owner, _ in self._taken)
            free = self.most - len(self._taken)
            if counts[client] >= free and not self._give_way(counts[client], counts):
                message = say(
                    "too many streams are open already; try again in {stream_seconds} s",
                    stream_seconds=SOON_SECONDS,
                )
                raise BusyError("busy", message, SOON_SECONDS)
            self._taken.append(holder)
        try:
            yield
        finally:
            with self._change, suppress(ValueError):
                self._taken.remove(holder)

    def _give_way(self, least: int, counts: Counter[str]) -> bool:
        """End the newest stream of the client with the most, if it has two more than `least`."""
        for owner, ended in reversed(self._taken):
            if ended is not None and counts[owner] == max(counts.values()) >= least + 2:
                self._taken.remove((owner, ended))
                ended.set()
                return True
        return False


class Stream(NamedTuple):
    """A response that is sent line by line: its `SearchPool`, and an event that ends it."""

    searches: SearchPool
    cancel: Cancel

    def run(self, lane: str, search: Search[T], limit: Limit) -> T:
        """Run a search, however long it has to wait for a slot. Raises any error that the search raises."""
        return cast(T, self.searches.run_in(lane, Ask(search, limit), self.cancel, math.inf).found)

    def follow(self, lane: str, search: Search[T], limit: Limit, progress: ProgressCallback) -> T:
        """Run the only search of the stream. Raises what `SearchPool.run` does."""
        assert limit.seconds is not None
        wait = _patience(limit.seconds)
        return cast(
            T, self.searches.run_in(lane, Ask(search, limit, progress=True), self.cancel, wait, progress).found
        )

    def finish(self, lane: str, search: Search[T]) -> T:
        """Run the last search of the stream, even if the stream has been ended."""
        cancel = Cancel(Asker(self.cancel.asker.client))
        return cast(T, self.searches.run_in(lane, Ask(search, Limit()), cancel, math.inf).found)

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
        self.lanes = {name: Lane(name) for name in LANES}
        self.stopping = threading.Event()  # set when the shutdown begins: ends whatever only waits
        self._change = threading.Lock()
        self._held: set[Cancel] = set()
        self.streams = Places(_STREAMS)
        self._closed = False
        self._short = Lane("short")  # which short hints pass on their way to `quick`
        self._loading = threading.Lock()
        self._absent: set[str] = set()  # games that the fork server has not loaded whole
        self._keeper: Keeper | None = None
        if in_processes:
            try:
                prepare("api.preloading")
                self._keeper = Keeper(self._posts(config))
            except OSError as error:
                log.warning("searches run in the threads of their requests, not in processes: %s", error)
        for lane in (self._short, *(() if self._keeper else self.lanes.values())):
            for _ in range(self.slots):
                lane.add(HereSlot())

    def _posts(self, config: Config) -> list[_Post]:
        """The processes that there are to be: as many as the memory is enough for.

        Quick searches have the highest priority, then hints, then long searches, which have the most memory.
        """
        left = config.memory_mb - _MAIN_MEGABYTES
        self.slots = max(1, min(config.searches, left // _SEARCH_MEGABYTES))
        if self.slots < config.searches:
            log.warning(
                "the memory is enough for %d long searches at once, not %d (ATHANOR_MEMORY_MB, ATHANOR_SEARCHES)",
                self.slots,
                config.searches,
            )
        rest = left // self.slots - _QUICK * _QUICK_MEGABYTES
        return [
            _Post(self.lanes[name], partial(search_process.begin, niceness, megabytes))
            for name, count, niceness, megabytes in (
                ("quick", _QUICK * self.slots, 0, _QUICK_MEGABYTES),
                ("hint", self.slots, 10, rest // 4),
                ("long", self.slots, 15, rest - rest // 4),
            )
            for _ in range(count)
        ]

    @property
    def in_processes(self) -> bool:
        """Whether searches run in processes, not in the threads of their requests."""
        return self._keeper is not None

    @property
    def processes(self) -> list[SearchProcess]:
        """The processes that there are now."""
        return self._keeper.processes if self._keeper else []

    def start(self) -> None:
        if self._keeper:
            self._keeper.start()

    def stop(self) -> None:
        if self._keeper:
            self._keeper.stop()

    def load(self, name: str, *, hints: bool = False, compile: bool = False) -> None:
        """Load a game, or only the kernels for its hints, where searches run.

        With `compile`, missing kernels are compiled; otherwise raises AbsentError for a missing kernel. Also
        raises any other error of loading.

        The fork server loads what is in the cache, so this mostly finds everything there. What was missing then is
        loaded by each process that needs it, until all is in the cache: then there are new processes from a new
        server.
        """
        if self._keeper is None:
            search_process.load(name, hints=hints, compile=compile)
            return
        with self._loading:
            try:
                self._load(name, hints=hints)
            except AbsentError:
                self._absent.add(name)
                if not compile:
                    raise
                self._keeper.renew(compile=True)
                self._absent.clear()
                self._load(name, hints=hints)
            if name in self._absent and not hints:
                self._absent.remove(name)
                if not self._absent:
                    self._keeper.renew()

    def _load(self, name: str, *, hints: bool) -> None:
        """Load a game in one of the processes."""
        ask = Ask(partial(search_process.load, name, hints=hints), Limit())
        while True:
            try:
                self.run_in("quick", ask, Cancel(Asker(disconnected=self.stopping.is_set)), math.inf)
                return
            except BusyError:  # the process has ended, or the service is stopping
                if self.stopping.is_set():
                    raise

    def run(self, search: Search[T], limit: Limit, asker: Asker, *, lane: str = "long", tried: bool = True) -> T:
        """Run a search and return its result. `limit` must set `seconds`; waiting for a slot is not included.

        With `tried`, the lane `quick` tries the search first, and its time there counts as waited. Raises
        BusyError if no slot is free in time, LimitError for a client with too many simultaneous searches, and any
        error that the search raises.
        """
        assert limit.seconds is not None
        wait = _patience(limit.seconds)
        latest = time.monotonic() + wait
        with self._holding(asker) as cancel, ExitStack() as stack:
            if limit.seconds <= SHORT_SECONDS and lane == "hint":
                stack.enter_context(self._short.slot(asker.client, wait, cancel))
                lane, tried = "quick", False
            if tried:
                is_short = limit.seconds <= 2 * TRIAL_SECONDS  # the trial is all that there is time for
                with suppress(BusyError):  # the quick lane is full, but the other may not be
                    try:
                        trial = self.run_in("quick", Ask(search, limit, trial=True), cancel, wait)
                        if not trial.cut or cancel.is_set() or is_short:
                            return cast(T, trial.found)
                    except RequestError as error:  # of a trial that ended before there was any answer
                        if error.code != "limit_reached" or cancel.is_set() or is_short:
                            raise
                    limit = Limit(seconds=limit.seconds - TRIAL_SECONDS, nodes=limit.nodes)
                wait = max(0.0, latest - time.monotonic())
            return cast(T, self.run_in(lane, Ask(search, limit), cancel, wait).found)

    def run_in(
        self,
        lane: str,
        ask: Ask,
        cancel: Cancel,
        wait: float,
        progress: ProgressCallback | None = None,
    ) -> Done:
        """Run a search in a slot of a lane, waiting at most `wait` seconds for the slot.

        A search that does not wait for ever is shortened if too many others wait. Raises BusyError if no slot is
        free in time or the process ends, and any error of the search.
        """
        ask = ask._replace(language=language())
        asker, seconds = cancel.asker, ask.limit.seconds
        while True:
            with self.lanes[lane].slot(asker.client, wait, cancel) as slot:
                if wait < math.inf and seconds is not None and not ask.trial:
                    share = max(self.lanes[lane].share(asker.client), _LEAST_PART * seconds)
                    if share < seconds:
                        ask = ask._replace(limit=Limit(seconds=share, nodes=ask.limit.nodes))
                        asker.shortened.append(share)
                nodes = 0
                try:
                    finished = slot.run(ask, cancel, progress)
                    nodes = getattr(finished.found, "nodes", 0)
                    return finished
                except ProcessLostError as lost:
                    if self._keeper:
                        self._keeper.wake()
                    if lost.begun:
                        raise BusyError("busy", _LOST) from None
                finally:
                    asker.searched.append((lane, nodes))

    @contextmanager
    def stream(self, asker: Asker) -> Iterator[Stream]:
        """Yield a new stream, which holds no slot between two searches. Raises BusyError if there are too many."""
        with self._holding(asker) as cancel, self.streams.taken(asker.client, cancel):
            yield Stream(self, cancel)

    def check_running(self) -> None:
        """Raise BusyError if the service is stopping."""
        if self.stopping.is_set():
            raise BusyError("starting", say("the service is stopping"), SOON_SECONDS)

    @property
    def problem(self) -> str:
        """Why a process that searches is not there; empty while all are, or have not begun yet."""
        return self._keeper.problem if self._keeper else ""

    def inside(self) -> dict[str, int]:
        """Number of searches that run or wait, by lane."""
        return {name: lane.inside for name, lane in self.lanes.items()}

    def memory(self) -> tuple[int | None, int, int]:
        """Memory of the whole service (None if unknown), of search tables, and their limit, in bytes. What several
        processes share counts once.
        """
        if self._keeper is None:
            return memory.resident(), TABLE_BUDGET.used, TABLE_BUDGET.limit
        states = [process.state for process in self.processes]
        used = memory.footprint()[0] + sum(state.memory for state in states)
        if server := fork_server():
            used += memory.footprint(server)[0]
        return used or None, sum(state.tables for state in states), sum(state.tables_limit for state in states)

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
            inside = sum(other.asker.client == asker.client for other in self._held)
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
