"""What threads make once for all of them."""

from __future__ import annotations

import threading
import time
from concurrent.futures import ThreadPoolExecutor

from solver.limits import once


def test_threads_that_ask_at_once_get_the_same_thing() -> None:
    together = threading.Barrier(4, timeout=60)

    @once
    def made() -> object:
        time.sleep(0.02)  # long enough for the others to ask meanwhile
        return object()

    def ask(_number: int) -> object:
        together.wait()
        return made()

    with ThreadPoolExecutor(4) as executor:
        assert len(set(executor.map(ask, range(4)))) == 1
