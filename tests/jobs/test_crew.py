"""Workers in processes of their own: started for what waits, ended with what started them."""

from __future__ import annotations

import os
import signal
import time

from athanor.jobs.questions import payloads
from athanor.jobs.storage.store import Store
from athanor.jobs.workers.crew import Crew
from tests.jobs.support import store

__all__ = ["store"]

_PATIENCE_SECONDS = 120


def _wait(crew: Crew, until: object) -> None:
    latest = time.monotonic() + _PATIENCE_SECONDS
    while not until():  # type: ignore[operator]
        assert time.monotonic() < latest, crew.fault
        crew.look()
        time.sleep(0.05)


def test_a_crew_does_what_waits_though_a_worker_is_killed(store: Store) -> None:
    crew = Crew(store, 1)
    crew.look()
    assert crew.processes == []  # there is no work
    job, _ = store.submit("deal", payloads("deal", [{"game": "kirin", "deals": 200}]))
    try:
        crew.look()
        (first,) = crew.processes
        os.kill(first, signal.SIGKILL)
        _wait(crew, lambda: store.job(job.id).over)
        assert crew.processes not in ([], [first])
    finally:
        crew.stop()
    assert len(store.results(job.id)) == 200
