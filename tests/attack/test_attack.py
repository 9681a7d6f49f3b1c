"""A small attack: some hundred requests over real sockets, a short one on a service of its own, garbled files."""

from __future__ import annotations

import gzip
import json
import random
import re
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path

import brotli
import pytest

from api.config import Config
from api.openapi import document
from athanor.reviews import SECONDS
from tests.api.serving import Served, served
from tests.api.support import warmed
from tests.attack import addresses, decks
from tests.attack.addresses import KIND, NAME, LastJob
from tests.attack.case import DEFAULT_SECONDS, HINT_SECONDS, MAX_SECONDS, Case, allowed, request
from tests.attack.cases import SOURCES, case
from tests.attack.files import KINDS, attacked
from tests.attack.replies import Connection, Reply, faults, late
from tests.attack.run import Ledger, Report, long_question, settings, sums_of, taken_after
from tests.attack.server import HEALTH, Address, memory_limit, processes, processor_seconds, started, until_ready

SEED = 31  # of whose first requests none reads the whole collection, which takes seconds
CASES = 120
LATE_SECONDS = 60.0  # a hang is meant to be found, not a busy machine
_ANY = re.compile(r"^(/v1/rules/|/v1/jobs/)[^/]+")  # addresses that end with a name
SPENT = 0.3  # seconds of processor time in 0.4, after the client left


@pytest.fixture(scope="module")
def server() -> Iterator[Served]:
    warmed()
    with served(
        Config(default_seconds=DEFAULT_SECONDS, hint_seconds=HINT_SECONDS, max_seconds=MAX_SECONDS)
    ) as found:
        yield found


@pytest.mark.slow
def test_some_hundred_requests(server: Served) -> None:
    connection = Connection("127.0.0.1", server.port)
    statuses: Counter[int] = Counter()
    kinds = set()
    for number in range(CASES):
        asked = case(SEED, number)
        kinds.add(asked.kind)
        for reply in connection.ask(asked):
            statuses[reply.status] += 1
            assert not list(faults(asked, reply)), (number, asked.shown)
            assert not (asked.whole and late(asked, reply, LATE_SECONDS)), (number, reply.seconds, asked.shown)
    connection.close()
    assert {"positions", "text", "examples", "puzzles", "addresses", "deals", "http", "hard decks"} <= kinds
    assert {"matches", "jobs", "deck files", "named decks"} <= kinds
    assert statuses[200] > CASES // 5
    assert statuses[400] + statuses[422] > CASES // 5


@pytest.mark.slow
def test_a_service_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))  # where its log is kept
    with started(None, settings(tmp_path)) as address:
        until_ready(address)
        connection = Connection(address.host, address.port)
        for number in range(CASES, CASES + 20):
            asked = case(SEED, number)
            assert not [fault for reply in connection.ask(asked) for fault in faults(asked, reply)], number
            assert [reply.status for reply in connection.ask(HEALTH)] == [200]
        connection.close()
        for number in range(3):  # what goes on is busy each time, what a busy machine holds up is not
            long = long_question(SEED, number)
            assert any(taken_after(address, long, reset=bool(number % 2)) < SPENT for _ in range(3)), number
        limit = memory_limit(address)
        assert limit is None or limit > 0
        assert len(processes(address)) >= 2  # that which answers, and those that search
        assert address.log is not None
        assert "Traceback" not in address.log.read_text()


def test_a_number_is_the_same_request_for_ever() -> None:
    for number in range(20):
        assert case(3, number) == case(3, number), number
    assert len({case(3, number).sent for number in range(20)}) == 20


ASKED = Case("examples", request("POST", "/v1/analyze", b"{}"), 0.1)
HEADERS = {
    "content-type": "application/json",
    "x-content-type-options": "nosniff",
    "content-security-policy": "default-src 'none'",
    "retry-after": "1",
}


def error(message: str = "too much", **more: object) -> bytes:
    return json.dumps({"error": {"code": "wrong", "path": "a[0]", "message": message, **more}}).encode()


@pytest.mark.parametrize(
    ("status", "body"),
    [
        (200, b'{"bounds":[1,3],"value":2,"best":"a","moves":[{"move":"a"}]}'),
        (422, error()),
        (503, error(request_id="7")),
    ],
)
def test_answers_in_which_nothing_is_wrong(status: int, body: bytes) -> None:
    assert not list(faults(ASKED, Reply(status, HEADERS, body, 0.01)))


@pytest.mark.parametrize(
    ("status", "body", "left_out"),
    [
        (500, error(), ""),
        (501, error(), ""),
        (503, error(), "retry-after"),
        (422, b"wrong", ""),
        (422, b'{"error": "wrong"}', ""),
        (422, error(more=1), ""),
        (422, error(faults=[{"code": "wrong"}]), ""),
        (422, error(""), ""),
        (422, error("x" * 1000), ""),
        (422, error("ValueError: x"), ""),
        (422, error('File "/home/x.py", line 3'), ""),
        (422, error(), "content-type"),
        (200, b"{}", "x-content-type-options"),
        (200, b"{}", "content-security-policy"),
        (200, b'{"value": NaN}', ""),
        (200, b'{"value": 4, "bounds": [1, 3]}', ""),
        (200, b'{"bounds": [3, 1]}', ""),
        (200, b'{"exact": true, "bounds": [1, 3]}', ""),
        (200, b'{"best": "b", "moves": [{"move": "a"}]}', ""),
    ],
)
def test_answers_in_which_something_is_wrong(status: int, body: bytes, left_out: str) -> None:
    headers = {name: value for name, value in HEADERS.items() if name != left_out}
    assert list(faults(ASKED, Reply(status, headers, body, 0.01)))


@pytest.mark.parametrize(("coding", "packed"), [("gzip", gzip.compress), ("br", brotli.compress)])
def test_a_compressed_answer_is_read(coding: str, packed: Callable[[bytes], bytes]) -> None:
    headers = HEADERS | {"content-encoding": coding}
    assert not list(faults(ASKED, Reply(200, headers, packed(b"{}"), 0.01)))
    assert list(faults(ASKED, Reply(200, headers, packed(b"{"), 0.01)))
    assert list(faults(ASKED, Reply(200, headers, b"{}", 0.01)))


def test_an_answer_that_is_late() -> None:
    assert late(ASKED, Reply(200, HEADERS, b"{}", 0.2))
    assert not late(ASKED, Reply(200, HEADERS, b"{}", 0.2), slack=0.15)


def test_no_answer_is_a_fault() -> None:
    with served(Config()) as found:
        port = found.port
    with pytest.raises(ConnectionError):
        Connection("127.0.0.1", port).ask(ASKED)
    assert list(faults(ASKED, Reply(0, {}, b"", 0.1, "half an answer")))


class StoppedSocket:
    """A connection whose waits end at once but for the last, as when the client was stopped meanwhile."""

    def __init__(self, waits: int) -> None:
        self.waits = waits

    def recv(self, _: int) -> bytes:
        self.waits -= 1
        if self.waits >= 0:
            raise TimeoutError
        return b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}"

    def __getattr__(self, _: str) -> object:
        return lambda *_: None


@pytest.mark.parametrize(("waits", "fault"), [(60, ""), (61, "no answer in 60.1 s")])
def test_a_client_who_was_stopped_waits_on(monkeypatch: pytest.MonkeyPatch, waits: int, fault: str) -> None:
    monkeypatch.setattr("socket.create_connection", lambda *_, **__: StoppedSocket(waits))
    assert [reply.fault for reply in Connection("127.0.0.1", 1).ask(ASKED)] == [fault]


def test_a_review_may_take_all_its_searches() -> None:
    """Of a move a hint, an analysis, and two comparisons of twice the time."""
    match = {"game": "king", "moves": [["F3"], ["F4", "F5"]]}
    for limit, each in ((None, SECONDS), ({}, SECONDS), ({"seconds": 0.02}, 0.02)):
        assert allowed("/v1/match/review", {"match": match, "limit": limit}) > 3 * 6 * each


def test_processes_that_are_not_known_are_not_watched() -> None:
    assert processor_seconds(Address("localhost", 1, None)) == 0


def test_runs_add_up_and_the_next_goes_on(tmp_path: Path) -> None:
    path = tmp_path / "ledger"
    report = Report(violations=["one"], health=[0.01, 0.2], most_megabytes=300, left=10)
    report.tally.statuses.update({("text", 200): 5, ("text", 503): 2, ("http", 500): 1, ("http", 0): 1})
    report.tally.over += [-0.1, 0.1, 0.6]
    report.tally.faults.append((7, "no answer in 60 s"))
    first = Ledger(path, SEED)
    assert first.next == 0
    first.keep(sums_of(report, SEED, 0, 5, 1.0))
    first.keep(sums_of(report, SEED, 0, 9, 2.0))  # the same run, a round later
    Ledger(path, SEED + 1).keep(sums_of(report, SEED + 1, 0, 99, 1.0))
    second = Ledger(path, SEED)
    assert second.next == 9
    found = second.keep(sums_of(report, SEED, 9, 20, 3.0))
    assert (found.first, found.next, found.requests, found.seconds) == (0, 20, 18, 5.0)
    assert (found.refused, found.broken, found.unanswered, found.late, found.violations) == (4, 2, 2, 2, 2)
    assert (found.health, found.slow_health, found.left, found.most_megabytes) == (4, 2, 20, 300)
    assert len(path.read_text().splitlines()) == 3


def test_every_call_of_the_description_is_attacked() -> None:
    described = {
        (method.upper(), re.sub(r"\{.*?\}", "*", address))
        for address, operations in document(Config())["paths"].items()
        for method in operations
        if method != "parameters"
    }
    sent: set[tuple[str, str]] = set()
    for source in (addresses.exampled, addresses.told, decks.sent, decks.answered, *SOURCES[-5:]):
        for number in range(300):
            method, address, _ = source(random.Random(number)).sent.decode("latin-1").split(" ", 2)
            sent.add((method, _ANY.sub(r"\1*", address.partition("?")[0])))
    assert described <= sent


def test_a_request_about_a_job_names_the_one_that_was_submitted_last() -> None:
    last = LastJob()
    asked = Case(KIND, request("GET", f"/v1/jobs/{NAME.decode()}/results"), 0.1)
    assert last.named(asked) == asked
    submitted = Case(KIND, request("POST", "/v1/jobs", b"{}"), 0.1)
    last.learn(submitted, 422, b"{}")
    last.learn(submitted, 200, b'{"id":"fedcba9876543210"}')
    assert last.named(asked).sent.startswith(b"GET /v1/jobs/fedcba9876543210/results ")


def test_garbled_files_are_read_or_refused() -> None:
    told: list[tuple[str, str]] = []
    found = attacked(20, 7, lambda name, text: told.append((name, text)))
    assert not told
    for kind in KINDS:
        assert found[f"{kind} read"] > 0
        assert found[f"{kind} refused"] > 0
