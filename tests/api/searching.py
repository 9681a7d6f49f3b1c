"""Long searches for tests to run beside."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

from api.config import Config
from api.search_pool import Asker, Searches
from solver.limits import Limit

LIMIT = Limit(seconds=20.0)


def lanes(slots: int, waiting: int) -> Searches:
    """Searches in the threads that ask: so many slots a lane, for so many requests that wait in all."""
    return Searches(Config(searches=slots, threads=slots + 2 + waiting))


@contextmanager
def searching(searches: Searches, client: str = "", count: int = 1) -> Iterator[threading.Event]:
    """Within this, long searches run, until their flag or the end; the flag of the last one begun."""
    ended = threading.Event()
    begun = threading.Semaphore(0)
    flags: list[threading.Event] = []

    def work(_limit: Limit, cancel: threading.Event, _: object) -> None:
        flags.append(cancel)
        begun.release()
        while not ended.is_set() and not cancel.is_set():
            time.sleep(0.002)

    def ask() -> None:
        searches.find(work, LIMIT, Asker(client), tried=False)

    threads = [threading.Thread(target=ask) for _ in range(count)]
    for thread in threads:
        thread.start()
        assert begun.acquire(timeout=10)
    try:
        yield flags[-1]
    finally:
        ended.set()
        for thread in threads:
            thread.join()
