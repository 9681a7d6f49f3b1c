"""Processes that run one search at a time, so that whoever answers requests or stores results is free for that.

They are forked from a server that has loaded what they need, and share its memory. A process has a pipe, on which
it receives searches and sends back progress and results, and some numbers in shared memory. Both ends of the pipe
belong to the same program, so it is safe to unpickle what is received. When its pipe closes, whoever started it is
gone, and the process ends.
"""

from __future__ import annotations

import multiprocessing
import os
import pickle
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator, MutableSequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from multiprocessing import forkserver
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

from solver.answers import Answer
from solver.language import speaking
from solver.limits import Control, Limit, ProgressCallback
from solver.processes import isolated

T = TypeVar("T")

TRIAL_SECONDS = 0.025  # processor time that a question may take in a quick try
_TRIAL_LATEST = 0.25  # wall-clock time that it may take, if it has to wait for a processor
_LOOK_SECONDS = 0.05  # between two checks whether a search is to end
_TICK_SECONDS = 1.0  # between two signs of life
_MEASURE_TICKS = 5  # from one measurement of a process's memory to the next
_END_SECONDS = 2.0
SILENT_LOOKS = 15  # without a sign of life, after which a process is replaced
_IDLE_SECONDS = 5.0  # between two looks at a fork server that has not forked yet

# What a process runs: a picklable function, whose control limits it, cancels it and takes its progress.
Search = Callable[[Control], T]


@dataclass(frozen=True, slots=True)
class Written:
    """An answer as the JSON text for the client, with the attributes that the service needs."""

    text: str
    exact: bool
    nodes: int

    def to_json(self) -> str:
        return self.text


class Ask(NamedTuple):
    """A search to run, its limit, whether to report progress, whether it is a quick trial, and the language of its
    texts.
    """

    search: Any
    limit: Limit
    progress: bool = False
    trial: bool = False
    language: str = "en"


class Done(NamedTuple):
    """The end of a search: its answer or error, and whether a quick trial was cut off."""

    found: Any
    cut: bool = False


class Trial(threading.Event):
    """A cancel flag that is also set once the thread that created it has used `TRIAL_SECONDS` of processor time.

    It is also set after a much longer elapsed time, since on a busy machine a thread may get little processor
    time. `cut` is True once a search has seen the flag set because time was up.
    """

    def __init__(self, cancel: threading.Event) -> None:
        super().__init__()
        self._cancel = cancel
        self._thread = threading.get_ident()
        self._end = time.thread_time() + TRIAL_SECONDS
        self._latest = time.monotonic() + _TRIAL_LATEST
        self.cut = False

    def is_set(self) -> bool:
        if self._cancel.is_set():
            return True
        if not self.cut and threading.get_ident() == self._thread:
            self.cut = time.thread_time() >= self._end or time.monotonic() >= self._latest
        return self.cut


def done(ask: Ask, cancel: threading.Event, progress: ProgressCallback | None) -> Done:
    """Run a search in this thread. Raises any error that the search raises."""
    flag = Trial(cancel) if ask.trial else cancel
    with speaking(ask.language):
        answer = ask.search(Control(ask.limit, flag, progress))
    return Done(answer, isinstance(flag, Trial) and flag.cut)


# ----------------------------------------------------------------------------------------------------
# The side of whoever starts a process.


class State(NamedTuple):
    """What a process shares: whether its search is to end, how many it has begun, its signs of life so far (0: it
    cannot search yet), and the bytes of its memory, of its search tables and of their limit.
    """

    cancelled: int
    searches: int
    ticks: int
    memory: int
    tables: int
    tables_limit: int


class ProcessLostError(Exception):
    """A process has ended. `begun` is whether it had begun the search."""

    def __init__(self, *, begun: bool) -> None:
        super().__init__()
        self.begun = begun


_FORKS = "forkserver" in multiprocessing.get_all_start_methods()


def prepare(module: str) -> None:
    """Have the fork server import `module` before it forks. Raises OSError where processes can't be forked or
    can't share memory, as where everything is read-only.
    """
    multiprocessing.RawArray("q", 1)
    if _FORKS:
        multiprocessing.set_forkserver_preload([module])
        keep_fork_server()


def keep_fork_server() -> None:
    """Start the fork server unless it runs, and leave none as a zombie. Raises OSError if it cannot be started."""
    if _FORKS:
        with isolated():
            forkserver.ensure_running()


def fork_server() -> int | None:
    """The process id of the fork server, if there is one."""
    return getattr(forkserver, "_forkserver")._forkserver_pid if _FORKS else None  # noqa: B009


_ending = threading.Lock()  # held while the fork server is ended, which takes several steps


def end_fork_server() -> None:
    """End the fork server: the next process is forked from another, which loads everything anew."""
    with _ending:
        if number := fork_server():
            with suppress(OSError):
                os.kill(number, signal.SIGKILL)
                getattr(forkserver, "_forkserver")._stop()  # noqa: B009


@contextmanager
def _watched() -> Iterator[None]:
    """In the with block, end the fork server if it does nothing from one look to the next: it has been stopped.

    While it loads what it needs, it uses the processor.
    """
    over = threading.Event()

    def watch() -> None:
        last = None
        while not over.wait(_IDLE_SECONDS):
            try:
                fields = Path(f"/proc/{fork_server()}/stat").read_text().rpartition(")")[2].split()
            except OSError:  # it has ended, or this is not Linux
                return
            if fields[11:13] == last:
                end_fork_server()
            last = fields[11:13]  # its processor time

    with suppress(RuntimeError):  # the system refuses another thread
        threading.Thread(target=watch, name="forking", daemon=True).start()
    try:
        yield
    finally:
        over.set()


class SearchProcess:
    """A process that runs one search at a time. Not thread-safe.

    It first calls `begin`, whose result it calls every few seconds from then on; that returns the bytes of its
    memory, of its search tables and of their limit. Raises OSError if it cannot be started.
    """

    def __init__(self, begin: Callable[[], Callable[[], tuple[int, int, int]]]) -> None:
        context: Any = multiprocessing.get_context("forkserver" if _FORKS else "spawn")
        self.lost = False  # it has ended, or is to be given no other search
        self.busy = False  # whoever gives it a search sets this
        self.killed = False
        self._ticks, self._silent, self._looked = 0, 0, time.monotonic()
        self._state = context.RawArray("q", len(State._fields))
        self._pipe, theirs = context.Pipe()
        self._process = context.Process(target=_serve, args=(theirs, self._state, begin), daemon=True)
        try:
            with isolated(), _watched():
                self._process.start()
        except (EOFError, TypeError) as error:  # the fork server has ended, or another thread is ending it
            with _ending:
                ended = fork_server() is None
            if isinstance(error, TypeError) and not ended:
                raise
            raise OSError("the process from which it is forked has ended") from None
        finally:
            theirs.close()
        self.number: int = self._process.pid

    def run(self, ask: Ask, cancel: threading.Event, progress: ProgressCallback | None = None) -> Done:
        """Run a search in the process. Raises any error of the search, or ProcessLostError if the process ends."""
        self._state[0] = False
        before = self.state.searches
        try:
            self._pipe.send(ask)
            while True:
                if self._pipe.poll(_LOOK_SECONDS):
                    message = self._pipe.recv()
                    if isinstance(message, Done):
                        break
                    if progress is not None:
                        progress(message)
                if cancel.is_set():
                    self._state[0] = True
        except (EOFError, OSError):
            self.lost = True
            raise ProcessLostError(begun=self.state.searches != before) from None
        if isinstance(message.found, BaseException):
            raise message.found
        return message

    def is_alive(self) -> bool:
        """Whether neither the process nor the fork server that it comes from has ended."""
        return bool(self._process.is_alive())

    @property
    def state(self) -> State:
        return State(*self._state)

    def silence(self) -> int:
        """Look for a sign of life.

        Returns how many looks have seen none since the last sign; of all looks, one a second counts. Looks are
        counted, not seconds, since this process may have been stopped as well.
        """
        now, ticks = time.monotonic(), self.state.ticks
        if ticks != self._ticks:
            self._ticks, self._silent, self._looked = ticks, 0, now
        elif now - self._looked >= _TICK_SECONDS:
            self._silent, self._looked = self._silent + 1, now
        return self._silent

    def kill(self) -> None:
        """End the process, whatever it is doing."""
        self.lost = self.killed = True
        with suppress(OSError):  # by number, since it seems to have ended when the fork server has
            os.kill(self.number, getattr(signal, "SIGKILL", signal.SIGTERM))
        self._process.join(_END_SECONDS)
        with suppress(OSError):  # it may be this process's own child if the fork server has ended
            os.waitpid(self.number, 0)


# ----------------------------------------------------------------------------------------------------
# The process itself.


class _Flag(threading.Event):
    """A cancel flag in shared memory."""

    def __init__(self, state: MutableSequence[int]) -> None:
        super().__init__()
        self._state = state

    def is_set(self) -> bool:
        return bool(self._state[0])


def _serve(pipe: Connection, state: MutableSequence[int], begin: Callable[[], Callable[[], Any]]) -> None:
    """Run the searches that arrive on a pipe, one after another, until it closes.

    Ctrl-C and other signals to the group are for whoever started the process, who lets searches finish.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if hasattr(os, "setsid"):
        os.setsid()
    measure = begin()
    state[2:] = [1, *measure()]
    threading.Thread(target=_live, args=(state, measure), name="state", daemon=True).start()
    sending = threading.Lock()  # progress comes from the threads of a search

    def send(message: object) -> None:
        with sending:
            pipe.send(message)

    flag = _Flag(state)
    with suppress(EOFError, OSError):
        while True:
            ask: Ask = pipe.recv()
            state[1] += 1
            send(_answered(ask, flag, send if ask.progress else None))
    sys.stderr.flush()
    os._exit(0)  # do not wait for threads


def _live(state: MutableSequence[int], measure: Callable[[], tuple[int, int, int]]) -> None:
    """Give signs of life, until whoever started the process is gone: then it ends."""
    parent = multiprocessing.parent_process()
    assert parent is not None
    while parent.is_alive():
        parent.join(_TICK_SECONDS)
        state[2] += 1
        if state[2] % _MEASURE_TICKS == 0:
            state[3:] = measure()
    os._exit(1)


def _answered(ask: Ask, cancel: threading.Event, progress: ProgressCallback | None) -> Done:
    """Run a search. Its error is part of the result."""
    from solver.search.memory import TABLE_BUDGET

    try:
        answer = done(ask, cancel, progress)
        reply = answer.found
        if isinstance(reply, Answer):  # for the client; anything else is for the program itself
            reply = Written(reply.to_json(), bool(getattr(reply, "exact", True)), getattr(reply, "nodes", 0))
        pickle.dumps(reply)  # an answer that can't be pickled must not end the process
        return answer._replace(found=reply)
    except BaseException as error:
        if isinstance(error, MemoryError):
            while TABLE_BUDGET.spare():  # so that the next question finds free memory
                pass
        return Done(_sendable(error))


def _sendable(error: BaseException) -> BaseException:
    """Return the error that a search raised or, if it cannot be pickled, another with its text; without its
    traceback, which holds what the search used, such as a table.
    """
    try:
        copy: BaseException = pickle.loads(pickle.dumps(error))  # some can be pickled, but not unpickled
    except Exception:
        return RuntimeError(f"{type(error).__name__}: {error}")
    return copy
