"""Web pages of others cannot use the service through their visitors' browsers."""

from __future__ import annotations

from typing import Any

import pytest
from flask.testing import FlaskClient

from api.app import create_app
from api.config import Config
from tests.api.support import refused

DEAL = {"game": "alchemy", "seed": 1}


@pytest.fixture(scope="module")
def client() -> FlaskClient:
    return create_app(Config(hosts=("Athanor.Example", "192.168.1.7"))).test_client()


def asked(client: FlaskClient, **headers: str) -> Any:
    return client.post("/v1/deal", json=DEAL, headers=headers)


@pytest.mark.parametrize(
    "host",
    [
        "localhost",
        "localhost:8000",
        "LOCALHOST.:80",
        "127.0.0.1:1",
        "127.9.9.9",
        "[::1]:8000",
        "athanor.example",
        "athanor.EXAMPLE:8000",
        "192.168.1.7:80",
    ],
)
def test_a_name_of_the_service(client: FlaskClient, host: str) -> None:
    assert asked(client, Host=host).status_code == 200


@pytest.mark.parametrize(
    "host",
    ["evil.example", "evil.example:8000", "localhost.evil.example", "127.0.0.1.evil.example", "192.168.1.8"],
)
@pytest.mark.parametrize("address", ["/healthz", "/docs", "/v1/games", "/nowhere"])
def test_a_name_that_is_another_s(client: FlaskClient, host: str, address: str) -> None:
    assert host in refused(client.get(address, headers={"Host": host}), 403, "unknown_host")


@pytest.mark.parametrize("host", ["", ":80", "[", "[::1", "a b", "user@localhost@evil.example", "\x7f"])
def test_a_name_that_is_none(client: FlaskClient, host: str) -> None:
    refused(client.get("/healthz", environ_overrides={"HTTP_HOST": host}), 403, "unknown_host")


def test_a_service_that_listens_everywhere_is_called_by_any_address_but_not_by_any_name() -> None:
    everywhere = create_app(Config(hosts=("0.0.0.0",))).test_client()
    assert everywhere.get("/healthz", headers={"Host": "10.1.2.3:8000"}).status_code == 200
    assert everywhere.get("/healthz", headers={"Host": "[fe80::1]:8000"}).status_code == 200
    refused(everywhere.get("/healthz", headers={"Host": "evil.example"}), 403, "unknown_host")


def test_any_name_where_the_operator_says_so() -> None:
    anyhow = create_app(Config(hosts=("*",))).test_client()
    assert anyhow.get("/healthz", headers={"Host": "evil.example"}).status_code == 200


def test_hosts_from_the_environment() -> None:
    assert Config.from_environ({"ATHANOR_HOSTS": " a.example, b.example,[::2] "}).hosts == (
        "a.example",
        "b.example",
        "[::2]",
    )
    assert Config.from_environ({"ATHANOR_HOSTS": ""}).hosts == ()


@pytest.mark.parametrize(
    "origin",
    [
        "https://evil.example",
        "null",
        "",
        "http://localhost:3000",
        "http://192.168.1.7:3000",
        "http://localhost.evil.example",
    ],
)
def test_a_page_of_another_site(client: FlaskClient, origin: str) -> None:
    refused(asked(client, Host="localhost:8000", Origin=origin), 403, "foreign_origin")


@pytest.mark.parametrize("origin", ["http://localhost:8000", "https://LOCALHOST:8000", "https://athanor.example"])
def test_the_service_s_own_page(client: FlaskClient, origin: str) -> None:
    """A proxy may ask under another name than the browser; that name is then among the hosts."""
    assert asked(client, Host="localhost:8000", Origin=origin).status_code == 200


@pytest.mark.parametrize(
    "address", ["/healthz", "/docs", "/docs/swagger-ui.css", "/openapi.json", "/nowhere", "/"]
)
def test_browsers_keep_to_the_type_and_to_the_page(client: FlaskClient, address: str) -> None:
    with client.get(address) as found:
        headers = found.headers
    assert headers["X-Content-Type-Options"] == "nosniff"
    policy = dict(part.strip().split(" ", 1) for part in headers["Content-Security-Policy"].split(";"))
    assert policy["default-src"] == policy["base-uri"] == policy["frame-ancestors"] == "'none'"
    assert policy["form-action"] in ("'none'", "'self'")
    assert policy.get("script-src", "'self'") == "'self'"
