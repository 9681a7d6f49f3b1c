"""Questions about games that are not ready yet: who is refused, who is answered, and what health tells."""

from __future__ import annotations

import threading
import time
from typing import Any

import pytest
from flask.testing import FlaskClient

from api import reading
from api.app import create_app
from api.config import Config
from api.readiness import Readiness, Stage
from athanor.sessions import Saved, dumps
from tests.api.support import FILE, HIDDEN, KNOWN, refused

SECONDS = 30.0  # that any of this may take on a loaded machine

KIRIN = {"game": "kirin", "seat": 2, "leader": 0, "hand": ["D1", "D2", "D3", "D4", "D5", "D6", "DT", "B2", "D-"]}


@pytest.fixture
def readiness(monkeypatch: pytest.MonkeyPatch) -> Readiness:
    monkeypatch.setattr(reading, "_PATIENCE_SECONDS", 0.05)
    return Readiness(["alchemy", "kirin"])


@pytest.fixture
def client(readiness: Readiness) -> FlaskClient:
    return create_app(Config(), readiness=readiness).test_client()


MATCH = {"game": "alchemy", "variant": "duel", "seed": 3, "rounds": 1, "seconds": 0.05}


@pytest.mark.parametrize(
    ("address", "body"),
    [
        ("/v1/analyze", {"position": KNOWN}),
        ("/v1/hint", {"position": HIDDEN}),
        ("/v1/solve", FILE),
        ("/v1/match", {"match": MATCH}),
        ("/v1/match/turn", {"match": MATCH}),
        ("/v1/match/hint", {"match": MATCH}),
        ("/v1/match/log", {"match": MATCH}),
        ("/v1/match/review", {"match": MATCH}),
        ("/v1/match/written", {"text": dumps([Saved.model_validate(MATCH)])}),
    ],
)
def test_a_question_about_a_game_that_compiles_is_put_off(
    client: FlaskClient, readiness: Readiness, address: str, body: Any
) -> None:
    readiness.enter("alchemy", Stage.COMPILING)
    readiness.compiled("alchemy", 0.25)
    sent = {"data": body, "content_type": "application/toml"} if isinstance(body, str) else {"json": body}
    found = client.post(address, **sent)
    message = refused(found, 503, "starting")
    assert message.startswith("alchemy is not ready yet (compiling, 25% after 0 s); try again in ")
    assert 1 <= int(found.headers["Retry-After"]) <= 60


def test_a_hint_is_answered_before_the_rest_is_compiled(client: FlaskClient, readiness: Readiness) -> None:
    readiness.enter("alchemy", Stage.COMPILING)
    readiness.compiled("alchemy", 0.25)
    readiness.hint("alchemy")
    assert client.post("/v1/hint", json={"position": HIDDEN, "limit": {"nodes": 1}}).status_code == 200
    message = refused(client.post("/v1/analyze", json={"position": KNOWN}), 503, "starting")
    assert " s; hints are ready); try again in " in message
    assert client.get("/readyz").status_code == 503


def test_a_question_puts_its_game_first(client: FlaskClient, readiness: Readiness) -> None:
    readiness.enter("alchemy", Stage.COMPILING)
    assert readiness.first(["alchemy", "kirin"]) == "alchemy"
    found = client.post("/v1/hint", json={"position": KIRIN})
    assert refused(found, 503, "starting").startswith("kirin is not ready yet (waiting)")
    assert readiness.first(["alchemy", "kirin"]) == "kirin"


def test_a_game_that_is_loaded_is_waited_for(client: FlaskClient, readiness: Readiness) -> None:
    reading._PATIENCE_SECONDS = SECONDS
    readiness.enter("alchemy", Stage.LOADING)
    soon = threading.Timer(0.1, readiness.enter, ("alchemy", Stage.READY))
    soon.start()
    found = client.post("/v1/analyze", json={"position": KNOWN})
    assert found.status_code == 200
    soon.join()


def test_what_needs_no_kernels_is_answered_at_once(client: FlaskClient) -> None:
    for address in ("/v1/games", "/v1/decks", "/v1/rules/kirin", "/openapi.json", "/docs"):
        assert client.get(address).status_code == 200
    assert client.post("/v1/deal", json={"game": "kirin", "seat": 1}).status_code == 200


def test_health_tells_of_every_game(client: FlaskClient, readiness: Readiness) -> None:
    readiness.enter("alchemy", Stage.COMPILING, "its process was ended by SIGSEGV")
    readiness.compiled("alchemy", 0.25)
    assert client.get("/healthz").get_json()["games"]["alchemy"]["hints"] is False
    readiness.hint("alchemy")
    found = client.get("/healthz").get_json()
    assert found["status"] == "starting"
    alchemy = found["games"]["alchemy"]
    assert (alchemy["state"], alchemy["share"], alchemy["hints"]) == ("compiling", 0.25, True)
    assert alchemy["reason"] == "its process was ended by SIGSEGV"
    assert found["games"]["kirin"]["state"] == "waiting"
    for name in readiness.progress():
        readiness.enter(name, Stage.READY)
    found = client.get("/healthz").get_json()
    assert found["status"] == "ok"
    ready = {"state": "ready", "share": 1.0, "hints": True, "seconds": None, "reason": None}
    assert found["games"]["kirin"] == ready


def test_the_time_to_wait_follows_from_how_far_it_is(
    readiness: Readiness, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = time.monotonic()
    readiness.enter("alchemy", Stage.COMPILING)
    monkeypatch.setattr(time, "monotonic", lambda: now + 10.0)
    readiness.compiled("alchemy", 0.5)
    assert 10 <= readiness.retry_after("alchemy") <= 12
    assert 5 <= readiness.retry_after("alchemy", hint=True) <= 7
    assert 29 <= readiness.retry_after("kirin") <= 32  # ten more for alchemy, and then as long as alchemy in all


def test_a_game_whose_cards_are_drawn_is_wanted_soon(client: FlaskClient, readiness: Readiness) -> None:
    assert readiness.first(["alchemy", "kirin"]) == "alchemy"
    assert client.post("/v1/cards", json={"game": "kirin"}).status_code == 200
    assert readiness.first(["alchemy", "kirin"]) == "kirin"
