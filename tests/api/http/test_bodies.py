"""Bodies that are not JSON, not text, too large, or of another type."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest
from flask.testing import FlaskClient

from api.app import create_app
from api.config import Config
from tests.api.support import HIDDEN, KNOWN, refused, warmed


@pytest.fixture(scope="module")
def client() -> FlaskClient:
    warmed()
    return create_app(Config(default_seconds=5, max_seconds=10)).test_client()


@pytest.mark.parametrize(
    ("body", "code"),
    [
        (b"", "invalid_json"),
        (b"  ", "invalid_json"),
        (b"{", "invalid_json"),
        (b'{"position": NaN}', "invalid_json"),
        (b'{"position": -Infinity}', "invalid_json"),
        (b'{"position": 1, "position": 2}', "invalid_json"),
        (b'{"position": "\\ud800"}', "invalid_json"),
        (b'{"position": ' + b"1" * 5000 + b"}", "invalid_json"),
        (b"[" * 40_000, "invalid_json"),
        (b'{"a":' * 40_000, "invalid_json"),
        (b'{"position": "\xff"}', "invalid_text"),
        (b'{"position": "\xed\xa0\x80"}', "invalid_text"),
        ('{"position": 1}'.encode("utf-16"), "invalid_text"),
    ],
    ids=lambda value: str(value[:30]),
)
@pytest.mark.parametrize("address", ["/v1/analyze", "/v1/hint", "/v1/deal", "/v1/score"])
def test_what_is_not_json(client: FlaskClient, address: str, body: bytes, code: str) -> None:
    refused(client.post(address, data=body, content_type="application/json"), 400, code)


@pytest.mark.parametrize("body", [b"null", b"5", b"[]", b'"{}"', b"true"])
@pytest.mark.parametrize("address", ["/v1/analyze", "/v1/hint", "/v1/deal", "/v1/score"])
def test_what_is_no_object(client: FlaskClient, address: str, body: bytes) -> None:
    refused(client.post(address, data=body, content_type="application/json"), 422, "wrong_type")


def test_nesting_that_can_still_be_read_is_refused_for_its_key(client: FlaskClient) -> None:
    body = b'{"position":' + b'{"a":' * 800 + b"1" + b"}" * 801
    assert client.post("/v1/analyze", data=body, content_type="application/json").status_code in (400, 422)


def test_an_infinite_number_is_out_of_range(client: FlaskClient) -> None:
    body = json.dumps({"position": KNOWN, "limit": {"seconds": 0}}).replace('"seconds": 0', '"seconds": 1e999')
    refused(
        client.post("/v1/analyze", data=body, content_type="application/json"),
        422,
        "out_of_range",
        "limit.seconds",
    )


def test_an_error_does_not_repeat_a_megabyte(client: FlaskClient) -> None:
    found = client.post("/v1/analyze", json={"position": KNOWN, "x" * 500_000: 1})
    assert found.status_code == 422
    assert len(found.data) < 3000


@pytest.mark.parametrize("kind", ["application/json", "Application/JSON; charset=utf-8"])
def test_a_body_that_says_that_it_is_json(client: FlaskClient, kind: str) -> None:
    body = json.dumps({"position": KNOWN})
    assert client.post("/v1/analyze", data=body, content_type=kind).status_code == 200


@pytest.mark.parametrize(
    "address", ["/v1/analyze", "/v1/hint", "/v1/compound", "/v1/deal", "/v1/score", "/v1/solve"]
)
@pytest.mark.parametrize(
    "kind", [None, "text/plain", "application/x-www-form-urlencoded", "multipart/form-data", "a/b"]
)
def test_a_foreign_type(client: FlaskClient, address: str, kind: str | None) -> None:
    """Any web page can have its visitor's browser send plain text and forms anywhere, without being asked."""
    sent = json.dumps({"game": "alchemy", "seed": 1})
    message = refused(client.post(address, data=sent, content_type=kind), 415, "unsupported_media_type")
    assert "application/json" in message


def test_toml_where_json_is_read(client: FlaskClient) -> None:
    refused(client.post("/v1/analyze", data="{}", content_type="application/toml"), 415, "unsupported_media_type")


def test_a_compressed_body(client: FlaskClient) -> None:
    headers = {"Content-Encoding": "gzip", "Content-Type": "application/json"}
    found = client.post("/v1/analyze", data=b"\x1f\x8b", headers=headers)
    refused(found, 415, "unsupported_media_type")


@pytest.mark.parametrize("address", ["/v1/analyze", "/v1/solve"])
def test_too_large_a_body(client: FlaskClient, address: str) -> None:
    refused(client.post(address, data=b" " * ((1 << 20) + 1), content_type="application/json"), 413, "too_large")


def test_a_long_answer_is_compressed_for_who_takes_gzip() -> None:
    client = create_app(Config()).test_client()
    plain = client.get("/v1/rules/kirin")
    found = client.get("/v1/rules/kirin", headers={"Accept-Encoding": "gzip"})
    assert "Content-Encoding" not in plain.headers
    assert found.headers["Content-Encoding"] == "gzip"
    assert gzip.decompress(found.data) == plain.data
    assert len(found.data) < len(plain.data) / 2
    assert found.headers["ETag"] != plain.headers["ETag"]
    again = client.get(
        "/v1/rules/kirin", headers={"Accept-Encoding": "gzip", "If-None-Match": found.headers["ETag"]}
    )
    assert again.status_code == 304
    assert "Content-Encoding" not in client.get("/readyz", headers={"Accept-Encoding": "gzip"}).headers


def test_a_limit_above_the_maximum_is_cut_and_said() -> None:
    client = create_app(Config(max_seconds=2.0, default_seconds=1.0)).test_client()
    for address, limit, said in (
        ("/v1/analyze", 5.0, "2"), ("/v1/hint", 90.0, "2"), ("/v1/hint", 1.5, None), ("/v1/hint", None, None),
    ):  # fmt: skip
        position = KNOWN if address == "/v1/analyze" else HIDDEN
        found = client.post(address, json={"position": position, "limit": {"seconds": limit}})
        assert found.status_code == 200, found.text
        assert found.headers.get("X-Limit-Seconds") == said


def test_a_limit_of_one_question_among_many_is_cut_and_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ATHANOR_JOBS", str(tmp_path / "jobs.sqlite"))
    client = create_app(Config(max_seconds=2.0, default_seconds=1.0)).test_client()
    for seconds, said in ((5, "2"), (1, None)):
        asked = {"ask": "analyze", "position": KNOWN, "limit": {"seconds": seconds}}
        found = client.post("/v1/batch", json={"questions": [{"ask": "hint"}, asked]})
        assert (found.status_code, found.headers.get("X-Limit-Seconds")) == (200, said)
        for body in (
            {"questions": [KNOWN, {"position": KNOWN, "seconds": seconds}]},
            {"questions": [KNOWN], "limit": {"seconds": seconds}},
        ):
            found = client.post("/v1/jobs", json={"kind": "analyze", **body})
            assert (found.status_code, found.headers.get("X-Limit-Seconds")) == (201, said)


@pytest.mark.parametrize("address", ["/v1/moves", "/v1/hint", "/v1/analyze", "/v1/play", "/v1/view"])
def test_a_path_into_a_position_is_seen_from_it(address: str) -> None:
    client = create_app(Config()).test_client()
    position = {"game": "kirin", "seat": 2, "leader": 0, "hand": ["D1", "D1"]}
    rest: dict[str, dict[str, object]] = {"/v1/play": {"moves": []}, "/v1/view": {"seat": 0}}
    found = client.post(address, json={"position": position, **rest.get(address, {})})
    assert found.get_json()["error"]["path"].startswith("hand")
