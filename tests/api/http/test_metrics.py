"""`/metrics` counts what was asked and answered; `/readyz` says when every game is ready."""

from __future__ import annotations

from typing import Any

import pytest
from flask.testing import FlaskClient
from prometheus_client.parser import text_string_to_metric_families

import athanor
from api.app import create_app
from api.config import Config
from api.http.searches import Searches
from api.starting.readiness import Readiness, Stage
from tests.api.support import KNOWN, refused


@pytest.fixture
def searches() -> Searches:
    return Searches(2, 16)


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
    assert found["athanor_searches_inside", frozenset({"search"})] >= 0
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
