"""The threads that answer requests. Clients take turns at them."""

from __future__ import annotations

import logging
import threading
import time
from typing import Any

from api.scheduling.turns import Turns
from solver.inputs.errors import RequestError

log = logging.getLogger(__name__)


class Workers:
    """As many threads as there may be, up to `wanted`; `count` tells how many. What waitress calls a dispatcher.

    Where the system allows fewer threads, a quarter of those is given back for what else has to be started.
    Raises RequestError where not even two can be started.
    """

    def __init__(self, wanted: int) -> None:
        self._change = threading.Condition()
        self._turns: Turns[Any] = Turns()
        self._ended = False
        self._surplus = 0
        self._threads: list[threading.Thread] = []
        fault = self._start(wanted)
        self.count = len(self._threads)
        if fault:
            with self._change:
                self._surplus = self.count // 4
                self.count -= self._surplus
                self._change.notify_all()
            if self.count < 2:
                raise RequestError("no_threads", f"the system lets no threads be started: {fault}")
            log.warning("only %d of %d threads can be had (%s); fewer requests are answered at once",
                        self.count, wanted, fault)  # fmt: skip

    def add_task(self, channel: Any) -> None:
        """Have a channel's next request answered, when it is its client's turn."""
        with self._change:
            self._turns.put(channel.client, channel)
            self._change.notify()

    def shutdown(self, seconds: float) -> None:
        """Begin nothing more, and wait for the threads to end, at most so long."""
        with self._change:
            self._ended = True
            self._change.notify_all()
        end = time.monotonic() + seconds
        for thread in self._threads:
            thread.join(max(0.0, end - time.monotonic()))

    def _start(self, wanted: int) -> str:
        for number in range(wanted):
            thread = threading.Thread(target=self._run, name=f"worker-{number}", daemon=True)
            try:
                thread.start()
            except (RuntimeError, MemoryError) as found:
                return str(found)
            self._threads.append(thread)
        return ""

    def _run(self) -> None:
        while (channel := self._next()) is not None:
            try:
                channel.service()
            except BaseException:
                log.exception("a request failed")

    def _next(self) -> Any:
        with self._change:
            while not (self._turns or self._ended or self._surplus):
                self._change.wait()
            if self._ended or self._surplus:
                self._surplus -= not self._ended
                return None
            return self._turns.pop()
