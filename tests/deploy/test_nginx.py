"""nginx, as `deploy/nginx.conf` sets it up, in front of a service: it takes strangers' clients off its hands."""

from __future__ import annotations

import re
import shutil
import socket
import statistics
import subprocess
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from api.config import Config
from tests.api.serving import asked, post, served
from tests.support import places

NGINX = shutil.which("nginx", path="/usr/sbin:/usr/bin:/usr/local/sbin:/usr/local/bin")
DRIPPING = 1000
HALF_HEADER = b"POST /v1/analyze HTTP/1.1\r\nHost: localhost\r\nX-Slow: "
HALF_BODY = b"POST /v1/analyze HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000\r\n\r\n{"
# With a token of its own, since every client of a test has the same address.
HEALTH = b"GET /healthz HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer fast\r\n\r\n"

pytestmark = pytest.mark.skipif(NGINX is None, reason="nginx is not installed")


def _free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as found:
        return int(found.getsockname()[1])


def _configured(folder: Path, port: int, service: int) -> Path:
    """The file of `deploy/`, for these ports and without a certificate, in a whole configuration."""
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
    return found


@pytest.fixture(scope="module")
def proxied(tmp_path_factory: pytest.TempPathFactory) -> Iterator[int]:
    """The port of an nginx before a service."""
    folder = tmp_path_factory.mktemp("nginx")
    folder.chmod(0o755)
    with served(Config()) as service:
        port = _free_port()
        assert NGINX is not None
        process = subprocess.Popen(
            [NGINX, "-c", str(_configured(folder, port, service.port)), "-p", str(folder)],
            stderr=subprocess.DEVNULL,
        )
        try:
            end = time.monotonic() + 20
            while True:
                try:
                    socket.create_connection(("127.0.0.1", port)).close()
                    break
                except ConnectionError:
                    assert process.poll() is None, (folder / "log").read_text()
                    assert time.monotonic() < end
                    time.sleep(0.05)
            yield port
        finally:
            process.terminate()
            process.wait(20)


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
                    except OSError:  # nginx has had enough of it
                        continue

        dripping = threading.Thread(target=drip)
        dripping.start()
        try:
            beside = _usual_seconds(proxied)
        finally:
            ended.set()
            dripping.join()
    assert beside - alone < 0.05


def test_what_is_too_large_does_not_come_through(proxied: int) -> None:
    with _connect(proxied) as client:
        client.sendall(b"POST /v1/deal HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9000000\r\n\r\n")
        assert b" 413 " in client.recv(100)


def test_questions_and_lines_of_streams_come_through(proxied: int) -> None:
    with _connect(proxied) as client:
        status, body = asked(client, post("/v1/deal", {"game": "kirin", "seed": 1}))
        assert (status, body["seed"]) == (200, 1)
    lines = {"questions": [{"ask": "analyze", "position": {"game": "no such"}}]}
    with _connect(proxied) as client:
        client.sendall(post("/v1/batch", lines))
        assert b" 200 OK" in client.recv(4096)


def test_requests_that_two_readers_could_take_for_different_ones(proxied: int) -> None:
    smuggled = (
        b"POST /v1/deal HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"
    )
    for request in (smuggled, b"GET /v1/games HTTP/1.1\r\n\r\n"):
        with _connect(proxied) as client:
            client.sendall(request)
            assert b" 400 " in client.recv(100)
