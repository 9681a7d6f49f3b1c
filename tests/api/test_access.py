"""Who is let in: hosts and origins, bearer tokens, and limits of each client."""

from __future__ import annotations

import hmac
import os
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from flask.testing import FlaskClient

from api.access import OPEN, Budgets
from api.app import create_app
from api.cli.main import cli
from api.config import NAMES, Config
from api.errors import LimitError
from api.openapi import document
from api.search_pool import Asker
from api.server import serve
from api.tokens import MARK, MOST_TOKENS, Limits, TokenFile, made, read
from solver.errors import RequestError
from tests.api.support import lanes, refused

DEAL = {"game": "alchemy", "seed": 1}


@pytest.fixture(scope="module")
def guarded() -> FlaskClient:
    return create_app(Config(hosts=("Athanor.Example", "192.168.1.7"))).test_client()


def asked(guarded: FlaskClient, **headers: str) -> Any:
    return guarded.post("/v1/deal", json=DEAL, headers=headers)


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
def test_a_name_of_the_service(guarded: FlaskClient, host: str) -> None:
    assert asked(guarded, Host=host).status_code == 200


@pytest.mark.parametrize(
    "host",
    [
        "evil.example",
        "evil.example:8000",
        "localhost.evil.example",
        "127.0.0.1.evil.example",
        "192.168.1.8",
        "localhost..",
    ],
)
@pytest.mark.parametrize("address", ["/healthz", "/docs", "/v1/games", "/nowhere"])
def test_a_name_that_is_another_s(guarded: FlaskClient, host: str, address: str) -> None:
    assert host in refused(guarded.get(address, headers={"Host": host}), 403, "unknown_host")


@pytest.mark.parametrize("host", [
    "", ":80", "[", "[::1", "[::1]x", "a b", "user@localhost@evil.example", "evil.example@localhost", "\x7f",
    "localhost/evil.example", "localhost?evil.example", "localhost#evil.example", "localhost\\evil.example",
    "localhost:80@evil.example", "localhost:evil", "localhost:80:80", "localhost, localhost",
    " localhost", "localhost\t", "//localhost", "http://localhost", "LOCALHOST\n", "ｌocalhost", "127.0.0.1/8",
])  # fmt: skip
@pytest.mark.parametrize("hosts", [(), ("*",)])
def test_a_name_that_is_none(hosts: tuple[str, ...], host: str) -> None:
    client = create_app(Config(hosts=hosts)).test_client()
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
        "http://evil.example@localhost",
        "http://localhost/evil.example",
        "http://athanor.example:x",
    ],
)
def test_a_page_of_another_site(guarded: FlaskClient, origin: str) -> None:
    refused(asked(guarded, Host="localhost:8000", Origin=origin), 403, "foreign_origin")


@pytest.mark.parametrize("origin", ["http://localhost:8000", "https://LOCALHOST:8000", "https://athanor.example"])
def test_the_service_s_own_page(guarded: FlaskClient, origin: str) -> None:
    """A proxy may ask under another name than the browser; that name is then among the hosts."""
    assert asked(guarded, Host="localhost:8000", Origin=origin).status_code == 200


@pytest.mark.parametrize(
    "address", ["/healthz", "/docs", "/docs/swagger-ui.css", "/openapi.json", "/nowhere", "/"]
)
def test_browsers_keep_to_the_type_and_to_the_page(guarded: FlaskClient, address: str) -> None:
    with guarded.get(address) as found:
        headers = found.headers
    assert headers["X-Content-Type-Options"] == "nosniff"
    policy = dict(part.strip().split(" ", 1) for part in headers["Content-Security-Policy"].split(";"))
    assert policy["default-src"] == policy["base-uri"] == policy["frame-ancestors"] == "'none'"
    assert policy["form-action"] in ("'none'", "'self'")
    assert policy.get("script-src", "'self'") == "'self'"


# Tokens.


HASH = "sha256:" + "0" * 64


@pytest.fixture
def secret(tmp_path: Path) -> str:
    """The token of alice, in a file beside that of bob."""
    (token, alice), (_, bob) = made("alice"), made("bob")
    (tmp_path / "tokens").write_text(f"# clients\n\n{bob.line}\n{alice.line}  # our own\n")
    return token


@pytest.fixture
def client(secret: str, tmp_path: Path) -> FlaskClient:
    return create_app(Config(tokens_file=str(tmp_path / "tokens"))).test_client()


def bearer(token: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {token}"}


def test_a_token_opens_what_is_closed_without_one(client: FlaskClient, secret: str) -> None:
    for address in ("/v1/games", "/metrics", "/v1/jobs/none", "/nowhere", "/static/none"):
        found = client.get(address)
        refused(found, 401, "unauthorized")
        assert found.headers["WWW-Authenticate"] == 'Bearer realm="athanor"'
    refused(client.post("/v1/deal", data=b"no json"), 401, "unauthorized")
    assert client.get("/v1/games", headers=bearer(secret)).status_code == 200
    assert client.get("/metrics", headers={"Authorization": f"bearer  {secret}"}).status_code == 200
    assert client.get("/nowhere", headers=bearer(secret)).status_code == 404


@pytest.mark.parametrize("address", ["/healthz", "/readyz", "/docs", "/"])
def test_what_is_open_to_all(client: FlaskClient, address: str) -> None:
    with client.get(address) as found:
        assert found.status_code == 200


def test_there_is_nothing_open_that_there_is_not(client: FlaskClient) -> None:
    assert {rule.rule for rule in client.application.url_map.iter_rules()} >= OPEN


@pytest.mark.parametrize("token", ["wrong", "ä", MARK, HASH, "\x00"])
def test_a_token_that_is_not_good(client: FlaskClient, token: str) -> None:
    environ = {"HTTP_AUTHORIZATION": f"Bearer {token}"}
    found = client.get("/v1/games", environ_overrides=environ)
    assert token not in refused(found, 401, "invalid_token")
    assert found.headers["WWW-Authenticate"] == 'Bearer realm="athanor", error="invalid_token"'


@pytest.mark.parametrize("header", ["", "Bearer", "Bearer ", "Basic YTpi", "Bearertoken"])
def test_a_header_without_a_token(client: FlaskClient, header: str) -> None:
    refused(client.get("/v1/games", headers={"Authorization": header}), 401, "unauthorized")


def test_the_hash_in_the_file_is_no_token(client: FlaskClient, secret: str, tmp_path: Path) -> None:
    text = (tmp_path / "tokens").read_text()
    assert secret not in text
    for word in text.split():
        refused(client.get("/v1/games", headers=bearer(word)), 401, "invalid_token")


def test_the_file_is_read_again_when_it_has_changed(
    client: FlaskClient, secret: str, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    file = tmp_path / "tokens"

    def status() -> int:
        return client.get("/v1/games", headers=bearer(secret)).status_code

    good = file.read_text()
    file.write_text(good + "carol\n")
    assert status() == 200  # a faulty line is left out,
    assert status() == 200
    assert [record.levelname for record in caplog.records] == ["ERROR"]  # and is told once
    assert "line 5" in caplog.text
    file.unlink()
    assert status() == 200
    file.write_text(made("dave")[1].line)
    assert status() == 401
    (tmp_path / "new").write_text(good)
    os.replace(tmp_path / "new", file)
    assert status() == 200


FAULTY = (
    b"carol",
    b"carol sha256:12",
    b"\xff\xfe",
    b"carol " + HASH.encode() + b" requests=x",
    b"\x00",
    b"bob x\rcarol",
)


@pytest.mark.parametrize("faulty", FAULTY)
@pytest.mark.parametrize("first", [True, False])
def test_a_token_is_revoked_and_another_let_in_beside_a_faulty_line(
    client: FlaskClient, secret: str, tmp_path: Path, faulty: bytes, first: bool
) -> None:
    file = tmp_path / "tokens"
    (new, dave), kept = made("dave"), [line for line in file.read_text().splitlines() if "alice" not in line]
    assert client.get("/v1/games", headers=bearer(secret)).status_code == 200
    lines = [*map(str.encode, kept), dave.line.encode()]
    file.write_bytes(b"\n".join([faulty, *lines] if first else [*lines, faulty]))
    refused(client.get("/v1/games", headers=bearer(secret)), 401, "invalid_token")
    assert client.get("/v1/games", headers=bearer(new)).status_code == 200


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("alice", "64 hexadecimal digits"),
        (f"alice {HASH[:-1]}", "64 hexadecimal digits"),
        (f"alice {HASH[:-1]}G", "64 hexadecimal digits"),
        (f"alice sha512:{'0' * 64}", "sha256"),
        (f"alice {HASH} {HASH}", "searches="),
        (f"-a {HASH}", "a name has"),
        (f"{'a' * 65} {HASH}", "a name has"),
        (f"älice {HASH}", "a name has"),
        (f"bob sha256:{'1' * 64}", "already in line 2"),
        (f"alice {HASH.replace('0', '2')}", "already in line 2"),
    ],
)
def test_a_faulty_file_is_an_error_with_its_line(line: str, told: str) -> None:
    kept = f"# clients\nbob {HASH.replace('0', '2')}\n"
    tokens, (fault,) = read(kept + line, "file")
    assert [token.name for token in tokens] == ["bob"]
    assert fault.message.startswith("file, line 3: ")
    assert told in fault.message


def test_there_is_a_bound_on_tokens() -> None:
    lines = [f"a{number} sha256:{number:064x}" for number in range(MOST_TOKENS + 1)]
    tokens, (fault,) = read("\n".join(lines), "file")
    assert len(tokens) == MOST_TOKENS
    assert f"line {MOST_TOKENS + 1}: there are more than" in fault.message


def test_a_file_that_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(RequestError, match="no such file"):
        TokenFile(str(tmp_path / "none"))
    (tmp_path / "tokens").write_bytes(b"# one\n\xff\n")
    with pytest.raises(RequestError, match="line 2: this is not UTF-8"):
        create_app(Config(tokens_file=str(tmp_path / "tokens")))


def test_every_hash_is_compared(monkeypatch: pytest.MonkeyPatch, secret: str, tmp_path: Path) -> None:
    """None is passed over when one has been found, so the time tells nothing."""
    compared = []

    def compare(one: bytes, other: bytes) -> bool:
        compared.append(one)
        return one == other

    monkeypatch.setattr(hmac, "compare_digest", compare)
    file = TokenFile(str(tmp_path / "tokens"))
    found = file.find(secret)
    assert found is not None
    assert (found.name, len(compared)) == ("alice", 2)


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "192.0.2.1"])
def test_no_service_for_strangers_without_tokens(host: str) -> None:
    with pytest.raises(RequestError, match=r"ATHANOR_TOKENS_FILE.*--open") as found:
        serve(host, 0, Config())
    assert found.value.code == "needs_tokens"


@pytest.mark.parametrize(("everyone", "tokens"), [(True, False), (False, True)])
def test_a_service_for_strangers(
    monkeypatch: pytest.MonkeyPatch, secret: str, tmp_path: Path, everyone: bool, tokens: bool
) -> None:
    """It gets as far as to the socket; there this test ends it."""

    def taken(*_: object) -> socket.socket:
        raise OSError("so far")

    monkeypatch.setattr(socket, "socket", taken)
    config = Config(tokens_file=str(tmp_path / "tokens") if tokens else "")
    with pytest.raises(RequestError, match="so far"):
        serve("0.0.0.0", 0, config, everyone=everyone)


def test_open_and_closed_is_a_contradiction(secret: str, tmp_path: Path) -> None:
    with pytest.raises(RequestError, match="--open"):
        serve("127.0.0.1", 0, Config(tokens_file=str(tmp_path / "tokens")), everyone=True)


# Any text will do for these.
FREE = ("ATHANOR_BROWSER", "ATHANOR_JOBS", "ATHANOR_KERNELS", "ATHANOR_TRACEBACK")


@pytest.mark.parametrize(
    ("name", "text"),
    [
        *((name, text) for name in NAMES if name not in FREE for text in ("x y/z", "-1 /x")),
        *(
            ("ATHANOR_MEMORY_MB", text) for text in ("１２００", "1_200", "15", "99999999")
        ),  # the jobs' workers read it too
    ],
)
def test_a_wrong_value_of_any_setting_keeps_the_service_from_starting(
    monkeypatch: pytest.MonkeyPatch, name: str, text: str
) -> None:
    monkeypatch.setenv(name, text)

    def listening(*_: object, **__: object) -> socket.socket:
        raise AssertionError("the value was not checked before the service listens")

    monkeypatch.setattr("api.server._bind", listening)
    found = CliRunner().invoke(cli, ["serve", "--port", "0"])
    assert found.exit_code == 2, found.output
    assert name in found.stderr or text in found.stderr


@pytest.mark.parametrize(("name", "text"), [
    ("HOSTS", "http://cards.example"), ("HOSTS", "cards.example:443"), ("HOSTS", "a/b"), ("HOSTS", "a@b"),
    ("HOSTS", "[::1"), ("CORS_ORIGINS", "cards.example"), ("CORS_ORIGINS", "https://cards.example/a"),
    ("CORS_ORIGINS", "null"), ("CORS_ORIGINS", "https://*,a"),
])  # fmt: skip
def test_names_that_no_request_could_have(name: str, text: str) -> None:
    with pytest.raises(RequestError, match=f"ATHANOR_{name}: .* is not written like "):
        Config.from_environ({f"ATHANOR_{name}": text})


@pytest.mark.parametrize(("name", "text"), [
    ("THREADS", "1_0"), ("THREADS", "１０"), ("SEARCHES", " 2"), ("MAX_SECONDS", "6_0.5"),
    ("CLIENT_SEARCHES", "+1"),
])  # fmt: skip
def test_numbers_are_plain_decimal_digits(name: str, text: str) -> None:
    with pytest.raises(RequestError, match=f"ATHANOR_{name} must be a number, not "):
        Config.from_environ({f"ATHANOR_{name}": text})


def test_a_faulty_file_keeps_the_service_from_starting(tmp_path: Path) -> None:
    (tmp_path / "tokens").write_text("alice\n")
    with pytest.raises(RequestError, match="line 1: "):
        serve("127.0.0.1", 0, Config(tokens_file=str(tmp_path / "tokens")))


def test_the_command_makes_a_token_that_opens(tmp_path: Path) -> None:
    def run(name: str) -> Result:
        return CliRunner().invoke(cli, ["token", name])

    result = run("alice")
    assert result.exit_code == 0
    (tmp_path / "tokens").write_text(result.stdout)
    secret = result.stderr.split()[-1]
    client = create_app(Config(tokens_file=str(tmp_path / "tokens"))).test_client()
    assert client.get("/v1/games", headers=bearer(secret)).status_code == 200
    assert secret not in result.stdout
    assert run("alice").stdout != result.stdout
    wrong = run("a b")
    assert (wrong.exit_code, wrong.stdout) == (2, "")
    assert "a name has" in wrong.stderr


def test_the_document_names_the_scheme() -> None:
    closed = document(Config(tokens_file="tokens"))
    assert closed["components"]["securitySchemes"]["token"]["scheme"] == "bearer"
    assert closed["security"] == [{"token": []}]
    for path, methods in closed["paths"].items():
        for operation in (methods[name] for name in methods if name in ("get", "post", "delete")):
            needs = "security" not in operation
            assert needs == (path not in OPEN)
            assert ("401" in operation["responses"]) == needs


def test_open_has_to_be_said(monkeypatch: pytest.MonkeyPatch) -> None:
    said: list[object] = []
    monkeypatch.setattr("api.server.serve", lambda *_, everyone, **__: said.append(everyone))
    for words in (["serve"], ["serve", "--open"]):
        assert CliRunner().invoke(cli, words).exit_code == 0
    assert said == [False, True]


# Limits of each client: requests and processor time a minute, searches at once.


class Clock:
    now = 100.0

    def __call__(self) -> float:
        return self.now


def _spent(budgets: Budgets, client: str, limits: int) -> tuple[str, int]:
    with pytest.raises(LimitError) as found:
        budgets.request(client, limits)
    return found.value.code, int(found.value.headers["Retry-After"])


def test_requests_come_back_evenly() -> None:
    clock = Clock()
    budgets, limits = Budgets(clock=clock), 6
    for _ in range(6):
        budgets.request("one", limits)
    assert _spent(budgets, "one", limits) == ("too_many_requests", 10)
    budgets.request("two", limits)  # another client is not concerned
    clock.now += 9.9
    _spent(budgets, "one", limits)
    clock.now += 0.2  # who was refused in between owes no more for it
    budgets.request("one", limits)
    assert _spent(budgets, "one", limits) == ("too_many_requests", 10)


def test_no_limits_and_a_clock_that_goes_back() -> None:
    clock = Clock()
    budgets = Budgets(clock=clock)
    for _ in range(100):
        budgets.request("one", 0)
    assert not len(budgets)
    budgets.request("one", 1)
    clock.now -= 50
    _spent(budgets, "one", 1)


def test_only_so_many_clients_are_remembered() -> None:
    budgets, limits = Budgets(most=10, clock=Clock()), 1
    for number in range(1000):
        budgets.request(str(number), limits)
    assert len(budgets) == 10
    _spent(budgets, "999", limits)
    budgets.request("1", limits)


def _client(path: Path, *lines: str, **limits: int) -> FlaskClient:
    (path / "tokens").write_text("\n".join(lines))
    tokens = str(path / "tokens") if lines else ""
    return create_app(Config(tokens_file=tokens, **limits), lanes(2)).test_client()  # type: ignore[arg-type]


def test_an_address_has_its_limit(tmp_path: Path) -> None:
    client = _client(tmp_path, client_requests=2)

    def asked(address: str, path: str = "/v1/games") -> int:
        return client.get(path, environ_overrides={"REMOTE_ADDR": address}).status_code

    assert [asked("192.0.2.1") for _ in range(3)] == [200, 200, 429]
    assert [asked(f"2001:db8::{end}") for end in (1, 2, 3)] == [200, 200, 429]  # one network
    assert [asked("192.0.2.1", path) for path in ("/healthz", "/readyz", "/docs")] == [200] * 3
    found = client.get("/v1/games", environ_overrides={"REMOTE_ADDR": "192.0.2.1"})
    assert "2 requests a minute" in refused(found, 429, "too_many_requests")
    assert 1 <= int(found.headers["Retry-After"]) <= 30
    told = {name: int(found.headers[f"RateLimit-{name}"]) for name in ("Limit", "Remaining", "Reset")}
    assert told == {"Limit": 2, "Remaining": 0, "Reset": 60}


def test_a_token_has_limits_of_its_own(tmp_path: Path) -> None:
    (one, first), (two, second) = made("one", Limits(requests=1)), made("two")
    client = _client(tmp_path, first.line, second.line, client_requests=3)

    def asked(token: str) -> int:
        return client.get("/v1/games", headers={"Authorization": f"Bearer {token}"}).status_code

    assert [asked(one) for _ in range(2)] == [200, 429]
    assert [asked(two) for _ in range(4)] == [200, 200, 200, 429]


def test_only_so_many_requests_of_a_client_search_at_once() -> None:
    searches = lanes(2)

    @contextmanager
    def stream(client: str) -> Iterator[None]:
        with searches.stream(Asker(client, most=2)):
            yield

    with stream("one"), stream("one"):
        with pytest.raises(LimitError) as found, stream("one"):
            pass
        assert (found.value.status, found.value.code) == (429, "too_many_searches")
        assert found.value.headers["Retry-After"]
        with stream("two"):
            pass
    with stream("one"):
        pass


def test_limits_in_the_file() -> None:
    _, token = made("alice", Limits(60, 0))
    assert token.line.endswith(" requests=60 searches=0")
    assert read(token.line, "file") == ((token,), ())
    assert token.limits.over(Limits(1, 2)) == Limits(60, 0)
    assert made("bob")[1].limits.over(Limits(1, None)) == Limits(1, None)


@pytest.mark.parametrize(
    "word", ["request=1", "requests", "requests=", "requests=-1", "searches=1.5", "searches=1 searches=2"]
)
def test_limits_that_are_none(word: str) -> None:
    tokens, (fault,) = read(f"alice sha256:{'0' * 64} {word}", "file")
    assert not tokens
    assert fault.message.startswith("file, line 1: ")


def test_limits_of_the_service() -> None:
    assert Config().client_requests is None
    strangers = Config(client_searches=0).for_strangers()
    assert (strangers.client_requests, strangers.client_searches) == (600, 0)
    with pytest.raises(RequestError, match="ATHANOR_CLIENT_REQUESTS"):
        Config.from_environ({"ATHANOR_CLIENT_REQUESTS": "-1"})
