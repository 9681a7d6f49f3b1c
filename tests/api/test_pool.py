"""Threads that take jobs: how many there are where the system gives few, and who works beside whom."""

from __future__ import annotations

import logging
import os
import sys
import threading
import time

import pytest

from api.config import Config
from api.scheduling.pool import Pool, stand_back
from api.scheduling.precedence import GivingWay, Precedence
from api.serving.workers import Workers
from solver.errors import RequestError


def few_threads(monkeypatch: pytest.MonkeyPatch, most: int) -> None:
    """Let the system refuse threads of a pool from the first one beyond `most`."""
    start = threading.Thread.start
    left = [most]

    def limited(thread: threading.Thread) -> None:
        if thread.name == "worker":
            if not left[0]:
                raise RuntimeError("can't start new thread")
            left[0] -= 1
        start(thread)

    monkeypatch.setattr(threading.Thread, "start", limited)


def test_where_threads_are_scarce_the_pool_is_smaller_and_says_so(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    few_threads(monkeypatch, 12)
    with caplog.at_level(logging.WARNING):
        workers = Workers(64, Precedence())
    assert workers.count == 9  # a quarter is left for searches
    assert "only 9 of 64 threads" in caplog.text
    workers.shutdown()
    config = Config(threads=64, searches=16).with_threads(9)
    assert (config.threads, config.searches) == (9, 7)


def test_a_limit_on_the_address_space_means_fewer_threads(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    resource = pytest.importorskip("resource")
    monkeypatch.setattr(resource, "getrlimit", lambda _: (2 << 30, 2 << 30))
    with caplog.at_level(logging.WARNING):
        workers = Workers(64, Precedence())
    assert 4 <= workers.count <= 8
    assert "of 64 threads" in caplog.text
    workers.shutdown()


def test_without_threads_there_is_an_error_that_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    few_threads(monkeypatch, 2)
    with pytest.raises(RequestError, match="can't start new thread"):
        Workers(64, Precedence())


def test_a_job_that_stands_back_lets_another_begin() -> None:
    pool = Pool("worker", 4, active=1)
    first, second, go = threading.Event(), threading.Event(), threading.Event()

    def waits() -> None:
        first.set()
        assert go.wait(10)
        stand_back()
        assert second.wait(10)

    pool.put(("a",), waits)
    assert first.wait(10)
    pool.put(("a",), second.set)
    assert not second.wait(0.05)
    go.set()
    assert second.wait(10)
    pool.stop()


def test_searches_give_way_to_short_work_but_not_for_ever() -> None:
    precedence = Precedence()
    precedence.enter()
    given: list[bool] = []

    def search() -> None:
        for _ in range(3):
            precedence.give_way()
        given.append(True)

    searching = threading.Thread(target=search)
    searching.start()
    searching.join(10)
    assert given
    precedence.leave()


def test_a_search_gives_way_now_and_then_however_often_it_looks_at_its_flag() -> None:
    given: list[bool] = []

    class Counted(Precedence):
        def give_way(self) -> None:
            given.append(True)

    flag = GivingWay(threading.Event(), Counted())
    assert not any(flag.is_set() for _ in range(1000))
    assert 1 <= len(given) < 500
    flag.set()
    assert flag.is_set()


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux has a niceness for each thread")
def test_threads_of_searches_are_nicer_than_others() -> None:
    def niceness() -> int:
        return os.getpriority(os.PRIO_PROCESS, threading.get_native_id())

    found: list[int] = []
    done = threading.Event()

    def job() -> None:
        found.append(niceness())
        done.set()

    before = niceness()
    pool = Pool("search", 1, niceness=1)
    pool.put(("a",), job)
    assert done.wait(10)
    pool.stop()
    assert found == [min(19, before + 1)]
    assert niceness() == before


def test_where_it_is_shared_a_place_is_kept_for_another_client() -> None:
    pool = Pool("worker", 8, active=3, shared=True)
    go, other = threading.Event(), threading.Event()
    begun = threading.Semaphore(0)

    def waits() -> None:
        begun.release()
        assert go.wait(10)

    for number in range(4):
        pool.put(("crowd", number), waits)
    for _ in range(2):
        assert begun.acquire(timeout=10)
    assert not begun.acquire(timeout=0.05)  # the third place is not for the crowd
    pool.put(("other", 0), other.set)
    assert other.wait(10)
    go.set()
    for _ in range(2):
        assert begun.acquire(timeout=10)
    pool.stop()


def test_two_clients_share_what_one_had() -> None:
    pool = Pool("worker", 8, active=5, shared=True)
    go = threading.Event()
    begun = threading.Semaphore(0)

    def waits() -> None:
        begun.release()
        assert go.wait(10)

    pool.put(("other",), lambda: None)
    for _ in range(4):
        pool.put(("crowd",), waits)
    for _ in range(2):
        assert begun.acquire(timeout=10)
    assert not begun.acquire(timeout=0.05)
    go.set()
    pool.stop()


def test_who_stops_a_pool_waits_for_what_is_done_now() -> None:
    pool = Pool("worker", 2)
    begun, done = threading.Event(), threading.Event()

    def works() -> None:
        begun.set()
        stand_back()
        time.sleep(0.05)
        done.set()

    pool.put(("a",), works)
    assert begun.wait(10)
    pool.stop(10.0)
    assert done.is_set()
