"""Makes games ready while the service answers: cached kernels are loaded, missing ones are compiled.

A game is compiled in separate processes, which write its kernels to the cache, and then loaded from there. The
kernels for hints are compiled first, so that hints work while the rest is compiled. If no game waits, a second
process begins at the other end of each part: what one has compiled, the other loads from the cache. If nothing
can be cached, or after a process has failed twice, a game is compiled in the processes that search it.

A line is printed for each step of a game, if any game has to be compiled.
"""

from __future__ import annotations

import contextlib
import logging
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from typing import NamedTuple, Protocol, TextIO

from api.compiling import HELPS, HINTS, SHARE, AbsentError
from api.readiness import Readiness, Stage
from solver.language import say

log = logging.getLogger(__name__)

_END_SECONDS = 2.0  # how long a stop waits for uninterruptible work: loading, or compiling one kernel here


class Compiler:
    """A process that compiles a game's kernels into the cache. It ends with the process that started it.

    With `helps`, it begins where a process without would end. Raises OSError if it cannot be started.
    """

    def __init__(self, game: str, *, helps: bool = False) -> None:
        self.killed = False
        # Its own session keeps Ctrl-C away: the parent ends it, or the closed pipe does when the parent is gone.
        self._process = subprocess.Popen(
            [sys.executable, "-P", "-m", "api.compiling", game, *((HELPS,) if helps else ())],
            # The same packages must be found from any working folder.
            env={**os.environ, "PYTHONPATH": os.pathsep.join(path or os.getcwd() for path in sys.path)},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            encoding="utf-8",
            errors="replace",
            start_new_session=True,
        )

    def follow(self, tell: Callable[[float], None], hints: Callable[[], None]) -> str:
        """Follow the process to its end. Returns an error message, empty on success.

        `tell` is called with the share of kernels that it has begun to compile, whenever this share grows, and
        `hints` once the kernels for hints are in the cache.
        """
        said = ""
        with self._process as process:
            assert process.stdout is not None
            for line in process.stdout:
                if line.startswith(SHARE):
                    tell(float(line.removeprefix(SHARE)))
                elif line.strip() == HINTS:
                    hints()
                elif line.strip():
                    said = line.strip()
        status = process.returncode
        if status == 0:
            return ""
        if status < 0:
            name = str(-status)
            with contextlib.suppress(ValueError):
                name = signal.Signals(-status).name
            return say("its process was ended by {name}", name=name)
        return say("its process failed: {value}", value=said or f"status {status}")

    def kill(self) -> None:
        """Kill the process; kernels already in the cache stay there."""
        self.killed = True
        self._process.kill()


class Load(Protocol):
    """Loads a game, or the kernels for its hints, in every process that searches.

    Raises AbsentError if a kernel is not in the cache; with `compile`, missing kernels are compiled.
    """

    def __call__(self, name: str, *, hints: bool = False, compile: bool = False) -> None: ...


class Step(NamedTuple):
    """What one process does for a game: compile it or, with `helps`, help with that from the other end."""

    game: str
    helps: bool = False


class Warming:
    """Makes the games of a `Readiness` ready in the background, requested ones first.

    What is to be compiled is a queue of steps, of which the first `most` run. A request can move a game's steps to
    the front; then steps that run further behind are ended, and wait again.
    """

    def __init__(
        self, readiness: Readiness, most: int, load: Load, compiler: Callable[..., Compiler] = Compiler
    ) -> None:
        self._readiness = readiness
        self._most = most
        self._load = load
        self._compiler = compiler
        self._stopped = threading.Event()
        self._loading = threading.Lock()  # one after another is ready sooner than both together
        self._change = threading.Lock()
        self._queue: set[Step] = set()
        self._running: dict[Step, Compiler | None] = {}  # None: compiled by the processes that search
        self._shares: dict[Step, float] = {}  # of the game's kernels, begun by each step
        self._failed: set[str] = set()  # games whose process has failed, and is started once more
        self._threads: list[threading.Thread] = []
        self._keeps = True

    def start(self) -> None:
        """Start the work, in threads that end when all games are ready or have failed."""
        self._readiness.listen(self._arrange)
        self._thread(self._look)

    def stop(self) -> None:
        """Stop the work immediately, killing the compiling processes."""
        self._stopped.set()
        with self._change:
            for process in filter(None, self._running.values()):
                process.kill()
        for thread in filter(threading.Thread.is_alive, self._threads):  # Ctrl-C may come before one has begun
            thread.join(_END_SECONDS)

    @property
    def works(self) -> bool:
        """Whether a thread is at work, even after `stop`: nothing ends one that compiles in this process."""
        return any(thread.is_alive() for thread in self._threads)

    def _thread(self, run: Callable[[], None]) -> None:
        thread = threading.Thread(target=run, name="warming", daemon=True)
        self._threads.append(thread)
        thread.start()

    def _look(self) -> None:
        """Load all games from the cache.

        If a game's kernels are not all there, load those for its hints if possible, and have the missing ones
        compiled.
        """
        self._keeps = _can_keep()
        waiting = set(self._readiness.progress())
        while waiting and not self._stopped.is_set():
            name = min(waiting, key=self._readiness.place)
            waiting.remove(name)
            if not self._loaded(name):
                self._hints(name)
                self._readiness.enter(name, Stage.WAITING)
                self._arrange(Step(name))
        with self._change:
            missing = [step.game for step in self._queue]
        self._arrange(*(Step(name, helps=True) for name in missing))

    def _arrange(self, *more: Step) -> None:
        """Add steps to the queue, and let its first ones run instead of others."""
        with self._change:
            self._queue.update(more)
            first = sorted(self._queue, key=self._place)[: self._most]
            for step, process in self._running.items():
                if process is not None and step not in first:
                    process.kill()
            for step in first:
                if step not in self._running and len(self._running) < self._most and not self._stopped.is_set():
                    process = self._running[step] = self._started(step)
                    self._thread(partial(self._run, step, process))

    def _place(self, step: Step) -> tuple[bool, bool, bool, int]:
        """Return a step's place in the queue. Equally urgent steps take no process from one another."""
        idle, order = self._readiness.place(step.game)
        return idle, step.helps, step not in self._running, order

    def _started(self, step: Step) -> Compiler | None:
        if not self._keeps:
            return None
        try:
            return self._compiler(step.game, helps=step.helps)
        except OSError as error:
            log.warning("no process can be started to compile %s: %s", step.game, error.strerror or error)
            return None

    def _run(self, step: Step, process: Compiler | None) -> None:
        """Run a step to its end, after which it leaves the queue, unless its process was killed for others or has
        failed for the first time: what it had compiled is in the cache.
        """
        name, helps = step
        if not helps:
            self._readiness.enter(name, Stage.COMPILING)
        problem = None
        if process is not None:
            problem = process.follow(partial(self._tell, step), partial(self._hints, name))
        with self._change:
            postponed = bool(process and process.killed and problem)
            if problem and not (postponed or helps or name in self._failed):
                log.warning("%s could not be compiled (%s); trying again", name, problem)
                self._failed.add(name)
                postponed = True
            if not postponed:
                self._queue -= {step} if helps else {step, Step(name, helps=True)}
        self._arrange()  # once everything is compiled, this ends a process that helps
        if postponed and not helps:
            self._readiness.enter(name, Stage.WAITING)
        elif not helps:
            self._finish(name, problem)
        with self._change:
            del self._running[step]
        self._arrange()

    def _finish(self, name: str, problem: str | None) -> None:
        """Load a game that a process has compiled, unless it had a problem. If that fails, compile it in the
        processes that search. None means that there was no process.
        """
        if problem == "":
            if self._loaded(name):
                return
            self._keeps = False  # compiled, but not cached: the disk may be full
        elif problem:
            log.warning("%s could not be compiled (%s); compiling it in the processes that search", name, problem)
        self._readiness.enter(name, Stage.COMPILING, problem or "")
        self._make_ready(name, compile=True)

    def _tell(self, step: Step, share: float) -> None:
        self._shares[step] = share
        both = self._shares.get(Step(step.game), 0.0) + self._shares.get(Step(step.game, helps=True), 0.0)
        self._readiness.compiled(step.game, min(both, 1.0))

    def _hints(self, name: str) -> None:
        """Load the kernels for a game's hints, while the rest is compiled.

        Errors are ignored here: they are reported when the whole game is loaded.
        """
        with self._loading, contextlib.suppress(Exception):
            self._load(name, hints=True)
            self._readiness.hint(name)

    def _loaded(self, name: str) -> bool:
        """Load a game from the cache, and mark it as ready or failed. Returns False if kernels are missing."""
        with self._loading:
            self._readiness.enter(name, Stage.LOADING)
            try:
                self._make_ready(name)
            except AbsentError:
                return False
            return True

    def _make_ready(self, name: str, *, compile: bool = False) -> None:
        """Load a game in every process that searches, and mark it as ready or failed.

        Raises AbsentError if a kernel is not in the cache, unless `compile`.
        """
        try:
            self._load(name, compile=compile)
        except AbsentError:
            raise
        except Exception as error:
            if not self._stopped.is_set():
                log.error("%s cannot be made ready", name, exc_info=error)
                self._readiness.enter(name, Stage.FAILED, f"{type(error).__name__}: {error}")
        else:
            self._readiness.enter(name, Stage.READY)


def _can_keep() -> bool:
    """Whether any cache folder is writable: otherwise, this process cannot load what others compile."""
    from solver.kernels.cache import roots, writable

    for root in roots():
        try:
            if writable(root) and os.access(root, os.W_OK):
                return True
        except OSError:
            continue
    return False


_LOOK_SECONDS = 0.25


@contextmanager
def shown(readiness: Readiness, stream: TextIO) -> Iterator[None]:
    """In the with block, print the games' progress on a stream; just a last line if nothing is compiled."""
    ended = threading.Event()
    thread = threading.Thread(target=_show, args=(readiness, ended, stream), name="progress", daemon=True)
    thread.start()
    try:
        yield
    finally:
        ended.set()
        thread.join(1.0)


def _show(readiness: Readiness, ended: threading.Event, stream: TextIO) -> None:
    shown: dict[str, Stage] = {}
    compiles = False
    while True:
        settled = readiness.settled()
        games = readiness.progress()
        if not compiles and any(state.stage is Stage.COMPILING for state in games.values()):
            compiles = True
            _print(
                stream,
                say("Compiling the games' kernels, this once. Rules, decks and deals can be asked for already."),
            )
        for name, state in games.items() if compiles else ():
            if state.stage is not shown.get(name, Stage.WAITING):
                _print(stream, f"  {name}: {state.stage}{state.reason and f', {state.reason}'}")
            shown[name] = state.stage
        if settled or ended.is_set():
            break
        readiness.wait(_LOOK_SECONDS)
    if settled:
        broken = [name for name, state in games.items() if state.stage is Stage.FAILED]
        all_ready = say("All games are ready.")
        _print(stream, say("Ready, but for {games}.", games=", ".join(broken)) if broken else all_ready)


def _print(stream: TextIO, line: str) -> None:
    print(line, file=stream, flush=True)
