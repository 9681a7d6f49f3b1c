"""The process that searches, as the service sees it: started, asked, and started again when it dies."""

from __future__ import annotations

import itertools
import logging
import subprocess
import threading
import time
from dataclasses import dataclass, field
from queue import SimpleQueue
from typing import BinaryIO, TypeVar, cast

from api.apart.spawning import end, spawned
from api.apart.wire import Ask, Bound, Done, End, Failure, Line, Portable, Ready, Search, Tables, Told
from api.config import Config
from api.http.errors import BusyError
from api.scheduling.worked import elsewhere
from api.starting.readiness import Readiness
from athanor.processes import pause_after
from solver.limits import Limit, ProgressCallback
from solver.search.memory import machine
from solver.search.memory.settings import LEAST_MEGABYTES, MEGABYTE

T = TypeVar("T")

log = logging.getLogger(__name__)

_LOOK_SECONDS = 0.02  # between two looks whether a search that runs there is to end
_WAIT_SECONDS = 0.5  # between two looks whether the service ends before all games are there
_END_SECONDS = 2.0
_LOST = "the process that searched has ended; try again"


@dataclass(slots=True)
class _Asked:
    """A search that runs there. `ended` gets its end."""

    cancel: threading.Event
    progress: ProgressCallback | None
    ended: SimpleQueue[Done[object] | None] = field(default_factory=SimpleQueue)
    told_to_end: bool = False


class Process:
    """Searches in a process of its own, once it has loaded all games; until then, and when it has died, it takes
    none.

    It is started when the service has loaded them: together they would be ready later. It may take what `bound`
    says of memory.
    """

    def __init__(self, config: Config, readiness: Readiness) -> None:
        self._readiness = readiness
        self._config = config
        self._megabytes = LEAST_MEGABYTES
        self._change = threading.Condition()
        self._numbers = itertools.count()
        self._running: dict[int, _Asked] = {}
        self._process: subprocess.Popen[bytes] | None = None
        self._line: Line | None = None
        self._ready = False
        self._over = False
        self._thread: threading.Thread | None = None
        self.tables = Tables(0, 0)

    @property
    def ready(self) -> bool:
        """Whether searches are done there by now."""
        return self._ready

    @property
    def number(self) -> int | None:
        """The number of the process; None while there is none."""
        process = self._process
        return None if process is None else process.pid

    @property
    def resident(self) -> int:
        """The bytes that it has in memory; 0 where that is not told."""
        number = self.number
        return 0 if number is None else machine.resident(number) or 0

    def __enter__(self) -> Process:
        self.start()
        return self

    def __exit__(self, *found: object) -> None:
        self.stop()

    def start(self) -> None:
        """Begin, in threads that end with `stop`."""
        self._thread = threading.Thread(target=self._keep_up, name="apart", daemon=True)
        self._thread.start()
        threading.Thread(target=self._look, name="ending", daemon=True).start()

    def stop(self) -> None:
        """End the process, whatever it is at."""
        with self._change:
            self._over = True
            self._change.notify_all()
            process = self._process
        if process is not None:
            process.kill()
        if self._thread is not None:
            self._thread.join(_END_SECONDS)

    def bound(self, megabytes: int) -> None:
        """Let the process have so much memory."""
        megabytes = max(megabytes, LEAST_MEGABYTES)
        if megabytes != self._megabytes:
            self._megabytes = megabytes
            self._say(Bound(megabytes * MEGABYTE))

    def takes(self, search: object) -> bool:
        """Whether a search can be done there now: the process is ready, and the search is data, to be sent."""
        return self._ready and isinstance(search, Portable)

    def run(
        self, search: Search[T], limit: Limit, cancel: threading.Event, progress: ProgressCallback | None = None
    ) -> T:
        """What a search finds there that it takes, as it is written to the client.

        Raises what the search raises, and BusyError when the process is dead, or dies meanwhile.
        """
        return self._searched(search, limit, cancel, progress, tried=False)[0]

    def tried(self, search: Search[T], limit: Limit, cancel: threading.Event) -> tuple[T, bool]:
        """What a search finds there within a quantum, as `run`, and whether it was cut."""
        return self._searched(search, limit, cancel, None, tried=True)

    def _searched(
        self,
        search: Search[T],
        limit: Limit,
        cancel: threading.Event,
        progress: ProgressCallback | None,
        *,
        tried: bool,
    ) -> tuple[T, bool]:
        number, asked = next(self._numbers), _Asked(cancel, progress)
        deadline = None if limit.seconds is None else time.monotonic() + limit.seconds
        with self._change:
            self._running[number] = asked
            self._change.notify_all()
        try:
            done = None
            if self._say(Ask(number, search, limit, deadline, progress is not None, tried)):
                done = asked.ended.get()
        finally:
            with self._change:
                self._running.pop(number, None)
        if done is None:
            raise BusyError("busy", _LOST)
        elsewhere(done.seconds)
        if isinstance(done.found, Failure):
            raise done.found.raised()
        return cast(T, done.found), done.cut

    def _say(self, message: object) -> bool:
        """Send a message; whether there was somebody to send it to."""
        line = self._line
        try:
            if line is not None:
                line.send(message)
        except (OSError, ValueError):
            return False
        return line is not None

    def _keep_up(self) -> None:
        """Start the process, hear what it tells, and start it again when it has ended."""
        pause = 0.0
        while not self._readiness.wait(_WAIT_SECONDS) and not self._over:
            pass
        while not self._over:
            began = time.monotonic()
            try:
                process = self._started()
            except OSError as found:
                log.warning("no process can be started to search in (%s), so searches are done here", found)
                return
            assert process.stdout is not None
            self._hear(Line(cast(BinaryIO, process.stdout)))
            end(process)
            self._lose()
            if self._over:
                return
            pause = pause_after(time.monotonic() - began, pause)
            log.error("the process that searches ended with status %s", process.returncode)
            with self._change:
                self._change.wait_for(lambda: self._over, pause)

    def _started(self) -> subprocess.Popen[bytes]:
        with self._change:
            self._process = spawned(self._config)
            self._line = Line(cast(BinaryIO, self._process.stdin))
            if self._over:
                self._process.kill()
        self._say(Bound(self._megabytes * MEGABYTE))
        return self._process

    def _hear(self, line: Line) -> None:
        while True:
            try:
                message = line.receive()
            except (EOFError, OSError):
                return
            match message:
                case Told(number, progress):
                    asked = self._asked(number)
                    if asked is not None and asked.progress is not None:
                        asked.progress(progress)
                case Done(number):
                    asked = self._asked(number)
                    if asked is not None:
                        asked.ended.put(message)
                case Tables():
                    self.tables = message
                case Ready():
                    self._ready = True

    def _asked(self, number: int) -> _Asked | None:
        with self._change:
            return self._running.get(number)

    def _lose(self) -> None:
        self._ready = False
        self.tables = Tables(0, 0)
        with self._change:
            self._process = self._line = None
            lost = list(self._running.values())
        for asked in lost:
            asked.ended.put(None)

    def _look(self) -> None:
        """Tell the process which searches are to end."""
        while not self._over:
            with self._change:
                self._change.wait_for(lambda: self._running or self._over)
                running = list(self._running.items())
            for number, asked in running:
                if not asked.told_to_end and asked.cancel.is_set():
                    asked.told_to_end = True
                    self._say(End(number))
            time.sleep(_LOOK_SECONDS)
