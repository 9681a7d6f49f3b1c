"""Makes games ready while the service answers: cached kernels are loaded, missing ones are compiled.

A game is compiled in separate processes, which write its kernels to the cache, and then loaded from there. The
kernels for hints are compiled first, so that hints work while the rest is compiled. Two processes that start at
opposite ends of a game share its kernels through the cache: what one has compiled, the other loads. If nothing can
be cached, or after a process has failed, a game is compiled in the processes that search it.

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
from typing import Protocol, TextIO

from api.compiling import HINTS, HINTS_FIRST, SHARE, AbsentError
from api.readiness import Readiness, Stage
from solver.language import say

WORKER = ("-P", "-m", "api.compiling")


class StoppedError(Exception):
    """Raised after `Processes.end`: no more games may be compiled."""


class Processes:
    """The processes that compile games. `end` kills them, and none outlives the process that started it."""

    def __init__(self, worker: tuple[str, ...] = WORKER) -> None:
        self._worker = worker
        self._lock = threading.Lock()
        self._running: dict[subprocess.Popen[str], str] = {}  # each process with the game that it compiles
        self._ended = False

    def compile(
        self,
        name: str,
        tell: Callable[[float], None],
        hints: Callable[[], None] = lambda: None,
        *,
        helps: bool = False,
    ) -> str:
        """Compile a game's kernels into the cache, in a process of its own.

        With `helps`, it begins where a process without would end. `tell` is called with the share of kernels that
        it has begun to compile, whenever this share grows, and `hints` once the kernels for hints are in the
        cache. Returns an error message, empty on success. Raises StoppedError after `end`.
        """
        try:
            process = self._start(name, *() if helps else (HINTS_FIRST,))
        except OSError as found:
            return f"no process can be started: {found.strerror or found}"
        said = self._follow(process, tell, hints)
        with self._lock:
            if self._ended:
                raise StoppedError
        return _fault(process.returncode, said)

    def _follow(
        self, process: subprocess.Popen[str], tell: Callable[[float], None], hints: Callable[[], None]
    ) -> str:
        """Read a process's output to its end. Returns the last line that does not report progress."""
        said = ""
        with process:
            assert process.stdout is not None
            for line in process.stdout:
                if line.startswith(SHARE):
                    tell(float(line.removeprefix(SHARE)))
                elif line.strip() == HINTS:
                    hints()
                elif line.strip():
                    said = line.strip()
        with self._lock:
            self._running.pop(process, None)
        return said

    def end(self) -> None:
        """Kill the running processes, and start no more."""
        with self._lock:
            self._ended = True
            for process in self._running:
                process.kill()

    def leave(self, name: str) -> None:
        """Kill the processes that are compiling a game; kernels already in the cache stay there."""
        with self._lock:
            for process, game in self._running.items():
                if game == name:
                    process.kill()

    def _start(self, name: str, *arguments: str) -> subprocess.Popen[str]:
        with self._lock:
            if self._ended:
                raise StoppedError
            # Its own session keeps Ctrl-C away: the parent ends it, or the closed pipe does when the parent is
            # gone.
            process = subprocess.Popen(
                [sys.executable, *self._worker, name, *arguments],
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
            self._running[process] = name
            return process


def _fault(status: int, said: str) -> str:
    if status == 0:
        return ""
    if status < 0:
        name = str(-status)
        with contextlib.suppress(ValueError):
            name = signal.Signals(-status).name
        return say("its process was ended by {name}", name=name)
    return say("its process failed: {value}", value=said or f"status {status}")


log = logging.getLogger(__name__)
_END_SECONDS = 2.0  # how long a stop waits for uninterruptible work: loading, or compiling one kernel here


class Load(Protocol):
    """Loads a game, or the kernels for its hints, in every process that searches.

    Raises AbsentError if a kernel is not in the cache; with `compile`, missing kernels are compiled.
    """

    def __call__(self, name: str, *, hints: bool = False, compile: bool = False) -> None: ...


class Warming:
    """Makes the games of a `Readiness` ready in the background, requested ones first.

    At most `compilers` processes compile at a time, each a game of its own; one for which no game is left helps
    with another's. When a request waits for a game, unrequested games are postponed, and two processes share the
    requested game if no other is requested.
    """

    def __init__(
        self, readiness: Readiness, compilers: int, load: Load, compiler: Processes | None = None
    ) -> None:
        self._readiness = readiness
        self._compilers = compilers
        self._load = load
        self._compiler = compiler or Processes()
        self._stopped = threading.Event()
        self._loading = threading.Lock()  # one after another is ready sooner than both together
        self._change = threading.Lock()
        self._missing: set[str] = set()  # games waiting for a compiling thread
        self._looked = False  # whether all games were looked for in the cache, so that no more can be missing
        self._compiling = 0
        self._alone = False  # one game at a time, by two processes: a requested one
        # The games being compiled by processes, each with the shares begun: by whom, whether it only helps.
        self._begun: dict[str, dict[bool, float]] = {}
        self._left: set[str] = set()  # games in `_begun` that are postponed
        self._threads: list[threading.Thread] = []
        self._keeps = True

    def start(self) -> None:
        """Start the work, in threads that end when all games are ready or have failed."""
        self._readiness.listen(self._hurry)
        self._thread(self._load_all)

    def stop(self) -> None:
        """Stop the work immediately, killing the compiling processes."""
        self._stopped.set()
        self._compiler.end()
        for thread in self._threads:
            thread.join(_END_SECONDS)

    def _thread(self, run: Callable[[], None]) -> None:
        thread = threading.Thread(target=run, name="warming", daemon=True)
        self._threads.append(thread)
        thread.start()

    def _load_all(self) -> None:
        """Load all games from the cache.

        If a game's kernels are not all there, load those for its hints if possible, and have the missing ones
        compiled.
        """
        self._keeps = _can_keep()
        waiting = set(self._readiness.progress())
        while not self._stopped.is_set() and (name := self._readiness.first(waiting)) is not None:
            waiting.remove(name)
            if not self._settled(name):
                self._hints(name)
                self._have_compiled(name)
        with self._change:
            self._looked = True
            self._have_threads(self._compilers)

    def _have_compiled(self, name: str) -> None:
        self._readiness.enter(name, Stage.WAITING)
        with self._change:
            self._missing.add(name)
            self._have_threads(self._compiling + len(self._missing))
        if self._readiness.asked(name):
            self._hurry(name)

    def _hurry(self, name: str) -> None:
        """Postpone unrequested games if a requested one would have to wait for them."""
        with self._change:
            if name not in self._missing:
                return
            idle = {other for other in self._begun if not self._readiness.asked(other)}
            if idle:
                self._left |= idle
                self._alone = idle == set(self._begun)
                for other in idle:
                    self._compiler.leave(other)

    def _have_threads(self, most: int) -> None:
        """Start threads that compile, until there are `most` or as many as allowed. The caller holds `_change`."""
        while self._compiling < min(most, self._compilers):
            self._compiling += 1
            self._thread(self._compile_all)

    def _compile_all(self) -> None:
        while not self._stopped.is_set() and (found := self._next()) is not None:
            name, helps = found
            try:
                if helps:
                    self._compiled_by_process(name, helps=True)
                    continue
                left = self._compile(name)
            except StoppedError:
                return
            with self._change:
                self._alone = self._alone and left
                self._have_threads(self._compilers)

    def _next(self) -> tuple[str, bool] | None:
        """Return the game to compile next, and whether only to help the thread that compiles it already.

        Returns None if the calling thread should exit.
        """
        with self._change:
            name = self._readiness.first(self._missing)
            if name is not None and not (self._alone and self._begun):
                self._missing.remove(name)
                if self._keeps:
                    self._begun[name] = {False: 0.0}
                return name, False
            staying = (other for other in self._begun if other not in self._left)
            name = self._readiness.first(other for other in staying if True not in self._begun[other])
            if name is None or not self._looked:
                self._compiling -= 1
                return None
            self._begun[name][True] = 0.0
            return name, True

    def _compile(self, name: str) -> bool:
        """Compile a game in separate processes and load it. If that fails, compile it in the processes that
        search.

        Returns whether the game was postponed.
        """
        problem = ""
        self._readiness.enter(name, Stage.COMPILING)
        if name in self._begun:
            problem, left = self._compiled_elsewhere(name)
            if left:
                return True
            if not problem:
                if self._settled(name):
                    return False
                self._keeps = False  # compiled, but not cached: the disk may be full
            else:
                log.warning("%s could not be compiled (%s); trying again", name, problem)
            self._readiness.enter(name, Stage.COMPILING, problem)
        self._make_ready(name, compile=True)
        return False

    def _compiled_elsewhere(self, name: str) -> tuple[str, bool]:
        """Compile a game in separate processes.

        Returns an error message, empty on success, and whether the game was postponed.
        """
        problem = self._compiled_by_process(name)
        with self._change:
            del self._begun[name]
            self._compiler.leave(name)  # everything is compiled, whatever a process that helps has done
            left = name in self._left and bool(problem)
            self._left.discard(name)
            if left:
                self._readiness.enter(name, Stage.WAITING)
                self._missing.add(name)
        return problem, left

    def _compiled_by_process(self, name: str, *, helps: bool = False) -> str:
        def tell(share: float) -> None:
            with self._change:
                shares = self._begun.get(name, {})
                shares[helps] = share
                self._readiness.compiled(name, min(sum(shares.values()), 1.0))

        return self._compiler.compile(name, tell, lambda: self._hints(name), helps=helps)

    def _hints(self, name: str) -> None:
        """Load the kernels for a game's hints, while the rest is compiled.

        Errors are ignored here: they are reported when the whole game is loaded.
        """
        with self._loading, contextlib.suppress(Exception):
            self._load(name, hints=True)
            self._readiness.hint(name)

    def _settled(self, name: str) -> bool:
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
        except Exception as found:
            if not self._stopped.is_set():
                log.error("%s cannot be made ready", name, exc_info=found)
                self._readiness.enter(name, Stage.FAILED, f"{type(found).__name__}: {found}")
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
    told: dict[str, Stage] = {}
    compiles = False
    while True:
        settled = readiness.settled()
        games = readiness.progress()
        if not compiles and any(found.stage is Stage.COMPILING for found in games.values()):
            compiles = True
            _say(
                stream, "Compiling the games' kernels, this once. Rules, decks and deals can be asked for already."
            )
        for name, found in games.items() if compiles else ():
            if found.stage is not told.get(name, Stage.WAITING):
                _say(stream, f"  {name}: {found.stage}{found.reason and f', {found.reason}'}")
            told[name] = found.stage
        if settled or ended.is_set():
            break
        readiness.wait(_LOOK_SECONDS)
    if settled:
        broken = [name for name, found in games.items() if found.stage is Stage.FAILED]
        _say(stream, f"Ready, but for {', '.join(broken)}." if broken else "All games are ready.")


def _say(stream: TextIO, line: str) -> None:
    print(line, file=stream, flush=True)
