"""The log as lines of JSON: one for each request, with its number, and what goes wrong with the same number."""

from __future__ import annotations

import io
import json
import logging
from collections.abc import Iterator

import pytest

from api import logs, tracing
from api.app import create_app
from solver.errors import RequestError


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
        "time", "level", "logger", "message", "request", "client", "method", "address", "status", "seconds",
    }  # fmt: skip
    assert (first["method"], first["address"], first["status"], first["level"]) == ("GET", "/healthz", 200, "INFO")
    assert first["seconds"] >= 0
    assert (lost["address"], lost["status"]) == ("none", 404)
    assert rules["address"] == "/v1/rules/<name>" or rules["address"].startswith("/v1/rules/<")
    assert stream.getvalue().isascii()


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
