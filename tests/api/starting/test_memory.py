"""The service stays within its memory: it tells what it takes, and refuses what it has no memory for."""

from __future__ import annotations

import json
import logging
import mmap
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from flask.testing import FlaskClient

import athanor
from api import memory as startup
from api.app import create_app
from api.config import Config
from api.memory import Memory
from solver.limits import Control
from solver.search import cpsat, memory
from solver.search.memory import ACCOUNT, MEGABYTE, SHELF, Account, Shelf
from tests.api.support import DUEL, refused

NAMES = [name for name in athanor.games() if name != "alchemy"]


@pytest.fixture
def client() -> FlaskClient:
    return create_app(Config(memory_mb=2048)).test_client()


@contextmanager
def refusing() -> Iterator[None]:
    """A system that gives no memory for tables, and no idle ones."""

    def refuse(*_: Any, **__: Any) -> mmap.mmap:
        raise OSError(12, "Cannot allocate memory")

    SHELF.drop()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(mmap, "mmap", refuse)
        yield


def body(name: str) -> dict[str, Any]:
    position = athanor.deal(name, seed=1).model_dump(mode="json", exclude_none=True)
    return {"position": position, "limit": {"nodes": 500}}


def test_health_tells_what_is_taken(client: FlaskClient) -> None:
    told = client.get("/healthz").get_json()["memory"]
    assert told["limit_mb"] == 2048
    assert told["tables_limit_mb"] == ACCOUNT.limit // MEGABYTE
    assert 0 <= told["tables_mb"] <= told["tables_limit_mb"]
    if memory.resident() is not None:
        assert told["used_mb"] > 20


@pytest.mark.parametrize("name", NAMES)
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
        answer = client.post("/v1/solve?nodes=500", json={"puzzle": [king, easy]})
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
    account = Account()
    monkeypatch.setattr(startup, "_PROGRAM", 600 * MEGABYTE)
    monkeypatch.setattr(startup, "_REQUEST", 10 * MEGABYTE)
    monkeypatch.setattr(memory, "resident", lambda: 400 * MEGABYTE)
    looking = Memory(2000, requests=20, searches=2, loaded=loaded.is_set, account=account, shelf=Shelf(account))
    assert account.limit == 1200 * MEGABYTE
    assert account.part == 300 * MEGABYTE
    assert account.resident == 2000 * MEGABYTE
    looking.look()
    assert account.limit == 1200 * MEGABYTE
    loaded.set()
    looking.look()
    assert account.limit == 1400 * MEGABYTE


def test_a_bound_below_the_program_itself_is_told(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    loaded = threading.Event()
    account = Account()
    monkeypatch.setattr(memory, "resident", lambda: 400 * MEGABYTE)
    looking = Memory(320, requests=2, searches=2, loaded=loaded.is_set, account=account, shelf=Shelf(account))
    loaded.set()
    with caplog.at_level(logging.WARNING):
        looking.look()
        looking.look()
    assert account.limit == 40 * MEGABYTE
    assert [record.message for record in caplog.records] == [
        "the program takes 400 MiB of the 320 MiB that it may have (ATHANOR_MEMORY_MB), which leaves its tables "
        "little, and may be exceeded"
    ]
