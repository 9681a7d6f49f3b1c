"""A lane: so many searches at once, a queue before it that is fair and bounded, and when to try again."""

from __future__ import annotations

import threading
import time
from collections import Counter
from collections.abc import Callable, Hashable
from concurrent.futures import Future
from typing import Any, NamedTuple, TypeVar

from api.scheduling.pool import NoThreadError, Pool
from api.scheduling.promises import Promises
from api.scheduling.worked import worked

T = TypeVar("T")
Charge = Callable[[str, float], None]

_FIRST_SECONDS = 1.0  # what a search is taken to last before one has ended
_WEIGHT = 0.1  # of the last search in the mean
NICENESS = 5  # a third of a processor beside one thread of others: those that read and answer come first


class FullError(Exception):
    """There is no place in the queue. `seconds` is when there will be."""

    def __init__(self, seconds: int) -> None:
        super().__init__(seconds)
        self.seconds = seconds


class _Job(NamedTuple):
    client: str
    run: Callable[[], None]
    bounded: bool
    waits: bool  # no slot was free for it when it came


class Lane:
    """At most `slots` searches at once, each in a thread of the lane, and `places` that wait before it.

    When all places are taken, a client with fewer waiting takes that of the client with most. A question that was
    turned away and comes back when it was told has a place, and is the next. `charge` is told of each search whose
    it was, and how many seconds of processor time it took.
    """

    def __init__(self, name: str, slots: int, places: int, charge: Charge) -> None:
        self._charge = charge
        self.slots = slots
        self._places = places
        self._pool = Pool(name, slots, niceness=NICENESS)
        self._lock = threading.Lock()
        self._inside = 0  # running or waiting
        self._mean = _FIRST_SECONDS
        self._jobs: dict[Future[Any], _Job] = {}
        self._promises = Promises()

    @property
    def free(self) -> bool:
        """Whether a search would begin at once."""
        return self._inside < self.slots

    @property
    def inside(self) -> int:
        """How many searches run or wait."""
        return self._inside

    def submit(
        self,
        client: str,
        work: Callable[[], T],
        *,
        question: Hashable = None,
        first: bool = False,
        bounded: bool = True,
    ) -> Future[T]:
        """Run `work` when it is the client's turn. Raises FullError when there is no place to wait.

        A `question` is what it is known by when it comes back; one that is `first` has come back. The future is
        cancelled when another client takes the place. Work that is not `bounded` needs no place, and loses none:
        whoever submits it sees to it that there is not much.
        """
        future: Future[T] = Future()
        with self._lock:
            first = first or self._promises.keep(client, question)
            bounded = bounded and not first
            job = _Job(client, lambda: self._run(future, work, client), bounded, self._inside >= self.slots)
            if bounded and self._inside >= self.slots + self._places and not self._displace(client):
                raise FullError(self._promise(client, question))
            self._jobs[future] = job
            self._inside += 1
            try:
                self._pool.put((client,), job.run, first=first)
            except NoThreadError:
                self._leave(future)
                raise FullError(self._promise(client, question)) from None
        return future

    def keep(self, client: str, question: Hashable) -> bool:
        """Whether a question that was turned away comes back when it was told. No promise is kept twice."""
        with self._lock:
            return self._promises.keep(client, question)

    def cancel(self, future: Future[Any]) -> bool:
        """Take a search out of the queue; False when it has begun, begins at any moment, or is out already."""
        with self._lock:
            job = self._jobs.get(future)
            if job is None or not job.waits or not self._pool.remove((job.client,), job.run):
                return False
            self._leave(future)
        return future.cancel()

    def retry_after(self, client: str = "", question: Hashable = None) -> int:
        """In how many whole seconds one more that is turned away now is to come back, to find a place."""
        with self._lock:
            return self._promise(client, question)

    def _displace(self, client: str) -> bool:
        """Take the place of the client with most in the queue, if it has two more than this one has."""
        waiting = [
            (future, job)
            for future, job in self._jobs.items()
            if job.bounded and job.waits and not future.running()
        ]
        counts = Counter(job.client for _, job in waiting)
        if not counts:
            return False
        crowd, most = counts.most_common(1)[0]
        if most < counts[client] + 2:
            return False
        for future, job in reversed(waiting):
            if job.client == crowd and self._pool.remove((job.client,), job.run):
                self._leave(future)
                future.cancel()
                return True
        return False

    def _promise(self, client: str, question: Hashable) -> int:
        return self._promises.make(client, question, self._mean / self.slots, max(1, self._inside - self._places))

    def _run(self, future: Future[T], work: Callable[[], T], client: str) -> None:
        if not future.set_running_or_notify_cancel():
            with self._lock:
                self._leave(future)
            return
        began, before = time.monotonic(), worked()
        try:
            try:
                found = work()
            finally:
                self._charge(client, worked() - before)
        except BaseException as fault:
            self._ended(future, time.monotonic() - began)
            future.set_exception(fault)
        else:
            self._ended(future, time.monotonic() - began)
            future.set_result(found)

    def _ended(self, future: Future[Any], seconds: float) -> None:
        with self._lock:
            self._mean += _WEIGHT * (seconds - self._mean)
            self._leave(future)

    def _leave(self, future: Future[Any]) -> None:
        if self._jobs.pop(future, None) is not None:
            self._inside -= 1
