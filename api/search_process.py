"""A process that runs searches, so that they do not slow down the interpreter that answers requests.

The process has slots, each a thread that runs one search at a time. Every slot has a pipe, on which it receives
searches and sends back progress and results, and a byte of shared memory that tells its search to end early. The
last slot is the main thread, and loads games. When the pipes close, the service is gone, and the process ends.
Both ends of a pipe belong to the same program, so it is safe to unpickle what is received.
"""

from __future__ import annotations

import os
import pickle
import signal
import sys
import threading
import time
from collections.abc import Callable, MutableSequence, Sequence
from contextlib import nullcontext, suppress
from dataclasses import dataclass
from multiprocessing.connection import Connection
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from api import garbage, logs
from solver.answers import Answer
from solver.language import speaking
from solver.limits import Control, Limit, ProgressCallback

if TYPE_CHECKING:
    from api.memory import Memory

T = TypeVar("T")

TRIAL_SECONDS = 0.025  # processor time that a question may take in a quick try
_TRIAL_LATEST = 0.25  # wall-clock time that it may take, if it has to wait for a processor
_TICK_SECONDS = 1.0


# What a slot runs: a picklable function, whose control limits it, cancels it and takes its progress.
Search = Callable[[Control], T]


@dataclass(frozen=True, slots=True)
class Written:
    """An answer as the JSON text for the client, with the attributes that the service needs."""

    text: str
    exact: bool

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


class SharedFlag(threading.Event):
    """A cancel flag in memory that the service shares with a search process."""

    def __init__(self, flags: MutableSequence[int], place: int) -> None:
        super().__init__()
        self._flags = flags
        self._place = place

    def is_set(self) -> bool:
        return bool(self._flags[self._place])

    def set(self) -> None:
        self._flags[self._place] = 1

    def clear(self) -> None:
        self._flags[self._place] = 0


def done(ask: Ask, cancel: threading.Event, progress: ProgressCallback | None) -> Done:
    """Run a search in this thread. Raises any error that the search raises."""
    flag = Trial(cancel) if ask.trial else cancel
    with speaking(ask.language):
        found = ask.search(Control(ask.limit, flag, progress))
    return Done(found, isinstance(flag, Trial) and flag.cut)


def serve_slot(connection: Connection, cancel: threading.Event, niceness: int = 0) -> None:
    """Run the searches requested on a slot's pipe, one after another, until it closes."""
    if niceness and sys.platform == "linux":  # where each thread has a niceness of its own
        with suppress(OSError):
            os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), niceness)
    sending = threading.Lock()  # progress comes from the threads of a search

    def send(message: object) -> None:
        with sending:
            connection.send(message)

    from solver.search.memory import TABLE_BUDGET

    with suppress(EOFError, OSError):
        while True:
            ask: Ask = connection.recv()
            try:
                answer = done(ask, cancel, send if ask.progress else None)
                found = answer.found
                if isinstance(found, Answer):  # for the client; anything else is for the service itself
                    found = Written(found.to_json(), bool(getattr(found, "exact", True)))
                pickle.dumps(found)  # an answer that can't be pickled must not end the slot
                answer = answer._replace(found=found)
            except BaseException as error:
                if isinstance(error, MemoryError):
                    while TABLE_BUDGET.spare():  # so that the next question finds free memory
                        pass
                answer = Done(_sendable(error))
            send(answer)
            del answer  # an error's traceback holds what its search used, such as a table


def _sendable(error: BaseException) -> BaseException:
    """Return the error that a search raised or, if it cannot be pickled, another with its text."""
    try:
        pickle.loads(pickle.dumps(error))  # some can be pickled, but not unpickled
    except Exception:
        return RuntimeError(f"{type(error).__name__}: {error}")
    return error


def load(name: str, *, hints: bool = False, compile: bool = False) -> None:
    """Load a game's kernels or, with `hints`, only those for its hints.

    Raises AbsentError for a kernel that is not in the cache; with `compile`, it is compiled.
    """
    from api.compiling import loading_only
    from athanor.questions import warm
    from solver.search.memory import IDLE_PROVERS

    try:
        with nullcontext() if compile else loading_only():
            warm(name, hints=hints)
    finally:
        IDLE_PROVERS.drop()  # left over from running the kernels once, and inherited by processes that are forked
    garbage.loaded()


_LOADED = threading.Event()  # set when a search process has loaded any game


def load_to_search(name: str, control: Control, *, hints: bool, compile: bool) -> None:
    """Load a game in a search process, as a search of its last slot. Raises AbsentError as `load` does."""
    load(name, hints=hints, compile=compile)
    _LOADED.set()
    garbage.keep_serving()


def run(
    slots: Sequence[tuple[Connection, int]],
    flags: MutableSequence[int],
    tables: MutableSequence[int],
    megabytes: int,
) -> None:
    """Serve the slots, each with its niceness, until the service closes the pipes.

    The process writes the memory of its search tables, their limit (both in bytes) and a number that grows every
    second to `tables`. It may use `megabytes` MiB in total. It ignores Ctrl-C: the service handles that, and lets
    running searches finish.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    garbage.keep_loading()
    logs.begin()
    from api import searches  # noqa: F401 - requests contain its classes
    from api.memory import Memory

    *searching, loading = ((pipe, SharedFlag(flags, place), nice) for place, (pipe, nice) in enumerate(slots))
    memory = Memory(megabytes, requests=len(searching), searches=len(searching), loaded=_LOADED.is_set)
    threading.Thread(target=_tell_tables, args=(tables, memory), name="tables", daemon=True).start()
    for arguments in searching:
        threading.Thread(target=serve_slot, args=arguments, name="search", daemon=True).start()
    serve_slot(*loading)
    sys.stderr.flush()
    os._exit(0)  # do not wait for searching threads


def _tell_tables(tables: MutableSequence[int], memory: Memory) -> None:
    from solver.search.memory import TABLE_BUDGET

    while True:
        memory.look()
        tables[0], tables[1] = TABLE_BUDGET.used, TABLE_BUDGET.limit
        tables[2] += 1
        time.sleep(_TICK_SECONDS)
