"""Bearer tokens: what is answered without one, with one, and with one that is not good."""

from __future__ import annotations

import hmac
import os
import socket
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from flask.testing import FlaskClient

from api.access import OPEN
from api.app import create_app
from api.cli.main import cli
from api.config import Config
from api.openapi import document
from api.server import serve
from api.tokens import MARK, MOST_TOKENS, TokenFile, made, read
from solver.errors import RequestError
from tests.api.support import refused

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
    assert status() == 200  # a faulty file changes nothing,
    assert status() == 200
    assert [record.levelname for record in caplog.records] == ["ERROR"]  # and is told once, with the line
    assert "line 5" in caplog.text
    file.unlink()
    assert status() == 200
    file.write_text(made("dave")[1].line)
    assert status() == 401
    (tmp_path / "new").write_text(good)
    os.replace(tmp_path / "new", file)
    assert status() == 200


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
    assert [token.name for token in read(kept, "file")] == ["bob"]
    with pytest.raises(RequestError, match="file, line 3: ") as found:
        read(kept + line, "file")
    assert told in found.value.message


def test_there_is_a_bound_on_tokens() -> None:
    lines = [f"a{number} sha256:{number:064x}" for number in range(MOST_TOKENS + 1)]
    assert len(read("\n".join(lines[:-1]), "file")) == MOST_TOKENS
    with pytest.raises(RequestError, match=f"line {MOST_TOKENS + 1}: there are more than"):
        read("\n".join(lines), "file")


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
