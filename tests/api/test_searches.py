"""The lanes before the searches, the memory that they may take, and the processes that they run in."""

from __future__ import annotations

import json
import logging
import mmap
import multiprocessing
import os
import platform
import re
import signal
import threading
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from flask.testing import FlaskClient

import athanor
from api import memory as startup
from api import search_pool
from api.app import create_app
from api.compiling import AbsentError
from api.config import Config
from api.endpoints import Endpoint
from api.errors import BusyError
from api.memory import Memory
from api.search_pool import Asker, Cancel, SearchPool
from api.search_process import COMPILES, load
from athanor import questions
from athanor.processes import TRIAL_SECONDS, Ask, Done, SearchProcess, Trial, fork_server, prepare
from solver import decks, registry
from solver.errors import IncompleteMoveError, PositionError, RequestError
from solver.limits import Control, Limit, Progress
from solver.positions import position_data
from solver.search import cpsat, memory
from solver.search.memory import IDLE_PROVERS, MEGABYTE, TABLE_BUDGET, IdleProvers, Pool, TableBudget, new_table
from tests.api.serving import answer, post, served
from tests.api.support import DUEL, FILE, FREE, KNOWN, LIMIT, lanes, lines_of, refused, searching, warmed
from tests.support.games import AGAINST_OTHERS
from tests.support.timing import wait_until

HARD = position_data(registry.game("kirin").deal(2))
VIEW = position_data(athanor.game("kirin").view(athanor.deal("kirin", seed=1), 0))


def test_a_long_question_does_not_wait_for_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    warmed()
    monkeypatch.setattr(search_pool, "_ROUNDS", 1)
    config = Config(searches=1, threads=8)
    searches = SearchPool(config)
    client = create_app(config, searches).test_client()
    body = {"position": HARD, "limit": {"seconds": 1}}
    with searching(searches):
        found = client.post("/v1/analyze", json=body)
        refused(found, 503, "too_slow")
        assert int(found.headers["Retry-After"]) > 0
        refused(client.post("/v1/analyze?stream=true", json=body), 503, "too_slow")
        assert client.get("/healthz").status_code == 200
    assert client.post("/v1/analyze", json=body).status_code == 200


def test_a_quick_question_is_answered_though_every_slot_is_taken() -> None:
    warmed()
    searches = lanes(1)
    client = create_app(Config(), searches).test_client()
    alone = client.post("/v1/analyze", json={"position": KNOWN}).get_json()
    with searching(searches):
        found = client.post("/v1/analyze", json={"position": KNOWN})
        assert found.status_code == 200
        assert {**found.get_json(), "seconds": 0} == {**alone, "seconds": 0}


def test_a_question_that_is_cut_is_begun_anew_with_the_time_that_is_left() -> None:
    limits: list[float] = []

    def slow(control: Control) -> str:
        assert control.limit.seconds is not None
        limits.append(control.limit.seconds)
        end = time.thread_time() + 3 * TRIAL_SECONDS
        while time.thread_time() < end:
            if control.cancelled():
                return "cut"
        return "done"

    assert lanes(1).run(slow, LIMIT, Asker()) == "done"
    assert limits[1] == limits[0] - TRIAL_SECONDS


def test_what_a_question_has_waited_in_the_quick_lane_it_does_not_wait_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    searches = lanes(1)
    waits: list[float] = []

    def run_in(lane: str, ask: Ask, cancel: Cancel, wait: float) -> Done:
        waits.append(wait)
        if lane == "quick":
            time.sleep(0.2)
            raise BusyError("busy", "too many", 1)
        return Done("done")

    monkeypatch.setattr(searches, "run_in", run_in)
    assert searches.run(lambda control: "done", LIMIT, Asker()) == "done"
    assert 0 <= waits[1] <= waits[0] - 0.2


def test_a_trial_that_ends_without_an_answer_is_not_the_last_word() -> None:
    tried = []

    def slow(control: Control) -> str:
        tried.append(control.limit.seconds)
        if len(tried) < 2:
            raise RequestError("limit_reached", "nothing was found in time")
        return "done"

    assert lanes(1).run(slow, LIMIT, Asker()) == "done"


def test_who_waits_searches_for_all_of_its_time() -> None:
    searches = lanes(1)
    limits: list[float | None] = []

    def noted(control: Control) -> None:
        limits.append(control.limit.seconds)

    with searching(searches):
        asking = threading.Thread(target=lambda: searches.run(noted, Limit(seconds=9.0), Asker(), tried=False))
        asking.start()
        wait_until(lambda: searches.lanes["long"].inside == 2)
    asking.join()
    assert limits == [9.0]


def test_a_hint_of_a_moment_is_quick() -> None:
    searches = lanes(1)
    with searching(searches):
        assert searches.run(lambda *_: "found", Limit(seconds=0.05), Asker(), lane="hint") == "found"


def test_a_quick_question_is_not_cut_because_it_is_kept_from_work() -> None:
    searches = lanes(1)
    tries: list[bool] = []

    def kept_from_work(control: Control) -> None:
        time.sleep(2 * TRIAL_SECONDS)
        tries.append(control.cancelled())

    with searching(searches):
        searches.run(kept_from_work, LIMIT, Asker())
    assert tries == [False]


def test_clients_take_turns() -> None:
    searches = lanes(2)
    order: list[str] = []
    ended = threading.Event()

    def ask(client: str) -> threading.Thread:
        def work(_control: Control) -> None:
            order.append(client)
            ended.wait(SECONDS)

        thread = threading.Thread(target=lambda: searches.run(work, LIMIT, Asker(client), tried=False))
        thread.start()
        return thread

    with searching(searches, "greedy"), searching(searches, "other"):
        asking = [ask("greedy") for _ in range(4)]
        wait_until(lambda: searches.lanes["long"].inside == 6)
        asking.append(ask("modest"))
        wait_until(lambda: searches.lanes["long"].inside == 7)
    wait_until(lambda: len(order) == 2)
    assert "modest" in order  # the first slot is already anybody's, and of the second the greedy client has one
    ended.set()
    for thread in asking:
        thread.join()


def test_who_asks_much_is_answered_but_delays_and_shortens_no_search_but_its_own() -> None:
    searches = lanes(1)
    greedy, modest = Asker("greedy"), Asker("modest")
    order: list[Asker] = []

    def ask(asker: Asker) -> None:
        searches.run(lambda _: order.append(asker), Limit(seconds=2.0), asker, tried=False)

    with ThreadPoolExecutor(31) as pool:
        with searching(searches, "other"):
            asking = [pool.submit(ask, greedy) for _ in range(30)]
            wait_until(lambda: searches.lanes["long"].inside == 31)
            asking.append(pool.submit(ask, modest))
            wait_until(lambda: searches.lanes["long"].inside == 32)
        for future in asking:
            future.result(SECONDS)
    assert len(order) == 31
    assert order.index(modest) == 1
    assert greedy.shortened
    assert not modest.shortened


def test_a_crowd_that_asks_at_once_takes_its_turns() -> None:
    searches = SearchPool(Config(searches=2))

    def ask(number: int) -> int:
        def work(_control: Control) -> int:
            time.sleep(0.2)
            return number

        limit = Limit(seconds=0.2)
        return searches.run(work, limit, Asker(f"client {number}"), lane="hint", tried=False)

    with ThreadPoolExecutor(12) as pool:
        assert list(pool.map(ask, range(12))) == list(range(12))


def test_a_crowd_that_would_not_get_its_turns_in_time_searches_for_less_and_is_told(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Nobody is refused; whoever gets less time than asked for reads so, with and without a stream."""
    monkeypatch.setattr(search_pool, "_ROUNDS", 4)
    warmed()
    body = {"position": VIEW, "limit": {"seconds": 2.0}}
    with served(Config(searches=2, threads=40)) as service, searching(service.searches):

        def ask(number: int) -> tuple[bytes, bytes]:
            path = "/v1/hint" + "?stream=true" * (number % 2)
            with service.connect(f"127.0.1.{number}") as client, client.makefile("rb") as answer:
                client.settimeout(SECONDS)
                client.sendall(post(path, body))
                return answer.readline(), b"".join(iter(answer.readline, b"\r\n"))

        with ThreadPoolExecutor(24) as pool:
            answers = list(pool.map(ask, range(1, 25)))
    assert {status for status, _ in answers} == {b"HTTP/1.1 200 OK\r\n"}
    told = [float(found[1]) for _, head in answers if (found := re.search(rb"X-Limit-Seconds: (\S+)", head))]
    assert len(told) > 12
    assert all(0.2 <= seconds <= 2 for seconds in told)


def test_who_asks_nothing_yet_is_let_in_though_all_places_are_taken() -> None:
    warmed()
    body = {"position": VIEW, "limit": {"seconds": 20.0, "nodes": 50}}
    with served(Config(searches=1, threads=8)) as service, ExitStack() as stack:
        with service.searches.lanes["hint"].slot("another", SECONDS, threading.Event()):
            clients = [stack.enter_context(service.connect(f"127.0.1.{number}")) for number in range(1, 13)]
            for client in clients:
                client.settimeout(SECONDS)
                client.sendall(post("/v1/hint", body))
            wait_until(lambda: service.searches.lanes["hint"].inside == 1 + len(clients))
        assert [answer(client)[0] for client in clients] == [200] * len(clients)


def test_a_slow_reader_holds_neither_a_thread_nor_a_place() -> None:
    warmed()
    position = {**FREE, "line": list("2345679JQK" * 2)}
    with served(Config(searches=2)) as service, ExitStack() as stack:
        client = stack.enter_context(service.connect(reading=False))
        questions = [{"ask": "analyze", "position": position}] * 16  # half a megabyte each
        client.sendall(post("/v1/batch", {"questions": questions}))
        wait_until(lambda: service.searches.inside()["long"] + service.searches.inside()["quick"] > 0)
        wait_until(lambda: not service.searches.streams._taken)


def test_a_client_that_has_gone_ends_its_search() -> None:
    searches = lanes(2)

    def until(control: Control) -> bool:
        wait_until(control.cancelled)
        return True

    assert searches.run(until, LIMIT, Asker("", lambda: True), tried=False)
    with searching(searches) as there:
        assert not there.is_set()


def test_a_client_that_has_gone_does_not_wait() -> None:
    searches = lanes(1)
    began = time.monotonic()
    with searching(searches), pytest.raises(BusyError):
        searches.run(lambda *_: None, Limit(seconds=SECONDS), Asker("", lambda: True), tried=False)
    assert time.monotonic() - began < SECONDS


def test_the_end_of_the_service_ends_every_search() -> None:
    searches = lanes(2)
    with searching(searches, count=2) as running:
        searches.cancel_all()
        assert running.is_set()
    assert searches.run(Control.cancelled, LIMIT, Asker())
    assert searches.run(Control.cancelled, LIMIT, Asker(), lane="hint", tried=False)


def test_work_of_a_stream_takes_turns_with_other_searches() -> None:
    searches = lanes(1)
    with searches.stream(Asker("stream")) as stream, stream.workers(2) as executor:
        with searching(searches):
            waiting = [executor.submit(stream.run, "long", lambda *_: None, LIMIT) for _ in range(2)]
            wait_until(lambda: searches.lanes["long"].inside == 3)
            assert not any(future.done() for future in waiting)
        for future in waiting:
            future.result(SECONDS)
        assert searches.run(lambda *_: "between", LIMIT, Asker(), tried=False) == "between"


def test_a_stream_that_ends_waits_for_nothing_that_has_not_begun() -> None:
    searches = lanes(1)
    with searches.stream(Asker()) as stream, searching(searches):
        with stream.workers(1) as executor:
            waiting = executor.submit(stream.run, "long", lambda *_: None, LIMIT)
            wait_until(lambda: searches.lanes["long"].inside == 2)
        assert isinstance(waiting.exception(), BusyError)


def test_a_stream_gives_its_place_to_a_client_that_has_none() -> None:
    """The newest one of the client with the most, and nobody is refused while another has two more."""
    searches = lanes(1)
    cancels: dict[str, list[threading.Event]] = {}

    def taken() -> Counter[str]:
        return Counter(owner for owner, _ in searches.streams._taken)

    with ExitStack() as stack:

        def begin(client: str) -> None:
            stream = stack.enter_context(searches.stream(Asker(client)))
            cancels.setdefault(client, []).append(stream.cancel)

        for greedy in "abc":
            with suppress(BusyError):
                while True:
                    begin(greedy)
            assert 0 < taken()[greedy] < searches.streams.most
        for modest in range(searches.streams.most - 3):
            begin(str(modest))
        assert all(taken()[str(modest)] == 1 for modest in range(searches.streams.most - 3))
        assert max(taken().values()) == 1
        assert all(
            [flag.is_set() for flag in cancels[greedy]] == [False] + [True] * (len(cancels[greedy]) - 1)
            for greedy in "abc"
        )
        with pytest.raises(BusyError):
            begin("one too many")
    assert not searches.streams._taken  # a service that runs for long keeps nothing of those who have gone


def test_config_from_the_environment() -> None:
    found = Config.from_environ({"ATHANOR_MAX_SECONDS": "9.5", "ATHANOR_THREADS": "40", "PATH": "x"})
    assert (found.max_seconds, found.threads) == (9.5, 40)


@pytest.mark.parametrize(
    ("name", "text"),
    [("MAX_SECONDS", "nan"), ("THREADS", "1.5"), ("THREADS", "0"), ("SEARCHES", "0"), ("DEFAULT_SECONDS", "61")],
)
def test_a_configuration_that_is_wrong(name: str, text: str) -> None:
    with pytest.raises(RequestError, match=f"ATHANOR_{name}"):
        Config.from_environ({f"ATHANOR_{name}": text})


def test_a_setting_that_nothing_reads_is_told_with_the_nearest_one() -> None:
    with pytest.raises(RequestError, match=r"no setting ATHANOR_MEMROY_MB; did you mean ATHANOR_MEMORY_MB\?"):
        Config.from_environ({"ATHANOR_MEMROY_MB": "512"})


# Memory.


@pytest.fixture
def client() -> FlaskClient:
    return create_app(Config(memory_mb=2048)).test_client()


@contextmanager
def refusing() -> Iterator[None]:
    """A system that gives no memory for tables, and no idle ones."""

    def refuse(*_: Any, **__: Any) -> mmap.mmap:
        raise OSError(12, "Cannot allocate memory")

    IDLE_PROVERS.drop()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(mmap, "mmap", refuse)
        yield


def body(name: str) -> dict[str, Any]:
    position = athanor.deal(name, seed=1).model_dump(mode="json", exclude_none=True)
    return {"position": position, "limit": {"nodes": 500}}


def test_health_tells_what_is_taken(client: FlaskClient) -> None:
    told = client.get("/healthz").get_json()["memory"]
    assert told["limit_mb"] == 2048
    assert told["tables_limit_mb"] == TABLE_BUDGET.limit // MEGABYTE
    assert 0 <= told["tables_mb"] <= told["tables_limit_mb"]
    if memory.resident() is not None:
        assert told["used_mb"] > 20


@pytest.mark.parametrize("name", AGAINST_OTHERS)
def test_without_memory_a_question_is_refused_for_a_while(client: FlaskClient, name: str) -> None:
    before = client.post("/v1/analyze", json=body(name))
    assert before.status_code == 200
    with refusing():
        found = client.post("/v1/analyze", json=body(name))
        message = refused(found, 503, "out_of_memory")
        assert "no memory is left for a table" in message
        assert int(found.headers["Retry-After"]) >= 1
    after = client.post("/v1/analyze", json=body(name))
    assert after.status_code == 200
    assert [move["bounds"] for move in after.get_json()["moves"]] == [
        move["bounds"] for move in before.get_json()["moves"]
    ]


def test_of_a_file_each_puzzle_is_refused_by_itself(client: FlaskClient) -> None:
    king = {"id": "k", "title": "K", "ask": "value", "position": body("king")["position"]}
    easy = {"id": "a", "title": "A", "ask": "best-move", "position": DUEL}
    with refusing():
        answer = client.post("/v1/solve", json={"puzzle": [king, easy], "limit": {"nodes": 500}})
        found = {line["id"]: line for line in map(json.loads, answer.text.splitlines())}
    assert found["k"]["error"]["code"] == "out_of_memory"
    assert "error" not in found["a"]


def test_threads_that_cannot_be_started_cost_nothing_but_speed(
    client: FlaskClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(_: threading.Thread) -> None:
        raise RuntimeError("can't start new thread")

    view = athanor.game("kirin").view(athanor.deal("kirin", seed=1), 0)
    asked = {"position": view.model_dump(mode="json", exclude_none=True), "limit": {"nodes": 500}}
    usual = client.post("/v1/hint", json=asked)
    assert usual.status_code == 200, usual.text
    monkeypatch.setattr(threading.Thread, "start", refuse)
    found = client.post("/v1/hint", json=asked)
    assert found.get_json()["moves"] == usual.get_json()["moves"]


def test_without_a_thread_to_watch_it_the_constraint_solver_is_not_begun(monkeypatch: pytest.MonkeyPatch) -> None:
    from ortools.sat.python import cp_model  # it takes a second, which whoever collects tests would wait for

    def refuse(_: threading.Thread) -> None:
        raise RuntimeError("can't start new thread")

    monkeypatch.setattr(threading.Thread, "start", refuse)
    with pytest.raises(MemoryError, match="can't start more threads"):
        cpsat.optimize(cp_model.CpModel(), [], Control())


def test_the_tables_get_what_the_program_and_requests_leave(monkeypatch: pytest.MonkeyPatch) -> None:
    loaded = threading.Event()
    budget = TableBudget()
    monkeypatch.setattr(startup, "_PROGRAM", 600 * MEGABYTE)
    monkeypatch.setattr(startup, "_REQUEST", 10 * MEGABYTE)
    monkeypatch.setattr(memory, "footprint", lambda: (500 * MEGABYTE, 400 * MEGABYTE))
    looking = Memory(2000, requests=20, searches=2, loaded=loaded.is_set, budget=budget, idle=IdleProvers(budget))
    assert budget.limit == 1200 * MEGABYTE
    assert budget.part == 300 * MEGABYTE
    assert budget.resident == 2000 * MEGABYTE
    looking.look()
    assert budget.limit == 1200 * MEGABYTE
    loaded.set()
    looking.look()
    assert budget.limit == 1400 * MEGABYTE


@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="only glibc is asked to")
def test_what_searches_leave_is_given_back_to_the_system() -> None:
    left = [b"x" * (2000 + number % 2) for number in range(50_000)]
    left = left[::50]
    before = memory.footprint()[1]
    budget = TableBudget()
    Memory(1024, requests=1, searches=1, loaded=lambda: True, budget=budget, idle=IdleProvers(budget))
    assert memory.footprint()[1] < before - (60 << 20)
    assert left


def test_a_process_that_does_nothing_is_not_searched_for_freed_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    trimmed: list[float] = []
    worked = iter([1.0, 1.1, 1.2, 9.0, 9.1])
    monkeypatch.setattr(memory, "trim", lambda: trimmed.append(1))
    monkeypatch.setattr("api.memory.time.process_time", lambda: next(worked))
    budget = TableBudget()
    looking = Memory(1024, requests=1, searches=1, loaded=lambda: True, budget=budget, idle=IdleProvers(budget))
    counts = []
    for _ in range(2):
        looking.look()
        counts.append(len(trimmed))
    assert counts == [1, 2]  # the first look is that of the beginning


def test_a_bound_below_the_program_itself_is_told(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    loaded = threading.Event()
    budget = TableBudget()
    monkeypatch.setattr(memory, "footprint", lambda: (500 * MEGABYTE, 400 * MEGABYTE))
    looking = Memory(320, requests=2, searches=2, loaded=loaded.is_set, budget=budget, idle=IdleProvers(budget))
    loaded.set()
    with caplog.at_level(logging.WARNING):
        looking.look()
        looking.look()
    assert budget.limit == 40 * MEGABYTE
    assert [record.message for record in caplog.records] == [
        "the program takes 400 MiB of the 320 MiB that it may have (ATHANOR_MEMORY_MB), which leaves its tables "
        "little, and may be exceeded"
    ]


# Processes.


SECONDS = 60.0  # that any of this may take on a loaded machine


@dataclass(frozen=True)
class Doing:
    """A search that does as it is told."""

    what: str

    def __call__(self, control: Control) -> Any:
        match self.what:
            case "number":
                return os.getpid()
            case "die":
                os.kill(os.getpid(), signal.SIGKILL)
            case "fault":
                raise PositionError("wrong", "it is wrong", "hand[1]")
            case "incomplete":
                raise IncompleteMoveError("Who took the trick?", 2)
            case "bug":
                raise ZeroDivisionError("a bug")
            case "unsent":
                return threading.Lock()
            case "fault with a table":
                table = new_table([1 << 20])
                raise PositionError("wrong", f"it is wrong: {len(table)}")
            case "used":
                return TABLE_BUDGET.used
            case "progress":
                control.tell_first("searching", lambda: None)
            case "until":
                wait_until(control.cancelled)
                return True
        return self.what


@pytest.fixture(scope="module")
def searches() -> Iterator[SearchPool]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(search_pool, "prepare", lambda _: prepare("tests.api.preloading"))
        found = SearchPool(Config(searches=1, memory_mb=1024), in_processes=True)
    found.start()
    warmed()
    found.load("alchemy", compile=True)
    yield found
    found.stop()


def test_a_pool_is_stopped_before_it_has_begun() -> None:
    """As where Ctrl-C comes while it begins."""
    SearchPool(Config(searches=1, memory_mb=1024), in_processes=True).stop()


def test_what_a_pool_compiles_no_later_one_compiles() -> None:
    searches = SearchPool(Config(searches=1, memory_mb=1024), in_processes=True)
    assert searches._keeper
    searches._keeper.renew(compile=True)
    assert COMPILES in os.environ
    searches.stop()
    assert COMPILES not in os.environ


def test_where_nothing_can_be_shared_searches_run_in_threads(monkeypatch: pytest.MonkeyPatch) -> None:
    """As where everything is read-only."""

    def refuse(*_: Any) -> None:
        raise FileNotFoundError("No usable temporary directory found")

    monkeypatch.setattr(multiprocessing, "RawArray", refuse)
    searches = SearchPool(Config(searches=1, memory_mb=1024), in_processes=True)
    assert not searches.in_processes
    assert searches.run(Doing("number"), LIMIT, Asker()) == os.getpid()


def test_every_lane_has_processes_that_are_not_this_one(searches: SearchPool) -> None:
    quick = searches.run(Doing("number"), LIMIT, Asker())
    long = searches.run(Doing("number"), LIMIT, Asker(), tried=False)
    hint = searches.run(Doing("number"), LIMIT, Asker(), lane="hint", tried=False)
    assert len({quick, hint, long, os.getpid()}) == 4


def test_puzzles_of_a_file_are_solved_in_other_processes(searches: SearchPool) -> None:
    client = create_app(Config(), searches).test_client()
    lines = lines_of(client.post("/v1/solve", data=FILE, content_type="application/toml"))
    assert {line["id"]: line["status"] for line in lines} == {"one": "confirmed", "two": "solved"}


def test_what_is_long_to_read_is_read_in_other_processes(
    searches: SearchPool, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: Any) -> Any:
        raise AssertionError("it is read here")

    monkeypatch.setattr(Endpoint, "asked", refuse)
    monkeypatch.setattr(decks, "read", refuse)
    client = create_app(Config(), searches).test_client()
    for position, part in (
        (KNOWN, "answer"),
        ({**KNOWN, "game": " Alchemy"}, "answer"),
        ({"game": "none"}, "error"),
    ):
        body = {"questions": [{"ask": "analyze", "position": position, "limit": {"nodes": 1}}]}
        assert [line.keys() for line in lines_of(client.post("/v1/batch", json=body))] == [{"index", part}]
    (kind,) = (kind for kind in decks.kinds() if kind.game == "king")
    table = decks.table_of("king", kind.house) + "\n" * (1 << 15)
    assert client.post("/v1/decks", data=table, content_type="application/toml").get_json()["game"] == "king"


def test_a_hint_of_a_moment_searches_beside_quick_questions(searches: SearchPool) -> None:
    assert searches.run(Doing("number"), Limit(seconds=0.1), Asker(), lane="hint", tried=False) in {
        process.number for process in searches.processes
    } - {searches.run(Doing("number"), LIMIT, Asker(), lane=lane, tried=False) for lane in ("hint", "long")}


def test_an_answer_is_what_it_is_here(searches: SearchPool) -> None:
    client = create_app(Config(), searches).test_client()
    found = client.post("/v1/analyze", json={"position": KNOWN})
    alone = athanor.analyze(KNOWN, limit=Limit(seconds=5)).to_dict()
    assert {**found.get_json(), "seconds": 0} == {**alone, "seconds": 0}
    assert client.post("/v1/analyze?stream=true", json={"position": KNOWN}).status_code == 200
    puzzle = {"id": "one", "title": "One", "ask": "winnable", "position": KNOWN, "solution": {"value": "lost"}}
    (line,) = lines_of(client.post("/v1/solve", json={"puzzle": [puzzle]}))
    assert line.get("status") == "refuted", line
    told = client.get("/healthz").get_json()["memory"]
    assert told["tables_limit_mb"] > 0


def test_what_a_search_raises(searches: SearchPool) -> None:
    with pytest.raises(PositionError) as found:
        searches.run(Doing("fault"), LIMIT, Asker())
    assert (found.value.code, found.value.path) == ("wrong", "hand[1]")
    with pytest.raises(IncompleteMoveError, match="Who took") as incomplete:
        searches.run(Doing("incomplete"), LIMIT, Asker())
    moved = incomplete.value.under("moves[0]")
    assert (moved.seat, moved.path, incomplete.value.path) == (2, "moves[0]", "")
    with pytest.raises(ZeroDivisionError):
        searches.run(Doing("bug"), LIMIT, Asker())
    with pytest.raises((TypeError, RuntimeError)):
        searches.run(Doing("unsent"), LIMIT, Asker())


def test_an_error_keeps_no_table_of_its_search(searches: SearchPool) -> None:
    with pytest.raises(PositionError):
        searches.run(Doing("fault with a table"), LIMIT, Asker(), tried=False)
    assert searches.run(Doing("used"), LIMIT, Asker(), tried=False) == 0


def test_a_game_that_cannot_be_loaded_leaves_no_table_to_the_next(monkeypatch: pytest.MonkeyPatch) -> None:
    pool = Pool(lambda megabytes: SimpleNamespace(table=new_table([megabytes << 17])))

    def warm(name: str, *, hints: bool) -> None:
        with pool.lend():
            raise AbsentError(name)

    IDLE_PROVERS.drop()
    before = TABLE_BUDGET.used
    monkeypatch.setattr(questions, "warm", warm)
    with pytest.raises(AbsentError):
        load("kirin")
    assert TABLE_BUDGET.used == before


def test_progress_comes_back(searches: SearchPool) -> None:
    heard: list[Progress] = []
    with searches.stream(Asker()) as stream:
        assert stream.follow("long", Doing("progress"), LIMIT, heard.append) == "progress"
    assert [found.stage for found in heard] == ["searching"]


def test_a_client_that_leaves_frees_its_slot(searches: SearchPool) -> None:
    left = threading.Event()
    with ThreadPoolExecutor(1) as pool:
        asking = pool.submit(
            searches.run, Doing("until"), LIMIT, Asker("one", left.is_set), lane="long", tried=False
        )
        wait_until(lambda: searches.lanes["long"].inside == 1)
        left.set()
        assert asking.result(SECONDS)


def test_a_process_that_dies_is_an_honest_error_and_is_started_again(searches: SearchPool) -> None:
    before = searches.run(Doing("number"), LIMIT, Asker(), tried=False)
    with pytest.raises(BusyError, match="the process that searched has ended"):
        searches.run(Doing("die"), LIMIT, Asker(), tried=False)
    after = searches.run(Doing("number"), Limit(seconds=SECONDS), Asker(), tried=False)
    assert after != before
    client = create_app(Config(), searches).test_client()  # what the one before had loaded is there
    assert client.post("/v1/analyze", json={"position": KNOWN, "limit": {"seconds": 30}}).status_code == 200


def gone(number: int) -> bool:
    """Whether there is no such process, not even a zombie."""
    try:
        os.kill(number, 0)
    except ProcessLookupError:
        return True
    return False


def lane_of(searches: SearchPool, lane: str) -> list[SearchProcess]:
    """The processes of a lane, once all are there."""
    keeper = searches._keeper
    assert keeper is not None
    wait_until(lambda: all(post.process and post.process.state.ticks for post in keeper._posts))
    return [post.process for post in keeper._posts if post.lane.name == lane and post.process]


@pytest.mark.skipif("forkserver" not in multiprocessing.get_all_start_methods(), reason="nothing is forked")
@pytest.mark.parametrize("victim", ["one that is idle", "one that searches", "the fork server", "all at once"])
def test_whatever_is_killed_is_replaced_and_leaves_no_zombie(searches: SearchPool, victim: str) -> None:
    """Nobody notices but whose search it was."""
    hints = lane_of(searches, "hint")
    server = fork_server()
    assert server
    before = [process.number for process in searches.processes]
    victims = {
        "one that is idle": [hints[0].number],
        "the fork server": [server],
        "all at once": [server, *before],
    }
    with ThreadPoolExecutor(1) as pool:
        if victim == "one that searches":
            victims[victim] = [hints[0].number]
            begun = hints[0].state.searches
            asking = pool.submit(
                searches.run, Doing("until"), Limit(seconds=SECONDS), Asker(), lane="hint", tried=False
            )
            wait_until(lambda: hints[0].state.searches > begun)
        for number in victims[victim]:
            os.kill(number, signal.SIGKILL)
        for lane in ("long", "quick") if victim == "one that searches" else searches.lanes:
            searches.run(Doing("number"), Limit(seconds=SECONDS), Asker(), lane=lane, tried=False)
        if victim == "one that searches":
            with pytest.raises(BusyError, match="the process that searched has ended"):
                asking.result(SECONDS)
    wait_until(lambda: all(map(gone, victims[victim])))
    assert (
        searches.run(Doing("number"), Limit(seconds=SECONDS), Asker(), lane="hint", tried=False) not in before[2:3]
    )
    if victim == "the fork server":  # those that come from another share its memory
        wait_until(lambda: all(map(gone, before)))


def test_games_that_are_compiled_late_are_loaded_for_all_later_searches(
    searches: SearchPool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In new processes, which share them, while a search that runs already goes on. Nobody waits until these have
    begun.
    """
    meanwhile: list[int] = []

    def begun(begin: Any) -> SearchProcess:
        meanwhile.append(searches.run(Doing("number"), LIMIT, Asker(), tried=False))
        return SearchProcess(begin)

    hints = lane_of(searches, "hint")
    server, before = fork_server(), {process.number for process in searches.processes}
    over = threading.Event()
    with ThreadPoolExecutor(1) as pool:
        asker = Asker("one", over.is_set)
        asking = pool.submit(searches.run, Doing("until"), Limit(seconds=SECONDS), asker, lane="hint", tried=False)
        wait_until(lambda: hints[0].busy)
        searches._absent.add("alchemy")  # as where its kernels were missing when the fork server began
        with monkeypatch.context() as patch:
            patch.setattr(search_pool, "SearchProcess", begun)
            searches.load("alchemy")
        assert meanwhile[0] in before
        for lane in ("quick", "long"):
            number = searches.run(Doing("number"), Limit(seconds=SECONDS), Asker(), lane=lane, tried=False)
            assert number not in before
        assert fork_server() != server
        searches.load("alchemy")  # which all have now
        over.set()
        assert asking.result(SECONDS)
    after = fork_server()
    wait_until(lambda: all(map(gone, before)))
    searches.run(Doing("number"), Limit(seconds=SECONDS), Asker(), lane="hint", tried=False)
    assert fork_server() == after
    wait_until(lambda: not searches.problem)


def test_what_cannot_be_kept_is_compiled_where_all_processes_come_from(
    searches: SearchPool, monkeypatch: pytest.MonkeyPatch
) -> None:
    loads: list[str] = []

    def absent(name: str, *, hints: bool) -> None:
        loads.append(name)
        if len(loads) == 1:
            raise AbsentError(name)

    lane_of(searches, "hint")
    server = fork_server()
    monkeypatch.setattr(searches, "_load", absent)
    searches.load("alchemy", compile=True)
    assert loads == ["alchemy"] * 2
    del os.environ[COMPILES]  # the tests after this one share the pool
    searches.run(Doing("number"), Limit(seconds=SECONDS), Asker(), lane="hint", tried=False)
    assert fork_server() != server


def test_what_processes_share_counts_once(searches: SearchPool) -> None:
    lane_of(searches, "hint")
    used, tables, limit = searches.memory()
    alone = [
        memory.resident(number) for number in (os.getpid(), fork_server(), *(p.number for p in searches.processes))
    ]
    if used is not None and Path("/proc/self/smaps_rollup").exists():
        assert 0 < used < sum(size for size in alone if size)
    assert 0 <= tables <= limit


@pytest.mark.parametrize(
    ("cores", "megabytes", "sizes"),
    [
        (1, 1024, (2, 1, 1)),
        (2, 2048, (4, 2, 2)),
        (16, 2048, (10, 5, 5)),
        (16, 16384, (32, 16, 16)),
        (64, 2048, (10, 5, 5)),
        (64, 65536, (128, 64, 64)),
    ],
)
def test_as_many_processes_search_as_there_is_memory_for(
    cores: int, megabytes: int, sizes: tuple[int, ...]
) -> None:
    """Each has a table's worth at least, and together they have no more than there is."""
    config = Config(searches=cores, threads=cores + 64, memory_mb=megabytes)
    found = SearchPool(config, in_processes=True)
    posts = found._posts(config)
    assert tuple(sum(post.lane.name == name for post in posts) for name in found.lanes) == sizes
    assert found.slots == sizes[-1]
    parts = [post.begin.args[1] for post in posts]  # type: ignore[attr-defined]
    assert min(parts) >= 48
    assert sum(parts) <= megabytes - 320


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(signal, "SIGSTOP"), reason="no process can be stopped here")
@pytest.mark.parametrize("lane", ["quick", "long"])
def test_a_process_that_does_not_respond_is_replaced_and_readiness_follows(
    searches: SearchPool, lane: str
) -> None:
    client = create_app(Config(), searches).test_client()
    before = lane_of(searches, lane)

    def until_ready(status: int) -> str:
        answers: list[str] = []

        def is_so() -> bool:
            answer = client.get("/readyz")
            answers.append(answer.text)
            return answer.status_code == status

        wait_until(is_so)
        return answers[-1]

    until_ready(200)
    for process in before:
        os.kill(process.number, signal.SIGSTOP)
    assert f"({lane}) does not respond" in until_ready(503)
    # What it was not begun with is asked of its successor.
    assert searches.run(Doing("number"), Limit(seconds=SECONDS), Asker(), tried=False, lane=lane)
    until_ready(200)
    assert not {process.number for process in before} & {process.number for process in lane_of(searches, lane)}
    wait_until(lambda: all(gone(process.number) for process in before))
    assert client.post("/v1/analyze", json={"position": KNOWN, "limit": {"seconds": 30}}).status_code == 200


@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="nothing says whether a process works")
def test_a_fork_server_that_does_not_respond_is_replaced(searches: SearchPool) -> None:
    hints = lane_of(searches, "hint")
    server = fork_server()
    assert server
    os.kill(server, signal.SIGSTOP)
    searches.lanes["hint"].retire(hints[0])
    assert searches.run(Doing("number"), Limit(seconds=SECONDS), Asker(), lane="hint", tried=False)
    wait_until(lambda: gone(server))
    wait_until(lambda: not searches.problem)


def test_what_is_not_in_the_cache_is_told(searches: SearchPool) -> None:
    with pytest.raises((AbsentError, RequestError)):
        searches.load("no-such-game")


def test_a_trial_is_cut_by_the_time_that_it_works() -> None:
    cancel = threading.Event()
    trial = Trial(cancel)
    assert not trial.is_set()
    while not trial.is_set():
        sum(range(1000))
    assert trial.cut
    cancel.set()
    assert Trial(cancel).is_set()


def test_a_game_is_loaded_here_where_there_are_no_processes() -> None:
    load("alchemy", compile=True)
    load("alchemy", hints=True)
    load("alchemy")
