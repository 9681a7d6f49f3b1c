"""How many searches run at once, who waits, and how a running one is told to stop."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Hashable, Iterator
from concurrent import futures
from concurrent.futures import CancelledError, Executor, Future
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol, TypeVar

from api.apart.process import Process
from api.apart.wire import Search
from api.config import HINTS_A_SEARCH
from api.http.errors import BusyError, LimitError
from api.scheduling.estimates import Estimates
from api.scheduling.lane import Charge, FullError, Lane
from api.scheduling.limits import left_of
from api.scheduling.pool import stand_back
from api.scheduling.precedence import GivingWay, Precedence
from api.scheduling.quantum import QUANTUM_SECONDS, Quantum
from api.scheduling.stream_places import StreamPlaces
from api.scheduling.worked import worked
from solver.limits import Limit, ProgressCallback
from solver.search.memory import machine
from solver.search.memory.account import ACCOUNT

T = TypeVar("T")

_LOOK_SECONDS = 0.1  # between two looks for clients that have gone
_USEFUL_SECONDS = 0.01  # a search begins with so much of its time left,
_SOON_SECONDS = 0.05  # or not later than this after it was asked


@dataclass(frozen=True, slots=True)
class Asker:
    """Who asks: `client` is whose turns the question takes, `disconnected` tells whether it has gone.

    At most `most` requests of the client may search at once; None: any number. By `question` a request is known
    again when it comes back after it was turned away; None: it is not.
    """

    client: str = ""
    disconnected: Callable[[], bool] | None = None
    most: int | None = None
    question: Hashable = None


class Run(Protocol):
    """Does a search, as `Searches.run`."""

    def __call__(
        self,
        search: Search[T],
        limit: Limit,
        cancel: threading.Event,
        progress: ProgressCallback | None = None,
    ) -> T: ...


class Stream(NamedTuple):
    """What a stream works with: executors whose work takes turns with all other long searches and with all other
    hints, the flag that ends the stream, and what does a search where it disturbs nobody.
    """

    searches: Executor
    hints: Executor
    cancel: threading.Event
    run: Run


class Held:
    """What runs for one request, and the flag that ends it early."""

    def __init__(self, asker: Asker) -> None:
        self.asker = asker
        self.ended = threading.Event()


class Searches:
    """The lanes of the searches: `slots` long ones at once, and more hints, which share the processors.

    A question that may be quick, by what was asked lately, is first tried by the thread that answers the request.
    If it is not done within a quantum, it is begun anew in its lane. So quick questions never wait behind long
    ones, and nobody has to say which they are. `waiting` is how many requests may wait in all, or be streams. What
    takes longer is done in the process `apart`, where there is one.
    """

    def __init__(
        self, slots: int, waiting: int, precedence: Precedence | None = None, apart: Process | None = None
    ) -> None:
        self.slots = slots
        self.apart = apart
        places = waiting // 4
        self._precedence = precedence or Precedence()
        self.charge: Charge = lambda client, seconds: None  # is told what processor time searches took, and whose
        self.owing: Callable[[], list[str]] = list  # tells the clients who have used all that they may for now
        self._hints = Lane("hint", min(HINTS_A_SEARCH * slots, max(1, waiting)), places, self._charge)
        self._long = Lane("search", slots, places, self._charge)
        self._streams = StreamPlaces(max(2, waiting // 8))
        self._estimates = Estimates()
        self._change = threading.Lock()
        self._held: set[Held] = set()
        self._closed = False
        self.stopping = threading.Event()  # set when the service begins to stop: what only waits ends then

    def search(self, search: Search[T], limit: Limit, asker: Asker, kind: Hashable) -> T:
        """What a search finds within the limit, in which the wait for a slot is included. Raises BusyError.

        `limit` has seconds. `kind` is what questions that take about as long have in common.
        """
        return self._search(search, limit, asker, kind, self._long)

    def hint(self, search: Search[T], limit: Limit, asker: Asker, kind: Hashable) -> T:
        """As `search`, for what has to come in time and takes all the time it has, with more of them at once."""
        return self._search(search, limit, asker, kind, self._hints)

    @contextmanager
    def stream(self, asker: Asker, seconds: float, *, hurried: bool = False) -> Iterator[Stream]:
        """What a stream works with; `hurried` where its first piece of work is a hint.

        No slot is held between two pieces of work, so a client who reads slowly keeps nobody waiting. Raises
        BusyError where there are too many streams, or no piece of work could begin within so many seconds.
        """
        lane = self._hints if hurried else self._long
        back = lane.keep(asker.client, asker.question)
        back, later = self._streams.take(asker.client, asker.question, back=back)
        if later:
            raise _busy("busy", "too many streams are open already", later)
        begun = time.monotonic()
        try:
            with self._holding(asker) as held:
                turn = self._enter(lane, asker, lambda: None, first=back)
                self._await(turn, lane, time.monotonic() + seconds, held)
                client = asker.client
                yield Stream(
                    _LaneExecutor(self._long, client), _LaneExecutor(self._hints, client), held.ended, self.run
                )
        finally:
            self._streams.leave(asker.client, time.monotonic() - begun)

    def run(
        self, search: Search[T], limit: Limit, cancel: threading.Event, progress: ProgressCallback | None = None
    ) -> T:
        """What a search finds that may take long: in the process that searches, if that takes it, and as it is
        written to the client; else here, where it gives way to short work. The flag `cancel` ends it early.

        Raises what the search raises, and BusyError when the process dies meanwhile.
        """
        if self.apart is not None and self.apart.takes(search):
            return self.apart.run(search, limit, cancel, progress)
        return search(limit, GivingWay(cancel, self._precedence), progress)

    def inside(self) -> dict[str, int]:
        """How many searches run or wait, by the name of their lane."""
        return {"hint": self._hints.inside, "search": self._long.inside}

    def memory(self) -> tuple[int | None, int, int]:
        """In bytes: what the whole service has in memory, where that is told, what of it the tables of searches
        hold, and what they may hold.
        """
        resident = machine.resident()
        if self.apart is None or resident is None:
            return resident, ACCOUNT.used, ACCOUNT.limit
        there = self.apart.tables
        return resident + self.apart.resident, ACCOUNT.used + there.used, ACCOUNT.limit + there.limit

    def cancel_all(self) -> None:
        """Tell every search, now and from now on, to return the best so far."""
        with self._change:
            self._closed = True
            for held in self._held:
                held.ended.set()

    def watch(self) -> None:
        """Start a thread that ends the searches of clients who have gone."""
        threading.Thread(target=self._look, name="disconnects", daemon=True).start()

    def _charge(self, client: str, seconds: float) -> None:
        self.charge(client, seconds)

    def _search(self, search: Search[T], limit: Limit, asker: Asker, kind: Hashable, lane: Lane) -> T:
        assert limit.seconds is not None
        deadline = time.monotonic() + limit.seconds
        latest = max(deadline - _USEFUL_SECONDS, time.monotonic() + _SOON_SECONDS)
        with self._holding(asker) as held:
            if self._estimates.quick(kind, lane.free):
                found, cut = self._tried(search, left_of(limit, deadline), held, kind)
                self._estimates.note(kind, not cut)
                if not cut or time.monotonic() >= deadline:  # then it has had all the time there is
                    return found

            def run() -> T:
                began = worked()
                answer = self.run(search, left_of(limit, deadline), held.ended)
                self._estimates.note(kind, worked() - began <= QUANTUM_SECONDS)
                return answer

            return self._await(self._enter(lane, asker, run), lane, latest, held)

    def _tried(self, search: Search[T], limit: Limit, held: Held, kind: Hashable) -> tuple[T, bool]:
        """What a search finds within a quantum, and whether it was cut: apart where that is likely."""
        if self.apart is not None and self.apart.takes(search) and self._estimates.doubtful(kind):
            stand_back()  # this thread only waits
            return self.apart.tried(search, limit, held.ended)
        quantum = Quantum(held.ended)
        return search(limit, quantum, None), quantum.cut

    def _enter(self, lane: Lane, asker: Asker, work: Callable[[], T], *, first: bool = False) -> Future[T]:
        try:
            return lane.submit(asker.client, work, question=asker.question, first=first)
        except FullError as found:
            raise _busy("busy", "too many searches are waiting already", found.seconds) from None

    def _await(self, future: Future[T], lane: Lane, latest: float, held: Held) -> T:
        """The result of a search, which has to begin at `latest`."""
        stand_back()
        begun = False
        while True:
            left = latest - time.monotonic()
            try:
                return future.result(None if begun else max(0.0, min(left, _LOOK_SECONDS)))
            except TimeoutError as found:
                if future.done():
                    if not future.cancelled() and future.exception() is found:
                        raise  # it is the search's own
                    continue  # the search ended when the wait did
                if left <= 0 or held.ended.is_set():
                    if lane.cancel(future):
                        seconds = lane.retry_after(held.asker.client, held.asker.question)
                        message = (
                            f"other searches took all the time that this request allows; try again in {seconds} s"
                        )
                        raise BusyError("too_slow", message, seconds) from None
                    begun = True
            except CancelledError:
                seconds = lane.retry_after(held.asker.client, held.asker.question)
                message = f"too many searches of this client are waiting; try again in {seconds} s"
                raise BusyError("busy", message, seconds) from None

    @contextmanager
    def _holding(self, asker: Asker) -> Iterator[Held]:
        held = Held(asker)
        with self._change:
            inside = sum(other.asker.client == asker.client for other in self._held)
            if asker.most is not None and inside >= asker.most:
                message = f"{inside} requests of this client search already; try again when one is answered"
                raise LimitError("too_many_searches", message, 1)
            self._held.add(held)
            if self._closed:
                held.ended.set()
        try:
            yield held
        finally:
            with self._change:
                self._held.discard(held)

    def _look(self) -> None:
        while True:
            time.sleep(_LOOK_SECONDS)
            with self._change:
                watched = [held for held in self._held if held.asker.disconnected is not None]
            for held in watched:
                if held.asker.disconnected is not None and held.asker.disconnected():
                    held.ended.set()


class _LaneExecutor(Executor):
    """Work in a lane, as what uses executors wants it."""

    def __init__(self, lane: Lane, client: str) -> None:
        self._lane = lane
        self._client = client
        self._futures: set[Future[Any]] = set()

    def submit(self, work: Callable[..., T], /, *args: Any, **options: Any) -> Future[T]:
        future = self._lane.submit(self._client, lambda: work(*args, **options), bounded=False)
        self._futures.add(future)
        future.add_done_callback(self._futures.discard)
        return future

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        # What is cancelled before it began never ends, as far as those are told who wait for it.
        left = [future for future in list(self._futures) if not (cancel_futures and self._lane.cancel(future))]
        if wait:
            futures.wait(left)


def _busy(code: str, problem: str, seconds: int) -> BusyError:
    return BusyError(code, f"{problem}; try again in {seconds} s", seconds)
