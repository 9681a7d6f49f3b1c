"""Every endpoint, and every kind of error, in the contract's form."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from typing import Any

import pytest
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from api import solving
from api.app import create_app
from api.config import Config
from api.errors import BusyError
from api.searches import Searches
from puzzles import runner
from solver import registry
from solver.errors import RequestError
from solver.games.alchemy import solve
from solver.positions import game_of, parse_position
from solver.search.drive import Control

KNOWN: dict[str, Any] = {
    "game": "alchemy",
    "variant": "solo",
    "cap": 6,
    "line": ["4", "7", "K", "2", "9", "A"],
    "hand": "6",
    "stock": ["5", "Q", "3", "8"],
}
HIDDEN: dict[str, Any] = {
    "game": "alchemy",
    "variant": "alternative",
    "cap": 4,
    "line": ["2", "5", "7", "9"],
    "hand": "4",
    "unseen": ["A", "3", "6", "8"],
}
DUEL: dict[str, Any] = {
    "game": "alchemy",
    "variant": "duel",
    "line": ["2", "3", "5", "7", "9", "J"],
    "hand": "9",
    "opponent_hand": "K",
}
FREE: dict[str, Any] = {"game": "alchemy", "variant": "free", "min_line": 1, "line": list("23579"), "hand": "9"}
OPTIMUM: dict[str, Any] = {**FREE, "objective": "most-cards"}
POSITIONS = {"known": KNOWN, "duel": DUEL, "free": FREE, "optimum": OPTIMUM}

FILE = """
[[puzzle]]
id = "one"
title = "First"
ask = "winnable"
position = { game = "alchemy", variant = "solo", cap = 3, line = ["4","7","K"], hand = "6", stock = ["5"] }
solution = { value = "lost" }

[[puzzle]]
id = "two"
title = "Second"
ask = "all-matches"
position = { game = "alchemy", variant = "free", min_line = 1, line = ["2","3","5","7","9"], hand = "9" }
"""


@pytest.fixture(scope="module", autouse=True)
def _warm() -> None:
    for name in registry.NAMES:
        registry.game(name).warm()  # or compiling would use up the limits


@pytest.fixture(scope="module")
def client() -> FlaskClient:
    return create_app(Config(default_seconds=5, max_seconds=10)).test_client()


def refused(found: TestResponse, status: int, code: str, path: str = "") -> str:
    """That an answer is the contract's error; its message."""
    assert found.status_code == status, found.text
    assert found.mimetype == "application/json"
    assert found.json is not None
    assert set(found.json) == {"error"}
    error = found.json["error"]
    assert set(error) == {"code", "path", "message"}
    assert (error["code"], error["path"]) == (code, path)
    assert error["message"]
    return str(error["message"])


# Questions


@pytest.mark.parametrize("kind", POSITIONS)
def test_analyze_says_what_the_solver_says(client: FlaskClient, kind: str) -> None:
    found = client.post("/v1/analyze", json={"position": POSITIONS[kind]})
    assert found.status_code == 200, found.text
    position = parse_position(POSITIONS[kind])
    expected = json.loads(game_of(position).analyze(position, Control()).to_json())
    answer = found.get_json()
    for varying in ("nodes", "seconds"):
        assert answer.pop(varying) >= 0
        expected.pop(varying)
    assert answer == expected


@pytest.mark.parametrize("position", [HIDDEN, DUEL], ids=["hidden", "duel"])
def test_hint(client: FlaskClient, position: dict[str, Any]) -> None:
    body = {"position": position, "limit": {"seconds": 5, "nodes": 10**9}, "worlds": 50, "seed": 7}
    found = client.post("/v1/hint", json=body)
    assert found.status_code == 200, found.text
    answer = found.get_json()
    assert answer["best"] == answer["moves"][0]["move"]
    assert answer["reason"]


def test_nulls_are_as_good_as_nothing(client: FlaskClient) -> None:
    body = {"position": KNOWN, "model": None, "player": None, "limit": {"seconds": None, "nodes": None}}
    assert client.post("/v1/analyze", json=body).status_code == 200


@pytest.mark.parametrize(("asked", "given"), [(None, 2.0), (1.5, 1.5), (1000.0, 3.0), (1, 1.0)])
def test_limit(monkeypatch: pytest.MonkeyPatch, asked: float | None, given: float) -> None:
    controls: list[Control] = []
    inner = solve.analyze

    def spy(position: Any, control: Control, **options: Any) -> Any:
        controls.append(control)
        return inner(position, control, **options)

    monkeypatch.setattr(solve, "analyze", spy)
    app = create_app(Config(default_seconds=2, max_seconds=3))
    body = {"position": KNOWN, "limit": {"seconds": asked, "nodes": 12345}}
    assert app.test_client().post("/v1/analyze", json=body).status_code == 200
    (control,) = controls
    assert control.deadline is not None
    assert control.deadline - control.started == pytest.approx(given, abs=0.05)
    assert control.node_limit == 12345


def test_a_limit_that_ends_the_search_returns_the_best_so_far(client: FlaskClient) -> None:
    deal = client.post("/v1/deal", json={"game": "alchemy", "variant": "alternative", "seed": 4}).get_json()
    found = client.post("/v1/analyze", json={"position": deal["position"], "limit": {"nodes": 1}})
    assert found.status_code == 200
    answer = found.get_json()
    assert answer["exact"] is (answer["bounds"][0] == answer["bounds"][1])


@pytest.mark.parametrize(
    ("change", "code", "path"),
    [
        ({"position": {**KNOWN, "line": ["4", "7", "K", "2", "Z", "A"]}}, "illegal_card", "line[4]"),
        ({"position": {**KNOWN, "line": ["4", "7", "K", "2", 9, "A"]}}, "wrong_type", "line[4]"),
        ({"position": {**KNOWN, "line": ["4", "7"]}}, "wrong_size", "line"),
        ({"position": {**KNOWN, "stok": []}}, "unknown_key", "stok"),
        ({"position": {**KNOWN, "cap": 10**400}}, "out_of_range", "cap"),
        ({"position": {**KNOWN, "game": "chess"}}, "unknown_value", "game"),
        ({"position": {**KNOWN, "game": None}}, "unknown_value", "game"),
        ({"position": {**KNOWN, "variant": "poker"}}, "unknown_value", "variant"),
        ({"position": {}}, "missing_key", "game"),
        ({"position": 5}, "wrong_type", "position"),
        ({"position": None}, "wrong_type", "position"),
        ({"position": HIDDEN}, "hidden_cards", "stock"),
        ({"limit": {"seconds": 0}}, "out_of_range", "limit.seconds"),
        ({"limit": {"seconds": "1"}}, "wrong_type", "limit.seconds"),
        ({"limit": {"nodes": 10**400}}, "out_of_range", "limit.nodes"),
        ({"limit": {"nodes": 1.5}}, "wrong_type", "limit.nodes"),
        ({"limit": {"minutes": 1}}, "unknown_key", "limit.minutes"),
        ({"limit": 5}, "wrong_type", "limit"),
        ({"model": "paranoid"}, "unknown_value", "model"),
        ({"model": 5}, "wrong_type", "model"),
        ({"player": 9}, "out_of_range", "player"),
        ({"player": -1}, "out_of_range", "player"),
        ({"worlds": 5}, "unknown_key", "worlds"),
    ],
    ids=str,
)
def test_analyze_names_the_key_that_is_wrong(
    client: FlaskClient, change: dict[str, Any], code: str, path: str
) -> None:
    refused(client.post("/v1/analyze", json={"position": KNOWN, **change}), 422, code, path)


@pytest.mark.parametrize(
    ("change", "code", "path"),
    [
        ({"worlds": 0}, "out_of_range", "worlds"),
        ({"worlds": 10**6}, "out_of_range", "worlds"),
        ({"seed": -1}, "out_of_range", "seed"),
        ({"seed": 2**63}, "out_of_range", "seed"),
        ({"model": "paranoid"}, "not_applicable", "model"),
        ({"player": 0}, "not_applicable", "player"),
    ],
    ids=str,
)
def test_hint_names_the_key_that_is_wrong(
    client: FlaskClient, change: dict[str, Any], code: str, path: str
) -> None:
    refused(client.post("/v1/hint", json={"position": HIDDEN, **change}), 422, code, path)


def test_a_position_that_cannot_be_hinted(client: FlaskClient) -> None:
    found = client.post("/v1/hint", json={"position": FREE})
    assert found.status_code == 422
    assert found.get_json()["error"]["message"]


def test_a_missing_position(client: FlaskClient) -> None:
    refused(client.post("/v1/analyze", json={}), 422, "missing_key", "position")


# Bodies


@pytest.mark.parametrize(
    ("body", "code"),
    [
        (b"", "invalid_json"),
        (b"  ", "invalid_json"),
        (b"{", "invalid_json"),
        (b'{"position": NaN}', "invalid_json"),
        (b'{"position": -Infinity}', "invalid_json"),
        (b'{"position": 1, "position": 2}', "invalid_json"),
        (b'{"position": "\\ud800"}', "invalid_json"),
        (b'{"position": ' + b"1" * 5000 + b"}", "invalid_json"),
        (b"[" * 200_000, "invalid_json"),
        (b'{"a":' * 100_000, "invalid_json"),
        (b'{"position": "\xff"}', "invalid_text"),
        (b'{"position": "\xed\xa0\x80"}', "invalid_text"),
        ('{"position": 1}'.encode("utf-16"), "invalid_text"),
    ],
    ids=lambda value: str(value[:30]),
)
@pytest.mark.parametrize("address", ["/v1/analyze", "/v1/hint", "/v1/deal", "/v1/score"])
def test_what_is_not_json(client: FlaskClient, address: str, body: bytes, code: str) -> None:
    refused(client.post(address, data=body, content_type="application/json"), 400, code)


@pytest.mark.parametrize("body", [b"null", b"5", b"[]", b'"{}"', b"true"])
@pytest.mark.parametrize("address", ["/v1/analyze", "/v1/hint", "/v1/deal", "/v1/score"])
def test_what_is_no_object(client: FlaskClient, address: str, body: bytes) -> None:
    refused(client.post(address, data=body, content_type="application/json"), 422, "wrong_type")


def test_nesting_that_can_still_be_read_is_refused_for_its_key(client: FlaskClient) -> None:
    body = b'{"position":' + b'{"a":' * 800 + b"1" + b"}" * 801
    assert client.post("/v1/analyze", data=body).status_code in (400, 422)


def test_an_infinite_number_is_out_of_range(client: FlaskClient) -> None:
    body = json.dumps({"position": KNOWN, "limit": {"seconds": 0}}).replace('"seconds": 0', '"seconds": 1e999')
    refused(client.post("/v1/analyze", data=body), 422, "out_of_range", "limit.seconds")


def test_an_error_does_not_repeat_a_megabyte(client: FlaskClient) -> None:
    found = client.post("/v1/analyze", json={"position": KNOWN, "x" * 500_000: 1})
    assert found.status_code == 422
    assert len(found.data) < 3000


@pytest.mark.parametrize("kind", [None, "application/json", "application/vnd.x+json", "text/plain; charset=utf-8"])
def test_a_body_is_read_unless_it_says_that_it_is_something_else(client: FlaskClient, kind: str | None) -> None:
    body = json.dumps({"position": KNOWN})
    assert client.post("/v1/analyze", data=body, content_type=kind).status_code == 200


@pytest.mark.parametrize("kind", ["application/xml", "multipart/form-data; boundary=x", "application/toml"])
def test_a_foreign_type(client: FlaskClient, kind: str) -> None:
    refused(client.post("/v1/analyze", data="{}", content_type=kind), 415, "unsupported_media_type")


def test_a_compressed_body(client: FlaskClient) -> None:
    found = client.post("/v1/analyze", data=b"\x1f\x8b", headers={"Content-Encoding": "gzip"})
    refused(found, 415, "unsupported_media_type")


@pytest.mark.parametrize("address", ["/v1/analyze", "/v1/solve"])
def test_too_large_a_body(client: FlaskClient, address: str) -> None:
    refused(client.post(address, data=b" " * ((1 << 20) + 1)), 413, "too_large")


# Addresses and methods


@pytest.mark.parametrize("address", ["/nothing", "/v1/analyze/", "//v1/games", "/v1/jobs", "/metrics", "/docs/x"])
def test_an_unknown_address(client: FlaskClient, address: str) -> None:
    refused(client.get(address), 404, "not_found")


@pytest.mark.parametrize(
    ("address", "method", "allowed"),
    [("/v1/analyze", "GET", "POST"), ("/v1/solve", "PUT", "POST"), ("/v1/games", "POST", "GET")],
)
def test_another_method(client: FlaskClient, address: str, method: str, allowed: str) -> None:
    found = client.open(address, method=method)
    refused(found, 405, "method_not_allowed")
    assert allowed in found.headers["Allow"].split(", ")


def test_a_failure_of_ours_is_logged_and_not_told(
    client: FlaskClient, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def broken(*_: Any, **__: Any) -> None:
        raise RuntimeError("a secret of the kitchen")

    monkeypatch.setattr(solve, "analyze", broken)
    found = client.post("/v1/analyze", json={"position": KNOWN})
    refused(found, 500, "internal_error")
    assert "secret" not in found.text
    assert "a secret of the kitchen" in caplog.text


# The gate


def test_a_request_waits_for_a_search_no_longer_than_it_may_take() -> None:
    config = Config(searches=1, threads=4)
    searches = Searches(config.searches, config.waiting)
    client = create_app(config, searches).test_client()
    with searches.slot(1):
        found = client.post("/v1/analyze", json={"position": KNOWN, "limit": {"seconds": 0.02}})
        refused(found, 503, "too_slow")
        assert int(found.headers["Retry-After"]) > 0
        refused(client.post("/v1/solve?seconds=0.02", data=FILE), 503, "too_slow")
        assert client.get("/healthz").status_code == 200
    assert client.post("/v1/analyze", json={"position": KNOWN}).status_code == 200


def test_a_queue_that_is_full() -> None:
    config = Config(searches=1, threads=3)
    searches = Searches(config.searches, config.waiting)
    client = create_app(config, searches).test_client()
    with searches.slot(1):
        refused(client.post("/v1/analyze", json={"position": KNOWN}), 503, "busy")


def test_a_slot_that_is_given_back_is_taken() -> None:
    searches = Searches(1, 5)
    got = threading.Event()

    def wait() -> None:
        with searches.slot(10):
            got.set()

    with searches.slot(1):
        waiting = threading.Thread(target=wait)
        waiting.start()
        assert not got.wait(0.05)
    assert got.wait(5)
    waiting.join()


def test_more_slots_never_take_the_last_one() -> None:
    searches = Searches(4, 0)
    with searches.slot(0) as first:
        assert searches.more(first, 10) == 3
        with searches.slot(0), pytest.raises(BusyError), searches.slot(0):
            pass
    with searches.slot(0) as again:
        assert searches.more(again, 2) == 2


def test_a_client_that_has_gone_ends_its_search() -> None:
    searches = Searches(2, 0)
    searches.watch()
    with searches.slot(0, lambda: True) as gone, searches.slot(0, lambda: False) as there:
        assert gone.cancel.wait(5)
        assert not there.cancel.is_set()


def test_the_end_of_the_service_ends_every_search() -> None:
    searches = Searches(2, 0)
    with searches.slot(0) as running:
        searches.cancel_all()
        assert running.cancel.is_set()
    with searches.slot(0) as later:
        assert later.cancel.is_set()


# Puzzle files


def lines_of(found: TestResponse) -> list[dict[str, Any]]:
    assert found.status_code == 200, found.text
    assert found.mimetype == "application/x-ndjson"
    assert found.text.endswith("\n")
    return [json.loads(line) for line in found.text.splitlines()]


@pytest.mark.parametrize("kind", ["application/toml", "text/plain", None])
def test_solve_toml(client: FlaskClient, kind: str | None) -> None:
    lines = lines_of(client.post("/v1/solve?seconds=5&nodes=1000000", data=FILE, content_type=kind))
    by_id = {line["id"]: line for line in lines}
    assert set(by_id) == {"one", "two"}
    assert by_id["one"]["status"] == "confirmed"
    assert by_id["two"]["status"] == "solved"


@pytest.mark.parametrize("kind", ["application/json", "text/plain"])
def test_solve_json(client: FlaskClient, kind: str) -> None:
    puzzle = {"id": "one", "title": "One", "ask": "winnable", "position": KNOWN, "solution": {"value": "lost"}}
    (line,) = lines_of(client.post("/v1/solve", data=json.dumps({"puzzle": [puzzle]}), content_type=kind))
    assert line["status"] == "refuted"


@pytest.mark.parametrize(
    ("body", "kind", "status", "code", "path"),
    [
        ("[[puzzle]\n", "application/toml", 400, "invalid_toml", ""),
        ("{", "application/json", 400, "invalid_json", ""),
        ("", "application/toml", 422, "empty_file", ""),
        ("{}", "application/json", 422, "missing_key", "puzzle"),
        ("[]", "application/json", 422, "wrong_type", ""),
        (FILE.replace('"6"', '"P"'), "application/toml", 422, "illegal_card", "puzzle[0].position.hand"),
        (FILE.replace("title", "tilte", 1), "application/toml", 422, "unknown_key", "puzzle[0].tilte"),
        (FILE.replace("two", "one"), "application/toml", 422, "duplicate_id", "puzzle[1].id"),
        (FILE, "application/xml", 415, "unsupported_media_type", ""),
    ],
    ids=lambda value: str(value)[:30],
)
def test_a_puzzle_file_that_is_wrong(
    client: FlaskClient, body: str, kind: str, status: int, code: str, path: str
) -> None:
    message = refused(client.post("/v1/solve", data=body, content_type=kind), status, code, path)
    if kind == "application/toml":
        assert message.startswith("line ")


@pytest.mark.parametrize(
    ("query", "code", "path"),
    [
        ("seconds=0", "out_of_range", "seconds"),
        ("seconds=soon", "wrong_type", "seconds"),
        ("seconds=nan", "out_of_range", "seconds"),
        ("nodes=1.5", "wrong_type", "nodes"),
        ("nodes=1&nodes=2", "wrong_size", "nodes"),
        ("minutes=1", "unknown_key", "minutes"),
    ],
)
def test_a_query_that_is_wrong(client: FlaskClient, query: str, code: str, path: str) -> None:
    refused(client.post(f"/v1/solve?{query}", data=FILE), 422, code, path)


def test_lines_are_sent_as_puzzles_are_solved(monkeypatch: pytest.MonkeyPatch) -> None:
    more = threading.Event()
    cancels: list[threading.Event] = []
    inner = runner.run

    def slow(puzzles: Any, *, cancel: threading.Event, **options: Any) -> Iterator[Any]:
        cancels.append(cancel)
        yield from inner(puzzles[:1], cancel=cancel, **options)
        assert more.wait(10)
        yield from inner(puzzles[1:], cancel=cancel, **options)

    monkeypatch.setattr(runner, "run", slow)
    searches = Searches(1, 0)
    client = create_app(Config(), searches).test_client()
    found = client.post("/v1/solve", data=FILE, buffered=False)
    stream = found.iter_encoded()
    assert json.loads(next(stream))["id"] == "one"
    more.set()
    assert json.loads(next(stream))["id"] == "two"
    assert not cancels[0].is_set()
    found.close()
    assert cancels[0].is_set()
    with searches.slot(0):
        pass


def test_a_stream_that_is_never_read_gives_its_slot_back() -> None:
    searches = Searches(1, 0)
    client = create_app(Config(), searches).test_client()
    client.post("/v1/solve", data=FILE, buffered=False).close()
    with searches.slot(0):
        pass


def test_a_stream_that_is_cut_short_says_so() -> None:
    searches = Searches(1, 0)
    client = create_app(Config(), searches).test_client()
    searches.cancel_all()
    lines = lines_of(client.post("/v1/solve", data=FILE))
    assert lines[-1]["error"]["code"] == "cancelled"


def test_a_stream_does_not_hold_its_slot_for_ever(client: FlaskClient, monkeypatch: pytest.MonkeyPatch) -> None:
    def endless(_puzzles: Any, *, cancel: threading.Event, **_options: Any) -> Iterator[Any]:
        assert cancel.wait(10)
        yield from ()

    monkeypatch.setattr(runner, "run", endless)
    monkeypatch.setattr(solving, "LONGEST_STREAM_SECONDS", 0.05)
    (line,) = lines_of(client.post("/v1/solve", data=FILE))
    assert line["error"]["code"] == "cancelled"


def test_a_failure_in_the_middle_of_a_stream(
    client: FlaskClient, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def broken(*_: Any, **__: Any) -> Iterator[Any]:
        raise RuntimeError("a secret of the kitchen")
        yield

    monkeypatch.setattr(runner, "run", broken)
    (line,) = lines_of(client.post("/v1/solve", data=FILE))
    assert line["error"]["code"] == "internal_error"
    assert "secret" not in str(line)
    assert "secret" in caplog.text


# Tables


def test_games(client: FlaskClient) -> None:
    games = client.get("/v1/games").get_json()["games"]
    assert [game["name"] for game in games] == list(registry.NAMES)
    assert set(games[0]) == {"name", "title", "players", "variants", "models"}
    assert "solo" in games[0]["variants"]


@pytest.mark.parametrize("name", registry.NAMES)
def test_rules(client: FlaskClient, name: str) -> None:
    found = client.get(f"/v1/rules/{name}").get_json()
    assert found["game"] == name
    text = client.get(f"/v1/rules/{name}", headers={"Accept": "text/markdown"})
    assert text.mimetype == "text/markdown"
    assert text.text == found["rules"] == registry.game(name).rules()


def test_rules_of_no_game(client: FlaskClient) -> None:
    refused(client.get("/v1/rules/chess"), 404, "unknown_game", "game")


def test_deal(client: FlaskClient) -> None:
    body = {"game": "alchemy", "seed": 5, "number": 2, "variant": "alternative"}
    found = client.post("/v1/deal", json=body).get_json()
    assert (found["seed"], found["number"]) == (5, 2)
    assert found == client.post("/v1/deal", json=body).get_json()
    assert parse_position(found["position"]) == registry.game("alchemy").deal(5, number=2, variant="alternative")
    view = client.post("/v1/deal", json={**body, "seat": 0}).get_json()["position"]
    assert "stock" not in view
    assert view["line"] == found["position"]["line"]


def test_a_drawn_seed_is_told(client: FlaskClient) -> None:
    first, second = (client.post("/v1/deal", json={"game": "alchemy"}).get_json() for _ in range(2))
    assert first["seed"] != second["seed"]
    assert client.post("/v1/deal", json={"game": "alchemy", "seed": first["seed"]}).get_json() == first


@pytest.mark.parametrize(
    ("body", "code", "path"),
    [
        ({}, "missing_key", "game"),
        ({"game": "chess"}, "unknown_game", "game"),
        ({"game": "alchemy", "seed": -1}, "out_of_range", "seed"),
        ({"game": "alchemy", "seed": 2**63}, "out_of_range", "seed"),
        ({"game": "alchemy", "seed": 1.0}, "wrong_type", "seed"),
        ({"game": "alchemy", "variant": "free"}, "unknown_value", "variant"),
        ({"game": "alchemy", "players": 7}, "out_of_range", "players"),
        ({"game": "alchemy", "seat": 3}, "out_of_range", "seat"),
        ({"game": "alchemy", "sed": 3}, "unknown_key", "sed"),
    ],
    ids=str,
)
def test_a_deal_that_cannot_be(client: FlaskClient, body: dict[str, Any], code: str, path: str) -> None:
    refused(client.post("/v1/deal", json=body), 422, code, path)


def test_score(client: FlaskClient) -> None:
    record = {"game": "alchemy", "variant": "duel", "rounds": [{"piles": [["A", "K"], ["2"]]}]}
    answer = client.post("/v1/score", json=record).get_json()
    assert answer["variant"] == "duel"
    assert len(answer["rounds"]) == 1


def test_a_record_that_is_wrong(client: FlaskClient) -> None:
    record = {"game": "alchemy", "variant": "duel", "rounds": [{"piles": [["A", "Z"], ["2"]]}]}
    refused(client.post("/v1/score", json=record), 422, "illegal_card", "rounds[0].piles[0][1]")


def test_health_and_home(client: FlaskClient) -> None:
    found = client.get("/healthz")
    assert found.get_json()["status"] == "ok"
    assert client.get("/", follow_redirects=True).mimetype == "text/html"


# Configuration


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
