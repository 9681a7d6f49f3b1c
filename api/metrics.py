"""Monitoring: `/healthz`, `/readyz`, and `/metrics` for Prometheus."""

from __future__ import annotations

import logging
import os
from collections.abc import Iterator, Mapping
from contextlib import closing
from pathlib import Path
from typing import Literal

from flask import Blueprint, Response
from prometheus_client import (
    CONTENT_TYPE_LATEST,
    CollectorRegistry,
    Counter,
    Gauge,
    Histogram,
    ProcessCollector,
    disable_created_metrics,
    generate_latest,
)
from prometheus_client.core import GaugeMetricFamily, Metric
from prometheus_client.registry import Collector

from api.config import VERSION, Config
from api.errors import BusyError
from api.models import GameStart, Health, MemoryUse, Ready
from api.readiness import Progress, Readiness
from api.responses import json_response
from api.search_pool import SOON_SECONDS, SearchPool
from athanor.jobs.file import JobError
from athanor.jobs.settings import default_path, most_megabytes
from athanor.jobs.store import JobsHeld, Store
from solver.answers import Answer
from solver.language import say
from solver.search.memory import MEGABYTE

log = logging.getLogger(__name__)

_BUCKETS = (0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1.0, 3.0, 10.0, 30.0, 100.0)  # seconds
_NO_JOBS = JobsHeld(waiting=0, running=0, failed=0, oldest_seconds=0.0, bytes=0)


class Metrics:
    """The Prometheus metrics of one application. Thread-safe."""

    def __init__(self, searches: SearchPool, readiness: Readiness, jobs: JobStore) -> None:
        disable_created_metrics()  # type: ignore[no-untyped-call]
        self.jobs = jobs
        self.registry = CollectorRegistry()
        ProcessCollector(registry=self.registry)
        version = Gauge("athanor_build_info", "Always 1.", ["version"], registry=self.registry)
        version.labels(VERSION).set(1)
        self.requests = Counter(
            "athanor_requests", "Requests answered.", ["method", "address", "status"], registry=self.registry
        )
        self.seconds = Histogram(
            "athanor_request_seconds",
            "Time from a request to the end of its response.",
            ["address"],
            buckets=_BUCKETS,
            registry=self.registry,
        )
        self._searches = Counter(
            "athanor_searches",
            "Searches, by outcome: proved (exact), ended by a limit (cut), or turned away (busy).",
            ["game", "ask", "outcome"],
            registry=self.registry,
        )
        self.registry.register(_Now(searches, readiness, jobs))

    def searched(self, game: str, ask: str, answer: Answer | None) -> None:
        """Count a question about a game; `answer` is None if the service was too busy."""
        outcome = "busy" if answer is None else "exact" if getattr(answer, "exact", True) else "cut"
        self._searches.labels(game, ask, outcome).inc()


class JobStore:
    """The last known state of the job store. Requests read it here, so that none has to wait for the store.

    `fault` says why the store cannot be read, or why the service cannot work on its jobs; each new one is logged.
    """

    def __init__(self) -> None:
        self.held = _NO_JOBS
        self._faults: dict[str, JobError | None] = {}

    @property
    def fault(self) -> JobError | None:
        return next(filter(None, self._faults.values()), None)

    def record(self, what: str, fault: JobError | None) -> None:
        """Record a fault in `what` the service does with the store; None if it works."""
        before = self._faults.get(what)
        self._faults[what] = fault
        if fault is not None and (before is None or before.code != fault.code):
            log.error("%s jobs: %s (%s)", what, fault.message, default_path())
        elif fault is None and before is not None:
            log.warning("%s jobs: works again", what)

    def look(self) -> None:
        """Update `held` from the store, or record why that is not possible."""
        try:
            if os.path.lexists(default_path()):  # a link that leads nowhere is no file that can be created
                with closing(Store()) as store:
                    self.held = store.held()
            else:
                self.held = _NO_JOBS
                if not _creatable(Path(default_path())):
                    raise JobError("store_unreadable", say("the file of jobs cannot be created"))
            self.record("reading", None)
        except JobError as error:
            self.record("reading", error)


def _creatable(path: Path) -> bool:
    """Whether a file that does not exist, and its folders, can be created."""
    folder = next(folder for folder in path.absolute().parents if folder.exists())
    return folder.is_dir() and os.access(folder, os.W_OK)


class _Now(Collector):
    """Metrics whose values are read when Prometheus asks for them."""

    def __init__(self, searches: SearchPool, readiness: Readiness, jobs: JobStore) -> None:
        self._search = searches
        self._readiness = readiness
        self._jobs = jobs

    def collect(self) -> Iterator[Metric]:
        yield _gauges("searches_inside", "Searches running or waiting.", "lane", self._search.inside())
        resident, tables, limit = self._search.memory()
        yield GaugeMetricFamily("athanor_tables_bytes", "Memory held by search tables.", tables)
        yield GaugeMetricFamily("athanor_tables_limit_bytes", "The memory limit of search tables.", limit)
        if resident is not None:
            yield GaugeMetricFamily("athanor_resident_bytes", "Resident memory of the service.", resident)
        ready = {name: progress.ready for name, progress in self._readiness.progress().items()}
        yield _gauges("game_ready", "1 if the game is ready, else 0.", "game", ready)
        held = self._jobs.held
        units = {state: getattr(held, state) for state in ("waiting", "running", "failed")}
        yield _gauges("jobs_units", "Units of the stored jobs.", "state", units)
        oldest = "Age of the oldest unfinished job."
        yield GaugeMetricFamily("athanor_jobs_oldest_seconds", oldest, held.oldest_seconds)
        yield GaugeMetricFamily("athanor_jobs_store_bytes", "Size of the job store.", held.bytes)
        works = float(self._jobs.fault is None)
        yield GaugeMetricFamily("athanor_jobs_ready", "1 if the service can work on jobs, else 0.", works)


def _gauges(name: str, what: str, label: str, values: Mapping[str, int]) -> Metric:
    """A gauge with a value for each value of a label."""
    gauges = GaugeMetricFamily(f"athanor_{name}", what, labels=[label])
    for labelled, value in values.items():
        gauges.add_metric([labelled], value)
    return gauges


def blueprint(config: Config, metrics: Metrics, searches: SearchPool, readiness: Readiness) -> Blueprint:
    """The routes `/healthz`, `/readyz` and `/metrics`."""
    routes = Blueprint("metrics", __name__)

    @routes.get("/healthz")
    def health() -> Response:
        games = {name: _start(state) for name, state in readiness.progress().items()}
        status: Literal["ok", "starting"] = "ok" if readiness.settled() else "starting"
        return json_response(
            Health(
                status=status,
                version=VERSION,
                reason=searches.problem or None,
                games=games,
                memory=_memory(config, searches),
                jobs=metrics.jobs.held,
                jobs_fault=_code(metrics.jobs),
            )
        )

    @routes.get("/metrics")
    def prometheus() -> Response:
        return Response(generate_latest(metrics.registry), content_type=CONTENT_TYPE_LATEST)

    @routes.get("/readyz")
    def ready() -> Response:
        searches.check_running()
        waiting = [f"{name} ({state})" for name, state in readiness.progress().items() if not state.ready]
        if searches.problem:
            raise BusyError("starting", searches.problem, SOON_SECONDS)
        if waiting:
            raise BusyError("starting", say("not ready: {games}", games=", ".join(waiting)), SOON_SECONDS)
        return json_response(Ready(status="ok", jobs_fault=_code(metrics.jobs)))

    return routes


def _code(jobs: JobStore) -> str | None:
    return None if jobs.fault is None else jobs.fault.code


def _memory(config: Config, searches: SearchPool) -> MemoryUse:
    resident, tables, limit = searches.memory()
    return MemoryUse(
        limit_mb=config.memory_mb,
        used_mb=None if resident is None else resident // MEGABYTE,
        tables_limit_mb=limit // MEGABYTE,
        tables_mb=tables // MEGABYTE,
        jobs_limit_mb=most_megabytes(config.job_workers),
    )


def _start(progress: Progress) -> GameStart:
    return GameStart(
        state=progress.stage.value,
        compiled_share=round(progress.share, 3),
        hints_ready=progress.settled or progress.hints,
        seconds=None if progress.settled else round(progress.seconds, 1),
        reason=progress.reason or None,
    )
