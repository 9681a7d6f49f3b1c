"""`/v1/solve`: puzzle files in, lines out as they are solved."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from typing import Any

import pytest
from flask.testing import FlaskClient

from api import streams
from api.app import create_app
from api.config import Config
from puzzles import check
from tests.api.searching import lanes
from tests.api.support import FILE, KNOWN, lines_of, refused, warmed


@pytest.fixture(scope="module")
def client() -> FlaskClient:
    warmed()
    return create_app(Config(default_seconds=5, max_seconds=10)).test_client()


def test_solve_toml(client: FlaskClient) -> None:
    lines = lines_of(client.post("/v1/solve?seconds=5&nodes=1000000", data=FILE, content_type="application/toml"))
    by_id = {line["id"]: line for line in lines}
    assert set(by_id) == {"one", "two"}
    assert by_id["one"]["status"] == "confirmed"
    assert by_id["two"]["status"] == "solved"


def test_solve_json(client: FlaskClient) -> None:
    puzzle = {"id": "one", "title": "One", "ask": "winnable", "position": KNOWN, "solution": {"value": "lost"}}
    (line,) = lines_of(client.post("/v1/solve", json={"puzzle": [puzzle]}))
    assert line["status"] == "refuted"


@pytest.mark.parametrize(
    ("body", "kind", "status", "code", "path"),
    [
        ("[[puzzle]\n", "application/toml", 400, "invalid_toml", ""),
        ("{", "application/json", 400, "invalid_json", ""),
        ("", "application/toml", 422, "empty_file", ""),
        ("{}", "application/json", 422, "missing_key", "puzzle"),
        ("[]", "application/json", 422, "wrong_type", ""),
        (FILE.replace('"6"', '"P"'), "application/toml", 422, "illegal_card", "puzzle[0].position.hand"),
        (FILE.replace("title", "tilte", 1), "application/toml", 422, "unknown_key", "puzzle[0].tilte"),
        (FILE.replace("two", "one"), "application/toml", 422, "duplicate_id", "puzzle[1].id"),
        (FILE, "application/xml", 415, "unsupported_media_type", ""),
    ],
    ids=lambda value: str(value)[:30],
)
def test_a_puzzle_file_that_is_wrong(
    client: FlaskClient, body: str, kind: str, status: int, code: str, path: str
) -> None:
    message = refused(client.post("/v1/solve", data=body, content_type=kind), status, code, path)
    if kind == "application/toml":
        assert message.startswith("line ")


@pytest.mark.parametrize(
    ("query", "code", "path"),
    [
        ("seconds=0", "out_of_range", "seconds"),
        ("seconds=soon", "wrong_type", "seconds"),
        ("seconds=nan", "out_of_range", "seconds"),
        ("nodes=1.5", "wrong_type", "nodes"),
        ("nodes=1&nodes=2", "wrong_size", "nodes"),
        ("minutes=1", "unknown_key", "minutes"),
    ],
)
def test_a_query_that_is_wrong(client: FlaskClient, query: str, code: str, path: str) -> None:
    refused(client.post(f"/v1/solve?{query}", data=FILE, content_type="application/toml"), 422, code, path)


def test_lines_are_sent_as_puzzles_are_solved(monkeypatch: pytest.MonkeyPatch) -> None:
    more = threading.Event()
    cancels: list[threading.Event] = []
    inner = check.run

    def slow(puzzles: Any, *, cancel: threading.Event, **options: Any) -> Iterator[Any]:
        cancels.append(cancel)
        yield from inner(puzzles[:1], cancel=cancel, **options)
        assert more.wait(10)
        yield from inner(puzzles[1:], cancel=cancel, **options)

    monkeypatch.setattr(check, "run", slow)
    searches = lanes(1, 8)
    client = create_app(Config(), searches).test_client()
    found = client.post("/v1/solve", data=FILE, content_type="application/toml", buffered=False)
    stream = found.iter_encoded()
    assert json.loads(next(stream))["id"] == "one"
    more.set()
    assert json.loads(next(stream))["id"] == "two"
    assert not cancels[0].is_set()
    found.close()
    assert cancels[0].is_set()


def test_a_stream_that_is_never_read_gives_its_place_back() -> None:
    searches = lanes(1, 8)  # two places for streams, one for a client
    client = create_app(Config(), searches).test_client()
    for _ in range(3):
        found = client.post("/v1/solve", data=FILE, content_type="application/toml", buffered=False)
        assert found.status_code == 200
        found.close()


def test_a_stream_that_is_cut_short_says_so() -> None:
    searches = lanes(1, 8)
    client = create_app(Config(), searches).test_client()
    searches.cancel_all()
    lines = lines_of(client.post("/v1/solve", data=FILE, content_type="application/toml"))
    assert lines[-1]["error"]["code"] == "cancelled"


def test_a_stream_does_not_hold_its_slot_for_ever(client: FlaskClient, monkeypatch: pytest.MonkeyPatch) -> None:
    def endless(_puzzles: Any, *, cancel: threading.Event, **_options: Any) -> Iterator[Any]:
        assert cancel.wait(10)
        yield from ()

    monkeypatch.setattr(check, "run", endless)
    monkeypatch.setattr(streams, "LONGEST_SECONDS", 0.05)
    (line,) = lines_of(client.post("/v1/solve", data=FILE, content_type="application/toml"))
    assert line["error"]["code"] == "cancelled"


def test_a_failure_in_the_middle_of_a_stream(
    client: FlaskClient, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def broken(*_: Any, **__: Any) -> Iterator[Any]:
        raise RuntimeError("a secret of the kitchen")
        yield

    monkeypatch.setattr(check, "run", broken)
    (line,) = lines_of(client.post("/v1/solve", data=FILE, content_type="application/toml"))
    assert line["error"]["code"] == "internal_error"
    assert "secret" not in str(line)
    assert "secret" in caplog.text
