"""Numbers of requests, answers that browsers keep, and pages of other sites that are let in."""

from __future__ import annotations

import io

import pytest
from flask.testing import FlaskClient

from api import logs
from api.app import create_app
from api.config import Config
from tests.api.support import refused

SITE = "https://cards.example"
DEAL = {"game": "alchemy", "seed": 1}


@pytest.fixture(scope="module")
def client() -> FlaskClient:
    return create_app(Config(cors_origins=(SITE,))).test_client()


def test_an_error_its_answer_and_the_log_tell_one_number(client: FlaskClient) -> None:
    found = client.get("/nowhere", headers={"X-Request-Id": "my-7.a"})
    refused(found, 404, "not_found")
    assert found.headers["X-Request-Id"] == "my-7.a"
    drawn = {client.get("/healthz").headers["X-Request-Id"] for _ in range(3)}
    assert len(drawn) == 3
    odd = client.get("/healthz", headers={"X-Request-Id": "a b" + "c" * 99})
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
def test_what_does_not_change_is_sent_once(client: FlaskClient, address: str) -> None:
    first = client.get(address)
    assert first.headers["Cache-Control"] == "no-cache"
    again = client.get(address, headers={"If-None-Match": first.headers["ETag"]})
    assert (again.status_code, again.data) == (304, b"")
    assert client.get(address, headers={"If-None-Match": '"other"'}).data == first.data


def test_what_changes_is_not_kept(client: FlaskClient) -> None:
    assert client.get("/healthz").headers["Cache-Control"] == "no-store"
    assert client.post("/v1/deal", json=DEAL).headers["Cache-Control"] == "no-store"


def test_pages_of_a_listed_site_may_ask_and_others_may_not(client: FlaskClient) -> None:
    asked = client.options("/v1/deal", headers={"Origin": SITE, "Access-Control-Request-Method": "POST"})
    assert asked.status_code == 204
    assert asked.headers["Access-Control-Allow-Origin"] == SITE
    assert "Content-Type" in asked.headers["Access-Control-Allow-Headers"]
    found = client.post("/v1/deal", json=DEAL, headers={"Origin": SITE})
    assert (found.status_code, found.headers["Access-Control-Allow-Origin"]) == (200, SITE)
    assert "Origin" in found.headers["Vary"]
    other = {"Origin": "https://other.example"}
    refused(client.post("/v1/deal", json=DEAL, headers=other), 403, "foreign_origin")
    assert "Access-Control-Allow-Origin" not in client.options("/v1/deal", headers=other).headers
    everybody = create_app(Config(cors_origins=("*",))).test_client()
    assert everybody.post("/v1/deal", json=DEAL, headers=other).status_code == 200


def test_a_file_says_on_which_headers_its_answer_depends(client: FlaskClient) -> None:
    found = client.get("/v1/puzzles?game=king", headers={"Accept-Encoding": "gzip"})
    assert set(found.headers["Vary"].split(", ")) == {"Accept-Encoding", "Accept-Language", "Origin"}
