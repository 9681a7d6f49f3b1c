"""Units on a cluster come to the same as on one machine, whatever becomes of its workers and its scheduler."""

from __future__ import annotations

import gc
import os
import shutil
import signal
import subprocess
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import dask
import distributed
import pytest

from athanor.jobs import cluster
from athanor.jobs.batches import Batch
from athanor.jobs.cluster import Cluster
from athanor.jobs.file import JobError
from athanor.jobs.store import Outcome, Store
from athanor.jobs.units import payloads
from athanor.jobs.workers import Done, work
from tests.jobs.support import UNITS, refused, store

__all__ = ["store"]
pytestmark = pytest.mark.filterwarnings("ignore")  # dask's own, when a cluster is torn down

DEALS = list(
    payloads("deal", [{"game": "kirin", "seed": 2, "number": 2 * unit, "deals": 2} for unit in range(30)])
)

# A worker that has to wait longer for its scheduler on a busy machine is given up, and no other is started; …
_PATIENT = {"distributed.comm.timeouts.connect": "600s"}
# … so is one that, after its death, is not there again so soon.
_PATIENT_CLUSTER = {"distributed.deploy.lost-worker-timeout": "600s"}


@pytest.fixture(scope="module", autouse=True)
def _unprofiled() -> Iterator[None]:
    """Workers within this process do not look at each other's stacks.

    In Python before 3.11.9 that can hang all threads when garbage is collected meanwhile (python/cpython#106883).
    """
    with dask.config.set({"distributed.worker.profile.enabled": False}):
        yield


def echo(payloads: list[str], seconds: float, wanted: str) -> Done:
    return Done([Outcome([payload], False) for payload in payloads], 0.01, 0.01)


def slowly(payloads: list[str], seconds: float, wanted: str) -> Done:
    time.sleep(0.05)
    return Done([Outcome([payload], False) for payload in payloads[:1]], 1.0, 1.0)


def slow_on_one(payloads: list[str], seconds: float, wanted: str) -> Done:
    """A second on the worker called 0, no time on others; tells where it was done."""
    name = distributed.get_worker().name
    if str(name) == "0":
        time.sleep(1)
    return Done([Outcome([f'{{"worker":"{name}"}}'], False) for _ in payloads[:1]], 1.0, 1.0)


def deadly(payloads: list[str], seconds: float, wanted: str) -> Done:
    if UNITS[2] in payloads:
        os.kill(os.getpid(), signal.SIGKILL)
    return echo(payloads, seconds, wanted)


def of_another_version(payloads: list[str], seconds: float, wanted: str) -> Done:
    return cluster.run(payloads, seconds, "of another version")


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


@contextmanager
def _nothing_left_to_collect() -> Iterator[None]:
    """A client that could not connect is closed there and then, not by whatever thread collects garbage next."""
    gc.collect()
    gc.disable()
    try:
        yield
        clients = [one for one in gc.get_objects() if issubclass(type(one), distributed.Client)]
        assert {client.status for client in clients} <= {"running", "closed"}
    finally:
        gc.enable()


def _lines(store: Store, job: str) -> list[str]:
    return [text for _, text in store.ordered(job)]


def on(client: Any, store: Store, run: cluster.Run = cluster.run, **given: Any) -> bool:
    team = Cluster(client, run)
    try:
        return work(store, team, **given)
    finally:
        team.close()


def test_a_cluster_comes_to_the_same_output(tmp_path: Path, threads: Any) -> None:
    alone = Batch("deal", DEALS, str(tmp_path / "alone.ndjson"))
    assert alone.run(1)
    assert alone.finish() == 0
    batch = Batch("deal", DEALS, str(tmp_path / "cluster.ndjson"))
    told: list[int] = []
    assert on(threads, batch.store, report=lambda: told.append(1))
    assert batch.finish() == 0
    assert told
    assert (tmp_path / "cluster.ndjson").read_bytes() == (tmp_path / "alone.ndjson").read_bytes()


def test_a_stop_keeps_what_is_done(store: Store, threads: Any) -> None:
    job, _ = store.submit("echo", UNITS * 10)
    assert not on(threads, store, slowly, stop=lambda: store.job(job.id).units.done > 3)
    units = store.job(job.id).units
    assert 3 < units.done < 40
    assert units.running == 0
    assert on(threads, store, echo)
    assert _lines(store, job.id) == UNITS * 10


@pytest.mark.slow
def test_a_killed_worker_loses_nothing_and_a_unit_that_kills_its_workers_fails_alone(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    job, _ = store.submit("echo", UNITS * 10)
    with (
        dask.config.set(_PATIENT_CLUSTER),
        distributed.LocalCluster(
            n_workers=1, threads_per_worker=1, dashboard_address=None, config=_PATIENT
        ) as there,
        distributed.Client(there) as client,
    ):
        victims = list(client.run(os.getpid).values())

        def kill_once() -> None:
            while victims and store.job(job.id).units.done:
                os.kill(victims.pop(), signal.SIGKILL)

        assert on(client, store, slowly, report=kill_once)
        assert not victims
        assert _lines(store, job.id) == UNITS * 10
        assert store.job(job.id).status == "done"

        # One worker and a chunk at a time: no other waits there to be taken for deadly, too.
        monkeypatch.setattr(cluster, "_AHEAD", 1)
        monkeypatch.setattr("athanor.jobs.store.MOST_ATTEMPTS", 2)
        there.scheduler.allowed_failures = 0
        job, _ = store.submit("echo", UNITS)
        assert on(client, store, deadly)
    found = store.job(job.id)
    assert (found.status, found.units.done) == ("failed", 3)
    (failed,) = [result for result in store.results(job.id) if result.index == 2]
    assert failed.result["error"]["code"] == "worker_died"


def test_a_lost_scheduler_is_said_and_the_job_goes_on_elsewhere(store: Store, threads: Any) -> None:
    job, _ = store.submit("echo", UNITS * 10)
    here = distributed.LocalCluster(n_workers=1, threads_per_worker=1, processes=False, dashboard_address=None)
    with distributed.Client(here) as client:
        closing = threading.Thread(target=here.close)

        def close_once() -> None:
            if closing.ident is None and store.job(job.id).units.done:
                closing.start()

        assert refused(on, client, store, slowly, report=close_once).code == "cluster_lost"
        closing.join()
    assert 0 < store.job(job.id).units.done < 40
    assert store.job(job.id).units.running == 0
    assert on(threads, store, echo)
    assert _lines(store, job.id) == UNITS * 10


def test_work_for_a_scheduler_that_has_just_gone_is_refused_as_lost() -> None:
    with (
        distributed.LocalCluster(n_workers=1, processes=False, dashboard_address=None) as here,
        distributed.Client(here) as client,
    ):
        team = Cluster(client)
        assert team.free(0)
        client.close()
        assert refused(team.submit, ["{}"]).code == "cluster_lost"


def test_a_slow_worker_holds_nobody_up(store: Store, threads: Any) -> None:
    job, _ = store.submit("echo", UNITS * 10)
    assert on(threads, store, slow_on_one)
    where = [result.result["worker"] for result in store.results(job.id)]
    assert len(where) == 40
    assert where.count("0") < where.count("1")


def test_a_worker_of_another_version_is_refused(store: Store, threads: Any) -> None:
    job, _ = store.submit("deal", DEALS)
    found = refused(on, threads, store, of_another_version)
    assert found.code == "other_version"
    assert any(address in found.message for address in threads.nthreads())
    assert store.job(job.id).units.waiting == 30


def test_chunks_are_longer_where_there_are_thousands_of_workers() -> None:
    class Many:
        status = "running"

        def nthreads(self) -> dict[int, int]:
            return dict.fromkeys(range(16_000), 1)

    team = Cluster(Many())
    assert team.seconds == 1
    assert 50 < team.free(0) < 200  # a scheduler that gets thousands at once is stuck
    assert team.seconds == 160


@pytest.mark.parametrize("address", ["nowhere:x", "tcp://127.0.0.1:9"])
def test_what_is_no_cluster_is_said(address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cluster, "_TIMEOUT_SECONDS", 1)
    with _nothing_left_to_collect(), pytest.raises(JobError) as found, cluster.connected(address):
        pass
    assert (found.value.code, found.value.path) == ("no_cluster", "cluster")


def test_workers_with_several_threads_are_refused() -> None:
    with (
        distributed.LocalCluster(
            n_workers=1, threads_per_worker=2, processes=False, dashboard_address=None
        ) as there,
        pytest.raises(JobError) as found,
        cluster.connected(there.scheduler_address),
    ):
        pass
    assert found.value.code == "wrong_workers"


# The settings are those of DASK_DISTRIBUTED__COMM__TLS__CA_FILE and so on.
SETTINGS = ("ca-file", "client.cert", "client.key")


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> tuple[str, str]:
    """A certificate that vouches for itself, and its key."""
    tool = shutil.which("openssl")
    if tool is None:
        pytest.skip("openssl is not installed")
    folder = tmp_path_factory.mktemp("tls")
    certificate, key = str(folder / "cert.pem"), str(folder / "key.pem")
    curve = ("-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256")
    subject = ("-subj", "/CN=localhost", "-days", "2")
    command = [tool, "req", "-x509", *curve, "-nodes", "-keyout", key, "-out", certificate, *subject]
    subprocess.run(command, check=True, capture_output=True, timeout=60)
    return certificate, key


@pytest.fixture
def encrypted(files: tuple[str, str]) -> Iterator[Any]:
    """A cluster that speaks TLS alone."""
    certificate, key = files
    sides = {f"tls_{side}_{what}": path for side in ("client", "scheduler", "worker") for what, path in
             (("cert", certificate), ("key", key))}  # fmt: skip
    security = distributed.Security(tls_ca_file=certificate, require_encryption=True, **sides)
    with distributed.LocalCluster(
        n_workers=1,
        threads_per_worker=1,
        processes=False,
        protocol="tls://",
        security=security,
        dashboard_address=None,
    ) as there:
        yield there


def test_a_batch_over_tls(
    encrypted: Any, files: tuple[str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    address = encrypted.scheduler_address
    assert address.startswith("tls://")
    monkeypatch.setattr(cluster, "_TIMEOUT_SECONDS", 2)
    with (
        _nothing_left_to_collect(),
        pytest.raises(JobError, match="without a certificate"),
        cluster.connected(address),
    ):
        pass
    monkeypatch.setattr(cluster, "_TIMEOUT_SECONDS", 30)
    certificate, key = files
    paths = zip(SETTINGS, (certificate, certificate, key), strict=True)
    asked = payloads("deal", [{"game": "kirin", "seed": 2, "number": unit, "deals": 1} for unit in range(4)])
    batch = Batch("deal", asked, str(tmp_path / "deals.ndjson"))
    with (
        dask.config.set({f"distributed.comm.tls.{name}": path for name, path in paths}),
        cluster.connected(address) as client,
    ):
        assert client.scheduler_info()["address"] == address
        assert on(client, batch.store)
    assert batch.finish() == 0
    assert len((tmp_path / "deals.ndjson").read_text().splitlines()) == 4
