"""Solving many puzzles: order, failures, cancelling, executors."""

from __future__ import annotations

import threading
import time
from typing import Any

import pytest

from puzzles.check import run
from solver.errors import RequestError
from solver.games.alchemy import solving
from solver.limits import Control, Limit
from tests.puzzles.support import DUEL, WON, puzzle


def test_one_failing_puzzle_does_not_lose_the_others(monkeypatch: pytest.MonkeyPatch) -> None:
    answer = solving.answer

    def faulty(position: Any, ask: str, *args: Any, **options: Any) -> Any:
        if ask == "winnable":
            raise ZeroDivisionError("a bug")
        if ask == "value":
            raise RequestError("not_applicable", "not today", "stock")
        return answer(position, ask, *args, **options)

    monkeypatch.setattr(solving, "answer", faulty)
    asks = ["best-move", "winnable", "value", "all-matches"]
    results = [result for _, result in run([puzzle(ask, WON, ask) for ask in asks])]
    assert [(r.id, r.status) for r in results] == [
        ("best-move", "solved"), ("winnable", "error"), ("value", "error"), ("all-matches", "solved")
    ]  # fmt: skip
    assert results[1].to_dict()["error"] == {
        "code": "internal_error", "path": "", "message": "ZeroDivisionError: a bug"
    }  # fmt: skip
    assert results[2].to_dict()["error"] == {"code": "not_applicable", "path": "stock", "message": "not today"}


def test_results_come_as_they_are_done(monkeypatch: pytest.MonkeyPatch) -> None:
    answer = solving.answer
    hold = threading.Event()

    def slow(position: Any, ask: str, *args: Any, **options: Any) -> Any:
        if ask == "value":
            hold.wait(10)
        return answer(position, ask, *args, **options)

    monkeypatch.setattr(solving, "answer", slow)
    puzzles = [puzzle("value", DUEL, "slow"), *(puzzle("best-move", DUEL, str(n)) for n in range(8))]
    results = run(puzzles, jobs=2)
    quick = [next(results) for _ in range(8)]
    hold.set()
    assert [(number, result.id) for number, result in quick] == [(n + 1, str(n)) for n in range(8)]
    assert [(number, result.id) for number, result in results] == [(0, "slow")]


def _until_cancelled(position: Any, ask: str, control: Control, **options: Any) -> Any:
    while not control.stopped():
        time.sleep(0.001)
    return solving._matches(position, control)


def test_cancel_ends_the_running_searches(monkeypatch: pytest.MonkeyPatch) -> None:
    begun = threading.Semaphore(0)

    def answer(*asked: Any, **options: Any) -> Any:
        begun.release()
        return _until_cancelled(*asked, **options)

    def cancelling() -> None:
        for _ in range(2):
            begun.acquire(timeout=10)
        cancel.set()

    monkeypatch.setattr(solving, "answer", answer)
    cancel = threading.Event()
    threading.Thread(target=cancelling, daemon=True).start()
    begin = time.monotonic()
    results = list(run([puzzle("all-matches", DUEL, str(n)) for n in range(50)], jobs=2, cancel=cancel))
    assert time.monotonic() - begin < 30
    assert 2 <= len(results) < 50


def test_a_caller_who_goes_away_ends_the_searches(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(solving, "answer", _until_cancelled)
    cancel = threading.Event()
    results = run(
        [puzzle("all-matches", DUEL, str(n)) for n in range(50)], jobs=2, cancel=cancel, limit=Limit(seconds=0.05)
    )
    next(results)
    begin = time.monotonic()
    results.close()  # type: ignore[attr-defined]
    assert time.monotonic() - begin < 5
    assert not cancel.is_set()  # it is the caller's


def test_a_cancelled_run_begins_nothing() -> None:
    cancel = threading.Event()
    cancel.set()
    assert list(run([puzzle("value", DUEL)], cancel=cancel)) == []
    assert list(run([])) == []


def test_a_thread_that_is_not_started_is_told_by_the_results(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(_thread: threading.Thread) -> None:
        raise RuntimeError("can't start new thread")

    monkeypatch.setattr(threading.Thread, "start", refuse)
    results = list(run([puzzle("value", DUEL, str(n)) for n in range(3)]))
    assert [result.status for _, result in results] == ["error"] * 3
