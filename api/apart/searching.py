"""The process that searches for a service: ``python -m api.apart.searching``, with messages on its pipes.

It ends when the service has gone. Until then it does not mind signals that are meant for the service: what still
runs is waited for.
"""

from __future__ import annotations

import logging
import os
import signal
import sys
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from typing import Any

from api import garbage, heaps, logs
from api.apart.wire import Ask, Bound, Done, End, Failure, Line, Ready, Tables, Told, Written, check
from api.config import Config
from api.scheduling.lane import NICENESS
from api.scheduling.limits import left_of
from api.scheduling.quantum import Quantum
from api.starting.memory import Memory
from api.starting.readiness import Readiness, Stage
from api.starting.watching import AbsentError, loading_only
from solver.limits import Progress
from solver.search.memory.account import ACCOUNT

log = logging.getLogger(__name__)

_TOLD_SECONDS = 1.0  # between two looks at the tables


class Searching:
    """Does what it is asked on `asked`, each search in a thread, and tells on `told`."""

    def __init__(self, asked: Line, told: Line, config: Config) -> None:
        import athanor

        self._asked = asked
        self._told = told
        self._change = threading.Lock()
        self._running: dict[int, threading.Event] = {}
        self._readiness = Readiness(athanor.games())
        self._config = config

    def run(self) -> None:
        """Go on until nobody asks any more."""
        memory = Memory(self._config, self._readiness)
        memory.watch()
        threading.Thread(target=self._load, name="loading", daemon=True).start()
        threading.Thread(target=self._tell_tables, name="tables", daemon=True).start()
        while True:
            match self._asked.receive():
                case Ask() as ask:
                    self.begin(ask)
                case End(number):
                    with self._change:
                        if number in self._running:
                            self._running[number].set()
                case Bound(size):
                    memory.bound(size)

    def begin(self, ask: Ask) -> None:
        """Begin a search. Where the system lets no thread be started it fails, as where no memory is left."""
        cancel = threading.Event()
        with self._change:
            self._running[ask.number] = cancel
        try:
            threading.Thread(target=self._search, args=(ask, cancel), name="search", daemon=True).start()
        except RuntimeError as found:
            with self._change:
                del self._running[ask.number]
            self._told.send(Done(ask.number, Failure.of(MemoryError(str(found))), 0.0))

    def _search(self, ask: Ask, cancel: threading.Event) -> None:
        began = time.thread_time()
        flag = Quantum(cancel) if ask.tried else cancel
        found: Any
        try:
            found = ask.search(left_of(ask.limit, ask.deadline), flag, self._teller(ask))
            if ask.search.written:
                found = Written.of(found)
            else:
                check(found)
        except BaseException as error:
            found = Failure.of(error)
        with self._change:
            del self._running[ask.number]
        self._told.send(
            Done(ask.number, found, time.thread_time() - began, isinstance(flag, Quantum) and flag.cut)
        )

    def _teller(self, ask: Ask) -> Callable[[Progress], None] | None:
        return (lambda progress: self._told.send(Told(ask.number, progress))) if ask.tells else None

    def _load(self) -> None:
        """Load what the cache holds of each game, and say so when that is everything."""
        import api.apart.matches
        import api.apart.questions  # what is asked is of these classes # noqa: F401
        from athanor.questions import warm

        for name, found in self._readiness.progress().items():
            if found.settled:
                continue
            try:
                with loading_only():
                    warm(name)
            except AbsentError:
                continue
            except Exception as error:  # then the service has not loaded it either, and says why
                log.info("%s: %s", name, error)
            garbage.loaded()
            self._readiness.enter(name, Stage.READY)
        if self._readiness.settled():
            garbage.keep_serving()
            self._told.send(Ready())

    def _tell_tables(self) -> None:
        last = None
        while True:
            now = Tables(ACCOUNT.used, ACCOUNT.limit)
            if now != last:
                self._told.send(now)
                last = now
            time.sleep(_TOLD_SECONDS)


def main() -> None:
    """Search for whoever has the other ends of standard input and output."""
    garbage.keep_loading()
    heaps.keep_few()
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.SIG_IGN)
    if hasattr(os, "nice"):
        os.nice(NICENESS)
    asked, told = Line(os.fdopen(os.dup(0), "rb")), Line(os.fdopen(os.dup(1), "wb"))
    os.dup2(2, 1)  # what is printed by mistake is no message
    logs.begin()
    with suppress(EOFError, OSError):
        Searching(asked, told, Config.from_environ()).run()
    sys.stderr.flush()
    os._exit(0)  # the threads that search are not waited for


if __name__ == "__main__":
    main()
