"""The server as a process: it serves, stops without losing an answer, and is held up by no client."""

from __future__ import annotations

import contextlib
import errno
import http.client
import io
import json
import os
import re
import shutil
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import pytest
from waitress.buffers import OverflowableBuffer, TempfileBasedBuffer

from api.config import Config
from api.listener import Server
from athanor.asking import QUESTIONS
from solver.errors import PositionError
from solver.limits import Control
from tests.api.serving import Served, answer, asked, closed, post, served
from tests.api.support import HIDDEN, KNOWN
from tests.support import places
from tests.support.timing import LATE, wait_until

ROOT = places.ROOT
JSON = {"Content-Type": "application/json"}
BOTH = (
    b"POST /v1/deal HTTP/%s\r\nHost: localhost\r\nContent-Length: 3\r\nTransfer-Encoding: %s\r\n\r\n0\r\n\r\n"
    b"GET /v1/hidden HTTP/1.1\r\nHost: localhost\r\n\r\n"
)
TWICE = BOTH.replace(b"Content-Length: 3", b"Transfer-Encoding: chunked") % (b"1.1", b"chunked")
CHUNKED = b"POST /v1/deal HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n"
WAIT = 300.0  # a cold kernel cache is filled first
# Searches that go on until they are told to stop, so that a stop meets one that runs.
SLOW = """
import sys, time
import athanor
from api.config import Config
from api.server import serve
from solver.errors import AthanorError
from solver.games.alchemy import solving as alchemy

inner = alchemy.analyze

def slow(position, control, **options):
    if len(getattr(position, "stock", None) or ()) != 4:  # not the test's question: warming up
        return inner(position, control, **options)
    end = time.monotonic() + float(sys.argv[2])
    print("searching", flush=True)
    while time.monotonic() < end and not control.cancelled():
        time.sleep(0.01)
    return inner(position, control, **options)

alchemy.analyze = slow
athanor.games = lambda: ("alchemy",)  # no other is asked about
try:
    serve("127.0.0.1", int(sys.argv[1]), Config(grace_seconds=float(sys.argv[3]), memory_mb=512))
except AthanorError as found:
    sys.exit(str(found))
print("stopped", flush=True)
"""


class Running:
    """A server process, and the lines that it has printed."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self.process = process
        assert process.stdout is not None
        found = re.search(r"http://127\.0\.0\.1:(\d+)/", process.stdout.readline())
        assert found, "the server did not say its address"
        self.port = int(found[1])
        while self.health()["status"] != "ok":
            time.sleep(0.1)

    def health(self) -> dict[str, Any]:
        connection = self.connect()
        connection.request("GET", "/healthz")
        found: dict[str, Any] = json.loads(connection.getresponse().read())
        connection.close()
        return found

    def connect(self) -> http.client.HTTPConnection:
        return http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)

    def line(self) -> str:
        assert self.process.stdout is not None
        return self.process.stdout.readline().strip()


@contextmanager
def running(
    search_seconds: float, grace_seconds: float, port: int = 0, *, files: str = "", log: Any = None
) -> Iterator[Running]:
    """A server; `files` are the soft and the hard limit of its open files."""
    process = subprocess.Popen(
        [
            *(("prlimit", f"--nofile={files}") if files else ()),
            sys.executable,
            "-c",
            SLOW,
            str(port),
            str(search_seconds),
            str(grace_seconds),
        ],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=log,
        text=True,
        env=dict(os.environ),
    )
    watchdog = threading.Timer(WAIT, process.kill)
    watchdog.start()
    try:
        yield Running(process)
    finally:
        watchdog.cancel()
        process.kill()
        process.wait()
        assert process.stdout is not None
        process.stdout.close()


def ask(connection: http.client.HTTPConnection) -> None:
    # Long enough to wait for a slot: a refusal would not be seen by who waits for "searching".
    asked = json.dumps({"position": KNOWN, "limit": {"seconds": 60}})
    connection.request("POST", "/v1/analyze", asked, JSON)


@pytest.fixture(scope="module")
def server() -> Iterator[Running]:
    with running(30, 10) as found:
        yield found


def test_it_serves(server: Running) -> None:
    connection = server.connect()
    for address in ("/healthz", "/docs", "/openapi.json"):
        connection.request("GET", address)
        answer = connection.getresponse()
        assert answer.status == 200
        assert answer.read()
    deal = json.dumps({"game": "alchemy", "seed": 1})
    connection.request("POST", "/v1/deal", deal, JSON)
    assert json.loads(connection.getresponse().read())["seed"] == 1
    connection.close()


@pytest.mark.parametrize(
    ("sent", "status", "code"),
    [
        (b"nonsense\r\n\r\n", 400, "bad_request"),
        (b"GET / HTTP/1.1\r\nHost: x\r\nX: " + b"x" * 300_000 + b"\r\n\r\n", 431, "headers_too_large"),
        (b"POST /v1/analyze HTTP/1.1\r\nHost: x\r\nContent-Length: 99999999\r\n\r\n", 413, "too_large"),
        (b"POST /v1/analyze HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: gzip\r\n\r\n", 501, "not_implemented"),
        (b"POST /v1/analyze HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n", 400, "bad_request"),
        (b"GET /v1/games HTTP/1.1\r\nHost: localhost\r\nHost: other\r\n\r\n", 400, "bad_request"),
        (b"GET /v1/games HTTP/1.1\r\n\r\n", 400, "bad_request"),
        (b"GET /v1/games HTTP/9.9\r\n\r\n", 400, "bad_request"),
        (b"GET http://evil.com/v1/games HTTP/1.1\r\nHost: localhost\r\n\r\n", 400, "bad_request"),
        (b"GET http://evil.com@localhost/v1/games HTTP/1.1\r\nHost: localhost\r\n\r\n", 400, "bad_request"),
        (b"GET ftp://localhost/v1/games HTTP/1.1\r\nHost: localhost\r\n\r\n", 400, "bad_request"),
        (b"GET http://[/v1/games HTTP/1.1\r\nHost: localhost\r\n\r\n", 400, "bad_request"),
        (b"GET http:///v1/games HTTP/1.1\r\nHost: localhost\r\n\r\n", 400, "bad_request"),
        (b"GET v1/games HTTP/1.1\r\nHost: localhost\r\n\r\n", 400, "bad_request"),
        (b"GET /v1/games#x HTTP/1.1\r\nHost: localhost\r\n\r\n", 400, "bad_request"),
        (b"CONNECT evil.com:443 HTTP/1.1\r\nHost: localhost\r\n\r\n", 400, "bad_request"),
        (b"GET /v1/games HTTP/1.1\r\nHost:\r\n localhost\r\n\r\n", 400, "bad_request"),
        (b"POST /v1/deal HTTP/1.1\r\nHost: x\r\nX: a\r\n\tContent-Length: 3\r\n\r\n{} ", 400, "bad_request"),
        (TWICE, 400, "bad_request"),
        (BOTH % (b"1.1", b"chunked"), 400, "bad_request"),
        (BOTH % (b"1.1", b""), 400, "bad_request"),
        (BOTH % (b"1.0", b"chunked"), 400, "bad_request"),
        (BOTH.replace(b"Content-Length: 3\r\n", b"") % (b"1.0", b"chunked"), 400, "bad_request"),
        (CHUNKED + b"3\n\r\n{} \r\n0\r\n\r\n", 400, "bad_request"),
        (CHUNKED + b"3;a=b\n\r\n{} \r\n0\r\n\r\n", 400, "bad_request"),
        (CHUNKED + b"1\r\n \r\n" * 52_430, 413, "too_large"),
    ],
    ids=lambda value: str(value)[:20],
)
def test_what_is_hardly_http_is_answered_in_the_contracts_form(
    server: Running, sent: bytes, status: int, code: str
) -> None:
    with socket.create_connection(("127.0.0.1", server.port), timeout=20) as raw:
        raw.sendall(sent)
        answer = http.client.HTTPResponse(raw)
        answer.begin()
        assert answer.status == status
        error = json.loads(answer.read())["error"]
        assert error["code"] == code
        assert error["message"]
        assert closed(raw)


def test_an_address_may_be_whole(server: Running) -> None:
    with socket.create_connection(("127.0.0.1", server.port), timeout=20) as raw:
        request = b"GET HTTP://LOCALHOST/healthz?lang=ja HTTP/1.1\r\nHost: localhost\r\n\r\n"
        assert asked(raw, request)[0] == 200


def test_http_1_0_needs_no_host(server: Running) -> None:
    with socket.create_connection(("127.0.0.1", server.port), timeout=20) as raw:
        assert asked(raw, b"GET /readyz HTTP/1.0\r\n\r\n") == (200, {"status": "ok", "jobs_fault": None})


def test_a_client_that_leaves_ends_its_search(server: Running) -> None:
    begun = time.monotonic()
    for _ in range(2 * (os.cpu_count() or 1) + 1):  # more than there are slots: each must become free again
        connection = server.connect()
        ask(connection)
        assert server.line() == "searching"
        connection.close()
    assert time.monotonic() - begun < 20


def keep_open(server: Running, connections: int, stack: ExitStack) -> None:
    """Have so many connections, each of which is answered, and stays."""
    open_ = [stack.enter_context(contextlib.closing(server.connect())) for _ in range(connections)]
    for connection in open_:
        connection.request("GET", "/healthz")
        assert connection.getresponse().read()


@pytest.mark.skipif(not shutil.which("prlimit"), reason="prlimit is not installed")
def test_there_are_fewer_connections_where_few_files_may_be_open(tmp_path: Path) -> None:
    log = tmp_path / "log"
    with log.open("w") as stderr, running(0, 10, files="128:128", log=stderr) as server, ExitStack() as stack:
        keep_open(server, 60, stack)
    assert "so there may be 64 connections and not 1000" in log.read_text()
    assert "can't be accepted" not in log.read_text()


@pytest.mark.skipif(not shutil.which("prlimit"), reason="prlimit is not installed")
def test_more_files_are_opened_where_they_may_be_and_without_one_the_server_rests_and_says_so(
    tmp_path: Path,
) -> None:
    log = tmp_path / "log"
    with log.open("w") as stderr, running(0, 10, files="128:2048", log=stderr) as server, ExitStack() as stack:
        keep_open(server, 150, stack)
        assert "so there may be" not in log.read_text()
        assert "can't be accepted" not in log.read_text()
        used = len(os.listdir(f"/proc/{server.process.pid}/fd"))
        limit = ["prlimit", f"--pid={server.process.pid}", f"--nofile={used}:2048"]
        subprocess.run(limit, check=True)
        clients = [
            stack.enter_context(socket.create_connection(("127.0.0.1", server.port), 20)) for _ in range(20)
        ]
        while "can't be accepted" not in log.read_text():
            time.sleep(0.05)

        def rests() -> bool:
            began, busy = time.monotonic(), _processor_seconds(server.process.pid)
            time.sleep(1)
            return _processor_seconds(server.process.pid) - busy < (time.monotonic() - began) / 3

        wait_until(rests)  # it may still be reading the collection
        subprocess.run([*limit[:2], "--nofile=2048:2048"], check=True)
        for client in clients:
            assert asked(client, b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n")[0] == 200


def _processor_seconds(process: int) -> float:
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def test_a_port_in_use(server: Running) -> None:
    found = subprocess.run(
        [sys.executable, "-c", SLOW, str(server.port), "0", "1"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert found.returncode == 1
    assert found.stderr.strip() == f"cannot listen on 127.0.0.1 port {server.port}: address already in use"


def refused_within(seconds: float, server: Running) -> bool:
    """Whether new connections come to be refused; a loaded machine may take a while to hear the signal."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        try:
            socket.create_connection(("127.0.0.1", server.port), timeout=5).close()
        except ConnectionError:
            return True
        time.sleep(0.05)
    return False


def test_a_stop_lets_a_running_request_finish() -> None:
    with running(3.0, 20) as server:
        busy, idle = server.connect(), server.connect()
        idle.connect()
        ask(busy)
        assert server.line() == "searching"
        server.process.terminate()
        assert refused_within(15, server)
        answer = busy.getresponse()
        assert answer.status == 200
        assert json.loads(answer.read())["value"] == "won"
        busy.close()
        assert server.line() in ("searching", "stopped")  # it was tried first as a quick one
        assert server.process.wait(20) == 0
        idle.close()


def test_after_the_grace_period_searches_return_the_best_so_far() -> None:
    with running(120, 0.3) as server:
        connection = server.connect()
        ask(connection)
        assert server.line() == "searching"
        server.process.terminate()
        assert connection.getresponse().status == 200
        connection.close()
        assert server.process.wait(20) == 0


# Clients that send nothing, slowly, or half: without a proxy, too, they hold no thread and stop no stop.


HEALTH = b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n"
HALF_HEADER = b"POST /v1/analyze HTTP/1.1\r\nHost: localhost\r\nX-Slow: "
HALF_BODY = b"POST /v1/analyze HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000\r\n\r\n{"


@pytest.fixture(scope="module")
def here() -> Iterator[Served]:
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


def test_a_client_that_goes_away_in_the_middle(here: Served) -> None:
    for sent in (b"", HALF_HEADER, HALF_BODY, post("/v1/deal", {"game": "kirin"})):
        client = here.connect()
        client.sendall(sent)
        client.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")  # a reset, not an end
        client.close()
    with here.connect() as client:
        assert asked(client, HEALTH)[0] == 200


@contextmanager
def _full(monkeypatch: pytest.MonkeyPatch, room: int) -> Iterator[None]:
    """In the with block, temporary files have room for so many bytes."""

    class File(io.BytesIO):
        def write(self, data: Any) -> int:
            if self.tell() + len(data) > room:
                raise OSError(errno.ENOSPC, "No space left on device")
            return super().write(data)

    with monkeypatch.context() as patch:
        patch.setattr(TempfileBasedBuffer, "newfile", lambda _: File())
        yield


@pytest.mark.parametrize(("room", "status"), [(0, 422), (600_000, 507), (1 << 20, 422)])
def test_a_temporary_folder_that_is_full_leaves_no_request_without_an_answer(
    here: Served, monkeypatch: pytest.MonkeyPatch, room: int, status: int
) -> None:
    with _full(monkeypatch, room), here.connect() as client:
        client.sendall(post("/v1/moves", {"position": "x" * 900_000}))
        found, body = answer(client)
        assert found == status
        assert set(body["error"]) >= {"code", "path", "message"}


def test_an_answer_stays_in_memory_where_no_temporary_file_can_be_written(monkeypatch: pytest.MonkeyPatch) -> None:
    parts = [bytes([number]) * 300_000 for number in range(9)]
    with _full(monkeypatch, 0):
        buffer = OverflowableBuffer(1 << 20)
        for part in parts:
            buffer.append(part)
            if part is parts[1]:
                buffer.skip(1000)
        assert not buffer.overflowed
        assert buffer.get(1 << 23) == b"".join(parts)[1000:]


def test_who_expects_to_be_told_to_go_on_and_has_nothing_more_to_send(here: Served) -> None:
    with here.connect() as client:
        assert asked(client, HEALTH.replace(b"\r\n\r\n", b"\r\nExpect: 100-continue\r\n\r\n"))[0] == 200
        assert asked(client, HEALTH)[0] == 200


def test_idle_connections_end() -> None:
    with served(Config(idle_seconds=1.0)) as server, server.connect() as used:
        assert asked(used, HEALTH)[0] == 200
        assert closed(used)


def test_a_client_that_leaves_frees_its_search_at_once(here: Served) -> None:
    """Within 0.3 s of its leaving, however long the search could go on."""
    begun = threading.Event()
    ended: list[float] = []

    def work(*, control: Control, **_options: object) -> Any:
        begun.set()
        while not control.cancelled():
            time.sleep(0.002)
        ended.append(time.monotonic())
        raise PositionError("cancelled", "nobody waits")

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(QUESTIONS["hint"], "ask", work)
        client = here.connect()
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
    question, clients, each = post("/v1/deal", {"game": "kirin", "seed": 1}), 8, 12
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
