"""Numbers of requests, the log, `/metrics`, and what caches and other sites may have."""

from __future__ import annotations

import io
import json
import logging
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from flask.testing import FlaskClient
from prometheus_client.parser import text_string_to_metric_families

import athanor
from api import logs, tracing
from api.app import create_app
from api.config import Config
from api.metrics import JobStore
from api.readiness import Readiness, Stage
from api.search_pool import SearchPool
from api.tokens import made
from athanor import processes
from athanor.jobs import Store
from solver.errors import RequestError
from tests.api.serving import asked, served
from tests.api.support import KNOWN, lanes, refused

SITE = "https://cards.example"
DEAL = {"game": "alchemy", "seed": 1}


@pytest.fixture(scope="module")
def listed() -> FlaskClient:
    return create_app(Config(cors_origins=(SITE,))).test_client()


def test_an_error_its_answer_and_the_log_tell_one_number(listed: FlaskClient) -> None:
    found = listed.get("/nowhere", headers={"X-Request-Id": "my-7.a"})
    refused(found, 404, "not_found")
    assert found.headers["X-Request-Id"] == "my-7.a"
    drawn = {listed.get("/healthz").headers["X-Request-Id"] for _ in range(3)}
    assert len(drawn) == 3
    odd = listed.get("/healthz", headers={"X-Request-Id": "a b" + "c" * 99})
    assert len(odd.headers["X-Request-Id"]) == 16


def test_lines_of_the_log_tell_the_number_of_the_request() -> None:
    app, stream = create_app(), io.StringIO()
    handler = logs.handler(stream)
    app.logger.addHandler(handler)

    @app.get("/fails")
    def fails() -> str:
        raise ValueError("on purpose")

    found = app.test_client().get("/fails", headers={"X-Request-Id": "seven"})
    app.logger.removeHandler(handler)
    refused(found, 500, "internal_error")
    assert "[seven]: a request failed" in stream.getvalue()


@pytest.mark.parametrize("address", ["/v1/games", "/v1/decks", "/v1/rules/kirin", "/openapi.json"])
def test_what_does_not_change_is_sent_once(listed: FlaskClient, address: str) -> None:
    first = listed.get(address)
    assert first.headers["Cache-Control"] == "no-cache"
    again = listed.get(address, headers={"If-None-Match": first.headers["ETag"]})
    assert (again.status_code, again.data) == (304, b"")
    assert listed.get(address, headers={"If-None-Match": '"other"'}).data == first.data


def test_what_changes_is_not_kept(listed: FlaskClient) -> None:
    assert listed.get("/healthz").headers["Cache-Control"] == "no-store"
    assert listed.post("/v1/deal", json=DEAL).headers["Cache-Control"] == "no-store"


def test_pages_of_a_listed_site_may_ask_and_others_may_not(listed: FlaskClient) -> None:
    asked = listed.options("/v1/deal", headers={"Origin": SITE, "Access-Control-Request-Method": "POST"})
    assert asked.status_code == 204
    assert asked.headers["Access-Control-Allow-Origin"] == SITE
    assert "Content-Type" in asked.headers["Access-Control-Allow-Headers"]
    found = listed.post("/v1/deal", json=DEAL, headers={"Origin": SITE})
    assert (found.status_code, found.headers["Access-Control-Allow-Origin"]) == (200, SITE)
    assert "Origin" in found.headers["Vary"]
    other = {"Origin": "https://other.example"}
    refused(listed.post("/v1/deal", json=DEAL, headers=other), 403, "foreign_origin")
    assert "Access-Control-Allow-Origin" not in listed.options("/v1/deal", headers=other).headers
    everybody = create_app(Config(cors_origins=("*",))).test_client()
    assert everybody.post("/v1/deal", json=DEAL, headers=other).status_code == 200


def test_a_file_says_on_which_headers_its_answer_depends(listed: FlaskClient) -> None:
    found = listed.get("/v1/puzzles?game=king", headers={"Accept-Encoding": "gzip"})
    assert set(found.headers["Vary"].split(", ")) == {"Accept-Encoding", "Accept-Language", "Origin"}


# The log.


@pytest.fixture
def stream() -> Iterator[io.StringIO]:
    stream = io.StringIO()
    handler = logs.handler(stream, "json")
    log, level = tracing.log, tracing.log.level
    log.addHandler(handler)
    log.setLevel(logging.INFO)
    yield stream
    log.removeHandler(handler)
    log.setLevel(level)


def test_each_request_is_a_line_of_json(stream: io.StringIO) -> None:
    client = create_app().test_client()
    for number in range(12):  # more than are let through of other kinds
        client.get("/healthz", headers={"X-Request-Id": f"number-{number}"}).close()
    client.get("/nowhere\u202e", headers={"X-Request-Id": "lost"}).close()
    client.get("/v1/rules/kirin", headers={"X-Request-Id": "rules"}).close()
    lines = [json.loads(line) for line in stream.getvalue().splitlines()]
    assert [line["request"] for line in lines] == [*(f"number-{number}" for number in range(12)), "lost", "rules"]
    first, lost, rules = lines[0], lines[12], lines[13]
    assert set(first) == {
        "time", "level", "logger", "message", "request", "client", "token", "method", "address", "status",
        "milliseconds", "lane", "nodes",
    }  # fmt: skip
    assert (first["method"], first["address"], first["status"], first["level"]) == ("GET", "/healthz", 200, "INFO")
    assert first["milliseconds"] >= 0
    assert (first["client"], first["token"], first["lane"], first["nodes"]) == ("127.0.0.1", None, None, 0)
    assert (lost["address"], lost["status"]) == ("none", 404)
    assert rules["address"] == "/v1/rules/<name>" or rules["address"].startswith("/v1/rules/<")
    assert stream.getvalue().isascii()


def test_a_line_says_who_asked_and_what_was_searched(
    stream: io.StringIO, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(processes, "TRIAL_SECONDS", 60.0)  # on a busy machine a quick try is cut off
    monkeypatch.setattr(processes, "_TRIAL_LATEST", 60.0)
    athanor.game("alchemy").warm()
    secret, token = made("alice")
    (tmp_path / "tokens").write_text(f"{token.line}\n")
    client = create_app(Config(tokens_file=str(tmp_path / "tokens"))).test_client()
    headers = {"Authorization": f"Bearer {secret}"}
    body = {"position": KNOWN}
    found = client.post("/v1/analyze", json=body, headers=headers, buffered=True).json
    client.post("/v1/analyze?stream=true", json=body, headers=headers, buffered=True).close()
    client.post(
        "/v1/batch", json={"questions": [{"ask": "hint", **body}] * 2}, headers=headers, buffered=True
    ).close()
    client.post("/v1/analyze", json=body, headers={"Authorization": "Bearer of nothing"}, buffered=True).close()
    quick, long, batch, stranger = [json.loads(line) for line in stream.getvalue().splitlines()]
    for line in (quick, long, batch):
        assert (line["client"], line["token"], line["status"]) == ("127.0.0.1", "alice", 200)
    assert found is not None
    assert (quick["lane"], quick["nodes"]) == ("quick", found["nodes"])
    assert (long["lane"], long["nodes"]) == ("long", found["nodes"])
    assert batch["lane"] == "hint"
    assert batch["nodes"] > 0
    assert (stranger["token"], stranger["status"], stranger["lane"], stranger["nodes"]) == (None, 401, None, 0)


def test_what_is_hardly_http_has_a_line_too(stream: io.StringIO) -> None:
    with served(Config()) as service:
        for sent in (b"nonsense\r\n\r\n", b"GET /v1/games HTTP/1.1\r\n\r\n"):
            with service.connect("127.0.0.7") as client:
                assert asked(client, sent)[0] == 400
        with service.connect() as client:
            assert asked(client, b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n")[0] == 200
    first, second, other = map(json.loads, stream.getvalue().splitlines())
    for line in (first, second):
        assert set(line) == set(other)
        assert (line["client"], line["address"], line["status"]) == ("127.0.0.7", "none", 400)


def test_a_fault_has_the_number_of_its_request(stream: io.StringIO) -> None:
    app = create_app()
    handler = logs.handler(stream, "json")
    app.logger.addHandler(handler)

    @app.get("/fails")
    def fails() -> str:
        raise ValueError("on\npurpose")

    app.test_client().get("/fails", headers={"X-Request-Id": "seven"}).close()
    app.logger.removeHandler(handler)
    fault, request = map(json.loads, stream.getvalue().splitlines())
    assert (fault["request"], fault["level"]) == ("seven", "ERROR")
    assert "on\npurpose" in fault["exception"]
    assert (request["request"], request["status"]) == ("seven", 500)


def test_requests_are_logged_where_the_setting_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    given: list[logging.Handler] = []
    monkeypatch.setattr(logging, "basicConfig", lambda handlers: given.extend(handlers))
    level = tracing.log.level
    logs.begin()
    assert not tracing.log.isEnabledFor(logging.INFO)
    monkeypatch.setenv("ATHANOR_LOG", "json")
    logs.begin()
    assert tracing.log.isEnabledFor(logging.INFO)
    tracing.log.setLevel(level)
    assert len(given) == 2
    monkeypatch.setenv("ATHANOR_LOG", "xml")
    with pytest.raises(RequestError, match="ATHANOR_LOG must be one of text, json, not 'xml'"):
        logs.begin()


def test_what_is_logged_again_and_again_is_counted_instead(monkeypatch: pytest.MonkeyPatch) -> None:
    stream = io.StringIO()
    log = logging.Logger("loud")
    log.addHandler(logs.handler(stream))
    moment = [100.0]
    monkeypatch.setattr("api.logs.time.monotonic", lambda: moment[0])
    for number in range(1000):
        if number == 999:
            moment[0] += 60
        log.warning("request %d failed", number)
    log.warning("something else")
    lines = stream.getvalue().splitlines()
    assert len(lines) == 7
    assert "request 999 failed" in lines[5]
    assert "994 more" in lines[5]
    assert "something else" in lines[6]


# Figures.


@pytest.fixture
def searches() -> SearchPool:
    return lanes(2)


@pytest.fixture
def client(searches: SearchPool) -> FlaskClient:
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
    assert [status(f"/v1/analyze{query}", known) for query in ("", "", "?stream=true")] == [200] * 3
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


def test_ready_is_said_when_every_game_is(searches: SearchPool) -> None:
    readiness = Readiness(["kirin", "king"])
    client = create_app(Config(), searches, readiness).test_client()
    waiting = refused(client.get("/readyz"), 503, "starting")
    assert "kirin" in waiting
    assert client.get("/readyz").headers["Retry-After"]
    readiness.enter("kirin", Stage.READY)
    readiness.enter("king", Stage.FAILED, "for a reason")
    assert "king (failed, for a reason)" in refused(client.get("/readyz"), 503, "starting")
    found = _samples(client)
    assert found["athanor_game_ready", frozenset({"kirin"})] == 1
    assert found["athanor_game_ready", frozenset({"king"})] == 0
    readiness.enter("king", Stage.READY)
    assert client.get("/readyz").get_json() == {"status": "ok", "jobs_fault": None}
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
    assert jobs.held.bytes == 0
    store = Store()
    store.submit("deal", ["{}"])
    store.close()
    jobs.look()
    client = create_app(Config(), jobs=jobs).test_client()
    health = client.get("/healthz").get_json()["jobs"]
    assert (health["waiting"], health["running"], health["failed"]) == (1, 0, 0)
    assert health["oldest_seconds"] >= 0
    found = _samples(client)
    assert found["athanor_jobs_units", frozenset({"waiting"})] == 1
    assert found["athanor_jobs_store_bytes", frozenset()] > 0


@pytest.mark.parametrize("target", ["jobs.sqlite", "none/none", "a folder"])
def test_a_link_to_no_file_is_no_store(
    target: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "a folder").mkdir()
    path = tmp_path / "jobs.sqlite"
    path.symlink_to(tmp_path / target)
    monkeypatch.setenv("ATHANOR_JOBS", str(path))
    jobs = JobStore()
    jobs.look()
    assert jobs.fault is not None
    assert jobs.fault.code == "store_unreadable"
    assert str(path) in caplog.text
