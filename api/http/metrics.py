"""`/metrics`: what the service does, for Prometheus; `/readyz`: whether it takes questions about every game."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Annotated, Literal

from flask import Blueprint, Flask, Response, g, request
from prometheus_client import CONTENT_TYPE_LATEST, CollectorRegistry, Counter, Histogram, generate_latest
from prometheus_client.core import GaugeMetricFamily, Metric
from prometheus_client.registry import Collector
from pydantic import BaseModel, Field

from api.http.errors import StartingError
from api.http.searches import Searches
from api.starting.readiness import Readiness
from solver.answers import Answer
from solver.positions import game_of

_BUCKETS = (0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1.0, 3.0, 10.0, 30.0, 100.0)  # seconds
NOWHERE = "none"  # the address of a request that has none of ours: strangers must not make up names
_SOON_SECONDS = 5


class Ready(Answer):
    """Every game is ready, or has failed."""

    status: Annotated[Literal["ok"], Field(description="Always the same: else the answer is an error.")]


class Metrics:
    """What one application counts. May be used from any thread."""

    def __init__(self, searches: Searches, readiness: Readiness) -> None:
        self.registry = CollectorRegistry()
        self._requests = Counter(
            "athanor_requests", "Requests answered.", ["method", "address", "status"], registry=self.registry
        )
        self._seconds = Histogram(
            "athanor_request_seconds",
            "From a request to the end of its answer.",
            ["address"],
            buckets=_BUCKETS,
            registry=self.registry,
        )
        self._searches = Counter(
            "athanor_searches",
            "Questions that were searched: proved (exact), ended by a limit (cut), or put off (busy).",
            ["game", "ask", "outcome"],
            registry=self.registry,
        )
        self.registry.register(_Now(searches, readiness))

    def searched(self, position: BaseModel, ask: str, answer: Answer | None) -> None:
        """Count a question about a position; its answer is None where it was put off."""
        outcome = "busy" if answer is None else "exact" if getattr(answer, "exact", True) else "cut"
        self._searches.labels(game_of(position).name, ask, outcome).inc()

    def count(self, app: Flask) -> None:
        """Count every request of an app."""

        def begun() -> None:
            g.begun = time.monotonic()

        def ended(answer: Response) -> Response:
            rule = request.url_rule
            address = rule.rule if rule is not None and answer.status_code != 405 else NOWHERE
            method = request.method if rule is not None else NOWHERE
            since: float = g.get("begun", time.monotonic())

            def closed() -> None:
                self._seconds.labels(address).observe(time.monotonic() - since)

            self._requests.labels(method, address, str(answer.status_code)).inc()
            answer.call_on_close(closed)
            return answer

        app.before_request(begun)
        app.after_request(ended)


class _Now(Collector):
    """What is so at the moment of asking."""

    def __init__(self, searches: Searches, readiness: Readiness) -> None:
        self._search = searches
        self._readiness = readiness

    def collect(self) -> Iterator[Metric]:
        inside = GaugeMetricFamily(
            "athanor_searches_inside", "Searches that run or wait for their turn.", labels=["lane"]
        )
        for name, count in self._search.inside().items():
            inside.add_metric([name], count)
        yield inside
        resident, tables, limit = self._search.memory()
        yield GaugeMetricFamily("athanor_tables_bytes", "What the tables of searches hold.", tables)
        yield GaugeMetricFamily("athanor_tables_limit_bytes", "What they may hold.", limit)
        if resident is not None:
            yield GaugeMetricFamily("athanor_resident_bytes", "What the service has in memory.", resident)
        ready = GaugeMetricFamily("athanor_game_ready", "1 for a game that is ready, else 0.", labels=["game"])
        for name, found in self._readiness.progress().items():
            ready.add_metric([name], float(found.ready))
        yield ready


def blueprint(metrics: Metrics, searches: Searches, readiness: Readiness) -> Blueprint:
    """The routes `/metrics` and `/readyz`."""
    routes = Blueprint("metrics", __name__)

    @routes.get("/metrics")
    def told() -> Response:
        return Response(generate_latest(metrics.registry), content_type=CONTENT_TYPE_LATEST)

    @routes.get("/readyz")
    def ready() -> Response:
        if searches.stopping.is_set():
            raise StartingError("the service is stopping", _SOON_SECONDS)
        waiting = [name for name, found in readiness.progress().items() if not found.settled]
        if waiting:
            raise StartingError(f"not ready yet: {', '.join(waiting)}", _SOON_SECONDS)
        return Response(Ready(status="ok").to_json(), mimetype="application/json")

    return routes
