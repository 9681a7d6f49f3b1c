"""Threads that take jobs from a queue at which clients take turns."""

from __future__ import annotations

import logging
import os
import sys
import threading
from collections.abc import Callable
from contextlib import suppress

from api.scheduling.precedence import Precedence
from api.scheduling.turns import Turns

log = logging.getLogger(__name__)

Job = Callable[[], object]


class NoThreadError(Exception):
    """The system lets no thread be started; its words are the message."""


_own = threading.local()  # `pool` of the thread, while its job counts as active


def stand_back() -> None:
    """Say that the rest of the job that this thread does is mostly waiting: another may be begun in its place."""
    pool: Pool | None = getattr(_own, "pool", None)
    if pool is not None:
        _own.pool = None
        pool.one_less()


class Pool:
    """At most `most` threads, started when there is work for them, and at most `active` that work and do not wait.

    What they work at takes precedence where they are given one. By their `niceness` they stand back from
    other threads for a processor, where the system knows such a thing. A job that fails is logged.
    """

    def __init__(
        self,
        name: str,
        most: int,
        *,
        active: int | None = None,
        precedence: Precedence | None = None,
        niceness: int = 0,
    ) -> None:
        self.most = most
        self._precedence = precedence
        self._niceness = niceness
        self._places = most if active is None else active
        self._name = name
        self._change = threading.Condition()
        self._turns: Turns[Job] = Turns()
        self._count = 0
        self._idle = 0
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

    def put(self, client: str, job: Job) -> None:
        """Have a job done when it is its client's turn. Raises NoThreadError when there is no thread for it."""
        with self._change:
            if self._idle <= len(self._turns) and self._count < self.most:
                try:
                    self._add()
                except NoThreadError:
                    if self._count == 0:
                        raise
            self._turns.put(client, job)
            self._change.notify()

    def remove(self, client: str, job: Job) -> bool:
        """Take a job out of the queue; False when it has begun."""
        with self._change:
            return self._turns.remove(client, job)

    def stop(self) -> None:
        """Begin no more jobs; the threads end when they have done what they are at."""
        with self._change:
            self._ended = True
            self._change.notify_all()

    def one_less(self) -> None:
        """One job less is active."""
        with self._change:
            self._places += 1
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
        while (job := self._next()) is not None:
            _own.pool = self
            if self._precedence is not None:
                self._precedence.enter()
            try:
                job()
            except BaseException:
                log.exception("a job failed")
            stand_back()
            del job  # an idle thread keeps nothing alive

    def _next(self) -> Job | None:
        with self._change:
            while True:
                if self._ended or self._count > self.most:
                    self._count -= 1
                    return None
                if self._turns and self._places:
                    self._places -= 1
                    return self._turns.pop()
                self._idle += 1
                self._change.wait()
                self._idle -= 1
