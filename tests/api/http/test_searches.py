"""The lanes before the searches, and the configuration."""

from __future__ import annotations

import threading
import time
from concurrent.futures import Future

import pytest

from api.app import create_app
from api.config import Config
from api.http.errors import BusyError
from api.http.searches import Asker, Searches
from api.scheduling.lane import Lane
from api.scheduling.pool import Pool
from api.scheduling.quantum import QUANTUM_SECONDS
from solver import registry
from solver.errors import RequestError
from solver.limits import Limit
from solver.positions import position_data
from tests.api.searching import LIMIT, searching
from tests.api.support import FILE, KNOWN, refused, warmed

HARD = position_data(registry.game("kirin").deal(2))


def test_a_long_question_waits_for_a_search_no_longer_than_it_may_take() -> None:
    warmed()
    config = Config(searches=1, threads=8)
    searches = Searches(config.searches, config.waiting)
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
    searches = Searches(config.searches, config.waiting)
    client = create_app(config, searches).test_client()
    alone = client.post("/v1/analyze", json={"position": KNOWN}).get_json()
    with searching(searches):
        found = client.post("/v1/analyze", json={"position": KNOWN})
        assert found.status_code == 200
        assert {**found.get_json(), "seconds": 0} == {**alone, "seconds": 0}
        refused(client.post("/v1/analyze", json={"position": HARD}), 503, "busy")


class _EndsWithTheWait(Future[None]):
    """What is done at the moment in which somebody has waited for it long enough."""

    def result(self, timeout: float | None = None) -> None:
        if not self.done():
            self.set_result(None)
            raise TimeoutError
        return super().result(timeout)


def test_a_search_that_ends_when_the_wait_for_it_does_is_no_failure(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Lane, "submit", lambda *_, **__: _EndsWithTheWait())
    with Searches(1, 40).stream(Asker(), 1.0) as stream:
        assert not stream.cancel.is_set()


def test_a_stream_that_ends_waits_for_nothing_that_has_not_begun() -> None:
    searches = Searches(1, 40)
    with searches.stream(Asker(), 1.0) as stream, searching(searches):
        waiting = stream.searches.submit(time.sleep, 0)
        ending = threading.Thread(
            target=stream.searches.shutdown, kwargs={"wait": True, "cancel_futures": True}, daemon=True
        )
        ending.start()
        ending.join(10)
        assert not ending.is_alive()
        assert waiting.cancelled()


def test_a_question_that_is_cut_is_begun_anew_with_the_time_that_is_left() -> None:
    searches = Searches(1, 40)
    limits: list[float] = []

    def slow(limit: Limit, cancel: threading.Event, _progress: object) -> str:
        assert limit.seconds is not None
        limits.append(limit.seconds)
        end = time.thread_time() + 3 * QUANTUM_SECONDS
        while time.thread_time() < end:
            if cancel.is_set():
                return "cut"
        return "done"

    found: list[str] = []
    with searching(searches):
        asking = threading.Thread(target=lambda: found.append(searches.search(slow, LIMIT, Asker(), "unknown")))
        asking.start()
        time.sleep(0.2)
        assert len(limits) == 1
    asking.join()
    assert found == ["done"]
    assert limits[1] < limits[0] - QUANTUM_SECONDS


def test_alone_nobody_is_turned_away_however_late_the_search_begins(monkeypatch: pytest.MonkeyPatch) -> None:
    run = Pool._run

    def late(pool: Pool) -> None:
        time.sleep(0.1)
        run(pool)

    monkeypatch.setattr(Pool, "_run", late)
    assert Searches(1, 40).search(lambda *_: "found", Limit(seconds=0.01), Asker(), "kind") == "found"


def test_a_try_that_took_all_the_time_is_the_answer() -> None:
    searches = Searches(1, 40)
    for _ in range(9):
        searches.search(lambda *_: "quick", LIMIT, Asker(), "kind")
    tries = []

    def stubborn(_limit: Limit, cancel: threading.Event, _progress: object) -> str:
        end = time.thread_time() + 2 * QUANTUM_SECONDS
        while time.thread_time() < end:  # without a look at the flag
            pass
        assert cancel.is_set()
        tries.append("try")
        return "the best so far"

    found = searches.search(stubborn, Limit(seconds=QUANTUM_SECONDS), Asker(), "kind")
    assert found == "the best so far"
    assert tries == ["try"]


def test_what_was_long_lately_is_not_tried_again_each_time() -> None:
    searches = Searches(1, 40)
    calls = 0

    def long(_limit: Limit, cancel: threading.Event, _progress: object) -> None:
        nonlocal calls
        calls += 1
        end = time.thread_time() + 2 * QUANTUM_SECONDS
        while time.thread_time() < end and not cancel.is_set():
            pass

    with searching(searches):
        for _ in range(2):
            with pytest.raises(BusyError):
                searches.search(long, Limit(seconds=0.6), Asker(), "kind")
    assert calls == 1


def test_a_quick_question_is_not_cut_because_it_is_kept_from_work() -> None:
    searches = Searches(1, 40)
    tries: list[bool] = []

    def kept_from_work(_limit: Limit, cancel: threading.Event, _progress: object) -> None:
        time.sleep(2 * QUANTUM_SECONDS)
        tries.append(cancel.is_set())

    with searching(searches):
        searches.search(kept_from_work, LIMIT, Asker(), "unknown")
    assert tries == [False]


def test_clients_take_turns() -> None:
    searches = Searches(1, 40)
    order: list[str] = []

    def ask(client: str) -> threading.Thread:
        # What has been tried as a quick question would be answered at once: these are known to be long.
        thread = threading.Thread(
            target=lambda: searches.search(lambda *_: order.append(client), LIMIT, Asker(client), "long")
        )
        thread.start()
        return thread

    with searching(searches):
        searches._estimates.note("long", False)
        asking = [ask("greedy") for _ in range(4)]
        time.sleep(0.1)
        asking.append(ask("modest"))
        time.sleep(0.1)
    for thread in asking:
        thread.join()
    assert order.index("modest") <= 1


def test_a_place_in_a_full_queue_is_taken_from_who_has_most() -> None:
    searches = Searches(1, 16)  # four places
    refusals: list[str] = []

    def ask(client: str) -> threading.Thread:
        def run() -> None:
            try:
                searches.search(lambda *_: None, LIMIT, Asker(client), "long")
            except BusyError:
                refusals.append(client)

        thread = threading.Thread(target=run)
        thread.start()
        return thread

    with searching(searches):
        searches._estimates.note("long", False)
        asking = [ask("greedy") for _ in range(6)]
        time.sleep(0.1)
        asking.append(ask("modest"))
        time.sleep(0.1)
    for thread in asking:
        thread.join()
    assert refusals == ["greedy"] * 3


def test_a_client_that_has_gone_ends_its_search() -> None:
    searches = Searches(2, 40)
    searches.watch()

    def until(_limit: Limit, cancel: threading.Event, _progress: object) -> bool:
        end = time.monotonic() + 5
        while time.monotonic() < end and not cancel.is_set():
            time.sleep(0.01)
        return cancel.is_set()

    assert searches.search(until, LIMIT, Asker("", lambda: True), "long")
    with searching(searches) as there:
        assert not there.is_set()


def test_the_end_of_the_service_ends_every_search() -> None:
    searches = Searches(2, 40)
    with searching(searches, count=2) as running:
        searches.cancel_all()
        assert running.is_set()
    assert searches.search(lambda _, cancel, __: cancel.is_set(), LIMIT, Asker(), "long")
    assert searches.hint(lambda _, cancel, __: cancel.is_set(), LIMIT, Asker(), "long")


def test_work_of_a_stream_takes_turns_with_other_searches() -> None:
    searches = Searches(1, 40)
    with searches.stream(Asker("stream"), 1) as (executor, *_):
        with searching(searches):
            waiting = [executor.submit(time.sleep, 0) for _ in range(2)]
            assert not any(future.done() for future in waiting)
        for future in waiting:
            future.result(5)
        assert searches.search(lambda *_: "between", LIMIT, Asker(), "long") == "between"


def test_one_client_does_not_take_all_places_for_streams() -> None:
    searches = Searches(1, 32)  # four streams
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
