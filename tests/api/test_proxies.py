"""What a proxy says of a request is believed where the operator trusts the proxy, and nowhere else."""

from __future__ import annotations

import re

import pytest

from api.app import create_app
from api.config import Config
from api.server import serve
from solver.errors import RequestError

SAID = {"X-Forwarded-For": "192.0.2.7", "X-Forwarded-Proto": "https", "X-Forwarded-Prefix": "/cards"}


def _written(proxies: tuple[str, ...], headers: dict[str, str]) -> set[str]:
    """The beginnings of all addresses of itself that the service writes."""
    client = create_app(Config(proxies=proxies)).test_client()
    page = client.get("/p/kirin", headers=headers).text
    picture = re.search(r'property="og:image" content="([^"]*)/picture/kirin"', page)
    job = {"kind": "deal", "questions": [{"game": "kirin"}]}
    submitted = client.post("/v1/jobs", json=job, headers=headers)
    document = client.get("/openapi.json", headers=headers).json
    docs = client.get("/docs", headers=headers).text
    assert picture
    assert document
    return {
        picture[1].replace("https://localhost", "S").replace("http://localhost", ""),
        document["servers"][0]["url"].rstrip("/"),
        submitted.headers["Location"].partition("/v1/jobs/")[0],
        *(address.partition("/docs")[0] for address in re.findall(r'(?:src|href)="([^"]*/docs/)', docs)),
    }


def test_every_address_follows_the_proxy() -> None:
    assert _written(("127.0.0.1",), {"X-Forwarded-Prefix": "/cards"}) == {"/cards"}
    assert _written(("127.0.0.0/8",), SAID) == {"/cards", "S/cards"}
    for prefix in ("/~ann/cards", "/games/v1.2/card-games"):
        assert _written(("127.0.0.1",), {"X-Forwarded-Prefix": f"{prefix}/"}) == {prefix}


@pytest.mark.parametrize(
    ("proxies", "headers"),
    [
        ((), SAID),
        (("192.0.2.0/24", "::1"), SAID),
        (("127.0.0.1",), {"X-Forwarded-Prefix": "//evil.com"}),
        (("127.0.0.1",), {"X-Forwarded-Prefix": "https://evil.com/cards"}),
        (("127.0.0.1",), {"X-Forwarded-Prefix": "/cards/../.."}),
        (("127.0.0.1",), {"X-Forwarded-Prefix": "/cards/%2e%2e"}),
        (("127.0.0.1",), {"X-Forwarded-Prefix": "/cards?x"}),
        (("127.0.0.1",), {"X-Forwarded-Prefix": "/cards//evil.com"}),
        (("127.0.0.1",), {"X-Forwarded-Prefix": "cards"}),
        (("127.0.0.1",), {"X-Forwarded-Proto": "javascript"}),
    ],
)
def test_nothing_else_is_believed(proxies: tuple[str, ...], headers: dict[str, str]) -> None:
    assert _written(proxies, headers) == {""}


@pytest.mark.parametrize(
    ("said", "seen"),
    [
        ("192.0.2.7", "192.0.2.7"),
        ("6.6.6.6, 192.0.2.7", "192.0.2.7"),
        ("unknown", "127.0.0.1"),
        ("1:2", "127.0.0.1"),
    ],
)
def test_a_client_has_the_address_that_the_nearest_proxy_saw(said: str, seen: str) -> None:
    app = create_app(Config(proxies=("127.0.0.1",), client_requests=1))
    client = app.test_client()
    assert client.get("/v1/games", headers={"X-Forwarded-For": said}).status_code == 200
    assert client.get("/v1/games", environ_base={"REMOTE_ADDR": seen}).status_code == 429


def test_a_proxy_that_is_none() -> None:
    with pytest.raises(RequestError, match=r"ATHANOR_PROXIES: 'nginx' is not written like 127\.0\.0\.1"):
        Config.from_environ({"ATHANOR_PROXIES": "127.0.0.1 nginx"})


def test_a_service_behind_a_proxy_is_for_strangers() -> None:
    with pytest.raises(RequestError, match="ATHANOR_TOKENS_FILE"):
        serve("127.0.0.1", 0, Config(proxies=("127.0.0.1",)))
