"""Starting Python processes."""

from __future__ import annotations

import os
import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from multiprocessing import resource_tracker
from types import ModuleType

_ONE_AT_A_TIME = threading.Lock()
_SAFE_PATH = "PYTHONSAFEPATH"


@contextmanager
def isolated() -> Iterator[None]:
    """In the with block, processes can be started with `multiprocessing` that have nothing to do with the caller.

    They import nothing from the current folder, where a ``random.py`` may lie; they don't run the caller's script
    again; and they don't see Ctrl-C, which is the caller's to handle. Thread-safe.
    """
    with _ONE_AT_A_TIME:
        main, path = sys.modules["__main__"], os.environ.get(_SAFE_PATH)
        sys.modules["__main__"] = ModuleType("__main__")
        os.environ[_SAFE_PATH] = "1"
        masks = hasattr(signal, "pthread_sigmask")
        if masks:
            # It is started with the first process otherwise, and unblocks Ctrl-C in this thread.
            resource_tracker.ensure_running()
        before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT}) if masks else ()
        try:
            yield
        finally:
            if masks:
                signal.pthread_sigmask(signal.SIG_SETMASK, before)
            sys.modules["__main__"] = main
            if path is None:
                del os.environ[_SAFE_PATH]
            else:
                os.environ[_SAFE_PATH] = path
