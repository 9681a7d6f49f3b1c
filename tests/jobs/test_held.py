"""What jobs may take: clients who owe processor time are held back, and the memory of a worker has a bound."""

from __future__ import annotations

import subprocess
import sys

import pytest

from api.access.budgets import Budgets, Limits
from athanor.jobs.storage.claims import Claims, Outcome
from athanor.jobs.storage.store import Store
from tests.jobs.support import UNITS, store
from tests.support import places

__all__ = ["store"]


def test_no_unit_is_begun_of_a_client_who_is_held_back(store: Store) -> None:
    now = [1000.0]
    claims = Claims(store.database, clock=lambda: now[0])
    jobs = {client: store.submit("echo", UNITS[:2], client=client)[0] for client in ("anna", "bert")}
    running = claims.claim("first")
    assert running is not None
    claims.hold(["anna"])
    found = []
    while (claim := claims.claim("second")) is not None:
        found.append(claim)
        assert claims.finish(claim, Outcome(["{}"], False))
    assert len(found) == 2
    assert store.job(jobs["bert"].id).over
    assert claims.left()  # the unit that runs, and goes on
    assert claims.finish(running, Outcome(["{}"], False))
    assert not claims.left()
    now[0] += 29
    assert claims.claim("second") is None
    now[0] += 2  # nobody says so any more, as when the service was killed
    assert claims.left()
    claims.hold(["anna", "carl"])
    assert claims.claim("second") is None
    claims.hold([])
    assert claims.claim("second") is not None


def test_who_owes_as_much_as_it_may_use() -> None:
    now = [0.0]
    budgets = Budgets(clock=lambda: now[0])
    for client, limit in (("anna", 10.0), ("bert", 10.0), ("carl", 0.0)):
        budgets.request(client, Limits(requests=60, cpu=limit))
    budgets.charge("anna", 15)
    budgets.charge("bert", 9)
    budgets.charge("carl", 1000)
    assert budgets.owing() == ["anna"]
    now[0] = 60.0
    assert budgets.owing() == []


@pytest.mark.skipif(sys.platform != "linux", reason="other systems do not hold a process to RLIMIT_DATA")
def test_the_memory_of_a_worker_is_bounded() -> None:
    code = (
        "import numpy; from athanor.jobs.workers.shares import bound_memory; bound_memory()\n"
        "numpy.zeros(600 << 20, numpy.uint8); print('beside')\n"
        "try: numpy.zeros(1200 << 20, numpy.uint8)\n"
        "except MemoryError: print('refused')"
    )
    found = subprocess.run(
        [sys.executable, "-c", code],
        cwd=places.ROOT,
        env={"ATHANOR_MEMORY_MB": "64", "PATH": ""},
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    assert found.stdout.split() == ["beside", "refused"]
