"""Clients that send nothing, or slowly, or half, or never read: they cost nobody else anything."""

from __future__ import annotations

import contextlib
import socket
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Executor
from typing import Any

import pytest
from waitress.channel import ClientDisconnected

from api.config import Config
from api.serving.channel import ContractErrorTask
from puzzles import check
from tests.api.serving import Served, answer, asked, closed, post, served
from tests.api.support import FILE
from tests.support.timing import LATE

HEALTH = b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n"
HALF_HEADER = b"POST /v1/analyze HTTP/1.1\r\nHost: localhost\r\nX-Slow: "
HALF_BODY = b"POST /v1/analyze HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000\r\n\r\n{"


@pytest.fixture(scope="module")
def hasty() -> Iterator[Served]:
    """A server that waits for nobody."""
    with served(Config(header_seconds=0.3, body_seconds=0.3, idle_seconds=0.3)) as found:
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


@pytest.mark.parametrize(("sent", "part"), [(HALF_HEADER, "header"), (HALF_BODY, "body")])
def test_a_request_that_does_not_arrive_in_time(hasty: Served, sent: bytes, part: str) -> None:
    with hasty.connect() as client:
        status, body = asked(client, sent)
        assert status == 408
        assert body["error"]["code"] == "timeout"
        assert part in body["error"]["message"]
        assert closed(client)


def test_dripping_does_not_put_the_deadline_off(hasty: Served) -> None:
    with hasty.connect() as client:
        client.sendall(HALF_BODY)
        for _ in range(100):
            time.sleep(0.05)
            try:
                client.sendall(b" ")
            except ConnectionError:
                break
        else:
            pytest.fail("the server took bytes for five seconds")


def test_idle_connections_end_without_a_word(hasty: Served) -> None:
    with hasty.connect() as fresh, hasty.connect() as used:
        assert asked(used, HEALTH)[0] == 200
        assert closed(fresh)
        assert closed(used)


def test_a_client_with_too_many_connections_loses_the_oldest_and_no_other_client_does() -> None:
    with served(Config(client_connections=3)) as server, contextlib.ExitStack() as stack:
        other = stack.enter_context(server.connect("127.0.0.2"))
        other.sendall(HALF_BODY)
        mine = [stack.enter_context(server.connect()) for _ in range(3)]
        mine[0].sendall(HALF_BODY)
        assert asked(mine[1], HEALTH)[0] == asked(mine[2], HEALTH)[0] == 200
        assert asked(stack.enter_context(server.connect()), HEALTH)[0] == 200
        status, body = answer(mine[0])
        assert (status, body["error"]["code"]) == (503, "busy")
        assert asked(mine[1], HEALTH)[0] == asked(mine[2], HEALTH)[0] == 200
        other.settimeout(0.1)
        with pytest.raises(TimeoutError):
            other.recv(1)


def test_too_many_connections_in_all_cost_the_client_that_has_most() -> None:
    with served(Config(connections=8)) as server, contextlib.ExitStack() as stack:
        quiet = stack.enter_context(server.connect("127.0.0.2"))
        assert asked(quiet, HEALTH)[0] == 200
        for _ in range(20):
            stack.enter_context(server.connect()).sendall(HALF_BODY)
        assert asked(quiet, HEALTH)[0] == 200


def test_a_body_that_is_too_large_is_refused_though_the_client_goes_on_sending(hasty: Served) -> None:
    with hasty.connect() as client:
        client.sendall(b"POST /v1/analyze HTTP/1.1\r\nHost: localhost\r\nContent-Length: 20000000\r\n\r\n")
        client.sendall(b" " * 20_000_000)
        status, body = answer(client)
        assert (status, body["error"]["code"]) == (413, "too_large")


def test_a_stop_does_not_wait_for_half_a_request() -> None:
    server = Served(Config(grace_seconds=30))
    with server.connect() as half, server.connect() as idle:
        half.sendall(HALF_BODY)
        assert asked(idle, HEALTH)[0] == 200
        assert server.stop() < 8
        assert answer(half)[1]["error"]["code"] == "stopping"


def test_a_client_that_goes_away_in_the_middle(hasty: Served) -> None:
    for sent in (b"", HALF_HEADER, HALF_BODY, post("/v1/deal", {"game": "kirin"})):
        client = hasty.connect()
        client.sendall(sent)
        client.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")  # a reset, not an end
        client.close()
    with hasty.connect() as client:
        assert asked(client, HEALTH)[0] == 200


class _Large:
    """A result of a puzzle whose line is long."""

    def to_json(self) -> str:
        return " " * (1 << 18)


def test_who_does_not_read_a_stream_holds_no_slot_and_is_dropped(monkeypatch: pytest.MonkeyPatch) -> None:
    lines = 0
    ended = threading.Semaphore(0)

    def endless(
        _puzzles: Any, *, cancel: threading.Event, executor_factory: Callable[[int], Executor], **_options: Any
    ) -> Iterator[_Large]:
        nonlocal lines
        executor = executor_factory(1)
        try:
            while not cancel.is_set():
                yield executor.submit(_Large).result()
                lines += 1
        finally:
            ended.release()

    monkeypatch.setattr(check, "run", endless)
    with (
        served(Config(searches=2, writing_seconds=1.5)) as server,
        server.connect("127.0.0.2", reading=False) as one,
        server.connect("127.0.0.3", reading=False) as two,
        server.connect() as other,
    ):
        for client in (one, two):
            client.sendall(post("/v1/solve", FILE, "application/toml"))
        before = -1
        while before < lines or lines < 2:  # until nothing more can be sent
            before = lines
            time.sleep(0.1)
        assert not ended.acquire(blocking=False)
        other.sendall(post("/v1/solve?seconds=5", FILE, "application/toml"))  # it needs a slot
        assert b" 200 OK" in other.recv(100)
        assert ended.acquire(timeout=10)
        assert ended.acquire(timeout=10)
        assert lines * (1 << 18) < 32 << 20  # what waits for a client is bounded


def test_who_expects_to_be_told_to_go_on_and_has_nothing_more_to_send(hasty: Served) -> None:
    with hasty.connect() as client:
        assert asked(client, HEALTH.replace(b"\r\n\r\n", b"\r\nExpect: 100-continue\r\n\r\n"))[0] == 200
        assert asked(client, HEALTH)[0] == 200


@pytest.mark.parametrize("failure", [ClientDisconnected(), RuntimeError("a fault of ours")], ids=repr)
def test_a_connection_is_let_go_whatever_its_answer_fails_with(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, failure: Exception
) -> None:
    """What is no HTTP has no path, which waitress names when a client has gone: it kept its connection."""

    def fails(_: ContractErrorTask) -> None:
        raise failure

    with served(Config()) as server:
        monkeypatch.setattr(ContractErrorTask, "execute", fails)
        for _ in range(3):
            with server.connect() as client:
                client.sendall(b"\x16\x03\x01 no HTTP\r\n\r\n")
                assert closed(client)
        assert not any("has no attribute" in str(record.exc_info) for record in caplog.records)
