"""Units on a cluster of machines: dask.distributed decides who does what, and does again what a dead worker had.

This process claims units of the store, hands them to the cluster, and keeps their results. So whatever happens to
the cluster, the store knows what is done, and the same batch goes on from there.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any

from athanor.jobs.errors import JobError
from athanor.jobs.stamp import stamp
from athanor.jobs.storage import presence
from athanor.jobs.storage.claims import LEASE_SECONDS, Claim, Outcome
from athanor.jobs.storage.store import Store
from athanor.jobs.workers import units

LOCAL = "local:"
_AHEAD = 4  # units for each worker that are handed over at once, so that it never waits for the next
_WAKE_SECONDS = 0.5
_TIMEOUT_SECONDS = 30

Run = Callable[[str, str], tuple[list[str], bool] | tuple[list[str], bool, float]]


class OtherVersionError(Exception):
    """A worker would come to other results."""


def run(payload: str, wanted: str) -> tuple[list[str], bool, float]:
    """Do a unit on a worker: its lines, whether it failed, and the processor time that it took.

    Raises OtherVersionError unless the worker's Athanor has the stamp that is wanted.
    """
    if stamp() != wanted:
        raise OtherVersionError(f"its Athanor is {stamp()}, and not {wanted}")
    begun = time.process_time()
    outcome = units.run(payload)
    return list(outcome.lines), outcome.failed, time.process_time() - begun


@contextmanager
def connected(address: str) -> Iterator[Any]:
    """A client of the cluster at an address, or of ``local:N``, a cluster of N processes that ends with the block.

    Raises JobError where there is no cluster, where dask is not installed, and for workers that would come to
    other results: of another version of Athanor, with tables of another size, or with threads that share memory.
    """
    try:
        import distributed
    except ImportError:
        message = "a cluster needs dask: pip install 'athanor-cards[cluster]'"
        raise JobError("not_installed", message, "cluster") from None
    try:
        if address.startswith(LOCAL):
            count = address.removeprefix(LOCAL)
            if not count.isdecimal() or not 1 <= int(count) <= 1024:
                raise JobError("out_of_range", f"local:N has a number of workers, not {count!r}", "cluster")
            cluster = distributed.LocalCluster(n_workers=int(count), threads_per_worker=1, dashboard_address=None)
            with cluster, distributed.Client(cluster) as client:
                _check(client)
                yield client
            return
        with _client(address) as client:
            _check(client)
            yield client
    except (OSError, ValueError) as found:
        raise JobError("no_cluster", f"there is no cluster at {address}: {found}", "cluster") from None


def _client(address: str) -> Any:
    """A client of a cluster that there is already. Raises OSError, ValueError, and JobError."""
    import distributed

    try:
        return distributed.Client(address, timeout=_TIMEOUT_SECONDS)
    except TypeError as found:  # dask's own for an address of TLS without the settings that TLS needs
        message = f"there is no cluster at {address} for who has no certificate: {found}"
        raise JobError("no_cluster", message, "cluster") from None


def work(
    store: Store,
    client: Any,
    *,
    run: Run = run,
    stop: Callable[[], bool] = lambda: False,
    report: Callable[[], None] = lambda: None,
) -> bool:
    """Have a cluster do the units that wait; False when `stop` said so before all were done.

    Raises JobError where the cluster is lost, or a worker of another version has joined it; what is done is kept.
    """
    worker = presence.own_name()
    running: dict[Any, Claim] = {}
    try:
        renewed = time.monotonic()
        done: list[tuple[Claim, Outcome]] = []
        while not stop():
            most = _AHEAD * max(1, len(client.nthreads()))
            for claim in store.claims.exchange_many(done, worker, most - len(running)):
                running[client.submit(run, claim.payload, stamp(), key=f"unit-{claim.token}", pure=False)] = claim
            report()
            if not running:
                return True
            done = [(running.pop(future), outcome) for future, outcome in _done(list(running))]
            if time.monotonic() - renewed > LEASE_SECONDS / 3:
                renewed = time.monotonic()
                store.claims.renew_all(running.values())
        store.claims.exchange_many(done, worker, 0)
        return False
    finally:
        store.claims.release(worker)
        with suppress(Exception):  # whatever dask raises when its scheduler has gone
            client.cancel(list(running))


def _check(client: Any) -> None:
    """Raise JobError for workers that would come to other results."""
    other = sorted(name for name, found in client.run(stamp).items() if found != stamp())
    if other:
        raise _other_version(", ".join(other))
    several = sorted(name for name, count in client.nthreads().items() if count > 1)
    if several:
        message = (
            f"start the workers with --nthreads 1, one for each processor; these have more: {', '.join(several)}"
        )
        raise JobError("wrong_workers", message, "cluster")


def _done(futures: list[Any]) -> Iterator[tuple[Any, Outcome]]:
    """The futures that are done with their outcomes, once one is or a moment has passed."""
    import distributed

    try:
        distributed.wait(futures, timeout=_WAKE_SECONDS, return_when="FIRST_COMPLETED")
    except (TimeoutError, distributed.TimeoutError):
        pass
    except Exception as found:  # whatever dask raises when its scheduler has gone
        raise _lost(found) from found
    for future in futures:
        if future.done():
            yield future, _outcome(future)


def _outcome(future: Any) -> Outcome:
    import distributed

    try:
        return Outcome(*future.result(timeout=_TIMEOUT_SECONDS))
    except OtherVersionError as found:
        raise _other_version(str(found)) from None
    except distributed.KilledWorker as found:
        return Outcome(
            [units.error_line("worker_died", f"workers ended before they had done this: {found}")], True
        )
    except Exception as found:
        raise _lost(found) from found


def _other_version(who: str) -> JobError:
    message = f"a worker has another version of Athanor, or tables of another size (ATHANOR_TABLE_MB): {who}"
    return JobError("other_version", message, "cluster")


def _lost(found: Exception) -> JobError:
    message = (
        f"the cluster is lost ({type(found).__name__}: {found}); what is done is kept, and can be gone on with"
    )
    return JobError("cluster_lost", message, "cluster")
