"""`/metrics` counts what was asked and answered; `/readyz` says when every game is ready."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from flask.testing import FlaskClient
from prometheus_client.parser import text_string_to_metric_families

import athanor
from api.app import create_app
from api.config import Config
from api.metrics import JobStore
from api.readiness import Readiness, Stage
from api.search_pool import Searches
from athanor.jobs import Store
from tests.api.searching import lanes
from tests.api.support import KNOWN, refused


@pytest.fixture
def searches() -> Searches:
    return lanes(2, 16)


@pytest.fixture
def client(searches: Searches) -> FlaskClient:
    athanor.game("alchemy").warm()
    return create_app(Config(), searches).test_client()


def _samples(client: FlaskClient) -> dict[tuple[str, frozenset[str]], float]:
    """The value of each sample by its name and the values of its labels."""
    found = client.get("/metrics")
    assert found.mimetype == "text/plain"
    return {
        (sample.name, frozenset(sample.labels.values())): sample.value
        for family in text_string_to_metric_families(found.text)
        for sample in family.samples
    }


def test_questions_are_counted_by_what_became_of_them(client: FlaskClient) -> None:
    def status(address: str, body: Any) -> int:
        return client.post(address, json=body, buffered=True).status_code  # and the answer is closed

    known = {"position": KNOWN}
    question = {"ask": "analyze", **known}
    assert [status(f"/v1/analyze{query}", known) for query in ("", "", "?stream=1")] == [200] * 3
    assert status("/v1/batch", {"questions": [question, question]}) == 200
    assert status("/v1/analyze", {"position": {"game": "chess"}}) == 422
    found = _samples(client)
    assert found["athanor_searches_total", frozenset({"alchemy", "analyze", "exact"})] == 5
    assert found["athanor_requests_total", frozenset({"POST", "/v1/analyze", "200"})] == 3
    assert found["athanor_requests_total", frozenset({"POST", "/v1/analyze", "422"})] == 1
    assert found["athanor_request_seconds_count", frozenset({"/v1/analyze"})] == 4
    assert found["athanor_searches_inside", frozenset({"long"})] >= 0
    assert found["athanor_tables_limit_bytes", frozenset()] > 0


def test_strangers_make_no_names_up(client: FlaskClient) -> None:
    client.get("/some/address")
    client.open("/v1/games", method="ODD")
    found = _samples(client)
    assert found["athanor_requests_total", frozenset({"none", "404"})] == 1
    assert not any("ODD" in labels or "/some/address" in labels for _, labels in found)


def test_ready_is_said_when_every_game_is(searches: Searches) -> None:
    readiness = Readiness(["kirin", "king"])
    client = create_app(Config(), searches, readiness).test_client()
    waiting = refused(client.get("/readyz"), 503, "starting")
    assert "kirin" in waiting
    assert client.get("/readyz").headers["Retry-After"]
    readiness.enter("kirin", Stage.READY)
    readiness.enter("king", Stage.FAILED, "for a reason")
    assert client.get("/readyz").get_json() == {"status": "ok"}
    found = _samples(client)
    assert found["athanor_game_ready", frozenset({"kirin"})] == 1
    assert found["athanor_game_ready", frozenset({"king"})] == 0
    searches.stopping.set()
    refused(client.get("/readyz"), 503, "starting")
    assert client.get("/healthz").status_code == 200


def test_what_an_operator_watches(client: FlaskClient) -> None:
    names = {name for name, _ in _samples(client)}
    assert {"athanor_build_info", "athanor_jobs_oldest_seconds", "athanor_jobs_store_bytes"} <= names
    assert any(name.startswith("process_") for name in names)
    assert not [name for name in names if name.endswith("_created")]


def test_jobs_are_counted_by_their_status(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ATHANOR_JOBS", str(tmp_path / "jobs.sqlite"))
    jobs = JobStore()
    jobs.look()
    assert jobs.figures.bytes == 0
    store = Store()
    store.submit("deal", ["{}"])
    store.close()
    jobs.look()
    client = create_app(Config(), jobs=jobs).test_client()
    health = client.get("/healthz").get_json()["jobs"]
    assert (health["waiting"], health["running"], health["failed"]) == (1, 0, 0)
    assert health["oldest"] >= 0
    found = _samples(client)
    assert found["athanor_jobs_units", frozenset({"waiting"})] == 1
    assert found["athanor_jobs_store_bytes", frozenset()] > 0


def test_a_service_whose_store_cannot_be_used_is_not_ready(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "jobs.sqlite").write_bytes(b"a store of another format" * 100)
    monkeypatch.setenv("ATHANOR_JOBS", str(tmp_path / "jobs.sqlite"))
    jobs = JobStore()
    jobs.look()
    client = create_app(Config(), jobs=jobs).test_client()
    message = refused(client.get("/readyz"), 503, "starting")
    assert "store of jobs" in message
    assert str(tmp_path) not in message
    for found in (client.get("/v1/jobs"), client.get("/v1/jobs/none")):
        assert found.status_code == 500
        assert str(tmp_path) not in found.text  # strangers learn no folder
