"""Answering units on many machines with dask.distributed, which repeats the work of dead workers.

This process claims the units and stores the outcomes (`athanor.jobs.workers.work`). Whatever happens to the
cluster, the finished work is stored, and the same job resumes from there.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from concurrent.futures import CancelledError
from contextlib import contextmanager
from typing import Any

from athanor.jobs.file import JobError
from athanor.jobs.units import stamp
from athanor.jobs.workers import CHUNK_SECONDS, Done, Team, answers
from solver.language import say

_AHEAD = 2  # chunks handed to each worker at once, so that it never waits for the next
_MOST_A_SECOND = 100  # chunks per second to aim for: few enough for one scheduler and one claiming process
# Assumed overhead of a chunk and of a unit in the scheduler and this process, in seconds: twice the real one
# (docs/scale.md).
_CHUNK_SECONDS, _UNIT_SECONDS = 1 / 200, 1 / 20_000
_AHEAD_SECONDS = 0.5  # of this overhead: how far ahead chunks are handed out
_TIMEOUT_SECONDS = 30
_RESULT_SECONDS = 5  # for returning results

Run = Callable[[list[str], float, str], Done]


class OtherVersionError(Exception):
    """The worker at an address has another version of Athanor, or tables of another size."""


def run(payloads: list[str], seconds: float, wanted: str) -> Done:
    """Answer a chunk of units on a worker, for about `seconds` seconds.

    `payloads` are the units, each a line of JSON. Raises OtherVersionError unless the worker's ``stamp()`` is
    `wanted`.
    """
    if stamp() != wanted:
        from distributed import get_worker

        raise OtherVersionError(get_worker().address)
    return answers(payloads, seconds)


@contextmanager
def connected(address: str) -> Iterator[Any]:
    """Connect to the cluster at an address; yield the dask client.

    Raises JobError if there is no cluster, if dask is not installed, and for workers with several threads, which
    would share their memory.
    """
    try:
        import distributed
    except ImportError:
        message = say("a cluster needs dask: pip install 'athanor-cards[cluster]'")
        raise JobError("not_installed", message, "cluster") from None

    class Client(distributed.Client):  # type: ignore[misc]  # dask has no types
        def start(self, **given: Any) -> None:
            try:
                super().start(**given)
            except BaseException:  # else its threads run until it is collected as garbage, in whatever thread
                self.close()
                raise

    try:
        client = Client(address, timeout=_TIMEOUT_SECONDS)
    except TypeError as error:  # dask's error for a TLS address without the TLS settings
        message = say(
            "there is no cluster at {address} that works without a certificate: {found}",
            address=address,
            found=error,
        )
        raise JobError("no_cluster", message, "cluster") from None
    except (OSError, ValueError) as error:
        message = say("there is no cluster at {address}: {found}", address=address, found=error)
        raise JobError("no_cluster", message, "cluster") from None
    with client:
        several = sorted(name for name, count in client.nthreads().items() if count > 1)
        if several:
            message = say(
                "start the workers with --nthreads 1, one for each processor; these have more: {names}",
                names=", ".join(several),
            )
            raise JobError("wrong_workers", message, "cluster")
        yield client


class Cluster(Team):
    """The workers of a dask cluster. The more workers there are, the more work each chunk contains.

    At most as many chunks are in progress as the scheduler and this process can handle. A chunk cannot be ended
    early, but dask forgets all of them when its client is closed.
    """

    def __init__(self, client: Any, run: Run = run) -> None:
        self._client = client
        self._run = run
        self._busy_until = 0.0

    @property
    def seconds(self) -> float:
        return max(CHUNK_SECONDS, self.size / _MOST_A_SECOND)

    def free(self, running: int) -> int:
        if self._client.status != "running":
            raise _lost(ConnectionError(f"the connection is {self._client.status}"))
        self.size = max(1, len(self._client.nthreads()))
        left = _AHEAD_SECONDS - max(0.0, self._busy_until - time.monotonic())
        return max(0, min(_AHEAD * self.size - running, int(left / _CHUNK_SECONDS)))

    def submit(self, payloads: list[str]) -> Any:
        from distributed.client import ClosedClientError

        took = _CHUNK_SECONDS + len(payloads) * _UNIT_SECONDS
        self._busy_until = max(self._busy_until, time.monotonic()) + took
        try:
            return self._client.submit(self._run, payloads, self.seconds, stamp(), pure=False)
        except ClosedClientError as error:  # the scheduler has gone since the last look
            raise _lost(error) from error

    def result(self, future: Any) -> Done | None:
        import distributed

        try:
            return Done(*future.result(timeout=_RESULT_SECONDS))
        except OtherVersionError as error:
            message = say(
                "a worker has another version of Athanor, or tables of another size (ATHANOR_TABLE_MB): {who}",
                who=error,
            )
            raise JobError("other_version", message, "cluster") from None
        except distributed.KilledWorker:
            return None
        except (TimeoutError, CancelledError) as error:  # its worker died after answering, so the answer is lost
            if self._client.status != "running":
                raise _lost(error) from error
            future.cancel()
            return None
        except Exception as error:
            raise _lost(error) from error


def _lost(error: BaseException) -> JobError:
    message = say(
        "the cluster is lost ({name}: {found}); finished work is kept, and can be continued",
        name=type(error).__name__,
        found=error,
    )
    return JobError("cluster_lost", message, "cluster")
