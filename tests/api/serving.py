"""A server in a thread of the test, and clients that speak HTTP by hand."""

from __future__ import annotations

import json
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from api.app import create_app
from api.config import Config
from api.listener import Server
from api.readiness import Readiness
from api.search_pool import SearchPool


class Served:
    """A server that runs in a thread."""

    def __init__(self, config: Config, port: int = 0, readiness: Readiness | None = None) -> None:
        self._bound = socket.create_server(("127.0.0.1", port), backlog=512)
        self.port: int = self._bound.getsockname()[1]
        self.searches = SearchPool(config)
        app = create_app(config, self.searches, readiness or Readiness())
        self.server = Server(self._bound, app, config, self.searches)
        self._thread = threading.Thread(target=self.server.run, daemon=True)
        self._thread.start()

    def connect(self, source: str = "127.0.0.1", *, reading: bool = True) -> socket.socket:
        """A connection from an address of this machine; one that is not for reading has a small buffer."""
        client = socket.socket()
        if not reading:
            client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        client.settimeout(20)
        client.bind((source, 0))
        client.connect(("127.0.0.1", self.port))
        return client

    def stop(self) -> float:
        """Stop; the seconds that it took."""
        began = time.monotonic()
        self.server.stop()
        self._thread.join(30)
        assert not self._thread.is_alive()
        return time.monotonic() - began


@contextmanager
def served(config: Config, port: int = 0, readiness: Readiness | None = None) -> Iterator[Served]:
    found = Served(config, port, readiness)
    try:
        yield found
    finally:
        found.stop()


def post(address: str, body: object, kind: str = "application/json") -> bytes:
    """A request's bytes; a body that is no text is sent as JSON."""
    sent = (body if isinstance(body, str) else json.dumps(body)).encode()
    lines = [f"POST {address} HTTP/1.1", "Host: localhost"]
    lines += [f"Content-Type: {kind}", f"Content-Length: {len(sent)}"]
    return "\r\n".join([*lines, "", ""]).encode() + sent


def asked(client: socket.socket, request: bytes) -> tuple[int, Any]:
    """The status and the body of the answer to a request."""
    client.sendall(request)
    return answer(client)


def answer(client: socket.socket) -> tuple[int, Any]:
    """The status and the body, as data, of the answer that comes."""
    with client.makefile("rb") as stream:
        status = int(stream.readline().split()[1])
        length = 0
        while line := stream.readline().strip():
            name, _, value = line.partition(b":")
            if name.lower() == b"content-length":
                length = int(value)
        return status, json.loads(stream.read(length))


def closed(client: socket.socket) -> bool:
    """Whether the server ends the connection, and says nothing more."""
    try:
        return client.recv(1) == b""
    except ConnectionError:
        return True
