"""nginx and Caddy, as the files of `deploy/` set them up, in front of a service: they take strangers' clients off
its hands."""

from __future__ import annotations

import os
import re
import shutil
import socket
import statistics
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

import pytest

from api.config import Config
from api.tokens import made
from tests.api.serving import asked, post, served
from tests.support import places

PROXIES = ("nginx", "caddy")
DRIPPING = 1000
HALF_HEADER = b"POST /v1/analyze HTTP/1.1\r\nHost: localhost\r\nX-Slow: "
HALF_BODY = b"POST /v1/analyze HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000\r\n\r\n{"
# With a token of its own, since every client of a test has the same address.
HEALTH = b"GET /healthz HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer fast\r\n\r\n"


def _free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as found:
        return int(found.getsockname()[1])


def _nginx(folder: Path, port: int, service: int) -> list[str]:
    """The command that runs the file of `deploy/`, for these ports and without a certificate."""
    ours = (places.ROOT / "deploy" / "nginx.conf").read_text(encoding="utf-8")
    ours = re.sub(r"(?m)^\s*ssl_.*\n", "", ours).replace("listen 443 ssl", f"listen 127.0.0.1:{port}")
    ours = ours.replace("127.0.0.1:8000", f"127.0.0.1:{service}").replace("rate=20r/s", "rate=1000r/s")
    found = folder / "nginx.conf"
    kept = "".join(
        f"{name}_temp_path {folder / name};\n" for name in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    )
    found.write_text(
        f"daemon off;\nworker_processes 1;\npid {folder / 'pid'};\nerror_log {folder / 'log'};\n"
        f"events {{ worker_connections 4096; }}\nhttp {{\naccess_log off;\n{kept}{ours}}}\n"
    )
    return ["-c", str(found), "-p", str(folder)]


def _caddy(folder: Path, port: int, service: int) -> list[str]:
    """Likewise; nobody may ask it for its own settings."""
    ours = (places.ROOT / "deploy" / "Caddyfile").read_text(encoding="utf-8")
    ours = ours.replace("cards.example", f"http://:{port}").replace("127.0.0.1:8000", f"127.0.0.1:{service}")
    found = folder / "Caddyfile"
    found.write_text(ours.replace("{\n", "{\n\tadmin off\n", 1))
    return ["run", "--config", str(found), "--adapter", "caddyfile"]


@contextmanager
def proxying(name: str, folder: Path, service: int) -> Iterator[int]:
    """The port of a proxy before a service."""
    folders = [str(Path(sys.executable).parent), "/usr/sbin", "/usr/local/sbin", os.environ.get("PATH", "")]
    program = shutil.which(name, path=os.pathsep.join(folders))
    if program is None:
        pytest.skip(f"{name} is not installed")
    folder.chmod(0o755)
    port = _free_port()
    command = [program, *(_nginx if name == "nginx" else _caddy)(folder, port, service)]
    with (folder / "told").open("wb") as told:
        environ = {**os.environ, "HOME": str(folder), "XDG_DATA_HOME": str(folder), "XDG_CONFIG_HOME": str(folder)}
        process = subprocess.Popen(command, stdout=told, stderr=told, env=environ)
    try:
        end = time.monotonic() + 20
        while True:
            try:
                socket.create_connection(("127.0.0.1", port)).close()
                break
            except ConnectionError:
                assert process.poll() is None, (folder / "told").read_text()
                assert time.monotonic() < end
                time.sleep(0.05)
        yield port
    finally:
        process.terminate()
        process.wait(20)


@pytest.fixture(scope="module", params=PROXIES)
def proxied(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[int]:
    with (
        served(Config()) as service,
        proxying(request.param, tmp_path_factory.mktemp(request.param), service.port) as port,
    ):
        yield port


def _connect(port: int) -> socket.socket:
    return socket.create_connection(("127.0.0.1", port), timeout=20)


def _usual_seconds(port: int) -> float:
    """How long a client waits that connects and asks, in the middle of several."""
    took = []
    for _ in range(31):
        began = time.monotonic()
        with _connect(port) as client:
            assert asked(client, HEALTH)[0] == 200
        took.append(time.monotonic() - began)
    return statistics.median(took)


def test_a_fast_client_beside_a_thousand_that_drip(proxied: int) -> None:
    alone = _usual_seconds(proxied)
    with ExitStack() as stack:
        slow = [stack.enter_context(_connect(proxied)) for _ in range(DRIPPING)]
        for number, client in enumerate(slow):
            client.sendall((HALF_HEADER, HALF_BODY)[number % 2])
        ended = threading.Event()

        def drip() -> None:
            while not ended.wait(0.5):
                for client in slow:
                    try:
                        client.sendall(b"x")
                    except OSError:  # the proxy has had enough of it
                        continue

        dripping = threading.Thread(target=drip)
        dripping.start()
        try:
            beside = _usual_seconds(proxied)
        finally:
            ended.set()
            dripping.join()
    print(f"alone {alone:.4f} s, beside {DRIPPING} that drip {beside:.4f} s")
    assert beside - alone < 0.05


def test_what_is_too_large_does_not_come_through(proxied: int) -> None:
    head = b"POST /v1/deal HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
    for size, statuses in ((1_500_000, {b"413"}), (9_000_000, {b"413", b"502"})):
        with _connect(proxied) as client:
            with suppress(OSError):  # it need not read all of it
                client.sendall(head + b"Content-Length: %d\r\n\r\n" % size + b" " * size)
            assert client.recv(100).split()[1] in statuses


def test_questions_and_lines_of_streams_come_through(proxied: int) -> None:
    with _connect(proxied) as client:
        status, body = asked(client, post("/v1/deal", {"game": "kirin", "seed": 1}))
        assert (status, body["seed"]) == (200, 1)
    lines = {"questions": [{"ask": "analyze", "position": {"game": "no such"}}]}
    with _connect(proxied) as client:
        client.sendall(post("/v1/batch", lines))
        assert b" 200 OK" in client.recv(4096)


def test_requests_that_two_readers_could_take_for_different_ones(proxied: int) -> None:
    """Such a request is refused, or is one request and no other behind it."""
    hidden = b"GET /v1/hidden HTTP/1.1\r\nHost: x\r\n\r\n"
    smuggling = (
        b"POST /v1/deal HTTP/1.1\r\nHost: localhost\r\nContent-Length: %d\r\nTransfer-Encoding: chunked\r\n"
        b"Connection: close\r\n\r\n0\r\n\r\n" % (5 + len(hidden))
    ) + hidden
    for request in (smuggling, b"GET /v1/games HTTP/1.1\r\n\r\n"):
        with _connect(proxied) as client:
            client.sendall(request)
            with client.makefile("rb") as stream:
                status = int(stream.readline().split()[1])
                assert status in (400, 415)
                assert b" 404 " not in stream.read()


@pytest.mark.parametrize("name", PROXIES)
def test_a_token_has_its_limits_behind_a_proxy(name: str, tmp_path: Path) -> None:
    """All clients have the proxy's address there; one that asks too much keeps no other from an answer."""
    (greedy, first), (other, second) = map(made, ("greedy", "other"))
    (tmp_path / "tokens").write_text(f"{first.line}\n{second.line}\n")
    config = Config(tokens_file=str(tmp_path / "tokens"), client_requests=10)
    with served(config) as service, proxying(name, tmp_path, service.port) as port:

        def status(secret: str) -> int:
            with _connect(port) as client:
                request = f"GET /v1/games HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {secret}\r\n\r\n"
                client.sendall(request.encode())
                return int(client.recv(100).split()[1])

        assert [status(greedy) for _ in range(12)][-1] == 429
        assert status(other) == 200
