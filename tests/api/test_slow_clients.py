"""Clients that send nothing, slowly, or half: without a proxy, too, they hold no thread and stop no stop."""

from __future__ import annotations

import contextlib
import socket
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from typing import Any

import pytest
from waitress.channel import ClientDisconnected

from api.config import Config
from api.listener import Server, _ContractErrorTask
from api.searches import Hinting
from solver.errors import PositionError
from solver.limits import Limit
from tests.api.serving import Served, asked, closed, post, served
from tests.api.support import HIDDEN
from tests.support.timing import LATE

HEALTH = b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n"
HALF_HEADER = b"POST /v1/analyze HTTP/1.1\r\nHost: localhost\r\nX-Slow: "
HALF_BODY = b"POST /v1/analyze HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000\r\n\r\n{"


@pytest.fixture(scope="module")
def server() -> Iterator[Served]:
    with served(Config()) as found:
        yield found


def test_a_fast_client_beside_many_that_drip() -> None:
    with served(Config()) as server, contextlib.ExitStack() as stack:
        slow = [stack.enter_context(server.connect()) for _ in range(300)]
        for number, client in enumerate(slow):
            client.sendall((b"", HALF_HEADER, HALF_BODY)[number % 3])
        ended = threading.Event()

        def drip() -> None:
            while not ended.wait(0.05):
                for number, client in enumerate(slow):
                    if number % 3:
                        client.sendall(b"x")

        dripping = threading.Thread(target=drip)
        dripping.start()
        try:
            for _ in range(10):
                began = time.monotonic()
                with server.connect() as fast:
                    assert asked(fast, HEALTH)[0] == 200
                assert time.monotonic() - began < LATE
        finally:
            ended.set()
            dripping.join()


def test_a_stop_does_not_wait_for_half_a_request() -> None:
    server = Served(Config(grace_seconds=30))
    with server.connect() as half, server.connect() as idle:
        half.sendall(HALF_BODY)
        assert asked(idle, HEALTH)[0] == 200
        assert server.stop() < 8
        assert closed(half)


def test_a_client_that_goes_away_in_the_middle(server: Served) -> None:
    for sent in (b"", HALF_HEADER, HALF_BODY, post("/v1/deal", {"game": "kirin"})):
        client = server.connect()
        client.sendall(sent)
        client.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")  # a reset, not an end
        client.close()
    with server.connect() as client:
        assert asked(client, HEALTH)[0] == 200


def test_who_expects_to_be_told_to_go_on_and_has_nothing_more_to_send(server: Served) -> None:
    with server.connect() as client:
        assert asked(client, HEALTH.replace(b"\r\n\r\n", b"\r\nExpect: 100-continue\r\n\r\n"))[0] == 200
        assert asked(client, HEALTH)[0] == 200


def test_an_answer_comes_in_one_piece(server: Served) -> None:
    with server.connect() as client:
        for _ in range(20):
            client.sendall(HEALTH)
            assert client.recv(1 << 16).endswith(b"}}")


def test_a_connection_is_let_go_when_its_client_has_gone(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """What is no HTTP has no path, which waitress names when a client has gone: it kept its connection."""

    def fails(_: _ContractErrorTask) -> None:
        raise ClientDisconnected

    with served(Config()) as server:
        monkeypatch.setattr(_ContractErrorTask, "execute", fails)
        for _ in range(3):
            with server.connect() as client:
                client.sendall(b"\x16\x03\x01 no HTTP\r\n\r\n")
                assert closed(client)
        assert not any("has no attribute" in str(record.exc_info) for record in caplog.records)


def test_idle_connections_end() -> None:
    with served(Config(idle_seconds=1.0)) as server, server.connect() as used:
        assert asked(used, HEALTH)[0] == 200
        assert closed(used)


def test_a_client_that_leaves_frees_its_search_at_once(server: Served) -> None:
    """Within 0.3 s of its leaving, however long the search could go on."""
    begun = threading.Event()
    ended: list[float] = []

    def work(_limit: Limit, cancel: threading.Event, _progress: object) -> Any:
        begun.set()
        while not cancel.is_set():
            time.sleep(0.002)
        ended.append(time.monotonic())
        raise PositionError("cancelled", "nobody waits")

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Hinting, "__call__", lambda _, limit, cancel, progress: work(limit, cancel, progress))
        client = server.connect()
        client.sendall(post("/v1/hint", {"position": HIDDEN, "limit": {"seconds": 30}}))
        assert begun.wait(20)
        left = time.monotonic()
        client.close()
        while not ended:
            assert time.monotonic() < left + 20
            time.sleep(0.01)
    assert ended[0] - left < 0.3 + LATE


def test_who_reads_does_not_look_again_and_again_while_answers_are_sent(monkeypatch: pytest.MonkeyPatch) -> None:
    """A request takes a look for what comes and one for who is done; more keep the interpreter from answers."""
    turns: list[float] = []
    turn = Server._turn

    def counted(server: Server, seconds: float) -> None:
        turns.append(seconds)
        turn(server, seconds)

    monkeypatch.setattr(Server, "_turn", counted)
    question, clients, each = post("/v1/deal", {"game": "kirin", "seed": 1}), 8, 100
    with served(Config()) as server, ExitStack() as stack, ThreadPoolExecutor(clients) as pool:
        connections = [stack.enter_context(server.connect()) for _ in range(clients)]

        def ask(connection: socket.socket) -> None:
            for _ in range(each):
                assert asked(connection, question)[0] == 200

        ask(connections[0])  # makes what is made once
        turns.clear()
        list(pool.map(ask, connections))
        print(len(turns) / clients / each)
        assert len(turns) < 3 * clients * each
