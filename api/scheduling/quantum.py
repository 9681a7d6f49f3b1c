"""The quantum: what a question may take without a slot."""

from __future__ import annotations

import threading
import time

QUANTUM_SECONDS = 0.025  # of processor time,
_ON_THE_CLOCK = 0.25  # and how long that may last where it has to wait for a processor


class Quantum(threading.Event):
    """A cancel flag that the end of the quantum sets too; `cut` tells whether a search saw that.

    The quantum is of the processor time of the thread that makes the flag, which is the one that searches. On a
    busy machine a thread is kept from work for longer than most quick questions take; to begin those anew would
    make them slow.
    """

    def __init__(self, cancel: threading.Event) -> None:
        super().__init__()
        self._cancel = cancel
        self._thread = threading.get_ident()
        self._end = time.thread_time() + QUANTUM_SECONDS
        self._latest = time.monotonic() + _ON_THE_CLOCK
        self.cut = False

    def is_set(self) -> bool:
        if self._cancel.is_set():
            return True
        if not self.cut and threading.get_ident() == self._thread:
            self.cut = time.thread_time() >= self._end or time.monotonic() >= self._latest
        return self.cut
