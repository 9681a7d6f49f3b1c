"""Making games ready: what the cache holds is loaded, what it lacks is compiled, several games at once.

A game is compiled in a process of its own, which leaves its kernels in the cache, and then loaded from there: what
hints need first, so that they can be asked for while the rest is compiled. So the server stays free to answer,
and can end compiling at any moment. Where nothing can be kept, and after a
process failed, the server compiles by itself.
"""

from __future__ import annotations

import contextlib
import logging
import os
import threading
from collections.abc import Callable
from typing import Protocol

import athanor
from api.starting.processes import Processes
from api.starting.readiness import Readiness, Stage
from api.starting.watching import AbsentError, StoppedError, loading_only, telling

log = logging.getLogger(__name__)

_END_SECONDS = 2.0  # how long a stop waits for what cannot be interrupted: loading, or one kernel compiled here


class Compiler(Protocol):
    """What compiles games elsewhere, as `api.starting.processes.Processes` does."""

    def compile(
        self, name: str, tell: Callable[[float], None], hints: Callable[[], None], *, pair: bool = False
    ) -> str: ...

    def leave(self, name: str) -> None: ...

    def end(self) -> None: ...


class Warming:
    """Makes the games of a `Readiness` ready in the background, those first that are asked for.

    At most `compilers` processes compile. Two of them share the first game, so that somebody can begin soon; from
    then on each has a game of its own. Where somebody waits for a game, those that nobody waits for are left for
    later, and two processes share it if it is the only one. `loaded` is called when one is there, just before it
    is ready.
    """

    def __init__(
        self,
        readiness: Readiness,
        compilers: int,
        compiler: Compiler | None = None,
        *,
        loaded: Callable[[], None] = lambda: None,
    ) -> None:
        self._readiness = readiness
        self._compilers = compilers
        self._compiler = compiler or Processes()
        self._loaded = loaded
        self._stopped = threading.Event()
        self._loading = threading.Lock()  # one after the other is ready sooner than both at once
        self._change = threading.Lock()
        self._missing: set[str] = set()  # games that wait for a thread that compiles
        self._compiling = 0
        self._alone = True  # one game at a time is compiled, by two processes: the first, and one asked for
        self._begun: set[str] = set()  # games that processes compile now,
        self._left: set[str] = set()  # and those of them that are left for later
        self._threads: list[threading.Thread] = []
        self._keeps = True

    def start(self) -> None:
        """Begin, in threads that end when all is done."""
        self._readiness.listen(self._hurry)
        self._thread(self._load_all)

    def stop(self) -> None:
        """End at once: processes are killed, and a thread that compiles ends before its next kernel."""
        self._stopped.set()
        self._compiler.end()
        for thread in self._threads:
            thread.join(_END_SECONDS)

    def _thread(self, run: Callable[[], None]) -> None:
        thread = threading.Thread(target=run, name="warming", daemon=True)
        self._threads.append(thread)
        thread.start()

    def _load_all(self) -> None:
        """Load the games that the cache holds, or at least their hints, and have what is missing compiled."""
        self._keeps = _can_keep()
        waiting = set(self._readiness.progress())
        while not self._stopped.is_set() and (name := self._readiness.first(waiting)) is not None:
            waiting.remove(name)
            if not self._settled(name):
                self._hints(name)
                self._have_compiled(name)

    def _have_compiled(self, name: str) -> None:
        self._readiness.enter(name, Stage.WAITING)
        with self._change:
            self._missing.add(name)
            self._have_enough_threads()
        if self._readiness.asked(name):
            self._hurry(name)

    def _hurry(self, name: str) -> None:
        """Somebody waits for a game: leave those that nobody waits for, if it would have to wait for them."""
        with self._change:
            if name not in self._missing:
                return
            idle = {other for other in self._begun if not self._readiness.asked(other)}
            if idle:
                self._left |= idle
                self._alone = idle == self._begun
                for other in idle:
                    self._compiler.leave(other)

    def _have_enough_threads(self) -> None:
        """Start those that compile what is missing. The caller holds `_change`."""
        most = min(1 if self._alone else self._compilers, self._compiling + len(self._missing))
        while self._compiling < most:
            self._compiling += 1
            self._thread(self._compile_all)

    def _compile_all(self) -> None:
        while not self._stopped.is_set() and (name := self._next()) is not None:
            try:
                left = self._compile(name)
            except StoppedError:
                return
            with self._change:
                self._alone = self._alone and left
                self._have_enough_threads()

    def _next(self) -> str | None:
        """The game to compile next; with None the thread is over."""
        with self._change:
            name = self._readiness.first(self._missing)
            if name is None or (self._alone and self._compiling > 1):
                self._compiling -= 1
                return None
            self._missing.remove(name)
            return name

    def _compile(self, name: str) -> bool:
        """Compile a game elsewhere and load it, or compile it here where that is no use; whether it was left."""
        problem = ""
        self._readiness.enter(name, Stage.COMPILING)
        if self._keeps:
            problem, left = self._compiled_elsewhere(name)
            if left:
                return True
            if not problem:
                if self._settled(name):
                    return False
                self._keeps = False  # compiled, but not kept: the disk may be full
            else:
                log.warning("%s could not be compiled (%s); trying again", name, problem)
            self._readiness.enter(name, Stage.COMPILING, problem)
        with telling(lambda share: self._readiness.compiled(name, share), self._stopped.is_set):
            self._warm(name)
        return False

    def _compiled_elsewhere(self, name: str) -> tuple[str, bool]:
        """Have processes compile a game: why that failed, and whether it was left for later."""
        with self._change:
            self._begun.add(name)
            pair = self._alone and self._compilers > 1
        problem = self._compiler.compile(
            name, lambda share: self._readiness.compiled(name, share), lambda: self._hints(name), pair=pair
        )
        with self._change:
            self._begun.discard(name)
            left = name in self._left and bool(problem)
            self._left.discard(name)
            if left:
                self._readiness.enter(name, Stage.WAITING)
                self._missing.add(name)
        return problem, left

    def _hints(self, name: str) -> None:
        """Load what a game's hints need, while the rest is compiled. What fails here is told of the whole game."""
        with self._loading, contextlib.suppress(Exception), loading_only():
            athanor.game(name).warm(hints=True)
            self._readiness.hint(name)

    def _settled(self, name: str) -> bool:
        """Load a game from the cache; whether it is ready, or has failed, and not merely missing there."""
        with self._loading:
            self._readiness.enter(name, Stage.LOADING)
            try:
                with loading_only():
                    self._warm(name)
            except AbsentError:
                return False
            return True

    def _warm(self, name: str) -> None:
        """Run the game's kernels once: it is ready then, or has failed."""
        try:
            athanor.game(name).warm()
        except (AbsentError, StoppedError):
            raise
        except Exception as found:
            log.exception("%s cannot be made ready", name)
            self._readiness.enter(name, Stage.FAILED, f"{type(found).__name__}: {found}")
        else:
            self._loaded()
            self._readiness.enter(name, Stage.READY)


def _can_keep() -> bool:
    """Whether kernels that another process compiles could be found here."""
    from solver.kernels.cache import roots, writable

    for root in roots():
        try:
            if writable(root) and os.access(root, os.W_OK):
                return True
        except OSError:
            continue
    return False
