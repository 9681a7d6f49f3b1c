"""Searches in a process of their own: the same answers as here, told, ended and lost as they should be."""

from __future__ import annotations

import json
import os
import signal
import threading
import time
from typing import Any

import pytest

from api.apart.process import Process
from api.http.errors import BusyError
from api.http.searches import Searches
from api.scheduling.worked import worked
from solver.errors import RequestError
from solver.limits import Limit, Progress
from tests.api.apart.asking import client, example, timeless
from tests.api.apart.conftest import until_ready
from tests.api.apart.turning import Failing, Turning, Unsendable
from tests.api.support import DUEL, FILE, HIDDEN, KNOWN

LIMIT = Limit(seconds=20.0)
NODES = {"nodes": 300}


def by(key: str, lines: list[str]) -> dict[Any, Any]:
    """Lines that come in any order, by a key of theirs."""
    return {one[key]: timeless(one) for one in map(json.loads, lines)}


QUESTIONS = {
    "analysis": ("/v1/analyze", {"position": KNOWN}),
    "king": ("/v1/analyze", {"position": example("king.json"), "model": "ally", "limit": NODES}),
    "hint": ("/v1/hint", {"position": HIDDEN, "limit": NODES}),
    "sampled": ("/v1/hint", {"position": example("kirin-view.json"), "limit": NODES, "seed": 3}),
    "compounding": ("/v1/compound", {"position": example("won.json"), "best": 2}),
    "score": ("/v1/score", example("king-score.json")),
    "denied": ("/v1/hint", {"position": KNOWN}),
    "no match": ("/v1/analyze", {"position": DUEL, "player": 7}),
}


@pytest.mark.parametrize("name", QUESTIONS)
def test_answers_are_those_of_this_process(process: Process, name: str) -> None:
    path, body = QUESTIONS[name]
    here, there = (client(one).post(path, json=body) for one in (None, process))
    assert (there.status_code, timeless(there.json)) == (here.status_code, timeless(here.json))


def test_streams_are_those_of_this_process(process: Process) -> None:
    body = {"position": example("king-view.json"), "limit": {"nodes": 300}}
    asked = {"questions": [{"ask": "hint", **body}, {"ask": "analyze", "position": KNOWN}]}
    here, there = (client(one).post("/v1/hint?stream=1", json=body).text.splitlines() for one in (None, process))
    assert timeless(json.loads(there[-1])) == timeless(json.loads(here[-1]))
    here, there = (client(one).post("/v1/batch", json=asked).text.splitlines() for one in (None, process))
    assert by("index", there) == by("index", here)
    here, there = (
        client(one).post("/v1/solve", data=FILE, content_type="application/toml").text.splitlines()
        for one in (None, process)
    )
    assert by("id", there) == by("id", here)


def test_players_of_a_match_choose_there(process: Process) -> None:
    match: dict[str, Any] = {"game": "kirin", "variant": None, "seed": 5, "seat": 2, "seconds": 5.0, "moves": []}
    begun = client(None).post("/v1/match", json={"match": match})
    if begun.status_code != 200:
        pytest.fail(begun.text)
    sent = {"match": begun.json["match"]}  # type: ignore[index]
    turn = client(process).post("/v1/match/turn", json=sent)
    assert turn.status_code == 200, turn.text
    assert turn.json["told"]  # type: ignore[index]


def test_a_search_is_there_and_tells_how_far_it_is(process: Process) -> None:
    heard: list[Progress] = []
    found = process.run(Turning(), Limit(seconds=0.2), threading.Event(), heard.append)
    assert found.text == str(process.number) != str(os.getpid())
    assert found.exact
    assert [one.stage for one in heard] == ["turning"]


def test_what_it_takes_is_counted_for_who_asked(process: Process) -> None:
    before = worked() - time.thread_time()
    process.run(Turning(), Limit(seconds=0.3), threading.Event())
    assert worked() - time.thread_time() > before + 1e-3  # however busy the machine is


def test_a_flag_ends_it(process: Process) -> None:
    cancel = threading.Event()
    threading.Timer(0.1, cancel.set).start()
    began = time.monotonic()
    assert not process.run(Turning(), LIMIT, cancel).exact
    assert time.monotonic() - began < LIMIT.seconds / 2  # type: ignore[operator]


def test_what_is_tried_is_cut(process: Process) -> None:
    began = time.monotonic()
    _, cut = process.tried(Turning(), LIMIT, threading.Event())
    assert cut
    assert time.monotonic() - began < LIMIT.seconds / 2  # type: ignore[operator]


def test_errors_are_raised_as_they_were(process: Process) -> None:
    with pytest.raises(RequestError) as faulty:
        process.run(Failing("faulty"), LIMIT, threading.Event())
    assert [fault.path for fault in faulty.value.faults] == ["position.hand", "seed"]
    with pytest.raises(MemoryError, match="no memory is left"):
        process.run(Failing("memory"), LIMIT, threading.Event())
    with pytest.raises(RuntimeError, match="LocalError: what no other process knows"):
        process.run(Failing("local"), LIMIT, threading.Event())
    with pytest.raises(Exception, match="pickle"):
        process.run(Unsendable(), LIMIT, threading.Event())


def test_it_tells_of_its_memory(process: Process) -> None:
    assert process.resident > 50 << 20
    assert 0 <= process.tables.used <= process.tables.limit < 512 << 20
    told = client(process).get("/healthz").json["memory"]  # type: ignore[index]
    alone = client(None).get("/healthz").json["memory"]  # type: ignore[index]
    assert told["used_mb"] > alone["used_mb"]
    assert told["tables_limit_mb"] > alone["tables_limit_mb"]


def test_signals_for_the_service_do_not_end_it(process: Process) -> None:
    number = process.number
    assert number is not None
    for one in (signal.SIGINT, signal.SIGTERM):
        os.kill(number, one)
    assert process.run(Turning(), Limit(seconds=0.05), threading.Event()).text == str(number)


def test_one_that_dies_is_started_again(process: Process) -> None:
    """The last test, for what comes after it would wait until the games are loaded again."""
    number = process.number
    assert number is not None
    threading.Timer(0.2, os.kill, (number, signal.SIGKILL)).start()
    with pytest.raises(BusyError) as lost:
        process.run(Turning(), LIMIT, threading.Event())
    assert lost.value.headers["Retry-After"]
    assert not process.takes(Turning())
    searches = Searches(1, 40, apart=process)
    assert searches.run(Turning(), Limit(seconds=0.02), threading.Event()).text == str(os.getpid())
    until_ready(process)
    assert process.run(Turning(), Limit(seconds=0.02), threading.Event()).text not in (
        str(number),
        str(os.getpid()),
    )
