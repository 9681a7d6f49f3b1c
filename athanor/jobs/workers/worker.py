"""A worker: claims units of a store one by one, and does them. ``python -m athanor.jobs.workers.worker PATH``.

It can be killed at any moment: what it was at is done by another. It ends by itself when the process that started
it has gone, and when there has been nothing to do for a while.
"""

from __future__ import annotations

import os
import sys
import threading
import time
from collections.abc import Callable
from contextlib import suppress

from athanor.jobs.errors import JobError
from athanor.jobs.storage import presence
from athanor.jobs.storage.claims import LEASE_SECONDS, Claim, Outcome
from athanor.jobs.storage.store import Store
from athanor.jobs.workers import units
from athanor.jobs.workers.shares import bound_memory

NICENESS = 15
_LOOK_SECONDS = 0.5  # between two looks for work, and whether the job was cancelled
_IDLE_SECONDS = 60.0
_FULL_SECONDS = 5.0  # between two tries to keep a result for which there is no room
_PATIENCE_SECONDS = 60.0  # until a worker gives up that cannot write

Run = Callable[[str, threading.Event], Outcome]


class Held:
    """Renews the lease of what a worker is at. Sets the flag `lost` when the unit is no longer the worker's, or
    `stop` says so.
    """

    def __init__(self, store: Store, claim: Claim, stop: Callable[[], bool] = lambda: False) -> None:
        self.lost = threading.Event()
        self._store = store
        self._claim = claim
        self._stop = stop
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._watch, name="lease", daemon=True)

    def __enter__(self) -> Held:
        self._thread.start()
        return self

    def __exit__(self, *found: object) -> None:
        self._over.set()
        self._thread.join()

    def _watch(self) -> None:
        renewed = time.monotonic()
        while not self._over.wait(_LOOK_SECONDS):
            with suppress(JobError):  # the disk may be full for a moment; the lease is long
                if time.monotonic() - renewed > LEASE_SECONDS / 3:
                    valid, renewed = self._store.claims.renew(self._claim), time.monotonic()
                else:
                    valid = self._store.claims.holds(self._claim)
                if not valid or self._stop():
                    self.lost.set()


def work(
    store: Store,
    *,
    run: Run = units.run,
    stop: Callable[[], bool] = lambda: False,
    idle_seconds: float = 0.0,
    worker: str | None = None,
) -> int:
    """Do units until there has been none for so many seconds, or `stop` says so; how many were kept.

    Raises JobError for a store that cannot be read or written, after a minute of trying.
    """
    worker = worker or presence.own_name()
    kept = 0
    idle = time.monotonic()
    claim = store.claims.claim(worker)
    while not stop():
        if claim is None:
            if time.monotonic() - idle >= idle_seconds:
                break
            time.sleep(min(_LOOK_SECONDS, idle_seconds))
            claim = store.claims.claim(worker)
            continue
        with Held(store, claim, stop) as held:
            begun = time.process_time()
            outcome = run(claim.payload, held.lost)
            outcome = outcome._replace(cpu=time.process_time() - begun)
        if held.lost.is_set():
            claim = store.claims.claim(worker)
            continue
        was_kept, claim = _exchanged(store, claim, outcome, worker)
        kept += was_kept
        idle = time.monotonic()
    store.claims.release(worker)
    return kept


def _exchanged(store: Store, claim: Claim, outcome: Outcome, worker: str) -> tuple[bool, Claim | None]:
    """Keep an outcome. Where there is no room, or others write for long, try for a minute before giving up."""
    latest = time.monotonic() + _PATIENCE_SECONDS
    while True:
        try:
            return store.claims.exchange(claim, outcome, worker)
        except JobError as found:
            if found.code not in ("store_full", "store_busy") or time.monotonic() > latest:
                raise
            print(f"{found.message}; trying again", file=sys.stderr, flush=True)
            time.sleep(_FULL_SECONDS)


def _end_with_parent() -> None:
    """End this process at once when its standard input is closed: whoever started it has gone."""

    def wait() -> None:
        sys.stdin.buffer.read()
        os._exit(1)

    threading.Thread(target=wait, name="parent", daemon=True).start()


def main(path: str) -> int:
    """Work for the store at `path`, and say on stderr why no longer, where that is a fault."""
    _end_with_parent()
    if hasattr(os, "nice"):
        os.nice(NICENESS)
    bound_memory()
    try:
        work(Store(path), idle_seconds=_IDLE_SECONDS)
    except JobError as found:
        print(found.message, file=sys.stderr, flush=True)
        return 2
    return 0


if __name__ == "__main__":
    # Whatever lingers, such as the thread that reads, is not waited for.
    status = main(sys.argv[1])
    sys.stderr.flush()
    os._exit(status)
