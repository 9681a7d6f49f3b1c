"""The lanes before the searches, and the configuration."""

from __future__ import annotations

import threading
import time

import pytest

from api.app import create_app
from api.config import Config
from api.errors import BusyError
from api.search_pool import Asker, Searches
from api.search_process import TRIAL_SECONDS
from solver import registry
from solver.errors import RequestError
from solver.limits import Limit
from solver.positions import position_data
from tests.api.searching import LIMIT, lanes, searching
from tests.api.support import FILE, KNOWN, refused, warmed

HARD = position_data(registry.game("kirin").deal(2))


def test_a_long_question_waits_for_a_search_no_longer_than_it_may_take() -> None:
    warmed()
    config = Config(searches=1, threads=8)
    searches = Searches(config)
    client = create_app(config, searches).test_client()
    body = {"position": HARD, "limit": {"seconds": 0.2}}
    with searching(searches):
        found = client.post("/v1/analyze", json=body)
        refused(found, 503, "too_slow")
        assert int(found.headers["Retry-After"]) > 0
        refused(client.post("/v1/solve?seconds=0.02", data=FILE, content_type="application/toml"), 503, "too_slow")
        assert client.get("/healthz").status_code == 200
    assert client.post("/v1/analyze", json=body).status_code == 200


def test_a_quick_question_is_answered_though_every_slot_is_taken() -> None:
    warmed()
    config = Config(searches=1, threads=3)
    searches = Searches(config)
    client = create_app(config, searches).test_client()
    alone = client.post("/v1/analyze", json={"position": KNOWN}).get_json()
    with searching(searches):
        found = client.post("/v1/analyze", json={"position": KNOWN})
        assert found.status_code == 200
        assert {**found.get_json(), "seconds": 0} == {**alone, "seconds": 0}
        waiting = threading.Thread(target=lambda: client.post("/v1/analyze", json={"position": HARD}))
        waiting.start()
        while not searches.lanes["long"].waiting:
            time.sleep(0.01)
        refused(client.post("/v1/analyze", json={"position": HARD}), 503, "busy")
    waiting.join()


def test_a_question_that_is_cut_is_begun_anew_with_the_time_that_is_left() -> None:
    limits: list[float] = []

    def slow(limit: Limit, cancel: threading.Event, _progress: object) -> str:
        assert limit.seconds is not None
        limits.append(limit.seconds)
        end = time.thread_time() + 3 * TRIAL_SECONDS
        while time.thread_time() < end:
            if cancel.is_set():
                return "cut"
        return "done"

    assert lanes(1, 40).find(slow, LIMIT, Asker()) == "done"
    assert limits[1] == limits[0] - TRIAL_SECONDS


def test_who_waits_searches_for_all_of_its_time() -> None:
    searches = lanes(1, 40)
    limits: list[float | None] = []

    def noted(limit: Limit, _cancel: threading.Event, _progress: object) -> None:
        limits.append(limit.seconds)

    with searching(searches):
        asking = threading.Thread(target=lambda: searches.find(noted, Limit(seconds=9.0), Asker(), tried=False))
        asking.start()
        time.sleep(0.2)
    asking.join()
    assert limits == [9.0]


def test_a_hint_of_a_moment_is_quick() -> None:
    searches = lanes(1, 40)
    with searching(searches):
        assert searches.find(lambda *_: "found", Limit(seconds=0.05), Asker(), lane="hint") == "found"


def test_a_quick_question_is_not_cut_because_it_is_kept_from_work() -> None:
    searches = lanes(1, 40)
    tries: list[bool] = []

    def kept_from_work(_limit: Limit, cancel: threading.Event, _progress: object) -> None:
        time.sleep(2 * TRIAL_SECONDS)
        tries.append(cancel.is_set())

    with searching(searches):
        searches.find(kept_from_work, LIMIT, Asker())
    assert tries == [False]


def test_clients_take_turns() -> None:
    searches = lanes(2, 40)
    order: list[str] = []
    ended = threading.Event()

    def ask(client: str) -> threading.Thread:
        def work(_limit: Limit, _cancel: threading.Event, _progress: object) -> None:
            order.append(client)
            ended.wait(10)

        thread = threading.Thread(target=lambda: searches.find(work, LIMIT, Asker(client), tried=False))
        thread.start()
        return thread

    with searching(searches, "greedy"), searching(searches, "other"):
        asking = [ask("greedy") for _ in range(4)]
        time.sleep(0.1)
        asking.append(ask("modest"))
        time.sleep(0.1)
    time.sleep(0.1)
    assert "modest" in order  # the first slot is already anybody's, and of the second the greedy client has one
    ended.set()
    for thread in asking:
        thread.join()


def test_one_client_does_not_take_all_places_in_the_queue() -> None:
    searches = lanes(1, 16)  # four places, three for one client
    refusals: list[str] = []

    def ask(client: str) -> threading.Thread:
        def run() -> None:
            try:
                searches.find(lambda *_: None, LIMIT, Asker(client), tried=False)
            except BusyError:
                refusals.append(client)

        thread = threading.Thread(target=run)
        thread.start()
        return thread

    with searching(searches):
        asking = [ask("greedy") for _ in range(6)]
        time.sleep(0.1)
        asking.append(ask("modest"))
        time.sleep(0.1)
    for thread in asking:
        thread.join()
    assert refusals == ["greedy"] * 3


def test_a_client_that_has_gone_ends_its_search() -> None:
    searches = lanes(2, 40)

    def until(_limit: Limit, cancel: threading.Event, _progress: object) -> bool:
        end = time.monotonic() + 5
        while time.monotonic() < end and not cancel.is_set():
            time.sleep(0.01)
        return cancel.is_set()

    assert searches.find(until, LIMIT, Asker("", lambda: True), tried=False)
    with searching(searches) as there:
        assert not there.is_set()


def test_a_client_that_has_gone_does_not_wait() -> None:
    searches = lanes(1, 40)
    began = time.monotonic()
    with searching(searches), pytest.raises(BusyError):
        searches.find(lambda *_: None, LIMIT, Asker("", lambda: True), tried=False)
    assert time.monotonic() - began < 5


def test_the_end_of_the_service_ends_every_search() -> None:
    searches = lanes(2, 40)
    with searching(searches, count=2) as running:
        searches.cancel_all()
        assert running.is_set()
    assert searches.find(lambda _, cancel, __: cancel.is_set(), LIMIT, Asker())
    assert searches.find(lambda _, cancel, __: cancel.is_set(), LIMIT, Asker(), lane="hint", tried=False)


def test_work_of_a_stream_takes_turns_with_other_searches() -> None:
    searches = lanes(1, 40)
    with searches.stream(Asker("stream"), 1) as stream, stream.workers(2) as executor:
        with searching(searches):
            waiting = [executor.submit(stream.run, "long", lambda *_: None, LIMIT) for _ in range(2)]
            time.sleep(0.1)
            assert not any(future.done() for future in waiting)
        for future in waiting:
            future.result(5)
        assert searches.find(lambda *_: "between", LIMIT, Asker(), tried=False) == "between"


def test_a_stream_that_ends_waits_for_nothing_that_has_not_begun() -> None:
    searches = lanes(1, 40)
    with searches.stream(Asker(), 1.0) as stream, searching(searches):
        began = time.monotonic()
        with stream.workers(1) as executor:
            waiting = executor.submit(stream.run, "long", lambda *_: None, LIMIT)
            time.sleep(0.05)
        assert time.monotonic() - began < 5
        assert isinstance(waiting.exception(), BusyError)


def test_one_client_does_not_take_all_places_for_streams() -> None:
    searches = lanes(1, 32)  # four streams
    with searches.stream(Asker("a"), 1), searches.stream(Asker("a"), 1):
        with pytest.raises(BusyError), searches.stream(Asker("a"), 1):
            pass
        with searches.stream(Asker("b"), 1):
            pass


def test_config_from_the_environment() -> None:
    found = Config.from_environ({"ATHANOR_MAX_SECONDS": "9.5", "ATHANOR_THREADS": "40", "PATH": "x"})
    assert (found.max_seconds, found.threads) == (9.5, 40)


@pytest.mark.parametrize(
    ("name", "text"),
    [("MAX_SECONDS", "nan"), ("THREADS", "1.5"), ("THREADS", "2"), ("SEARCHES", "0"), ("DEFAULT_SECONDS", "61")],
)
def test_a_configuration_that_is_wrong(name: str, text: str) -> None:
    with pytest.raises(RequestError, match=f"ATHANOR_{name}"):
        Config.from_environ({f"ATHANOR_{name}": text})


def test_a_setting_that_nothing_reads_is_told_with_the_nearest_one() -> None:
    with pytest.raises(RequestError, match=r"no setting ATHANOR_MEMROY_MB; did you mean ATHANOR_MEMORY_MB\?"):
        Config.from_environ({"ATHANOR_MEMROY_MB": "512"})
