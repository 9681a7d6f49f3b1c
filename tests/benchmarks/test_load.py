"""The load that is put on a service: every question of it is one that the service answers."""

from __future__ import annotations

import json
from threading import Event, Thread

import pytest
from werkzeug.serving import make_server

from api.app import create_app
from benchmarks.load.clients import Client, Mix, Tally
from benchmarks.load.questions import Asked, questions, strange
from benchmarks.load.server import Address
from solver.common import Random
from solver.positions import game_of, parse_position

ASKED = questions(1, 0.05, 3)


@pytest.mark.parametrize("lane", ["small", "heavy", "strange"])
def test_what_is_asked_can_be_asked(lane: str) -> None:
    asked = [strange(Random(1))] if lane == "strange" else getattr(ASKED, lane)
    for question in asked:
        body = json.loads(question.body or b"{}")
        for part in (body, *body.get("puzzle", ())):
            if "position" in part:
                position = parse_position(part["position"])
                ask = {"/v1/hint": "hint", "/v1/analyze": "analyze"}.get(question.path)
                assert ask is None or ask in game_of(position).asks(position)


def test_every_address_is_asked() -> None:
    told = {asked.path.split("?")[0] for asked in (*ASKED.small, *ASKED.heavy)}
    assert {"/v1/hint", "/v1/analyze", "/v1/compound", "/v1/solve", "/v1/deal", "/v1/score"} <= told


def test_what_needs_no_search_is_answered() -> None:
    client = create_app().test_client()
    for asked in ASKED.small:
        if asked.kind == "told":
            method = "GET" if asked.body is None else "POST"
            found = client.open(asked.path, method=method, data=asked.body, content_type="application/json")
            assert found.status_code == 200, (asked.path, found.text)


def test_a_deck_is_another_each_time() -> None:
    random = Random(2)
    assert len({strange(random).body for _ in range(5)}) == 5


@pytest.mark.small
def test_clients_count_what_they_get() -> None:
    server = make_server("127.0.0.1", 0, create_app(), threaded=True)
    Thread(target=server.serve_forever, daemon=True).start()
    tally, end = Tally(), Event()
    told = questions(1, 0.05, 3)._replace(
        small=[Asked("told", "/v1/games", None), Asked("wrong", "/v1/hint", b"{}")]
    )
    client = Client(Address("127.0.0.1", server.port, None), told, Mix(0, 0, False), Random(1), tally)
    asking = Thread(target=client.run, args=(end,))
    asking.start()
    while tally.requests < 20 and asking.is_alive():
        end.wait(0.01)
    end.set()
    asking.join()
    server.shutdown()
    assert set(tally.statuses["told"]) == {"200"}
    assert set(tally.statuses["wrong"]) == {"422"}
    assert len(tally.seconds["told"]) == tally.statuses["told"]["200"]
    assert tally.faults.total() == tally.statuses["wrong"]["422"]
