"""A million analyses on a thousand simulated machines: ``python -m benchmarks.scale``.

First, costs are measured: of a Kirin analysis, and of a chunk's way through dask's scheduler and back. Then a job
is submitted as by `athanor batch`, and worked on by the loop that claims units and stores their results, in a real
store; only the scheduler and its workers are simulated, with the measured times. It prints how busy each part was,
on average and in the busiest ten seconds.
"""

from __future__ import annotations

import heapq
import itertools
import resource
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import click
from distributed import Client, LocalCluster

import athanor
from athanor.jobs.cluster import Cluster
from athanor.jobs.store import Chunk, Open, Outcome, Store
from athanor.jobs.units import answer, payloads
from athanor.jobs.workers import Done, work
from solver.positions import text_of

_WINDOW_SECONDS = 10
_TASKS = 2_000  # chunks that are sent through dask


class Workers:
    """A stand-in for a dask client, with the methods that `Cluster` uses, whose workers take as long as the
    measured analyses.
    """

    status = "running"

    def __init__(self, workers: int, chunk_seconds: float, costs: list[tuple[float, str]]) -> None:
        self._there = dict.fromkeys(range(workers), 1)
        self._free = [0.0] * workers  # when each finishes its work
        self._costs = itertools.cycle(costs)
        self._chunk_seconds = chunk_seconds
        self._scheduled = 0.0
        self._change = threading.Condition()
        self._coming: list[tuple[float, int, Future[Any], Done]] = []
        self.chunks: Counter[int] = Counter()  # by the window in which they were handed out
        self.worked = 0.0
        self.own_seconds = 0.0  # of the claiming thread, spent on this simulation
        threading.Thread(target=self._end, daemon=True).start()

    def nthreads(self) -> dict[int, int]:
        return self._there

    def submit(self, run: object, texts: list[str], seconds: float, stamp: str, *, pure: bool) -> Future[Any]:
        began = time.thread_time()
        now = time.monotonic()
        self._scheduled = max(self._scheduled, now) + self._chunk_seconds
        self.chunks[int(now / _WINDOW_SECONDS)] += 1
        start = max(self._scheduled, heapq.heappop(self._free))
        outcomes, took = [], 0.0
        for _ in texts:
            cost, line = next(self._costs)
            took += cost
            outcomes.append(Outcome([line], False))
            if took > seconds:
                break
        heapq.heappush(self._free, start + took)
        self.worked += took
        future: Future[Any] = Future()
        with self._change:
            heapq.heappush(self._coming, (start + took, id(future), future, Done(outcomes, took, took)))
            self._change.notify()
        self.own_seconds += time.thread_time() - began
        return future

    def _end(self) -> None:
        while True:
            with self._change:
                while not self._coming or self._coming[0][0] > time.monotonic():
                    self._change.wait(self._coming[0][0] - time.monotonic() if self._coming else None)
                _, _, future, done = heapq.heappop(self._coming)
            future.set_result(done)


class Watched(Store):
    """A store that records how much processor time went into claims and results, and when."""

    def __init__(self, path: Path) -> None:
        super().__init__(path)
        self.spent: Counter[int] = Counter()  # milliseconds by window

    def claim(self, wanted: Iterable[tuple[Open, int]]) -> list[Chunk]:
        with self._watched():
            return super().claim(wanted)

    def keep(self, done: Iterable[tuple[Chunk, Sequence[Outcome] | None]]) -> None:
        with self._watched():
            super().keep(done)

    @contextmanager
    def _watched(self) -> Iterator[None]:
        began = time.thread_time()
        yield
        self.spent[int(time.monotonic() / _WINDOW_SECONDS)] += round((time.thread_time() - began) * 1e3)


def _peak() -> float:
    """The peak memory of this process in MiB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def _analyses(count: int) -> Iterator[tuple[str, float, str]]:
    """Kirin deals as text, and the times and answers of their analyses."""
    athanor.analyze(athanor.deal("kirin", seed=0))  # loads the kernels
    for number in range(count):
        text = text_of(athanor.deal("kirin", seed=1, number=number))
        (unit,) = payloads("analyze", [text])
        began = time.thread_time()
        outcome = answer(unit)
        yield text, time.thread_time() - began, outcome.lines[0]


def _nothing(texts: list[str], seconds: float, stamp: str) -> Done:
    return Done([Outcome(["{}"], False)] * len(texts), 0.0, 0.0)


def _chunk_seconds(texts: list[str]) -> float:
    """The processor time that dask's scheduler and client need for a chunk of this many units."""
    with (
        LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as there,
        Client(there) as client,
    ):
        for count in (200, _TASKS):  # the first one does the work that is done only once
            began = time.process_time()
            futures = [client.submit(_nothing, texts, 1.0, "", pure=False) for _ in range(count)]
            for future in futures:
                future.result()
        return (time.process_time() - began) / _TASKS


def _told(name: str, seconds: float, busiest: float, wall: float) -> str:
    return f"{name:<24}{seconds / wall:>6.0%} busy, at most {busiest / _WINDOW_SECONDS:.0%}"


@click.command()
@click.option("--units", default=1_000_000, help="How many analyses the job has.")
@click.option("--workers", default=16_000, help="How many workers are made up.")
@click.option("--sample", default=400, help="How many analyses are measured.")
@click.option("--slower", default=1.0, help="How many times as long an analysis takes as was measured.")
def main(units: int, workers: int, sample: int, slower: float) -> None:
    """Measure the costs, and then how busy the shared parts are."""
    analyses = list(_analyses(sample))
    mean = sum(cost for _, cost, _ in analyses) / sample * slower
    click.echo(f"an analysis: {mean * 1e3:.1f} ms in the mean of {sample}")
    chunk = _chunk_seconds([text for text, _, _ in analyses[:60]])
    click.echo(f"a chunk of 60 through dask: {chunk * 1e3:.2f} ms, so {1 / chunk:.0f} a second")
    with tempfile.TemporaryDirectory() as folder:
        store = Watched(Path(folder) / "jobs.sqlite")
        before, began = _peak(), time.thread_time()
        texts = itertools.islice(itertools.cycle(text for text, _, _ in analyses), units)
        store.submit("analyze", payloads("analyze", texts))
        spent = time.thread_time() - began
        click.echo(f"submitting {units:,}: {spent / units * 1e6:.0f} µs each, {_peak() - before:.0f} MiB more")
        client = Workers(workers, chunk, [(cost * slower, line) for _, cost, line in analyses])
        _work(store, client, units, workers, chunk)


def _work(store: Watched, client: Workers, units: int, workers: int, chunk: float) -> None:
    wall, began = time.monotonic(), time.thread_time()
    progress = _timed(lambda: store.jobs())
    assert work(store, Cluster(client))
    wall, spent = time.monotonic() - wall, time.thread_time() - began - client.own_seconds
    assert store.jobs()[0].units.done == units
    chunks = client.chunks.total()
    click.echo(
        f"{units:,} analyses, {workers:,} workers: {wall:.0f} s, {chunks:,} chunks, {units / wall:,.0f} a second"
    )
    click.echo(_told("claiming and keeping", spent, max(store.spent.values()) / 1e3, wall))
    click.echo(_told("scheduler", chunks * chunk, max(client.chunks.values()) * chunk, wall))
    click.echo(f"workers                 {client.worked / wall / workers:>6.1%} busy")
    click.echo(f"a unit                  {spent / units * 1e6:>6.0f} µs of the process that claims")
    click.echo(f"how far it is           {progress * 1e3:>6.2f} ms")
    click.echo(f"results                 {store.file.size() / wall / 1e6:>6.1f} MB a second")


def _timed(call: Callable[[], object]) -> float:
    began = time.thread_time()
    call()
    return time.thread_time() - began


if __name__ == "__main__":
    main()
