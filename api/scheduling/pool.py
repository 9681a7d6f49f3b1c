"""Threads that take jobs from a queue at which clients take turns."""

from __future__ import annotations

import logging
import os
import sys
import threading
import time
from collections import Counter, OrderedDict
from collections.abc import Callable, Hashable
from contextlib import suppress

from api.scheduling.precedence import Precedence
from api.scheduling.turns import Owner, Turns
from api.scheduling.worked import worked

log = logging.getLogger(__name__)

Job = Callable[[], object]

_LATELY_SECONDS = 1.0  # for so long who has asked counts as one who asks


class NoThreadError(Exception):
    """The system lets no thread be started; its words are the message."""


_own = threading.local()  # `pool` of the thread, `owner` and `began` of its job, while that counts as active


def stand_back() -> None:
    """Say that the rest of the job that this thread does is mostly waiting: another may be begun in its place."""
    pool: Pool | None = getattr(_own, "pool", None)
    if pool is not None:
        _own.pool = None
        pool.one_less(_own.owner, worked() - _own.began)


class Pool:
    """At most `most` threads, started when there is work for them, and at most `active` that work and do not wait.

    Clients take turns by the processor time that they have had. Where it is `shared`, one of the active is kept
    for another client than those who ask, and these have equal parts of the rest, so that who asks now and then
    neither waits for all others nor shares the interpreter with many. What they work at takes precedence where
    they are given one. By their `niceness` they stand back from other threads for a processor, where the system
    knows such a thing. A job that fails is logged.
    """

    def __init__(
        self,
        name: str,
        most: int,
        *,
        active: int | None = None,
        shared: bool = False,
        precedence: Precedence | None = None,
        niceness: int = 0,
    ) -> None:
        self.most = most
        self._precedence = precedence
        self._niceness = niceness
        self._places = most if active is None else active
        self._shared = shared
        self._most_active = self._places
        self._active: Counter[Hashable] = Counter()
        self._lately: OrderedDict[Hashable, float] = OrderedDict()  # when each client asked last, in order
        self._name = name
        self._change = threading.Condition()
        self._turns: Turns[Job] = Turns()
        self._count = 0
        self._idle = 0
        self._working = 0
        self._ended = False

    def start(self) -> str:
        """Start all threads now. Where the system lets fewer be started, those are all that there will be, less a
        quarter for what else has to be started. The answer is why there are fewer; else empty.

        Raises NoThreadError when there is none.
        """
        with self._change:
            try:
                while self._count < self.most:
                    self._add()
            except NoThreadError as found:
                self.most = self._count - self._count // 4
                self._change.notify_all()
                if self.most == 0:
                    raise
                return str(found)
        return ""

    def put(self, owner: Owner, job: Job, *, first: bool = False) -> None:
        """Have a job done when it is its owner's turn, or as soon as can be.

        Raises NoThreadError when there is no thread for it.
        """
        with self._change:
            if self._idle <= len(self._turns) and self._count < self.most:
                try:
                    self._add()
                except NoThreadError:
                    if self._count == 0:
                        raise
            self._turns.put(owner, job, first=first)
            if self._shared:
                self._lately[owner[0]] = time.monotonic()
                self._lately.move_to_end(owner[0])
            self._change.notify()

    def remove(self, owner: Owner, job: Job) -> bool:
        """Take a job out of the queue; False when it has begun."""
        with self._change:
            return self._turns.remove(owner, job)

    def stop(self, seconds: float = 0.0) -> None:
        """Begin no more jobs, and wait for those that are done now, at most so long; then their threads end."""
        with self._change:
            self._ended = True
            self._change.notify_all()
            self._change.wait_for(lambda: not self._working, seconds)

    def one_less(self, owner: Owner, seconds: float) -> None:
        """One job less is active, which has taken so much processor time."""
        with self._change:
            self._places += 1
            self._active[owner[0]] -= 1
            if not self._active[owner[0]]:
                del self._active[owner[0]]
            self._turns.charge(owner, seconds)
            self._change.notify()
        if self._precedence is not None:
            self._precedence.leave()

    def _add(self) -> None:
        thread = threading.Thread(target=self._run, name=self._name, daemon=True)
        try:
            thread.start()
        except (RuntimeError, MemoryError) as found:
            raise NoThreadError(str(found)) from None
        self._count += 1

    def _run(self) -> None:
        if self._niceness and sys.platform == "linux":  # where each thread has a niceness of its own
            with suppress(OSError):
                thread = threading.get_native_id()
                os.setpriority(os.PRIO_PROCESS, thread, os.getpriority(os.PRIO_PROCESS, thread) + self._niceness)
        while (found := self._next()) is not None:
            _own.owner, job = found
            _own.pool, _own.began = self, worked()
            if self._precedence is not None:
                self._precedence.enter()
            try:
                job()
            except BaseException:
                log.exception("a job failed")
            stand_back()
            del found, job  # an idle thread keeps nothing alive
            with self._change:
                self._working -= 1
                if self._ended:
                    self._change.notify_all()

    def _next(self) -> tuple[Owner, Job] | None:
        with self._change:
            while True:
                if self._ended or self._count > self.most:
                    self._count -= 1
                    return None
                if self._turns and self._places and (found := self._turns.pop(self._full())) is not None:
                    self._places -= 1
                    self._working += 1
                    self._active[found[0][0]] += 1
                    return found
                self._idle += 1
                self._change.wait()
                self._idle -= 1

    def _full(self) -> list[Hashable]:
        """The clients who have as many active jobs as one may have."""
        if not self._shared:
            return []
        since = time.monotonic() - _LATELY_SECONDS
        while self._lately and next(iter(self._lately.values())) < since:
            self._lately.popitem(last=False)
        most = max(1, (self._most_active - 1) // max(1, len(self._lately)))
        return [client for client, count in self._active.items() if count >= most]
