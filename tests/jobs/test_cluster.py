"""Units on a cluster come to the same as on one machine, whatever becomes of its workers and its scheduler.

These tests need dask, which is not installed for development: ``pip install 'athanor-cards[cluster]'``.
"""

from __future__ import annotations

import os
import signal
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from athanor.jobs.batches import Batch
from athanor.jobs.errors import JobError
from athanor.jobs.questions import payloads
from athanor.jobs.storage.claims import Claims, Outcome
from athanor.jobs.storage.store import Store
from athanor.jobs.workers import cluster
from tests.jobs.support import UNITS, store

distributed = pytest.importorskip("distributed", reason="dask is not installed")

__all__ = ["store"]
pytestmark = pytest.mark.filterwarnings("ignore")  # dask's own, when a cluster is torn down

DEALS = payloads("deal", [{"game": "kirin", "seed": 2, "number": 2 * unit, "deals": 2} for unit in range(30)])


def echo(payload: str, wanted: str) -> tuple[list[str], bool]:
    return [payload], False


def slowly(payload: str, wanted: str) -> tuple[list[str], bool]:
    time.sleep(0.05)
    return [payload], False


def slow_on_one(payload: str, wanted: str) -> tuple[list[str], bool]:
    """A second on the worker called 0, no time on others; tells where it was done."""
    name = distributed.get_worker().name
    if str(name) == "0":
        time.sleep(1)
    return [f'{{"worker":"{name}"}}'], False


def refused(payload: str, wanted: str) -> tuple[list[str], bool, float]:
    return cluster.run(payload, "of another version")


def stamp_of_thread() -> str:
    """Another on each worker."""
    return str(threading.get_ident())


@pytest.fixture(scope="module")
def threads() -> Iterator[Any]:
    """A cluster within this process."""
    with (
        distributed.LocalCluster(
            n_workers=2, threads_per_worker=1, processes=False, dashboard_address=None
        ) as here,
        distributed.Client(here) as client,
    ):
        yield client


@pytest.fixture
def processes() -> Iterator[Any]:
    """A cluster of two processes."""
    with distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as there:
        yield there


def _lines(store: Store, job: str) -> list[str]:
    return [text for _, text in store.ordered(job)]


def test_a_cluster_comes_to_the_same_output(tmp_path: Path, threads: Any) -> None:
    alone = Batch("deal", DEALS, str(tmp_path / "alone.ndjson"))
    assert alone.run(1)
    assert alone.finish() == 0
    batch = Batch("deal", DEALS, str(tmp_path / "cluster.ndjson"))
    told: list[int] = []
    assert cluster.work(batch.store, threads, report=lambda: told.append(1))
    assert batch.finish() == 0
    assert told
    assert (tmp_path / "cluster.ndjson").read_bytes() == (tmp_path / "alone.ndjson").read_bytes()


def test_a_stop_keeps_what_is_done(store: Store, threads: Any) -> None:
    job, _ = store.submit("echo", UNITS * 10)
    looks = iter([False] * 3)
    assert not cluster.work(store, threads, run=echo, stop=lambda: next(looks, True))
    units = store.job(job.id).units
    assert units.done > 0
    assert units.running == 0
    assert cluster.work(store, threads, run=echo)
    assert _lines(store, job.id) == UNITS * 10


def test_a_killed_worker_loses_nothing(store: Store, processes: Any) -> None:
    job, _ = store.submit("echo", UNITS * 10)
    with distributed.Client(processes) as client:
        victims = list(client.run(os.getpid).values())[:1]

        def kill_once() -> None:
            while victims:
                os.kill(victims.pop(), signal.SIGKILL)

        assert cluster.work(store, client, run=slowly, report=kill_once)
    assert _lines(store, job.id) == UNITS * 10
    assert store.job(job.id).status == "done"


def test_a_lost_scheduler_is_said_and_the_job_goes_on_elsewhere(store: Store, threads: Any) -> None:
    job, _ = store.submit("echo", UNITS * 10)
    here = distributed.LocalCluster(n_workers=1, threads_per_worker=1, processes=False, dashboard_address=None)
    with distributed.Client(here) as client:
        closing = threading.Thread(target=here.close)

        def close_once() -> None:
            if closing.ident is None and store.job(job.id).units.done:
                closing.start()

        with pytest.raises(JobError) as found:
            cluster.work(store, client, run=slowly, report=close_once)
        closing.join()
    assert found.value.code == "cluster_lost"
    assert 0 < store.job(job.id).units.done < 40
    assert store.job(job.id).units.running == 0
    assert cluster.work(store, threads, run=echo)
    assert _lines(store, job.id) == UNITS * 10


def test_a_unit_that_is_done_twice_counts_once(store: Store, threads: Any) -> None:
    job, _ = store.submit("echo", UNITS)
    late = Claims(store.database, lease=-1.0).claim("another process, which is taken for dead")
    assert late is not None
    assert cluster.work(store, threads, run=echo)
    assert not store.claims.finish(late, Outcome(["{}"], False))
    assert _lines(store, job.id) == UNITS


def test_a_slow_worker_holds_nobody_up(store: Store, threads: Any) -> None:
    job, _ = store.submit("echo", UNITS * 10)
    assert cluster.work(store, threads, run=slow_on_one)
    where = [result.result["worker"] for result in store.results(job.id)]
    assert len(where) == 40
    assert where.count("0") < where.count("1")


def test_a_worker_of_another_version_is_refused(
    store: Store, threads: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    job, _ = store.submit("deal", DEALS)
    with pytest.raises(JobError) as found:
        cluster.work(store, threads, run=refused)
    assert found.value.code == "other_version"
    assert store.job(job.id).units.waiting == 30
    monkeypatch.setattr(cluster, "stamp", stamp_of_thread)
    with pytest.raises(JobError) as early, cluster.connected(threads.scheduler.address):
        pass
    assert early.value.code == "other_version"


@pytest.mark.parametrize(
    ("address", "code"),
    [("local:0", "out_of_range"), ("local:x", "out_of_range"), ("tcp://127.0.0.1:9", "no_cluster")],
)
def test_what_is_no_cluster_is_said(address: str, code: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cluster, "_TIMEOUT_SECONDS", 1)
    with pytest.raises(JobError) as found, cluster.connected(address):
        pass
    assert (found.value.code, found.value.path) == (code, "cluster")
