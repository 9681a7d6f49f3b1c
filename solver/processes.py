"""Starting Python processes."""

from __future__ import annotations

import errno
import os
import signal
import sys
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from multiprocessing import resource_tracker, util
from types import ModuleType

from solver.language import say

_ONE_AT_A_TIME = threading.Lock()
_SAFE_PATH = "PYTHONSAFEPATH"
_LONGEST_FOLDER = 60  # bytes: a socket's name has 31 more, and no system allows less than 92
_SHORT_FOLDERS = ("/tmp", "/var/tmp", "/dev/shm")


@contextmanager
def isolated() -> Iterator[None]:
    """In the with block, processes can be started with `multiprocessing` that have nothing to do with the caller.

    They import nothing from the current folder, where a ``random.py`` may lie; they don't run the caller's script
    again; and they don't see Ctrl-C, which is the caller's to handle. Thread-safe.

    Raises OSError if there is no folder for their sockets.
    """
    with _ONE_AT_A_TIME:
        if hasattr(os, "fork"):
            _keep_sockets_in_a_short_folder()
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


def _keep_sockets_in_a_short_folder() -> None:
    """Have `multiprocessing` make its folder elsewhere if the temporary folder's name is too long for sockets."""
    usual = tempfile.gettempdir()
    if len(os.fsencode(usual)) <= _LONGEST_FOLDER:
        return
    for folder in _SHORT_FOLDERS:
        tempfile.tempdir = folder
        try:
            with suppress(OSError):
                util.get_temp_dir()  # the same from now on; deleted when this process ends
                return
        finally:
            tempfile.tempdir = usual
    message = say("the name of the temporary folder is too long for sockets; set TMPDIR to a shorter one")
    raise OSError(errno.ENAMETOOLONG, message, usual)
