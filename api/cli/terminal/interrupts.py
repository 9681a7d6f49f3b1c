"""Ctrl-C: the first ends the search, whose best answer so far is still shown; the second ends the program."""

from __future__ import annotations

import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import TypeVar

from api.cli.terminal.failures import INTERRUPTED

T = TypeVar("T")

_WAKE_SECONDS = 0.2  # a blocked wait would hold off Ctrl-C on Windows
_SHOW_CURSOR = "\x1b[?25h"


def _abort(signum: int, frame: FrameType | None) -> None:
    if sys.stderr.isatty():  # a progress bar hides the cursor
        os.write(2, _SHOW_CURSOR.encode())
    os._exit(INTERRUPTED)  # searches in other threads are not waited for


@contextmanager
def cancel_on_interrupt() -> Iterator[threading.Event]:
    """An event that the first Ctrl-C sets."""
    cancel = threading.Event()

    def first(signum: int, frame: FrameType | None) -> None:
        signal.signal(signal.SIGINT, _abort)
        cancel.set()

    before = signal.signal(signal.SIGINT, first)
    try:
        yield cancel
    finally:
        signal.signal(signal.SIGINT, before)


def apart(work: Callable[[], T]) -> T:
    """Run `work` in a thread of its own: signals are handled only by a main thread that is not busy."""
    from concurrent.futures import Future
    from concurrent.futures import TimeoutError as NotYet

    future: Future[T] = Future()

    def run() -> None:
        try:
            future.set_result(work())
        except BaseException as found:
            future.set_exception(found)

    threading.Thread(target=run, name="search", daemon=True).start()
    while True:
        try:
            return future.result(timeout=_WAKE_SECONDS)
        except NotYet:
            if future.done():  # the work itself timed out
                raise
